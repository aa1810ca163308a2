"""What must hold on every page. A check returns what it found wrong, in words.

The weight of a page is what it adds to the theme: the sum of the gzip sizes of its HTML, of every
file that it loads from elsewhere than ``_static``, and of the pictures that its article shows,
wherever they lie. Not counted is what an empty page of this book loads too: the theme, MathJax
with its fonts (both in ``_static``) and the index of the search (``searchindex.js``).
"""

import gzip
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from browser_visit import Visit
from page_accessibility import accessibility
from page_layout import sideways

HEAVIEST = 600_000

MATH = """() => [
  ...[...document.querySelectorAll('mjx-merror, [data-mml-node="merror"]')]
    .map(e => 'error ' + (e.getAttribute('data-mjx-error') || e.textContent)),
  ...[...document.querySelectorAll('.math')].filter(e => !e.querySelector('mjx-container'))
    .map(e => 'not typeset: ' + e.textContent.slice(0, 80)),
]"""
DOLLARS = r"""() => {
  const found = [...document.title.matchAll(/.*\$.*/g)];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode())
    if (!texts.currentNode.parentElement.closest('pre, code, script, style, mjx-container'))
      found.push(...texts.currentNode.data.matchAll(/.{0,40}\$.{0,40}/g));
  return found.map(match => match[0]);
}"""
HEAD = """() => {
  const titles = [...document.querySelectorAll('h1')].filter(e => e.checkVisibility());
  const description = document.querySelector('meta[name=description]')?.content.trim();
  return [
    description ? '' : 'no description',
    document.documentElement.lang ? '' : 'no language',
    titles.length === 1 ? '' : titles.length + ' titles (h1)',
  ].filter(Boolean);
}"""
IMAGES = """() => [...document.images]
  .filter(e => !e.hasAttribute('alt') || (e.closest('article') && !e.alt.trim()))
  .map(e => 'no alternative text: ' + e.src.slice(0, 120))
"""
SHOWN = "() => [...document.querySelectorAll('article [src]')].map(e => e.src)"


def math(visit: Visit) -> list[str]:
    """Find formulas that MathJax could not typeset, and those it never saw."""
    return visit.page.evaluate(MATH)


def dollars(visit: Visit) -> list[str]:
    """Find dollar signs in the text: formulas that nothing took for formulas."""
    return visit.page.evaluate(DOLLARS)


def outside(visit: Visit) -> list[str]:
    """Find requests to other hosts."""
    return visit.outside


def console(visit: Visit) -> list[str]:
    """Find errors and warnings on the console, script errors and files that are missing."""
    return visit.console


def head(visit: Visit) -> list[str]:
    """Find out whether the description, the language or the one title is missing."""
    return visit.page.evaluate(HEAD)


def images(visit: Visit) -> list[str]:
    """Find pictures without alternative text; only decoration outside the article may be silent."""
    return visit.page.evaluate(IMAGES)


def weight(visit: Visit) -> list[str]:
    """Find out whether a page opened from a file adds too much to the theme."""
    loaded = {u for u in visit.loaded if "/_static/" not in u and "/searchindex.js" not in u}
    addresses = map(urlsplit, loaded | set(visit.page.evaluate(SHOWN)))
    paths = {Path(url2pathname(url.path)) for url in addresses if url.scheme == "file"}
    size = sum(len(gzip.compress(path.read_bytes(), 6)) for path in paths if path.is_file())
    return [f"{size:,} bytes, expected at most {HEAVIEST:,}"] if size > HEAVIEST else []


CHECKS: tuple[Callable[[Visit], list[str]], ...] = (
    math,
    dollars,
    outside,
    console,
    head,
    images,
    weight,
    sideways,
    accessibility,  # Last: it thins the page out.
)


def faults(visit: Visit) -> list[str]:
    """Run every check on a page opened from a file.

    Returns:
        What is wrong, each line with the name of its check.
    """
    return [f"{check.__name__}: {line}" for check in CHECKS for line in check(visit)]
