"""Rules of outputs: what is shown is what one run from the top gives."""

from rules.notebook import Notebook, asserts, calls, excerpt


def executed_in_order(notebook: Notebook) -> list[str]:
    """Every code cell holds code and was run once, in order, from 1."""
    faults = []
    for expected, (index, cell) in enumerate(notebook.code, start=1):
        if not cell.source.strip():
            faults.append(f"cell {index}: an empty code cell")
        elif cell.execution_count != expected:
            faults.append(
                f"cell {index}: execution count {cell.execution_count}, expected {expected}: "
                f"{excerpt(cell.source)}"
            )
    return faults


def release_is_not_executed(notebook: Notebook) -> list[str]:
    """What students get holds no output and no execution count."""
    return [
        f"cell {index}: has been executed: {excerpt(cell.source)}"
        for index, cell in notebook.code
        if cell.outputs or cell.execution_count is not None
    ]


def no_errors(notebook: Notebook) -> list[str]:
    """No output is an error: a cell that shows one catches it and prints its message."""
    return [
        f"cell {index}: a stored error {output.ename}: {excerpt(output.evalue)}"
        for index, cell in notebook.code
        for output in cell.outputs
        if output.output_type == "error"
    ]


def nothing_on_stderr(notebook: Notebook) -> list[str]:
    """Nothing was written to stderr: no warning, no progress bar."""
    return [
        f"cell {index}: output on stderr: {excerpt(output.text)}"
        for index, cell in notebook.code
        for output in cell.outputs
        if output.get("name") == "stderr"
    ]


def ignored_outputs_are_asserted(notebook: Notebook) -> list[str]:
    """After a cell tagged nbval-ignore-output a cell asserts something, before the next heading."""
    return [
        f"cell {block.index}: nbval-ignore-output, but no later cell of the section asserts "
        f"anything: {excerpt(block.text)}"
        for block in notebook.blocks
        if "nbval-ignore-output" in block.cell.metadata.get("tags", [])
        and not any(b.is_code and asserts(b.cell) for b in notebook.following(block))
    ]


def live_figures_leave_nothing(notebook: Notebook) -> list[str]:
    """A cell that calls ``explore.live`` has no stored output: its widgets need a kernel."""
    return [
        f"cell {index}: explore.live with a stored output: {excerpt(cell.source)}"
        for index, cell in notebook.code
        if cell.outputs and any(name == "live" for name, _ in calls(cell, "explore"))
    ]
