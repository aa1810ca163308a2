"""The graders: what students get, what right answers earn, what wrong ones lose, and why."""

import ast
import shutil
from collections import Counter
from pathlib import Path

import pytest
from grading_exercise import (
    EXERCISES,
    HIDDEN,
    SOLUTION,
    Exercise,
    answers,
    flags,
    grade_id,
    lines,
    submission,
    visible,
)
from grading_shell import failures
from misconceptions import Misconception

from tools import grading
from tools.paths import ROOT

each_exercise = pytest.mark.parametrize(
    "exercise", [pytest.param(exercise, id=exercise.name) for exercise in EXERCISES]
)
each_task = pytest.mark.parametrize(
    ("exercise", "task"),
    [
        pytest.param(exercise, task, id=f"{exercise.name}-{task.split(':')[0]}")
        for exercise in EXERCISES
        for task, cells in exercise.tasks.items()
        if any(flags(cell).get("grade") for cell in cells)
    ],
)
each_misconception = pytest.mark.parametrize(
    ("exercise", "misconception"),
    [
        pytest.param(exercise, misconception, id=f"{exercise.name}-{misconception.name}")
        for exercise in EXERCISES
        for misconception in exercise.misconceptions
    ],
)


# What students get


def test_committed_releases_equal_fresh_ones(tmp_path: Path) -> None:
    shutil.copy(ROOT / grading.CONFIG, tmp_path)
    shutil.copytree(ROOT / "book/solutions", tmp_path / "book/solutions")
    fresh = {
        path.relative_to(tmp_path): path.read_bytes() for path in grading.release_all(tmp_path)
    }
    committed = {
        path.relative_to(ROOT): path.read_bytes()
        for path in (ROOT / "book/exercises").glob("*/*.ipynb")
    }
    stale = sorted(
        str(path)
        for path in fresh.keys() | committed.keys()
        if fresh.get(path) != committed.get(path)
    )
    assert not stale, f"not what nbgrader makes from the solutions: {stale}. Run `make release`."


@each_exercise
def test_release_gives_nothing_away(exercise: Exercise) -> None:
    secret = []
    for cell in exercise.source.cells:
        secret += HIDDEN.findall(cell.source) + SOLUTION.findall(cell.source)
        if "solution" in cell.metadata.get("tags", []):
            secret.append(cell.source)
        elif cell.cell_type == "markdown":
            # The tag is what keeps an explanation out of the release.
            assert not cell.source.startswith(("**Solution", "**Rubric")), f"{cell.id}: no tag"
    released = lines(cell.source for cell in exercise.release.cells)
    # A secret line may stand in a visible place as well, such as `)`.
    leaked = released & (lines(secret) - lines(visible(exercise)))
    assert not leaked
    assert not [line for line in released if line.startswith("### ")]


@each_exercise
def test_cells_are_marked_as_nbgrader_needs_them(exercise: Exercise) -> None:
    marked = [cell for cell in exercise.source.cells if flags(cell)]
    repeated = [name for name, n in Counter(map(grade_id, marked)).items() if n > 1]
    assert not repeated, f"grade_id used twice: {repeated}"
    untested = None
    for cell in marked:
        name, mark = grade_id(cell), flags(cell)
        if mark["solution"]:
            assert not mark["grade"], f"{name}: an answer carries no points, its test does"
            assert not mark["locked"], f"{name}: students cannot write into a locked cell"
            assert SOLUTION.search(cell.source), f"{name}: no solution between its markers"
            assert untested is None, f"{untested}: no test follows this answer"
            untested = name
        elif mark["grade"]:
            assert mark["locked"], f"{name}: students can change this test"
            assert mark["points"] > 0, f"{name}: this test carries no points"
            hidden = "\n".join(HIDDEN.findall(cell.source))
            assert ast.parse(hidden).body, f"{name}: no hidden test"
            assert ast.parse(HIDDEN.sub("", cell.source)).body, f"{name}: no visible test"
            untested = None
        else:
            assert mark["locked"], f"{name}: this cell is given, so it should be locked"
    assert untested is None, f"{untested}: no test follows this answer"


# What answers earn, without a kernel


@each_exercise
def test_reference_scores_full_marks(exercise: Exercise) -> None:
    assert failures(exercise.source) == {}


@each_exercise
def test_untouched_release_scores_zero(exercise: Exercise) -> None:
    untouched = submission(exercise.source, answers(exercise.release))
    assert failures(untouched).keys() == {grade_id(cell) for cell in exercise.tests}


@each_task
def test_task_alone_scores_full(exercise: Exercise, task: str) -> None:
    solved = {grade_id(cell) for cell in exercise.tasks[task] if flags(cell).get("solution")}
    others = {k: v for k, v in answers(exercise.release).items() if k not in solved}
    failed = failures(submission(exercise.source, others))
    own = {grade_id(cell) for cell in exercise.tasks[task] if flags(cell).get("grade")}
    assert failed.keys() == {grade_id(cell) for cell in exercise.tests} - own, failed


@each_misconception
def test_misconception_loses_its_points(exercise: Exercise, misconception: Misconception) -> None:
    unknown = misconception.answers.keys() - exercise.answers.keys()
    assert not unknown, f"no such answer cell: {unknown}"
    failed = failures(submission(exercise.source, misconception.answers))
    assert failed.keys() == misconception.loses.keys(), failed
    for name, piece in misconception.loses.items():
        assert failed[name].startswith("AssertionError: "), f"{name}: {failed[name]}"
        assert piece in failed[name], f"{name} says {failed[name]!r}, expected {piece!r} in it"


@each_exercise
def test_misconceptions_reach_every_test(exercise: Exercise) -> None:
    names = [misconception.name for misconception in exercise.misconceptions]
    assert len(names) == len(set(names)) >= 3, names
    lost = {name for misconception in exercise.misconceptions for name in misconception.loses}
    idle = {grade_id(cell) for cell in exercise.tests} - lost
    assert not idle, f"no misconception fails {idle}"


@each_exercise
def test_importing_the_library_is_among_the_misconceptions(exercise: Exercise) -> None:
    library = f"course_lib.{exercise.part}.{exercise.topic}"
    if not list((ROOT / "course_lib" / exercise.part).glob(f"{exercise.topic}*")):
        return  # There is nothing to import.
    assert any(
        library in code
        for misconception in exercise.misconceptions
        for code in misconception.answers.values()
    ), f"no misconception imports {library}"
