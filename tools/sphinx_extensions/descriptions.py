"""Give each page a description, which search engines and link previews show.

The description is the first paragraph of the page in plain text, cut at a word to 160 characters.
A paragraph with display mathematics has none of it left; inline formulas keep their LaTeX.
"""

from __future__ import annotations

from html import escape

from docutils import nodes
from sphinx.application import Sphinx

LONGEST = 160


def shorten(text: str, longest: int = LONGEST) -> str:
    """Join the white space of a text and cut it between two words.

    Args:
        text: any text.
        longest: number of characters of the result at most, the ellipsis included.

    Returns:
        The text itself if it is short enough, else its beginning and an ellipsis.

    Example:
        >>> shorten("one two  three", 10)
        'one two …'
    """
    text = " ".join(text.split())
    if len(text) <= longest:
        return text
    return text[: longest - 1].rsplit(" ", 1)[0] + " …"


def add_description(
    app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None
) -> None:
    """Write the description of a page into its head; generated pages (search, index) have none."""
    if doctree is None:
        return
    paragraph = next(iter(doctree.findall(nodes.paragraph)), None)
    if paragraph is None:
        return
    content = escape(shorten(paragraph.astext()), quote=True)
    context["metatags"] = context.get("metatags", "") + (
        f'\n<meta name="description" content="{content}">'
    )


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("html-page-context", add_description)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
