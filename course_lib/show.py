"""Show code, tables and matrices in a notebook, so that they read well everywhere.

Code and tables are displayed as Markdown: GitHub, Colab, Jupyter and the book each draw it in
their own style, in light and dark mode.
"""

import inspect
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from IPython.display import Markdown, display
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from torch import Tensor

# Ends dark enough for white numbers; blue against orange is told apart with every colour vision.
_DIVERGING = LinearSegmentedColormap.from_list("course", ["#00507D", "#FFFFFF", "#A84300"])


def source(obj: Callable) -> None:
    """Display the source of a function or class, as it stands in the library.

    What is read is then what runs and is tested.

    Args:
        obj: a function or class that is defined in a file.

    Example:
        >>> source(markdown_table)
        <IPython.core.display.Markdown object>
    """
    code = textwrap.dedent(inspect.getsource(obj)).rstrip()
    display(Markdown(f"```python\n{code}\n```"))


def table(rows: Sequence[Sequence[Any]], headers: Sequence[str]) -> None:
    """Display a table; numbers are aligned to the right.

    Args:
        rows: the cells, row by row. Format numbers before: what is printed is compared.
        headers: a name for each column.

    Raises:
        ValueError: if a row has not as many cells as there are headers.

    Example:
        >>> table([["cat", 2], ["dog", 10]], headers=["word", "count"])
        <IPython.core.display.Markdown object>
    """
    display(Markdown(markdown_table(rows, headers)))


def markdown_table(rows: Sequence[Sequence[Any]], headers: Sequence[str]) -> str:
    """Return the Markdown of ``table``.

    Example:
        >>> print(markdown_table([["cat", 2], ["dog", 10]], headers=["word", "count"]))
        | word | count |
        | :--- | ----: |
        | cat | 2 |
        | dog | 10 |
    """
    for row in rows:
        if len(row) != len(headers):
            raise ValueError(f"row {row!r} has {len(row)} cells, expected {len(headers)}")
    columns = list(zip(*rows, strict=True)) or [()] * len(headers)
    rules = ["----:" if _all_numbers(column) else ":---" for column in columns]
    cells = [[_escape(cell) for cell in row] for row in [headers, *rows]]
    lines = [cells[0], rules, *cells[1:]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def matrix(
    ax: Axes,
    values: Tensor | np.ndarray,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    limit: float | None = None,
) -> None:
    """Draw a matrix as a heat map with its numbers: blue below zero, white at it, orange above.

    Args:
        ax: where to draw.
        values: a matrix.
        rows: labels of the rows.
        columns: labels of the columns.
        limit: the absolute value that gets the full colour; by default the largest entry.

    Raises:
        ValueError: if ``values`` has not two axes.

    Example:
        >>> import matplotlib.pyplot as plt
        >>> figure, ax = plt.subplots()
        >>> matrix(ax, np.array([[1.0, -0.5], [0.0, 2.0]]))
        >>> [text.get_text() for text in ax.texts]
        ['1.00', '-0.50', '0.00', '2.00']
        >>> plt.close(figure)
    """
    grid = values.detach().cpu().numpy() if isinstance(values, Tensor) else np.asarray(values)
    if grid.ndim != 2:
        raise ValueError(f"values has shape {grid.shape}, expected two axes")
    full = limit or float(np.abs(grid).max(initial=0)) or 1.0
    # pcolormesh, not imshow: squares stay vector graphics in an SVG.
    ax.pcolormesh(grid, cmap=_DIVERGING, vmin=-full, vmax=full, edgecolors="#D9D9D9", linewidth=1)
    ax.invert_yaxis()
    ax.set_aspect("equal")
    ax.grid(False)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    ax.set_xticks(np.arange(grid.shape[1]) + 0.5, columns or range(1, grid.shape[1] + 1))
    ax.set_yticks(np.arange(grid.shape[0]) + 0.5, rows or range(1, grid.shape[0] + 1))
    ax.xaxis.tick_top()
    for (i, j), value in np.ndenumerate(grid):
        dark = abs(value) > 0.7 * full
        # Adding zero turns -0.00 into 0.00.
        text = f"{round(float(value), 2) + 0.0:.2f}"
        ax.text(
            j + 0.5,
            i + 0.5,
            text,
            ha="center",
            va="center",
            fontsize=9,
            color="white" if dark else "#1A1A1A",
        )


def _all_numbers(cells: Sequence[Any]) -> bool:
    def is_number(cell: Any) -> bool:
        try:
            float(str(cell).strip().rstrip("%").replace(",", ""))
        except ValueError:
            return False
        return True

    return bool(cells) and all(is_number(cell) for cell in cells)


def _escape(cell: Any) -> str:
    return str(cell).replace("|", "\\|").replace("\n", " ")
