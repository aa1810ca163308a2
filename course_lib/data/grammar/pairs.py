"""Sentences of the grammar in two languages, with the words that translate each other."""

import random
from functools import cache
from typing import NamedTuple

from course_lib.data.grammar.chinese import chinese
from course_lib.data.grammar.english import english
from course_lib.data.grammar.lexicon import ADJECTIVES, ADVERBS, NOUNS, NUMERALS, PINYIN, VERBS
from course_lib.data.grammar.meaning import Word, sample_sentence
from course_lib.data.grammar.spanish import agree, spanish

_SAY = {"es": spanish, "zh": chinese}
_SIZES = (4_000, 500, 500)
_SEED = 0


class AlignedPair(NamedTuple):
    """A sentence in two languages.

    Attributes:
        source: English words.
        target: the same in the other language.
        alignment: pairs (index in source, index in target) of words that translate each other,
            sorted. A word that the other language does not need is in none of them.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    alignment: tuple[tuple[int, int], ...]


class AlignedSplits(NamedTuple):
    """Sentences to learn from, to choose by, and to measure on."""

    train: list[AlignedPair]
    validation: list[AlignedPair]
    test: list[AlignedPair]


def load_grammar(language: str) -> AlignedSplits:
    """Make 5,000 English sentences and their translations, all of 5 to 16 tokens.

    The sentences come from a small synchronous grammar of this course, so that, unlike in any text
    that people wrote, it is known which word translates which. All English sentences differ, and
    every word of validation and test, English or not, occurs in train. Each call gives the same.

    Args:
        language: "es" for Spanish (genders, agreement, adjectives after the noun) or "zh" for
            Chinese (measure words, relative clauses before the noun).

    Returns:
        4,000 pairs for training, 500 for validation, 500 for the test.

    Raises:
        ValueError: if language is another.

    Example:
        >>> pair = load_grammar("es").train[1]
        >>> " ".join(pair.source), " ".join(pair.target)
        ('a beautiful boy knows my friends .', 'un niño hermoso conoce a mis amigos .')
        >>> pair.alignment
        ((0, 0), (1, 2), (2, 1), (3, 3), (4, 5), (5, 6), (6, 7))
    """
    if language not in _SAY:
        raise ValueError(f"language is {language!r}, expected 'es' or 'zh'")
    pairs = list(_all_pairs()[language])
    train, validation, _ = _SIZES
    return AlignedSplits(
        pairs[:train], pairs[train : train + validation], pairs[train + validation :]
    )


def align(source: list[Word], target: list[Word]) -> AlignedPair:
    """Join two wordings of one sentence by their links.

    Example:
        >>> align([Word("red", "a"), Word("hat", "n")], [Word("sombrero", "n"), Word("rojo", "a")])
        AlignedPair(source=('red', 'hat'), target=('sombrero', 'rojo'), alignment=((0, 1), (1, 0)))
    """
    places = {word.link: j for j, word in enumerate(target) if word.link is not None}
    return AlignedPair(
        tuple(word.text for word in source),
        tuple(word.text for word in target),
        tuple((i, places[word.link]) for i, word in enumerate(source) if word.link in places),
    )


def lexicon(language: str) -> dict[str, frozenset[str]]:
    """Give every translation that the grammar has for each English content word.

    Args:
        language: "es" or "zh".

    Returns:
        For each noun, verb, adjective, numeral and adverb, in each of its forms, the possible words
        of the other language.

    Raises:
        ValueError: if language is another.

    Example:
        >>> sorted(lexicon("es")["red"]), sorted(lexicon("zh")["dogs"])
        (['roja', 'rojas', 'rojo', 'rojos'], ['狗'])
    """
    if language not in _SAY:
        raise ValueError(f"language is {language!r}, expected 'es' or 'zh'")
    spanish_wanted = language == "es"
    words: dict[str, frozenset[str]] = {}
    for noun in NOUNS:
        for one, other in zip(noun.english, noun.spanish, strict=True):
            words[one] = frozenset({other if spanish_wanted else noun.chinese})
    for verb in VERBS:
        # "does not read" is "no lee": the form without an ending translates both Spanish ones.
        forms = frozenset(verb.spanish) if spanish_wanted else frozenset({verb.chinese})
        words[verb.english[1]] = forms
        words[verb.english[0]] = frozenset({verb.spanish[0]}) if spanish_wanted else forms
    for word in ADJECTIVES:
        forms = frozenset(
            agree(word, gender, plural) for gender in "mf" for plural in (False, True)
        )
        chinese_forms = frozenset({word.chinese, word.chinese_of_things})
        words[word.english] = forms if spanish_wanted else chinese_forms
    for word in ADVERBS:
        words[word.english] = frozenset({word.spanish if spanish_wanted else word.chinese[-1]})
    for one, (uno, number) in NUMERALS.items():
        words[one] = frozenset({uno if spanish_wanted else number})
    words["many"] = frozenset({"muchos", "muchas"} if spanish_wanted else {"很多"})
    return words


def pinyin(token: str) -> str:
    """Give the sound of a Chinese token of the grammar.

    Raises:
        ValueError: if the grammar has no such token.

    Example:
        >>> pinyin("苹果"), pinyin("。")
        ('píngguǒ', '.')
    """
    if token not in PINYIN:
        raise ValueError(f"token is {token!r}, expected a Chinese token of the grammar")
    return PINYIN[token]


@cache
def _all_pairs() -> dict[str, tuple[AlignedPair, ...]]:
    """Say each sentence in all languages, once for all calls: the words do not change."""
    rng = random.Random(_SEED)
    pairs: dict[str, dict[tuple[str, ...], AlignedPair]] = {language: {} for language in _SAY}
    while len(pairs["es"]) < sum(_SIZES):
        clause = sample_sentence(rng)
        source = english(clause)
        wordings = {language: say(clause) for language, say in _SAY.items()}
        if all(5 <= len(words) <= 16 for words in (source, *wordings.values())):
            for language, words in wordings.items():
                pair = align(source, words)
                pairs[language].setdefault(pair.source, pair)
    return {language: tuple(found.values()) for language, found in pairs.items()}


content_words: frozenset[str] = frozenset(
    word
    for language in _SAY
    for one, others in lexicon(language).items()
    for word in (one, *others)
)
