"""Build the book into ``_build/html`` and print its address: ``python tools/build_book.py``.

A warning is an error, references to nothing included. All pages are built every time, because
without ``--all`` a page that was broken in the last run counts as built and passes in the next.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Jupyter Book has no `python -m`; its script may belong to another environment than this Python.
JUPYTER_BOOK = "from jupyter_book.cli.main import main; main()"
OPTIONS = ("--all", "-W", "-n", "--keep-going", "-q")


def main() -> int:
    """Build the book.

    Returns:
        The exit status: 0 when every page was built without a warning.
    """
    command = [sys.executable, "-c", JUPYTER_BOOK, "build", str(ROOT), *OPTIONS]
    print("Building the book ...", flush=True)
    status = subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode
    if status != 0:
        print("The book has not been built: see the warnings above.", file=sys.stderr)
        return status
    print(f"The book is at {(ROOT / '_build/html/index.html').as_uri()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
