"""The order of the book, as ``_toc.yml`` gives it."""

from dataclasses import dataclass
from pathlib import Path

import yaml


@dataclass(frozen=True)
class Lecture:
    """A lecture of the table of contents.

    Attributes:
        part: the caption of its part.
        name: its path without ending, ``book/<part>/<topic>``.
        path: its notebook.
    """

    part: str
    name: str
    path: Path


def lectures_in_order(root: Path) -> list[Lecture]:
    """List the lectures in the order of the table of contents.

    Args:
        root: the root of the repository.

    Returns:
        Every chapter that is a notebook. Exercises and solutions stand below a chapter and are
        not listed.
    """
    contents = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    found = []
    for part in contents["parts"]:
        for chapter in part["chapters"]:
            path = root / f"{chapter['file']}.ipynb"
            if path.exists():
                found.append(Lecture(part["caption"], chapter["file"], path))
    return found
