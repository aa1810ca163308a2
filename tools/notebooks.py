"""Store the notebooks of the course: ``make notebooks``, or ``python -m tools.notebooks [paths]``.

Writes the address of the repository wherever it stands, then runs each notebook and stores it
normalised, then makes again what is generated from notebooks: the releases and the pages.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tools import address, setup_cell
from tools.execute import ExecutionError, execute
from tools.normalise import normalise, parse, text
from tools.paths import ROOT, lectures, solutions


def store(path: Path, repository: address.Address, run: bool = True) -> None:
    """Write the set-up cell, run the notebook and store it normalised.

    Args:
        path: the notebook. It is left as it was when a cell fails.
        repository: the address for the set-up cell.
        run: whether to execute it; otherwise outputs stay as they are.

    Raises:
        ExecutionError: if a cell fails.
    """
    notebook = parse(path.read_text(encoding="utf-8"))
    setup_cell.write(notebook, repository)
    notebook = normalise(notebook)
    if run:
        execute(notebook, path.parent)
        notebook = normalise(notebook)
    path.write_text(text(notebook), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        arguments: those of the command line, unless given.

    Returns:
        0, or 1 when a cell failed.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.notebooks", description=__doc__)
    parser.add_argument(
        "paths", nargs="*", type=Path, help="notebooks (default: all lectures and solutions)"
    )
    parser.add_argument(
        "--no-execute", action="store_true", help="keep the stored outputs, only normalise"
    )
    options = parser.parse_args(arguments)
    known = [*lectures(), *solutions()]
    paths = [path.resolve() for path in options.paths] or known
    for path in paths:
        if path not in known:
            parser.error(f"{path} is no lecture and no solution of this course")
    address.rewrite_files()
    repository = address.read()
    for path in paths:
        name = path.relative_to(ROOT)
        print(name, flush=True)
        try:
            store(path, repository, run=not options.no_execute)
        except ExecutionError as error:
            print(f"{name}, {error}", file=sys.stderr)
            return 1

    # Imported here: both read the notebooks that have just been written.
    from tools import build_pages, grading

    grading.release_all()
    build_pages.main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
