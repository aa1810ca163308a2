"""Mark the recurring parts of a lecture, so that the book's style can set them apart.

Lectures are plain CommonMark and know no boxes. Their wording is fixed, though, and is enough to
find the parts: a prediction begins with "**Predict first.**" and ends with its answer, the facts
about a page begin with "**You will**" and end before the first cell of code, and sections are known
by their titles.
"""

from __future__ import annotations

from itertools import takewhile

from docutils import nodes
from sphinx.application import Sphinx

SECTIONS = {
    "Common mistake:": "common-mistake",
    "Check yourself": "check-yourself",
    "Explore": "explore",
    "Summary": "summary",
}


def opening(node: nodes.Node) -> str:
    """Return the bold words that open a paragraph, or an empty string."""
    if not isinstance(node, nodes.paragraph):
        return ""
    # The Markdown parser puts an empty text in front of bold words.
    visible = (child for child in node.children if child.astext())
    first = next(visible, None)
    return first.astext() if isinstance(first, nodes.strong) else ""


def closes_answer(node: nodes.Node) -> bool:
    """Tell whether a node ends a ``<details>`` element."""
    return isinstance(node, nodes.raw) and "</details>" in node.astext()


def interrupts(node: nodes.Node) -> bool:
    """Tell whether a node belongs to another part: a section or a code cell."""
    return isinstance(node, nodes.section) or "cell" in getattr(node, "attributes", {}).get(
        "classes", []
    )


def wrap(parent: nodes.Element, begin: int, end: int, name: str) -> None:
    """Move some children of a node into a container.

    Args:
        parent: the node.
        begin: position of the first child to move.
        end: position after the last one.
        name: the class of the container.
    """
    part = parent[begin:end]
    box = nodes.container("", classes=[name])
    parent[begin:end] = [box]
    box.extend(part)


def mark(app: Sphinx, doctree: nodes.document) -> None:
    """Give the parts of a page their classes."""
    for section in doctree.findall(nodes.section):
        title = section[0].astext()
        section["classes"] += [SECTIONS[words] for words in SECTIONS if title.startswith(words)]
    for paragraph in list(doctree.findall(nodes.paragraph)):
        words = opening(paragraph)
        if words not in {"Predict first.", "You will"}:
            continue
        parent = paragraph.parent
        begin = parent.index(paragraph)
        rest = list(takewhile(lambda node: not interrupts(node), parent[begin:]))
        if words == "You will":
            wrap(parent, begin, begin + len(rest), "at-a-glance")
        else:
            # Without an answer the box holds the question alone.
            answer = next((i for i, node in enumerate(rest) if closes_answer(node)), 0)
            wrap(parent, begin, begin + answer + 1, "predict-first")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("doctree-read", mark)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
