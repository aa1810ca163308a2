"""What keeps people who cannot see, point or tell colours apart from reading a page.

axe looks at every element, for half a minute on a page of code. Most of them look alike: words of
code, parts of formulas, paragraphs. So repeated parts of code and formulas are taken out, and of
the texts with the same colours and size one is asked for its contrast. The parts of a formula are
drawn by the style sheet, and axe finds no text in them. What is kept stands where it stood, and
what scrolled still scrolls.
"""

from axe_playwright_python.sync_playwright import Axe
from browser_visit import Visit

OPTIONS = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21aa"]},
    # What passes is not reported: that would take as long as finding it.
    "resultTypes": ["violations"],
}
RUN = """options => {
  axe.configure({ rules: [{ id: 'color-contrast', selector: '[data-look]' }] });
  return axe.run(options);
}"""

KEEP_ONE_OF_EACH = """() => {
  for (const kind of ['span.math', 'div.math']) {
    const [, ...formulas] = document.querySelectorAll(`article ${kind} > mjx-container`);
    const sizes = formulas.map(e => e.getBoundingClientRect());
    formulas.forEach((formula, i) => {
      const { width, height } = sizes[i];
      formula.replaceChildren();
      formula.style.cssText = `display: inline-block; width: ${width}px; height: ${height}px`;
    });
  }

  const ground = e => {
    const colour = getComputedStyle(e).backgroundColor;
    return colour === 'rgba(0, 0, 0, 0)' && e.parentElement ? ground(e.parentElement) : colour;
  };
  const firstOfItsLook = () => {
    const seen = new Set();
    return e => {
      const { color, opacity, fontSize, fontWeight } = getComputedStyle(e);
      const look = [color, opacity, fontSize, fontWeight, ground(e)].join();
      return !seen.has(look) && seen.add(look);
    };
  };

  const isFirstWord = firstOfItsLook();
  const repeated = [...document.querySelectorAll('article :is(span, code)')].filter(span => {
    if (span.closest('mjx-container, .math')) return false;
    if (span.getAttributeNames().some(name => name !== 'class')) return false;
    return !isFirstWord(span);
  });
  for (const span of repeated) span.replaceWith(...span.childNodes);

  const isFirstText = firstOfItsLook();
  const isText = node => node.nodeType === Node.TEXT_NODE && node.data.trim();
  const holdsText = e => [...e.childNodes].some(isText);
  for (const e of document.querySelectorAll('body *')) {
    if (holdsText(e) && e.checkVisibility() && isFirstText(e)) e.dataset.look = 'first';
  }
}"""


def accessibility(visit: Visit) -> list[str]:
    """Find violations of WCAG 2.1, levels A and AA, also in what a reader has to open.

    The page is thinned out for it, so this check comes last.
    """
    visit.open_all()
    visit.page.evaluate(KEEP_ONE_OF_EACH)
    visit.page.evaluate(Axe().axe_script)
    violations = visit.page.evaluate(RUN, OPTIONS)["violations"]
    return [
        f"{rule['id']}: {node['target']} {(node['any'] or [{}])[0].get('message', rule['help'])}"
        for rule in violations
        for node in rule["nodes"]
    ]
