"""Call the page of a solution a solution.

A solution and its exercise come from one notebook and share its title, "Exercise: <topic>". In the
table of contents, in search results and in browser tabs a reader has to tell the two apart.
"""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx

FOLDER = "book/solutions/"
BEFORE_TITLES_ARE_COLLECTED = 100


def rename(app: Sphinx, doctree: nodes.document) -> None:
    """Write "Solution: <topic>" over a solution."""
    title = next(iter(doctree.findall(nodes.title)), None)
    if title is None or not app.env.docname.startswith(FOLDER):
        return
    words = title.astext().replace("Exercise:", "Solution:", 1)
    title.clear()
    title += nodes.Text(words)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("doctree-read", rename, priority=BEFORE_TITLES_ARE_COLLECTED)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
