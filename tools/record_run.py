"""Record how the notebooks went in a test run: ``make record``.

The record of a device replaces the one before, as a whole: it never mixes two runs.
"""

import json
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path

import torch

from course_lib import runtime
from tools import build_pages, junit
from tools.paths import ROOT, lectures, solutions
from tools.status_page import FOLDER


def results(report: Path, root: Path = ROOT) -> dict[str, dict]:
    """Read how each notebook went.

    Args:
        report: what pytest wrote about its run of the notebooks.
        root: the root of the repository.

    Returns:
        ``{"passed": ..., "seconds": ...}`` by path. A notebook that did not run is left out.
    """
    names = [path.relative_to(root).as_posix() for path in [*lectures(root), *solutions(root)]]
    cells = {name.replace("/", "."): [] for name in names}
    for case in junit.cases(report):
        if case.get("classname") in cells:
            cells[case.get("classname")].append(case)
    return {
        name: {
            "passed": all(
                case.find("failure") is None and case.find("error") is None for case in found
            ),
            "seconds": round(sum(float(case.get("time")) for case in found)),
        }
        for name, found in zip(names, cells.values(), strict=True)
        if found
    }


def write(report: Path, root: Path = ROOT) -> Path:
    """Write the record of a run that has just ended, with what it ran on.

    Args:
        report: what pytest wrote about its run of the notebooks.
        root: the root of the repository.

    Returns:
        The file: ``book/status/cpu.json`` or ``book/status/gpu.json``.
    """
    device = runtime.device()
    cuda = device.type == "cuda"
    record = {
        "date": datetime.now(UTC).date().isoformat(),
        "device": torch.cuda.get_device_name(device) if cuda else platform.machine(),
        "notebooks": results(report, root),
        "python": platform.python_version(),
        "torch": torch.__version__,
    }
    path = root / FOLDER / f"{'gpu' if cuda else 'cpu'}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return path


def main(report: Path) -> None:
    """Write the record and the page that shows it.

    Args:
        report: what pytest wrote about its run of the notebooks.
    """
    print(f"Recorded in {write(report).relative_to(ROOT)}")
    build_pages.main()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
