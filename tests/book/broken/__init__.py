"""Broken notebooks, a fault each: every rule of the book is shown to fail.

A break is a small function that spoils a good notebook of ``rules/sample.py`` in one way. It says
which rule finds it and what the message names.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from nbformat import NotebookNode
from rules import Rule

# Spoils the notebook in place; returns the content of the file where that is the fault.
Spoil = Callable[[NotebookNode, Path], str | None]


class Break(NamedTuple):
    """A fault: the rule that finds it, words of its message, the kind of notebook, the spoiling.

    ``also`` names rules that cannot but find the same fault.
    """

    rule: Rule
    says: str
    kind: str
    also: tuple[Rule, ...]
    spoil: Spoil


BREAKS: list[Break] = []


def breaks(
    rule: Rule, says: str, kind: str = "lecture", also: tuple[Rule, ...] = ()
) -> Callable[[Spoil], Spoil]:
    """Register a function as a break of a rule."""

    def register(spoil: Spoil) -> Spoil:
        BREAKS.append(Break(rule, says, kind, also, spoil))
        return spoil

    return register


def replace(notebook: NotebookNode, old: str, new: str) -> None:
    """Replace the only occurrence of a text in the cells of a notebook."""
    (cell,) = (cell for cell in notebook.cells if old in cell.source)
    assert cell.source.count(old) == 1, f"{old!r} occurs more than once"
    cell.source = cell.source.replace(old, new)


def add(notebook: NotebookNode, text: str) -> None:
    """Append a paragraph to cell 10 of a lecture."""
    notebook.cells[10].source += f"\n\n{text}\n"


def cell_with(notebook: NotebookNode, text: str) -> NotebookNode:
    """Return the only cell that holds a text."""
    (cell,) = (cell for cell in notebook.cells if text in cell.source)
    return cell
