r"""Show ``$$`` blocks as they are written, so that ``\tag`` and ``\\`` work together.

Sphinx wraps every display equation that contains ``\\`` in a ``split`` environment, inside which
``\tag`` is an error that only the finished page shows. Handing the block over as ``\[...\]``
leaves the equation to MathJax, which numbers a ``\tag`` outside ``aligned`` and ``pmatrix``.
"""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx


def unwrap_math_blocks(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Mark each unnumbered math block as complete, with its own delimiters."""
    for block in doctree.findall(nodes.math_block):
        if block.get("nowrap") or block.get("number"):
            continue
        equation = block.astext()
        block.clear()
        block += nodes.Text(rf"\[{equation}\]")
        block["nowrap"] = True


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("doctree-resolved", unwrap_math_blocks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
