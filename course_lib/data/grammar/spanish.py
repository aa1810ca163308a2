"""Say a sentence of the grammar in Spanish: adjectives follow the noun and agree with it."""

from course_lib.data.grammar.lexicon import NUMERALS, Adjective
from course_lib.data.grammar.meaning import Clause, NounPhrase, Word

# Masculine and feminine, singular and plural.
_DETERMINERS = {
    "the": {"m": ("el", "los"), "f": ("la", "las")},
    "a": {"m": ("un", ""), "f": ("una", "")},
    "this": {"m": ("este", "estos"), "f": ("esta", "estas")},
    "my": {"m": ("mi", "mis"), "f": ("mi", "mis")},
    "many": {"m": ("", "muchos"), "f": ("", "muchas")},
    **{english: {g: ("", word) for g in "mf"} for english, (word, _) in NUMERALS.items()},
}


def spanish(clause: Clause) -> list[Word]:
    """Give the words of a sentence.

    Example:
        >>> import random
        >>> from course_lib.data.grammar.meaning import sample_sentence
        >>> " ".join(word.text for word in spanish(sample_sentence(random.Random(1))))
        'un niño compra dos flores .'
    """
    words = _phrase(clause.subject) + _predicate(clause, clause.subject.plural)
    if clause.adverb is not None and clause.adverb.kind != "frequency":
        adverb = [Word(clause.adverb.spanish, "adverb")]
        words = adverb + words if clause.adverb_first else words + adverb
    return [*words, Word(".", "end")]


def agree(adjective: Adjective, gender: str, plural: bool) -> str:
    """Give the form of an adjective that goes with a noun.

    Example:
        >>> from course_lib.data.grammar.lexicon import ADJECTIVES
        >>> [agree(word, "f", True) for word in ADJECTIVES[:2]]
        ['grandes', 'pequeñas']
    """
    word = adjective.spanish
    if word.endswith("o") and gender == "f":
        word = word[:-1] + "a"
    if not plural:
        return word
    return word[:-1] + "ces" if word.endswith("z") else word + "s"


def _predicate(clause: Clause, plural: bool) -> list[Word]:
    words = []
    if clause.adverb is not None and clause.adverb.kind == "frequency":
        words.append(Word(clause.adverb.spanish, "adverb"))
    if clause.negated:
        words.append(Word("no", f"{clause.name} not"))
    words.append(Word(clause.verb.spanish[plural], f"{clause.name} verb"))
    if clause.object is None:
        return words
    target = _phrase(clause.object)
    if clause.object.living:  # an object that lives is marked with "a", and a + el is al
        if target[0].text == "el":
            target[0] = target[0]._replace(text="al")
        else:
            target.insert(0, Word("a"))
    return words + target


def _phrase(phrase: NounPhrase) -> list[Word]:
    noun = phrase.noun
    determiner = _DETERMINERS[phrase.determiner][noun.gender][phrase.plural]
    words = [
        Word(determiner, f"{phrase.name} determiner"),
        Word(noun.spanish[phrase.plural], f"{phrase.name} noun"),
    ]
    if phrase.adjective is not None:
        form = agree(phrase.adjective, noun.gender, phrase.plural)
        words.append(Word(form, f"{phrase.name} adjective"))
    return words + (_relative(phrase, phrase.relative) if phrase.relative is not None else [])


def _relative(phrase: NounPhrase, clause: Clause) -> list[Word]:
    that = Word("que", f"{clause.name} that")
    if clause.subject is None:
        return [that, *_predicate(clause, phrase.plural)]
    return [that, *_phrase(clause.subject), *_predicate(clause, clause.subject.plural)]
