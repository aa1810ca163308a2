"""A lecture and an exercise, alone on a fresh machine, with nothing but their first cell."""

import shutil
from pathlib import Path

import nbformat
import pytest
from bare_runtime import Runtime, commit_working_tree

from tools.paths import ROOT, lectures, releases

pytestmark = pytest.mark.skipif(
    shutil.which("git") is None, reason="no git: a set-up cell cannot be tried without it"
)

LECTURE, EXERCISE = lectures()[0], releases()[0]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    commit_working_tree(folder)
    return folder


@pytest.fixture
def runtime(tmp_path: Path, repository: Path) -> Runtime:
    return Runtime(tmp_path, repository)


def test_runtime_is_bare(runtime: Runtime) -> None:
    assert runtime.imports("torch")
    assert not runtime.imports("course_lib")
    # A package of the tests: a notebook that imports it would fail on Colab too.
    assert not runtime.imports("pytest")
    assert runtime.installed() == set()


def test_lecture_runs(runtime: Runtime) -> None:
    runtime.run(LECTURE)
    assert runtime.installed() == {"course-lib"}


def test_exercise_runs(runtime: Runtime) -> None:
    untouched = runtime.run(EXERCISE, allow_errors=True)
    assert runtime.installed() == {"course-lib"}
    for cell in untouched.cells:
        errors = {o.ename for o in cell.get("outputs", []) if o.output_type == "error"}
        flags = cell.metadata.get("nbgrader", {})
        # An answer that is missing says so, and so do its tests. All other cells run.
        expected = {"NotImplementedError", "AssertionError"} if flags.get("grade_id") else set()
        assert errors <= expected, f"{flags.get('grade_id')}: {errors}\n{cell.source}"


def test_answered_exercise_runs(runtime: Runtime) -> None:
    exercise = nbformat.read(EXERCISE, as_version=4)
    source = ROOT / "book/solutions" / EXERCISE.relative_to(ROOT / "book/exercises")
    answers = {
        cell.metadata.nbgrader.grade_id: cell.source
        for cell in nbformat.read(source, as_version=4).cells
        if cell.metadata.get("nbgrader", {}).get("solution")
    }
    for cell in exercise.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        cell.source = answers.get(name, cell.source)
    runtime.run(exercise)
