"""Make the page of common mistakes: every mistake that a lecture refutes, with a link to it."""

import posixpath
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import nbformat

from tools.contents import Lecture, lectures_in_order

HEADING = "### Common mistake: "
BEGINNING = """\
# Common mistakes

Each of these beliefs is plausible, widespread and wrong. The link leads to the place in the
lecture where a cell of code refutes it.
"""


def anchor(heading: str) -> str:
    """Return the anchor that the book gives to a heading.

    Args:
        heading: the heading's Markdown without the leading ``#`` signs.

    Returns:
        The anchor without ``#``. Formulas leave no trace in it, code does.

    Example:
        >>> anchor("Common mistake: `x.grad` is $J$, always")
        'common-mistake-xgrad-is--always'
    """
    visible = re.sub(r"\$[^$]+\$|[*`]", "", heading)
    return re.sub(r"[^\w\- ]", "", visible.lower()).replace(" ", "-")


def mistakes(lecture: Lecture) -> Iterator[tuple[str, str]]:
    """Find the common mistakes of a lecture.

    Args:
        lecture: a lecture.

    Yields:
        The heading without its ``#`` signs, and the first paragraph below it.
    """
    notebook = nbformat.read(lecture.path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type != "markdown":
            continue
        for section in re.split(r"^(?=#{1,6} )", cell.source, flags=re.MULTILINE):
            if not section.startswith(HEADING):
                continue
            heading, _, text = section.partition("\n")
            paragraph = text.strip().split("\n\n")[0]
            yield heading.removeprefix("### ").strip(), " ".join(paragraph.split())


def title(lecture: Lecture) -> str:
    """Return the title of a lecture."""
    first = nbformat.read(lecture.path, as_version=4).cells[0].source
    return first.splitlines()[0].removeprefix("# ").strip()


def from_here(text: str, folder: str) -> str:
    """Let the relative links of a text start from ``book/``.

    Args:
        text: Markdown of a lecture.
        folder: the lecture's folder, seen from ``book/``.

    Returns:
        The text with its links changed; addresses on the web stay.

    Example:
        >>> from_here("[layout](../notation.md), [web](https://x.org)", "calculus")
        '[layout](notation.md), [web](https://x.org)'
    """

    def move(match: re.Match) -> str:
        return f"]({posixpath.normpath(posixpath.join(folder, match[1]))})"

    return re.sub(r"\]\((?![a-z]+:|#)([^)]+)\)", move, text)


def page(root: Path) -> str:
    """Write the page.

    Args:
        root: the root of the repository.

    Returns:
        The Markdown of ``book/common-mistakes.md``.
    """
    lines = [BEGINNING]
    for part, lectures in groupby(lectures_in_order(root), key=lambda lecture: lecture.part):
        lines.append(f"## {part}\n")
        for lecture in lectures:
            target = f"{lecture.name.removeprefix('book/')}.ipynb"
            lines.append(f"### [{title(lecture)}]({target})\n")
            for heading, paragraph in mistakes(lecture):
                claim = heading.removeprefix("Common mistake: ")
                claim = claim[0].upper() + claim[1:]
                text = from_here(paragraph, posixpath.dirname(target))
                lines.append(f"- **[{claim}]({target}#{anchor(heading)})**<br>\n  {text}\n")
    return "\n".join(lines)
