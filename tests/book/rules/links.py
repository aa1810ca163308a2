"""Rules of links: they lead somewhere, wherever the notebook is read."""

import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from rules import markdown
from rules.notebook import Notebook
from tools import address

COLAB = "https://colab.research.google.com/github/"


def links_are_relative_or_https(notebook: Notebook) -> list[str]:
    """A link is relative or begins with ``https://``; a picture comes from this repository."""
    faults = []
    for index, source in notebook.markdown:
        for link in markdown.links(source):
            parts = urlsplit(link)
            if parts.scheme not in {"", "https"} or (not parts.scheme and link.startswith("/")):
                faults.append(f"cell {index}: the link {link!r} is neither relative nor https")
        if "http://" in markdown.without_code(source):
            faults.append(f"cell {index}: http:// in the text")
        for picture in markdown.pictures(source):
            if urlsplit(picture.source).scheme or picture.source.startswith("/"):
                faults.append(f"cell {index}: the picture {picture.source!r} is no file of ours")
    return faults


def local_links_resolve(notebook: Notebook) -> list[str]:
    """A relative link leads to a file, a heading in it included; never to a ``.py`` file.

    Sphinx would make a download of source code: link to its page in the repository.
    """
    faults = []
    folder = (notebook.root / notebook.path).parent
    for index, source in notebook.markdown:
        targets = [*markdown.links(source), *(p.source for p in markdown.pictures(source))]
        for link in targets:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or link.startswith("/"):
                continue
            path = folder / unquote(parts.path)
            if parts.path.endswith(".py"):
                faults.append(f"cell {index}: {link!r} is source code: link to the repository")
            elif parts.path and not path.is_file():
                faults.append(f"cell {index}: {link!r} leads to no file")
            elif parts.fragment:
                names = _anchors_of_file(path) if parts.path else _anchors(notebook)
                if unquote(parts.fragment) not in names:
                    faults.append(f"cell {index}: {link!r} names no heading there")
    return faults


def repository_links_resolve(notebook: Notebook) -> list[str]:
    """A link to a file in our repository, or to Colab, has our address and branch and a path."""
    faults = []
    ours = address.read(notebook.root)
    for index, source in notebook.markdown:
        for link in markdown.links(source):
            colab = link.startswith(COLAB)
            if not colab and not link.startswith(f"{ours.url}/"):
                continue
            rest = link.removeprefix(COLAB if colab else "https://github.com/")
            match = re.fullmatch(r"([^/]+/[^/]+)/(?:blob|tree|raw)/([^/]+)/([^#?]+)(?:#.*)?", rest)
            if not match:
                # Issues, releases and so on are no files.
                if colab:
                    faults.append(f"cell {index}: {link!r} names no file on Colab")
            elif (match[1], match[2]) != (ours.name, ours.branch):
                faults.append(
                    f"cell {index}: {link!r} has another address than _config.yml: "
                    "run make notebooks"
                )
            elif not (notebook.root / unquote(match[3])).exists():
                faults.append(f"cell {index}: {link!r} leads to no file of the repository")
    return faults


def _anchors(notebook: Notebook) -> set[str]:
    return markdown.anchors(source for _, source in notebook.markdown)


def _anchors_of_file(path: Path) -> set[str]:
    return _anchors_at(path, path.stat().st_mtime_ns)


@cache
def _anchors_at(path: Path, modified: int) -> set[str]:
    content = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        return _anchors(Notebook(path.parent, Path(path.name), content))
    return markdown.anchors([content])
