"""How notebooks are run and stored."""

from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from tools import address, execute, normalise, notebooks, setup_cell

ADDRESS = address.Address("ada/doubling", "main")
WIDGET = {"application/vnd.jupyter.widget-view+json": {"model_id": "1"}, "text/plain": "Slider()"}


def _messy() -> nbformat.NotebookNode:
    """A notebook as editors and kernels leave it."""
    outputs = [
        new_output("stream", name="stdout", text="a\n"),
        new_output("stream", name="stdout", text="b\n"),
        new_output("stream", name="stderr", text="c\n"),
        new_output("display_data", WIDGET),
        new_output("stream", name="stderr", text="d\n"),
    ]
    metadata = {
        "tags": ["hide-input", "a"],
        "scrolled": True,
        "execution": {"iopub.execute_input": "2026-01-01"},
        "mystnb": {},
        "nbgrader": {"grade_id": "x"},
    }
    cells = [
        new_markdown_cell("# Été\n\ntext"),
        new_code_cell("1", metadata=metadata, outputs=outputs, execution_count=7),
        new_code_cell("1"),
    ]
    nb = nbformat.v4.new_notebook(cells=cells)
    nb.nbformat_minor = 4
    del nb.cells[0]["id"]
    nb.cells[1].id = nb.cells[2].id = "same"
    nb.metadata.update(
        widgets={},
        course={"kind": "lecture"},
        kernelspec={"name": "venv", "display_name": "My Python", "language": "python"},
        language_info={"name": "python", "version": "3.11.7"},
    )
    return nb


def test_normalising_is_idempotent() -> None:
    once = normalise.text(normalise.normalise(_messy()))
    assert normalise.text(normalise.normalise(normalise.parse(once))) == once
    assert once.endswith("}\n")
    assert "Été" in once


def test_normalising_keeps_what_we_use() -> None:
    nb = normalise.normalise(_messy())
    nbformat.validate(nb)
    assert nb.metadata == {
        "course": {"kind": "lecture"},
        "kernelspec": normalise.KERNEL,
        "language_info": {"name": "python"},
    }
    cell = nb.cells[1]
    assert cell.metadata == {"nbgrader": {"grade_id": "x"}, "tags": ["a", "hide-input"]}
    assert [(o.name, o.text) for o in cell.outputs] == [("stdout", "a\nb\n"), ("stderr", "c\nd\n")]
    assert cell.execution_count == 7, "the order in which cells were run is not hidden"


def test_missing_and_repeated_ids_are_replaced_alike_every_time() -> None:
    ids = [cell.id for cell in normalise.normalise(_messy()).cells]
    assert ids == [cell.id for cell in normalise.normalise(_messy()).cells]
    assert ids[1] == "same"
    assert len(set(ids)) == 3


def test_other_formats_are_refused() -> None:
    with pytest.raises(ValueError, match="nbformat is 3, expected 4"):
        normalise.parse('{"nbformat": 3, "worksheets": []}')


def test_set_up_cell_is_added_once_and_renewed() -> None:
    nb = _messy()
    setup_cell.write(nb, address.Address("bob/other", "main"))
    nb.cells[1].metadata["nbgrader"] = {"grade_id": "set-up"}
    setup_cell.write(nb, ADDRESS)
    assert len(nb.cells) == 4
    assert nb.cells[1].source == setup_cell.source(ADDRESS)
    assert nb.cells[1].metadata == {"nbgrader": {"grade_id": "set-up"}, "tags": ["hide-cell"]}


def test_notebook_is_run_from_the_top_in_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "lecture.ipynb"
    code = "import os\n(os.environ['COURSE_QUIET'], os.path.basename(os.getcwd()))"
    nb = nbformat.v4.new_notebook(cells=[new_markdown_cell("# T"), new_code_cell(code)])
    path.write_text(normalise.text(nb), encoding="utf-8")
    notebooks.store(path, ADDRESS)
    stored = normalise.parse(path.read_text(encoding="utf-8"))
    assert [cell.get("execution_count") for cell in stored.cells] == [None, 1, 2]
    assert stored.cells[2].outputs[0].data["text/plain"] == f"('1', '{tmp_path.name}')"
    assert normalise.text(normalise.normalise(stored)) == path.read_text(encoding="utf-8")


def test_failing_cell_is_named_and_the_file_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "lecture.ipynb"
    nb = nbformat.v4.new_notebook(cells=[new_code_cell("x = 1"), new_code_cell("x / 0")])
    content = normalise.text(nb)
    path.write_text(content, encoding="utf-8")
    with pytest.raises(execute.ExecutionError, match=r"cell 2: ZeroDivisionError: division by"):
        notebooks.store(path, ADDRESS)
    assert path.read_text(encoding="utf-8") == content
