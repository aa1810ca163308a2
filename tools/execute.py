"""Run a notebook from the top in a fresh kernel."""

import os
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

# Outputs are stored from one thread on the CPU, whatever the machine has.
ENVIRONMENT = {
    "COURSE_DEVICE": "cpu",
    "COURSE_QUIET": "1",
    "MKL_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}
SECONDS_PER_CELL = 600


class ExecutionError(Exception):
    """A notebook that does not run: the message names the cell and the error."""


def execute(notebook: NotebookNode, folder: Path) -> None:
    """Run all code cells in order and store their outputs and counts in the notebook.

    Args:
        notebook: changed in place.
        folder: the working directory of the kernel.

    Raises:
        ExecutionError: if a cell fails, takes longer than ten minutes or kills the kernel.
    """
    started = []

    def note(cell: NotebookNode, cell_index: int) -> None:
        started.append(cell_index)

    client = NotebookClient(
        notebook,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        timeout=SECONDS_PER_CELL,
        on_cell_start=note,
    )
    # MPLBACKEND would choose another way to draw than the inline pictures of a notebook.
    inherited = {key: value for key, value in os.environ.items() if key != "MPLBACKEND"}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    try:
        client.execute(env=inherited | ENVIRONMENT)
    except CellExecutionError as error:
        raise ExecutionError(f"cell {started[-1]}: {error.ename}: {error.evalue}") from error
    except (CellTimeoutError, DeadKernelError) as error:
        raise ExecutionError(f"cell {started[-1]}: {type(error).__name__}") from error
