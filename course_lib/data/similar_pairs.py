"""Forty pairs of words with a judgement of our own: how alike are they in meaning?"""

from dataclasses import dataclass

# Word, word, score from 0 to 10, in the order of the score.
_JUDGEMENTS = (
    "car automobile 10, doctor physician 10, begin start 10, sea ocean 9, ship vessel 9, "
    "coast shore 9, street road 9, fast quick 9, money cash 8, forest woods 8, war battle 7, "
    "coffee tea 6, king queen 6, dog wolf 6, doctor nurse 5, gold silver 5, river lake 5, "
    "cat dog 5, law justice 5, whale fish 5, horse cow 4, student teacher 4, winter summer 4, "
    "sun moon 4, soldier army 4, book library 3, bread butter 3, bank money 3, court lawyer 3, "
    "coffee cup 2, ship sailor 2, car wheel 2, buy sell 2, north south 2, hot cold 1, rich poor 1, "
    "music law 1, car banana 0, king rock 0, moon sandwich 0"
)


@dataclass(frozen=True)
class SimilarPair:
    """Two words and how alike they are in meaning.

    Attributes:
        first: a word.
        second: another.
        score: from 0 (nothing in common) to 10 (the same meaning).
    """

    first: str
    second: str
    score: int


def load_similar_pairs() -> list[SimilarPair]:
    """Load 40 pairs of words with scores from 0 to 10, the most alike first.

    The scores were set for this course and nobody else was asked: a list to learn the method on,
    not a measurement of what people think. They ask for likeness, not for relatedness, so opposites
    and "coffee, cup" get low scores. All words are among the 20,000 of ``load_glove``.

    Returns:
        A new list at each call.

    Example:
        >>> pairs = load_similar_pairs()
        >>> len(pairs), pairs[0]
        (40, SimilarPair(first='car', second='automobile', score=10))
    """
    fields = (judgement.split() for judgement in _JUDGEMENTS.split(", "))
    return [SimilarPair(first, second, int(score)) for first, second, score in fields]
