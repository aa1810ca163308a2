"""Grade a notebook as nbgrader does, without a kernel: some hundred times as fast.

As under nbgrader, an error in a cell does not stop the next one, and a test cell earns all its
points or, with an error or anything on stderr, none.
"""

import sys
from typing import Any

import matplotlib.pyplot as plt
from grading_exercise import flags, grade_id
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from nbformat import NotebookNode
from traitlets.config import Config


def failures(notebook: NotebookNode) -> dict[str, str]:
    """Run a submission.

    Args:
        notebook: a solution with all its tests, and any answers.

    Returns:
        The message of each test cell that failed, by grade_id.

    Raises:
        ValueError: if a test cell shows a value, which nbgrader takes for partial points.
    """
    main, backend = sys.modules["__main__"], plt.get_backend()
    plt.switch_backend("agg")
    shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    failed = {}
    try:
        for cell in notebook.cells:
            if cell.cell_type != "code":
                continue
            message = _run(shell, cell)
            if message and flags(cell).get("grade"):
                failed[grade_id(cell)] = message
    finally:
        plt.close("all")
        plt.switch_backend(backend)
        sys.modules["__main__"] = main  # A shell puts its own module there.
    return failed


def _run(shell: InteractiveShell, cell: NotebookNode) -> str:
    with capture_output() as captured:
        result = shell.run_cell(cell.source)
    error: Any = result.error_before_exec or result.error_in_exec
    if error is not None:
        return f"{type(error).__name__}: {error}"
    if flags(cell).get("grade") and result.result is not None:
        raise ValueError(f"{grade_id(cell)} ends with a value, which counts as partial points")
    return captured.stderr
