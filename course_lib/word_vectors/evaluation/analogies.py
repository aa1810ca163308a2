"""Analogies by vector arithmetic: a is to b as c is to which word?"""

import torch
from jaxtyping import Float, Int64
from torch import Tensor

from course_lib.word_vectors.evaluation.similarity import unit


def solve_analogies(
    vectors: Float[Tensor, "vocab d"],
    questions: Int64[Tensor, "questions 3"],
    *,
    exclude_question_words: bool = True,
) -> Int64[Tensor, " questions"]:
    """Answer analogy questions by 3CosAdd: the word x with largest cos(x, b - a + c).

    All word vectors are scaled to length 1 first. Then the score that decides is
    cos(x, b) - cos(x, a) + cos(x, c).

    Args:
        vectors: one row for each word.
        questions: the rows of a, b and c for each question.
        exclude_question_words: never answer a, b or c.

    Returns:
        The row of the answer to each question; of several equally good ones the first.

    Raises:
        ValueError: if a question names a row that does not exist, or no word is left to
            answer.

    Source:
        Mikolov, Yih and Zweig (2013), Linguistic regularities in continuous space word
        representations; the name is Levy and Goldberg's (2014).

    Example:
        >>> king, queen, man, woman = range(4)
        >>> vectors = torch.tensor([[1.0, 0.1], [1.0, 0.9], [0.1, 0.1], [0.1, 0.9]])
        >>> solve_analogies(vectors, torch.tensor([[man, woman, king]]))
        tensor([1])
    """
    rows = len(vectors)
    # A meta tensor has a shape but no values to look at.
    if questions.numel() and not questions.is_meta:
        low, high = questions.min().item(), questions.max().item()
        if not 0 <= low <= high < rows:
            raise ValueError(f"questions goes from {low} to {high}, expected 0 to {rows - 1}")
    if rows < (4 if exclude_question_words else 1):
        raise ValueError(f"vectors has {rows} rows, expected a word besides those of a question")
    units = unit(vectors)
    a, b, c = units[questions].unbind(dim=1)  # each [questions, d]
    scores = (b - a + c) @ units.T  # [questions, vocab]
    if exclude_question_words:
        scores = scores.scatter(1, questions, -torch.inf)
    return scores.argmax(dim=1)
