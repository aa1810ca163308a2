"""What a sentence of the grammar says, before any language says it."""

import random
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from course_lib.data.grammar.lexicon import (
    ADJECTIVES,
    ADVERBS,
    LIVING,
    NOUNS,
    NUMERALS,
    VERBS,
    Adjective,
    Adverb,
    Noun,
    Verb,
)

Item = TypeVar("Item")


class Word(NamedTuple):
    """One word of a sentence and what it expresses.

    Attributes:
        text: the word.
        link: a name of its part of the meaning; the words of two languages with the same link are
            translations of each other. None for a word that only one of the languages needs.
    """

    text: str
    link: str | None = None


class NounPhrase(NamedTuple):
    """Such as "two red apples" or "the book that my friend reads".

    Attributes:
        name: its place in the sentence, which makes the links of its words unique.
        determiner: "the", "a", "this", "my", "many", or a numeral.
        plural: whether there are several.
        relative: a clause whose subject or object this noun is, or None.
    """

    name: str
    determiner: str
    adjective: Adjective | None
    noun: Noun
    plural: bool
    relative: "Clause | None" = None

    @property
    def living(self) -> bool:
        """Whether the noun is a person or an animal."""
        return self.noun.kind in LIVING


class Clause(NamedTuple):
    """A statement. In a relative clause the subject or the object is None: the noun before it.

    Attributes:
        name: its place in the sentence.
        adverb_first: whether an adverb of time opens the sentence rather than closes it.
    """

    name: str
    subject: NounPhrase | None
    verb: Verb
    object: NounPhrase | None
    negated: bool = False
    adverb: Adverb | None = None
    adverb_first: bool = False


def sample_sentence(rng: random.Random) -> Clause:
    """Draw a sentence.

    Only ``rng.random()`` is used: it is the one method of ``random`` whose numbers Python promises
    to keep from version to version.

    Example:
        >>> clause = sample_sentence(random.Random(1))
        >>> clause.subject.name, clause.verb.english
        ('subject', ('buys', 'buy'))
    """
    verb = _pick(rng, VERBS)
    with_relative = rng.random() < 0.4
    relative_on_object = bool(verb.objects) and rng.random() < 0.5
    subject = _sample_phrase(
        rng, "subject", verb.subjects, with_relative and not relative_on_object
    )
    target = None
    if verb.objects:
        target = _sample_phrase(rng, "object", verb.objects, with_relative and relative_on_object)
    negated = rng.random() < 0.2
    adverb = None
    if rng.random() < 0.35:
        # With "not", only the adverbs of time stand where they always do in all three languages.
        adverb = _pick(rng, [word for word in ADVERBS if word.kind == "time" or not negated])
    first = adverb is not None and adverb.kind == "time" and rng.random() < 0.3
    return Clause("main", subject, verb, target, negated, adverb, first)


def _sample_phrase(
    rng: random.Random, name: str, kinds: frozenset[str], with_relative: bool
) -> NounPhrase:
    noun = _pick(rng, [noun for noun in NOUNS if noun.kind in kinds])
    choice = rng.random()
    if choice < 0.25:
        determiner, plural = _pick(rng, [*NUMERALS, "many"]), True
    else:
        determiner = _pick(rng, ("the", "the", "the", "a", "a", "this", "my"))
        plural = determiner != "a" and rng.random() < 0.4
    adjective = None
    if rng.random() < 0.4:
        adjective = _pick(rng, [word for word in ADJECTIVES if noun.kind in word.kinds])
    relative = _sample_relative(rng, name, noun) if with_relative else None
    return NounPhrase(name, determiner, adjective, noun, plural, relative)


def _sample_relative(rng: random.Random, name: str, noun: Noun) -> Clause:
    """Draw "that reads the book" for what lives and "that the girl reads" for things."""
    inner = f"{name}'s clause"
    if noun.kind in LIVING:
        verb = _pick(rng, [verb for verb in VERBS if noun.kind in verb.subjects])
        target = None
        if verb.objects:
            target = _sample_phrase(rng, f"{inner} object", verb.objects, False)
        return Clause(inner, None, verb, target)
    verb = _pick(rng, [verb for verb in VERBS if noun.kind in verb.objects])
    return Clause(inner, _sample_phrase(rng, f"{inner} subject", verb.subjects, False), verb, None)


def _pick(rng: random.Random, options: Sequence[Item]) -> Item:
    return options[int(rng.random() * len(options))]
