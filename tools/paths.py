"""Where the notebooks of the course stand."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def lectures(root: Path = ROOT) -> list[Path]:
    """List the lectures: ``book/<part>/<topic>.ipynb``.

    Args:
        root: the root of the repository.

    Returns:
        The paths, sorted.
    """
    other = {root / "book/solutions", root / "book/exercises"}
    return sorted(p for p in (root / "book").glob("*/*.ipynb") if p.parent not in other)


def solutions(root: Path = ROOT) -> list[Path]:
    """List the sources of the exercises: ``book/solutions/<part>/<topic>.ipynb``.

    Args:
        root: the root of the repository.

    Returns:
        The paths, sorted.
    """
    return sorted((root / "book/solutions").glob("*/*.ipynb"))


def releases(root: Path = ROOT) -> list[Path]:
    """List what students get: ``book/exercises/<part>/<topic>.ipynb``.

    Args:
        root: the root of the repository.

    Returns:
        The paths, sorted.
    """
    return sorted((root / "book/exercises").glob("*/*.ipynb"))
