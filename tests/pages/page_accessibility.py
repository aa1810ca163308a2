"""What keeps people who cannot see, point or tell colours apart from reading a page.

axe looks at every element, for half a minute on a page of code. Most of them are coloured words of
code and parts of formulas that look alike, so one of each is kept. The words need only so many
colours; the parts of a formula are drawn by the style sheet and axe finds no text in them. What
is kept stands where it stood, and what scrolled still scrolls.
"""

from axe_playwright_python.sync_playwright import Axe
from browser_visit import Visit

RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21aa"]}}

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
  const seen = new Set();
  const repeated = [...document.querySelectorAll('article :is(span, code)')].filter(span => {
    if (span.closest('mjx-container, .math')) return false;
    if (span.getAttributeNames().some(name => name !== 'class')) return false;
    const { color, opacity, fontSize, fontWeight } = getComputedStyle(span);
    const look = [color, opacity, fontSize, fontWeight, ground(span)].join();
    return seen.has(look) || !seen.add(look);
  });
  for (const span of repeated) span.replaceWith(...span.childNodes);
}"""


def accessibility(visit: Visit) -> list[str]:
    """Find violations of WCAG 2.1, levels A and AA, also in what a reader has to open.

    The page is thinned out for it, so this check comes last.
    """
    visit.open_all()
    visit.page.evaluate(KEEP_ONE_OF_EACH)
    return [
        f"{rule['id']}: {node['target']} {(node['any'] or [{}])[0].get('message', rule['help'])}"
        for rule in Axe().run(visit.page, options=RULES).response["violations"]
        for node in rule["nodes"]
    ]
