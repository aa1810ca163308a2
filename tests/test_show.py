"""Source, tables and matrices."""

import matplotlib.pyplot as plt
import pytest
import torch

from course_lib import show


def test_source_is_that_of_the_library(monkeypatch):
    shown = []
    monkeypatch.setattr(show, "display", shown.append)
    show.source(show.markdown_table)
    assert shown[0].data.startswith("```python\ndef markdown_table(")
    assert shown[0].data.endswith("\n```")


def test_numbers_stand_right_and_bars_are_escaped():
    lines = show.markdown_table([["a|b", "1,000", "12 %"]], ["p(a|b)", "n", "share"]).splitlines()
    assert lines == [
        "| p(a\\|b) | n | share |",
        "| :--- | ----: | ----: |",
        "| a\\|b | 1,000 | 12 % |",
    ]


def test_a_table_without_rows_is_its_head():
    assert show.markdown_table([], ["a"]) == "| a |\n| :--- |"


def test_rows_need_a_cell_for_each_header():
    with pytest.raises(ValueError, match=r"row \[1\] has 1 cells, expected 2"):
        show.markdown_table([[1]], ["a", "b"])


@pytest.fixture
def ax():
    figure, ax = plt.subplots()
    yield ax
    plt.close(figure)


def test_a_matrix_is_drawn_with_row_one_on_top(ax):
    show.matrix(ax, torch.tensor([[1.0, 2.0, -0.001]]), rows=["r"], columns=["a", "b", "c"])
    assert [text.get_text() for text in ax.texts] == ["1.00", "2.00", "0.00"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["a", "b", "c"]
    assert ax.yaxis_inverted()


def test_an_all_zero_matrix_can_be_drawn(ax):
    show.matrix(ax, torch.zeros(2, 2))
    assert len(ax.texts) == 4


def test_a_matrix_has_two_axes(ax):
    with pytest.raises(ValueError, match=r"values has shape \(3,\)"):
        show.matrix(ax, torch.zeros(3))
