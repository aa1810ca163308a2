"""Which pages the book has, and where they lie once it is built."""

from collections.abc import Iterator
from pathlib import Path

import yaml

from tools.paths import ROOT

HTML = ROOT / "_build" / "html"

# One page of each kind, for what is checked on one page only.
KINDS = {
    "landing": "book/intro",
    "lecture": "book/calculus/jacobians",
    "exercise": "book/exercises/calculus/jacobians",
    "solution": "book/solutions/calculus/jacobians",
    "reference": "book/common-mistakes",
}
LECTURE = KINDS["lecture"]


def pages(root: Path = ROOT) -> list[str]:
    """List the pages of the table of contents, in its order, as paths without ending.

    Pages of a former table of contents may still lie in the built book: they are not listed.
    """
    contents = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    return list(_named(contents))


def _named(entry: object) -> Iterator[str]:
    if isinstance(entry, dict):
        yield from (entry[key] for key in ("root", "file") if key in entry)
        entry = list(entry.values())
    if isinstance(entry, list):
        for below in entry:
            yield from _named(below)


def url(page: str) -> str:
    """Return the address under which a page is opened without a server."""
    return (HTML / f"{page}.html").as_uri()
