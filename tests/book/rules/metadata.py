"""Rules of a notebook's metadata: what it is and what it covers."""

from functools import cache
from pathlib import Path

from rules.notebook import Notebook
from tools import normalise
from tools.paths import lectures

IDS = Path(__file__).resolve().parents[1] / "coverage_ids.txt"


def kind_is_told(notebook: Notebook) -> list[str]:
    """The metadata course.kind is "lecture", or "exercise" for solutions and releases."""
    exercise = notebook.path.parts[:2] in {("book", "solutions"), ("book", "exercises")}
    expected = "exercise" if exercise else "lecture"
    kind = notebook.course.get("kind")
    if kind == expected:
        return []
    return [f"metadata course.kind is {kind!r}, expected {expected!r}"]


def coverage_is_claimed_once(notebook: Notebook) -> list[str]:
    """The metadata course.covers lists known ids, at least one, that no other lecture claims."""
    covers = notebook.course.get("covers")
    if not isinstance(covers, list) or not covers:
        return [f"metadata course.covers is {covers!r}, expected a list of ids"]
    faults = [f"metadata course.covers: {i!r} is no known id" for i in covers if i not in _ids()]
    faults += [f"metadata course.covers: {i!r} twice" for i in set(covers) if covers.count(i) > 1]
    for path in lectures(notebook.root):
        if path != notebook.root / notebook.path:
            taken = _covers(path, path.stat().st_mtime_ns) & set(covers)
            faults += [
                f"metadata course.covers: {i!r} is claimed by {path.relative_to(notebook.root)}"
                for i in sorted(taken)
            ]
    return faults


@cache
def _ids() -> frozenset[str]:
    lines = IDS.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


@cache
def _covers(path: Path, modified: int) -> frozenset[str]:
    notebook = normalise.parse(path.read_text(encoding="utf-8"))
    return frozenset(notebook.metadata.get("course", {}).get("covers", []))
