"""Rules of what a lecture asks its reader: to predict, to doubt, to answer."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from rules.notebook import Notebook, asserts, excerpt

PREDICT = re.compile(r"^\*\*Predict first\.\*\*", re.MULTILINE)
DETAILS = re.compile(r"<details\b[^>]*>\s*<summary>.*?</summary>(.*?)</details>", re.DOTALL)
MISTAKE = "Common mistake"
ERRATUM = re.compile(r"[EN]-\d{2}")


def predictions_have_answers(notebook: Notebook) -> list[str]:
    """Two or three times ``**Predict first.**``, the answer in the same cell, then the cell."""
    faults, count = [], 0
    for block in notebook.blocks:
        if block.is_code:
            continue
        starts = [match.start() for match in PREDICT.finditer(block.text)]
        count += len(starts)
        for start, end in zip(starts, [*starts, len(block.text)][1:], strict=True):
            text = block.text[start:end]
            answers = DETAILS.findall(text)
            if len(answers) != 1 or not answers[0].strip():
                faults.append(
                    f"cell {block.index}: expected one answer in <details> after {excerpt(text)}"
                )
        if starts and not any(b.is_code for b in notebook.following(block, up_to_level=2)):
            faults.append(
                f"cell {block.index}: no cell of the section shows what comes out of "
                f"{excerpt(block.text[starts[-1] :])}"
            )
    if not 2 <= count <= 3:
        faults.append(f"the notebook asks {count} times to predict first, expected 2 or 3")
    return faults


def mistakes_are_refuted(notebook: Notebook) -> list[str]:
    """Each ``### Common mistake: ...`` names its erratum and is refuted by the next code cell.

    The cell's metadata course.erratum names it, the notebook's course.errata lists them all, and
    the code cell asserts something before the next heading.
    """
    faults, named = [], []
    for block in notebook.blocks:
        if not block.title.startswith(MISTAKE):
            continue
        place = f"cell {block.index}: {excerpt(block.title)}"
        if block.level != 3 or not re.match(rf"{MISTAKE}: \S", block.title):
            faults.append(f"{place}, expected '### {MISTAKE}: <the wrong belief as a claim>'")
        erratum = block.cell.metadata.get("course", {}).get("erratum", "")
        if ERRATUM.fullmatch(erratum):
            named.append(erratum)
        else:
            faults.append(f"{place} has the erratum {erratum!r} in its metadata, expected an id")
        code = [other.cell for other in notebook.following(block) if other.is_code]
        if not code:
            faults.append(f"{place} is refuted by no code cell before the next heading")
        elif not asserts(code[0]):
            faults.append(f"{place}: the next code cell asserts nothing")
    listed = notebook.course.get("errata", [])
    if sorted(named) != sorted(listed):
        faults.append(f"metadata course.errata is {listed}, but the cells name {named}")
    for index, cell in enumerate(notebook.data.cells):
        if "erratum" in cell.metadata.get("course", {}) and MISTAKE not in cell.source:
            faults.append(f"cell {index}: names an erratum without a heading {MISTAKE}")
    return faults


class Question(NamedTuple):
    """A question of Check yourself: the cell where it begins, its number and its text."""

    index: int
    number: str
    text: str


def questions_explain_every_choice(notebook: Notebook) -> list[str]:
    """Check yourself has 3 to 5 questions; each has choices (a), (b), ... and explains them all."""
    questions = list(_questions(notebook))
    faults = []
    if not 3 <= len(questions) <= 5:
        faults.append(f"Check yourself has {len(questions)} questions, expected 3 to 5")
    for expected, question in enumerate(questions, start=1):
        place = f"cell {question.index}: question {excerpt(question.text)}"
        if question.number != str(expected):
            faults.append(f"{place} has number {question.number}, expected {expected}")
        before = question.text.split("<details", 1)[0]
        letters = re.findall(r"^[-*] \(([a-z])\) \S", before, re.MULTILINE)
        if len(letters) < 2 or letters != list("abcdefgh"[: len(letters)]):
            faults.append(f"{place} has the choices {letters}, expected a list (a), (b), ...")
        answers = DETAILS.findall(question.text)
        if len(answers) != 1:
            faults.append(f"{place} has {len(answers)} answers in <details>, expected 1")
        faults += [
            f"{place}: the answer does not explain ({letter})"
            for letter in letters
            if len(answers) == 1 and f"({letter})" not in answers[0]
        ]
    return faults


def _questions(notebook: Notebook) -> Iterator[Question]:
    for section in notebook.sections:
        if section[0].title != "Check yourself":
            continue
        for block in section:
            parts = re.split(r"^(?=\*\*\d+\. )", block.text, flags=re.MULTILINE)
            for part in [] if block.is_code else parts:
                match = re.match(r"\*\*(\d+)\. ", part)
                if match:
                    yield Question(block.index, match[1], part)
