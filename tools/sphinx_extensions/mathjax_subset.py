"""Keep of MathJax what a page can load.

The package ``sphinx-mathjax-offline`` copies all of MathJax, 24 MB, into the finished book. Pages
load one script, its fonts and now and then an extension of TeX: about 3 MB.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from sphinx.application import Sphinx

KEPT = ("tex-chtml.js", "input/tex/extensions", "output/chtml/fonts", "a11y/assistive-mml.js")
AFTER_THE_COPY = 900


def prune(folder: Path, kept: tuple[str, ...]) -> None:
    """Delete every file of a folder that is neither named in ``kept`` nor below a name in it.

    Args:
        folder: the folder to prune; empty folders go too.
        kept: paths of files and folders, relative to ``folder``.

    Raises:
        ValueError: a kept path is not there, so the package has changed its layout.
    """
    missing = [name for name in kept if not (folder / name).exists()]
    if missing:
        raise ValueError(f"kept={missing}: expected these in {folder}, but they are not there")
    wanted = [folder / name for name in kept]
    for path in sorted(folder.iterdir()):
        if path in wanted:
            continue
        below = [str(name.relative_to(path)) for name in wanted if path in name.parents]
        if below:
            prune(path, tuple(below))
        elif path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def prune_mathjax(app: Sphinx, exception: Exception | None) -> None:
    """Prune the copy once the build has succeeded."""
    if exception is None:
        prune(Path(app.outdir) / "_static" / "mathjax", KEPT)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("build-finished", prune_mathjax, priority=AFTER_THE_COPY)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
