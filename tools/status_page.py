"""Make ``book/status.md``: how each notebook went in the last recorded runs."""

import json
from pathlib import Path

from tools.paths import ROOT, lectures, solutions

FOLDER = "book/status"
HEAD = """\
# Status

The tests run every notebook from the top and compare its outputs with the stored ones. Here is how
each of them went in the last run that was recorded, on a processor (CPU) and on a graphics card
(GPU). `make record` runs the tests and writes such a record.
"""


def render(root: Path = ROOT) -> str:
    """Write the page.

    Args:
        root: the root of the repository.

    Returns:
        Markdown.
    """
    records = {device: _read(root / FOLDER / f"{device}.json") for device in ("cpu", "gpu")}
    runs = [f"- {device.upper()}: {_run(record)}" for device, record in records.items()]
    table = ["| Notebook | CPU | GPU |", "|---|---|---|"]
    for path in [*lectures(root), *solutions(root)]:
        name = path.relative_to(root / "book").as_posix()
        marks = (_result(record, f"book/{name}") for record in records.values())
        table.append(f"| [{name.removesuffix('.ipynb')}]({name}) | {' | '.join(marks)} |")
    return "\n".join([HEAD, *runs, "", *table, ""])


def _read(path: Path) -> dict:
    """Return a record, empty where there is none."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _run(record: dict) -> str:
    """Say when and with what a recorded run was made."""
    if not record:
        return "no run recorded"
    return "{date}, {device}, Python {python}, PyTorch {torch}".format(**record)


def _result(record: dict, name: str) -> str:
    """Say how a notebook went."""
    found = record.get("notebooks", {}).get(name)
    if found is None:
        return "no run recorded"
    return f"{'passed' if found['passed'] else '**failed**'}, {found['seconds']} s"
