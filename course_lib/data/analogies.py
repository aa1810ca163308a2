"""A hundred analogy questions of our own: paris is to france as tokyo is to what?"""

from dataclasses import dataclass

# Two words for each pair. Each kind holds 25 pairs, so that each weighs as much as the others.
_PAIRS = {
    "capital": (
        "paris france, london england, berlin germany, rome italy, madrid spain, lisbon portugal, "
        "vienna austria, athens greece, warsaw poland, moscow russia, tokyo japan, beijing china, "
        "cairo egypt, baghdad iraq, tehran iran, oslo norway, stockholm sweden, "
        "copenhagen denmark, helsinki finland, dublin ireland, budapest hungary, havana cuba, "
        "bangkok thailand, kabul afghanistan, nairobi kenya"
    ),
    "gender": (
        "man woman, boy girl, king queen, prince princess, father mother, son daughter, "
        "brother sister, husband wife, uncle aunt, nephew niece, grandfather grandmother, "
        "grandson granddaughter, men women, boys girls, sons daughters, brothers sisters, "
        "fathers mothers, he she, his her, himself herself, actor actress, hero heroine, "
        "duke duchess, emperor empress, monk nun"
    ),
    "comparative": (
        "good better, bad worse, big bigger, small smaller, large larger, high higher, low lower, "
        "long longer, short shorter, strong stronger, weak weaker, fast faster, slow slower, "
        "old older, young younger, cheap cheaper, hard harder, easy easier, warm warmer, "
        "deep deeper, wide wider, rich richer, safe safer, tall taller, dark darker"
    ),
    "plural": (
        "dog dogs, cat cats, car cars, house houses, child children, city cities, "
        "country countries, bird birds, horse horses, book books, student students, "
        "computer computers, machine machines, river rivers, mountain mountains, hand hands, "
        "foot feet, tree trees, flower flowers, letter letters, ship ships, war wars, "
        "mouse mice, tooth teeth, island islands"
    ),
}

KINDS = tuple(_PAIRS)


@dataclass(frozen=True)
class Analogy:
    """A question with its answer: a is to b as c is to d.

    Attributes:
        kind: one of ``KINDS``.
        a: a word, such as "paris".
        b: what stands to it in some relation, such as "france".
        c: a second word, such as "london".
        d: the answer, which stands to c in the same relation, such as "england".
    """

    kind: str
    a: str
    b: str
    c: str
    d: str


def load_analogies() -> list[Analogy]:
    """Load 100 analogy questions, 25 of each of four kinds.

    The kinds are capital and country, male and female, adjective and comparative, singular and
    plural. Each question asks from one pair of words to the next pair of its kind, and from the
    last to the first, so that every pair is asked for once. The list was written for this course.
    All its words are among the 20,000 of ``load_glove``.

    Returns:
        A new list at each call, kind after kind.

    Example:
        >>> questions = load_analogies()
        >>> len(questions), questions[0]
        (100, Analogy(kind='capital', a='paris', b='france', c='london', d='england'))
    """
    questions = []
    for kind, text in _PAIRS.items():
        pairs = [pair.split() for pair in text.split(", ")]
        for (a, b), (c, d) in zip(pairs, [*pairs[1:], pairs[0]], strict=True):
            questions.append(Analogy(kind, a, b, c, d))
    return questions
