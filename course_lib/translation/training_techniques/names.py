"""Sentences of the grammar with proper names in them, which no vocabulary holds."""

import random
from collections.abc import Sequence

from course_lib.data.grammar import AlignedPair
from course_lib.data.pairs import Pair

_SYLLABLES = (
    "an", "be", "da", "el", "fi", "gu", "ha", "io", "ja", "ke", "li", "mo", "nu", "or", "pa", "ri",
    "so", "ta", "ul", "vi", "wa", "ze",
)  # fmt: skip
_DETERMINERS = {"the", "a", "an", "my", "this"}
_NAMED = {
    "boy", "girl", "woman", "man", "teacher", "doctor", "friend", "dog", "cat", "horse", "bird",
}  # fmt: skip


def make_names(count: int, rng: random.Random) -> list[str]:
    """Make different names of two syllables.

    Raises:
        ValueError: if count is negative, or larger than the number of names that there are.

    Example:
        >>> make_names(3, random.Random(0))
        ['Vipa', 'Jaze', 'Tapa']
    """
    names = [one.capitalize() + two for one in _SYLLABLES for two in _SYLLABLES]
    if not 0 <= count <= len(names):
        raise ValueError(f"count is {count}, expected 0 to {len(names)}")
    return rng.sample(names, count)


def put_names(pair: AlignedPair, names: Sequence[str], rng: random.Random) -> Pair | None:
    """Replace each person or animal in the singular by a name: "the old man" by "Keta".

    A noun phrase with a relative clause stays. In Spanish, "al gato" becomes "a Keta".

    Args:
        pair: a sentence of the grammar with its Spanish translation.
        names: the names to choose from, at least as many as the sentence needs.
        rng: chooses.

    Returns:
        The pair with its names, or None if there is nobody to be named.

    Raises:
        ValueError: if there are fewer names than persons and animals.

    Example:
        >>> pair = AlignedPair(("a", "cat", "helps"), ("un", "gato", "ayuda"), ((0, 0), (1, 1)))
        >>> put_names(pair, ["Keta"], random.Random(0))
        Pair(source=('Keta', 'helps'), target=('Keta', 'ayuda'))
    """
    source, target = list(pair.source), list(pair.target)
    place = dict(pair.alignment)
    phrases = []
    for first, word in enumerate(source):
        # A determiner, perhaps an adjective, a noun, and no relative clause.
        for last in (first + 1, first + 2):
            if word in _DETERMINERS and last < len(source) and source[last] in _NAMED:
                if source[last + 1 : last + 2] != ["that"]:
                    phrases.append((first, last))
                break
    if not phrases:
        return None
    if len(phrases) > len(names):
        raise ValueError(f"names has {len(names)} entries, expected at least {len(phrases)}")
    for (first, last), name in zip(phrases, rng.sample(names, len(phrases)), strict=True):
        places = [place[i] for i in range(first, last + 1) if i in place]
        start, end = min(places), max(places) + 1
        # Emptied places keep the others where they are until the end.
        source[first : last + 1] = [name] + [""] * (last - first)
        words = ["a", name] if target[start] == "al" else [name]
        target[start:end] = words + [""] * (end - start - len(words))
    return Pair(tuple(filter(None, source)), tuple(filter(None, target)))
