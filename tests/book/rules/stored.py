"""Rules of the stored file: small, normalised, the same whoever made it."""

import json
import re
from collections.abc import Iterator

from rules.notebook import Notebook, excerpt
from tools import address, normalise, setup_cell

BYTES = 1_000_000
TRACES = {
    "a machine path": re.compile(
        r"(?<![\w.:/~-])/(?:tmp|home|root|work|farm|opt|mnt|Users|private|var/folders)/[\w.-]+"
        r"|\bfile://|\b[A-Z]:\\+(?:Users|Windows)\b|ipykernel_\d+"
    ),
    "a package registry": re.compile(
        r"Looking in (?:indexes|links)|--(?:extra-)?index-url|--find-links|pypi\.org/simple"
        r"|files\.pythonhosted\.org|\blocalhost\b|\b(?:127|10|192\.168)\.\d+\.\d+\.\d+\b"
    ),
}


def set_up_cell_is_generated(notebook: Notebook) -> list[str]:
    """The first code cell is the set-up cell that ``make notebooks`` writes, tagged hide-cell.

    In a lecture it is cell 2.
    """
    if not notebook.code:
        return ["no code cell, expected the set-up cell: run make notebooks"]
    index, cell = notebook.code[0]
    expected = setup_cell.source(address.read(notebook.root))
    faults = []
    if cell.source != expected:
        faults.append(
            f"cell {index}: is not the set-up cell, run make notebooks: {excerpt(cell.source)}"
        )
    if setup_cell.TAG not in cell.metadata.get("tags", []):
        faults.append(f"cell {index}: the set-up cell lacks the tag {setup_cell.TAG}")
    if notebook.course.get("kind") == "lecture" and index != 2:
        faults.append(f"cell {index}: the set-up cell stands here, expected it in cell 2")
    return faults


def file_is_normalised(notebook: Notebook) -> list[str]:
    """The file is, byte for byte, what ``make notebooks`` would store."""
    expected = normalise.text(normalise.normalise(notebook.data))
    if notebook.content == expected:
        return []
    pairs = zip(notebook.content.split("\n"), expected.split("\n"), strict=False)
    differing = (f"{a.strip()!r}, expected {b.strip()!r}" for a, b in pairs if a != b)
    where = next(differing, "the end of the file")
    return [
        f"cell {_cell_of_line(notebook, expected)}: not normalised, "
        f"run python -m tools.notebooks --no-execute: {where}"
    ]


def file_is_small(notebook: Notebook) -> list[str]:
    """The file has at most 1 MB."""
    size = len(notebook.content.encode())
    if size <= BYTES:
        return []
    cells = notebook.data.cells
    index = max(range(len(cells)), key=lambda i: len(json.dumps(cells[i])))
    return [f"cell {index}: the largest cell of {size} bytes in all, expected at most {BYTES}"]


def no_machine_traces(notebook: Notebook) -> list[str]:
    """No path of the machine that stored the notebook and no address of a package registry."""
    return [
        f"cell {index}: {kind}: {match[0]!r}"
        for index, text in _texts(notebook)
        for kind, pattern in TRACES.items()
        for match in pattern.finditer(text)
    ]


def _texts(notebook: Notebook) -> Iterator[tuple[int, str]]:
    """Everything that could be read in a cell; not the letters of pictures."""
    for index, cell in enumerate(notebook.data.cells):
        yield index, cell.source
        yield index, json.dumps(cell.metadata, ensure_ascii=False)
        for output in cell.get("outputs", []):
            yield index, output.get("text", "")
            yield index, "\n".join(output.get("traceback", []))
            for kind, value in output.get("data", {}).items():
                if not kind.startswith("image/"):
                    plain = value if isinstance(value, str) else json.dumps(value)
                    yield index, re.sub(r"data:image/[^\"']*", "", plain)


def _cell_of_line(notebook: Notebook, expected: str) -> int:
    """The cell whose stored lines are the first to differ."""
    before = 0
    for a, b in zip(notebook.content.split("\n"), expected.split("\n"), strict=False):
        if a != b:
            break
        before += a == '   "cell_type": "code",' or a == '   "cell_type": "markdown",'
    return max(before - 1, 0)
