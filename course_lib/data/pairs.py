"""Sentences with their translations: the shape that every parallel text of the course has."""

from typing import NamedTuple


class Pair(NamedTuple):
    """A sentence and its translation, as tokens.

    Attributes:
        source: the tokens of the sentence.
        target: the tokens of its translation.

    Example:
        >>> pair = Pair(source=("good", "night"), target=("buenas", "noches"))
        >>> pair.target
        ('buenas', 'noches')
    """

    source: tuple[str, ...]
    target: tuple[str, ...]


class Splits(NamedTuple):
    """Pairs to learn from, to choose with, and to report on.

    Attributes:
        train: the pairs that a model is trained on.
        validation: the pairs that decisions are made with, such as when to stop.
        test: the pairs that the final number is measured on.

    Example:
        >>> pair = Pair(("yes",), ("sí",))
        >>> splits = Splits(train=[pair], validation=[], test=[])
        >>> len(splits.train), len(splits.test)
        (1, 0)
    """

    train: list[Pair]
    validation: list[Pair]
    test: list[Pair]
