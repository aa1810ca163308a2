"""An exercise as its graders see it: the solution, the release and the wrong answers."""

import importlib
import re
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property

from misconceptions import Misconception
from nbformat import NotebookNode

from tools.normalise import parse
from tools.paths import ROOT, solutions

HIDDEN = re.compile(r"### BEGIN HIDDEN TESTS\n(.*?)\n### END HIDDEN TESTS", re.DOTALL)
SOLUTION = re.compile(r"### BEGIN SOLUTION\n(.*?)\n *### END SOLUTION", re.DOTALL)


@dataclass(frozen=True)
class Exercise:
    """The exercise of one topic."""

    part: str
    topic: str

    @property
    def name(self) -> str:
        """Part and topic, as test ids show them."""
        return f"{self.part}/{self.topic}"

    @cached_property
    def source(self) -> NotebookNode:
        """The solution, with all tests."""
        return self._read("solutions")

    @cached_property
    def release(self) -> NotebookNode:
        """What students get."""
        return self._read("exercises")

    @cached_property
    def misconceptions(self) -> tuple[Misconception, ...]:
        """The wrong answers that the tests must catch."""
        return importlib.import_module(f"misconceptions.{self.part}.{self.topic}").MISCONCEPTIONS

    @property
    def tests(self) -> list[NotebookNode]:
        """The cells that carry points."""
        return [cell for cell in self.source.cells if flags(cell).get("grade")]

    @property
    def answers(self) -> dict[str, str]:
        """The right answers, by grade_id."""
        return answers(self.source)

    @property
    def tasks(self) -> dict[str, list[NotebookNode]]:
        """The cells of each task, by its heading."""
        tasks: dict[str, list[NotebookNode]] = {}
        title = None
        for cell in self.source.cells:
            if cell.cell_type == "markdown" and cell.source.startswith("## "):
                title = cell.source.splitlines()[0].removeprefix("## ")
                tasks[title] = []
            if title is not None:
                tasks[title].append(cell)
        return tasks

    def _read(self, folder: str) -> NotebookNode:
        path = ROOT / "book" / folder / self.part / f"{self.topic}.ipynb"
        return parse(path.read_text(encoding="utf-8"))


EXERCISES = [Exercise(path.parent.name, path.stem) for path in solutions()]


def flags(cell: NotebookNode) -> Mapping:
    """Return what nbgrader knows of a cell; nothing for an ordinary one."""
    return cell.metadata.get("nbgrader", {})


def grade_id(cell: NotebookNode) -> str:
    """Return the name of a cell in the gradebook."""
    return flags(cell)["grade_id"]


def answers(notebook: NotebookNode) -> dict[str, str]:
    """Return the content of the answer cells, by grade_id."""
    return {grade_id(cell): cell.source for cell in notebook.cells if flags(cell).get("solution")}


def submission(notebook: NotebookNode, new: Mapping[str, str]) -> NotebookNode:
    """Return a copy of a solution or release with other answers."""
    copy = deepcopy(notebook)
    for cell in copy.cells:
        if flags(cell).get("solution") and grade_id(cell) in new:
            cell.source = new[grade_id(cell)]
    return copy


def visible(exercise: Exercise) -> list[str]:
    """Return what a student sees of each cell, as the solution marks it."""
    return [
        SOLUTION.sub("", HIDDEN.sub("", cell.source))
        for cell in exercise.source.cells
        if "solution" not in cell.metadata.get("tags", [])
    ]


def lines(texts: Iterable[str]) -> set[str]:
    """Return the lines of some texts, without their indent."""
    return {line.strip() for text in texts for line in text.splitlines() if line.strip()}
