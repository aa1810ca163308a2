"""Wrong answers that the graders must catch: <part>/<topic>.py lists those of an exercise.

A file holds a tuple ``MISCONCEPTIONS``. Every test cell of the exercise stands in ``loses`` of at
least one of them, so that no test is there which nothing can fail.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Misconception:
    """A plausible wrong answer. All other answers of the submission are right.

    Attributes:
        name: a short name with hyphens; the test's id shows it.
        why: one sentence that says why people answer so.
        answers: new code for answer cells, by grade_id.
        loses: the test cells that must fail, no more and no fewer, by grade_id; each with a piece
            of the message that the student must get.
    """

    name: str
    why: str
    answers: Mapping[str, str]
    loses: Mapping[str, str]
