"""Run all tests: ``make test``, or ``python -m tools.run_tests``.

Every step runs, also after one that failed. The last lines say how each went, and what it skipped
and why. With ``--record`` (``make record``) the results of the notebooks go into the book.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tools import junit
from tools.environment import isolated
from tools.paths import ROOT

PYTEST = ("-m", "pytest", "-q", "-n", "2")
SHAPES = "--jaxtyping-packages=course_lib,beartype.beartype"
REPORTS = ROOT / "_build" / "reports"
DEVICE = "from course_lib import runtime; print(runtime.device().type)"

STEPS = {
    "lint": ("-m", "ruff", "check", "."),
    "format": ("-m", "ruff", "format", "--check", "."),
    "code": (
        *PYTEST,
        SHAPES,
        "--doctest-modules",
        "course_lib",
        "tools",
        "tests",
        "--ignore=tests/book",
        "--ignore=tests/pages",
    ),
    # Without the check of shapes: students' kernels do not have it, and its message comes first.
    "rules and graders": (*PYTEST, "tests/book"),
    "notebooks": (
        *PYTEST,
        "--dist=loadscope",
        "--nbval",
        "--nbval-current-env",
        "--nbval-cell-timeout=300",
        "--nbval-sanitize-with=tests/book/nbval.cfg",
        "book",
        "--ignore=book/exercises",
    ),
    "book": ("-m", "tools.build_book"),
    "built pages": (*PYTEST, "tests/pages"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the steps.

    Args:
        arguments: those of the command line, unless given.

    Returns:
        0 if all of them passed, else 1.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.run_tests", description=__doc__)
    parser.add_argument("--record", action="store_true", help="write book/status/<device>.json")
    options = parser.parse_args(arguments)
    device = python("-c", DEVICE, capture_output=True, text=True)
    if device.returncode != 0:
        print(device.stderr.strip().splitlines()[-1], file=sys.stderr)
        return 1
    lines, passed = [f"The notebooks ran on: {device.stdout.strip()}"], True
    for name, step in STEPS.items():
        print(f"\n=== {name} ===", flush=True)
        report = report_of(name)
        report.unlink(missing_ok=True)
        if "pytest" in step:
            step = (*step, f"--junit-xml={report}")
        start = time.monotonic()
        done = python(*step).returncode == 0
        lines.append(f"{'passed' if done else 'FAILED'}  {name} ({time.monotonic() - start:.0f} s)")
        lines += [f"    skipped {n}: {why}" for why, n in sorted(junit.skipped(report).items())]
        passed = passed and done
    print("\n=== summary ===", *lines, sep="\n", flush=True)
    if options.record:
        python("-m", "tools.record_run", str(report_of("notebooks")), check=True)
    return 0 if passed else 1


def report_of(step: str) -> Path:
    """Return where pytest writes its report of a step.

    Args:
        step: its name.
    """
    return REPORTS / f"{step.replace(' ', '-')}.xml"


def python(*arguments: str, **options: Any) -> subprocess.CompletedProcess:
    """Run Python in the root of the repository.

    Args:
        arguments: those of its command line.
        options: further ones of ``subprocess.run``.
    """
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, env=isolated(), **options)


if __name__ == "__main__":
    sys.exit(main())
