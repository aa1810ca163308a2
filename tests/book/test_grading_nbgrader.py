"""nbgrader itself, with a kernel and feedback, on the first exercise."""

import ast
import contextlib
import html
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from grading_exercise import (
    EXERCISES,
    HIDDEN,
    Exercise,
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


@pytest.mark.filterwarnings("ignore:Object of type")  # SQLAlchemy, about nbgrader's own queries
def test_nbgrader_grades_and_explains(tmp_path: Path) -> None:
    exercise = EXERCISES[0]
    misconception = next(
        misconception
        for misconception in exercise.misconceptions
        if _passes_visible_tests(exercise, misconception)
    )
    notebook = Path(exercise.part) / f"{exercise.topic}.ipynb"
    shutil.copy(ROOT / grading.CONFIG, tmp_path)
    source = tmp_path / "book/solutions" / notebook
    source.parent.mkdir(parents=True)
    shutil.copy(ROOT / "book/solutions" / notebook, source)

    # The plain command, as an instructor types it in the folder of the course.
    command = [sys.executable, "-m", "nbgrader", "generate_assignment", exercise.part]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

    handed_in = {
        "reference": exercise.answers,
        "untouched": {},
        "mistaken": {**exercise.answers, **misconception.answers},
    }
    for student, new in handed_in.items():
        path = tmp_path / ".nbgrader/submitted" / student / notebook
        path.parent.mkdir(parents=True)
        nbformat.write(submission(exercise.release, new), path)
    nbgrader = grading.course(tmp_path)
    grading.checked(nbgrader.autograde(exercise.part, "*"))
    grading.checked(nbgrader.generate_feedback(exercise.part, "*"))

    points = {grade_id(cell): flags(cell)["points"] for cell in exercise.tests}
    full = sum(points.values())
    with nbgrader.gradebook as gradebook:
        scores = {
            student: gradebook.find_submission(exercise.part, student).score
            for student in handed_in
        }
    lost = sum(points[name] for name in misconception.loses)
    assert scores == {"reference": full, "untouched": 0, "mistaken": full - lost}

    feedback = {
        student: _text(tmp_path / ".nbgrader/feedback" / student / notebook.with_suffix(".html"))
        for student in handed_in
    }
    for piece in misconception.loses.values():
        assert piece in feedback["mistaken"]
    hidden = lines(block for cell in exercise.tests for block in HIDDEN.findall(cell.source))
    for student, new in handed_in.items():
        own = "\n".join([*visible(exercise), *new.values()])
        secret = {line for line in hidden if line not in own}
        if student != "reference":
            secret |= _numbers(exercise)
        leaked = [text for text in secret if text in feedback[student]]
        assert not leaked, f"the feedback of {student} shows {leaked}"


def _passes_visible_tests(exercise: Exercise, misconception: Misconception) -> bool:
    """Tell whether only hidden tests catch a wrong answer: then their lines could leak."""
    mistaken = submission(exercise.source, misconception.answers)
    for cell in mistaken.cells:
        cell.source = HIDDEN.sub("", cell.source)
    return not failures(mistaken)


def _text(page: Path) -> str:
    """Return the text of an HTML page."""
    content = page.read_text(encoding="utf-8")
    content = re.sub(r"<(style|script)\b.*?</\1>", "", content, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]*>", "", content))


def _numbers(exercise: Exercise) -> set[str]:
    """Return the numbers that are right answers, to three decimals."""
    values = []
    for code in exercise.answers.values():
        for node in ast.parse(code).body:
            if isinstance(node, ast.Assign):
                with contextlib.suppress(NameError):  # No number: it is made from something.
                    values.append(eval(ast.unparse(node.value), {}))
    return {f"{abs(value):.3f}" for value in values if isinstance(value, float)}
