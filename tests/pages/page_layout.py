"""How a page stands on a phone, in dark mode and on paper: what sticks out or cannot be seen."""

from browser_visit import NARROW, Visit

# A4 at 96 pixels an inch, between margins of 1 cm.
PAPER = (718, 1046)

# Each element is followed upwards to the first one that cuts it off or lets it scroll; paper does
# not scroll. Formulas count as a whole: inside stands an invisible copy for screen readers.
STICKS_OUT = """paper => {
  const width = document.documentElement.clientWidth;
  const name = e => e.tagName.toLowerCase() + ' ' +
    (e.closest('mjx-container') ?? e).textContent.trim().slice(0, 60);
  const end = e => Math.floor(e.getBoundingClientRect().right);
  const problem = element => {
    for (let a = element.parentElement; !a.matches('article'); a = a.parentElement) {
      const { overflowX } = getComputedStyle(a);
      if (overflowX === 'visible') continue;
      if (overflowX !== 'hidden' && overflowX !== 'clip' && !paper) return '';
      if (end(element) > end(a) + 1) return `cut off at ${end(a)} of ${end(element)} px: `;
    }
    return end(element) > width + 1 ? `ends at ${end(element)} of ${width} px: ` : '';
  };
  return [
    ...[document.documentElement, document.body].filter(e => e.scrollWidth > width)
      .map(e => `${e.tagName.toLowerCase()} scrolls sideways to ${e.scrollWidth} px`),
    ...[...document.querySelectorAll('article :not(mjx-container *)')]
      .map(e => e.matches('mjx-container') ? e.querySelector('mjx-math') ?? e : e)
      .filter(e => e.checkVisibility() && problem(e)).map(e => problem(e) + name(e)),
  ];
}"""
FIGURES = """() => [...document.querySelectorAll('article .cell_output img, article p > img')]
  .flatMap(image => {
    const colour = e => getComputedStyle(e).backgroundColor;
    let card = image;
    while (card.parentElement && colour(card) === 'rgba(0, 0, 0, 0)') card = card.parentElement;
    const light = Math.min(...colour(card).match(/[0-9.]+/g).map(Number)) >= 240;
    return light ? [] : ['on ' + colour(card) + ': ' + image.alt];
  })
"""
PAPER_FAULTS = """() => {
  const titles = [...document.querySelectorAll('h1')].filter(e => e.checkVisibility());
  return [
    ...(titles.length === 1 ? [] : [titles.length + ' titles (h1)']),
    ...[...document.querySelectorAll('article details:not(.hide, [open])')]
      .map(e => 'closed: ' + e.textContent.trim().slice(0, 60)),
    ...[...document.querySelectorAll('article .cell_output img')]
      .filter(e => !e.checkVisibility() || !e.complete || e.naturalWidth === 0)
      .map(e => 'not to be seen: ' + e.alt),
  ];
}"""


def sideways(visit: Visit) -> list[str]:
    """Find what makes a page scroll sideways on a phone, or is cut off where nothing scrolls to it.

    Everything is opened before. Wide content may scroll inside itself.
    """
    visit.open_all()
    with visit.window(NARROW):
        return visit.page.evaluate(STICKS_OUT, False)


def dark_figures(visit: Visit) -> list[str]:
    """Find figures, drawn for white paper, that do not stand on a white card."""
    return visit.page.evaluate(FIGURES)


def print_faults(visit: Visit) -> list[str]:
    """Find answers that stay closed, content that is cut off and pictures missing on paper.

    Code that the page hides because it is not the point stays hidden.
    """
    # In the order of a real print: the page hears of it while it still has the size of the screen.
    visit.page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    visit.page.emulate_media(media="print")
    with visit.window(PAPER):
        return visit.page.evaluate(PAPER_FAULTS) + visit.page.evaluate(STICKS_OUT, True)
