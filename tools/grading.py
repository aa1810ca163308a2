"""Make the releases of the exercises: ``make release``, or ``python -m tools.grading``.

A release is what ``nbgrader generate_assignment <part>`` makes from a solution. Nothing here
touches the gradebook of a class: the gradebook that nbgrader wants is thrown away.
"""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from traitlets.config import Config, PyFileConfigLoader

from tools.paths import ROOT, releases, solutions

if TYPE_CHECKING:
    from nbgrader.apps import NbGraderAPI

CONFIG = "nbgrader_config.py"


def course(root: Path = ROOT, gradebook: Path | None = None) -> "NbGraderAPI":
    """Open a course folder as nbgrader's commands do.

    Args:
        root: a folder that holds ``nbgrader_config.py`` and ``book/solutions``.
        gradebook: the database file; by default the one that the configuration names.

    Returns:
        nbgrader's commands as methods.
    """
    # Imported here: it takes seconds, and most tests do without.
    from nbgrader.apps import NbGraderAPI

    config = PyFileConfigLoader(CONFIG, path=str(root)).load_config()
    if gradebook is not None:
        config.merge(Config({"CourseDirectory": {"db_url": f"sqlite:///{gradebook}"}}))
    return NbGraderAPI(config=config)


def checked(result: dict) -> None:
    """Check what a command of nbgrader returned.

    Args:
        result: the dictionary that the methods of ``NbGraderAPI`` return.

    Raises:
        RuntimeError: with nbgrader's log, if the command failed.
    """
    if not result["success"]:
        raise RuntimeError(f"nbgrader failed:\n{result.get('error', '')}\n{result.get('log', '')}")


def parts(root: Path = ROOT) -> list[str]:
    """List the parts that have exercises; to nbgrader each is an assignment.

    Args:
        root: the root of the repository.

    Returns:
        The names, sorted.
    """
    return sorted({path.parent.name for path in solutions(root)})


def release_all(root: Path = ROOT) -> list[Path]:
    """Make all releases again.

    Args:
        root: the root of the repository, or of a copy of it.

    Returns:
        The released notebooks.

    Raises:
        RuntimeError: if nbgrader refuses a notebook. It has then removed the releases of that part.
    """
    with tempfile.TemporaryDirectory() as folder:
        nbgrader = course(root, gradebook=Path(folder) / "gradebook.db")
        for part in parts(root):
            checked(nbgrader.generate_assignment(part))
    return releases(root)


if __name__ == "__main__":
    for release in release_all():
        print(release.relative_to(ROOT))
