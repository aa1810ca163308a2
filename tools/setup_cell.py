"""The set-up cell: the same first code cell in every notebook, written here and nowhere else."""

import nbformat
from nbformat import NotebookNode

from tools.address import Address

TAG = "hide-cell"


def source(address: Address) -> str:
    """Return the text of the set-up cell.

    Args:
        address: where the library is installed from.

    Returns:
        The code.

    Example:
        >>> print(source(Address("ada/dl", "main")))
        # On a fresh machine (Colab, for one) this installs the course library. Elsewhere it does nothing.
        try:
            import course_lib
        except ModuleNotFoundError:
            %pip install -q "course-lib[lectures] @ git+https://github.com/ada/dl"
    """  # noqa: E501 - the text is as it is shown
    return "\n".join(
        (
            "# On a fresh machine (Colab, for one) this installs the course library."
            " Elsewhere it does nothing.",
            "try:",
            "    import course_lib",
            "except ModuleNotFoundError:",
            f'    %pip install -q "course-lib[lectures] @ git+{address.url}"',
        )
    )


def write(notebook: NotebookNode, address: Address) -> None:
    """Put the set-up cell before all other code of a notebook, or renew the one that is there.

    Args:
        notebook: changed in place. An existing set-up cell keeps its id and its metadata.
        address: where the library is installed from.
    """
    code = [i for i, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
    first = code[0] if code else len(notebook.cells)
    if not code or "import course_lib\nexcept ModuleNotFoundError" not in _plain(notebook, first):
        notebook.cells.insert(first, nbformat.v4.new_code_cell(id="set-up"))
    cell = notebook.cells[first]
    cell.source = source(address)
    cell.metadata["tags"] = sorted({*cell.metadata.get("tags", []), TAG})


def _plain(notebook: NotebookNode, index: int) -> str:
    return "\n".join(line.strip() for line in notebook.cells[index].source.splitlines())
