"""Say a sentence of the grammar in Chinese: measure words, and clauses before their noun."""

from course_lib.data.grammar.lexicon import NUMERALS
from course_lib.data.grammar.meaning import Clause, NounPhrase, Word


def chinese(clause: Clause) -> list[Word]:
    """Give the words of a sentence.

    Example:
        >>> import random
        >>> from course_lib.data.grammar.meaning import sample_sentence
        >>> " ".join(word.text for word in chinese(sample_sentence(random.Random(1))))
        '一 个 男孩 买 两 朵 花 。'
    """
    subject, predicate = _phrase(clause.subject), _predicate(clause)
    if clause.adverb is None:
        return [*subject, *predicate, Word("。", "end")]
    *before, last = clause.adverb.chinese
    adverb = [*map(Word, before), Word(last, "adverb")]
    opening = adverb + subject if clause.adverb_first else subject + adverb
    return [*opening, *predicate, Word("。", "end")]


def _predicate(clause: Clause) -> list[Word]:
    words = [Word("不", f"{clause.name} not")] if clause.negated else []
    words.append(Word(clause.verb.chinese, f"{clause.name} verb"))
    return words + (_phrase(clause.object) if clause.object is not None else [])


def _phrase(phrase: NounPhrase) -> list[Word]:
    words = _relative(phrase.relative) if phrase.relative is not None else []
    words += _determiner(phrase)
    if phrase.adjective is not None:
        adjective = phrase.adjective
        text = adjective.chinese if phrase.living else adjective.chinese_of_things
        words.append(Word(text, f"{phrase.name} adjective"))
        if len(text) > 1:  # a long adjective needs a particle
            words.append(Word("的"))
    return [*words, Word(phrase.noun.chinese, f"{phrase.name} noun")]


def _determiner(phrase: NounPhrase) -> list[Word]:
    link = f"{phrase.name} determiner"
    measure = Word(phrase.noun.measure)
    match phrase.determiner:
        case "the":
            return []
        case "a":
            return [Word("一", link), measure]
        case "this":
            return [Word("这些", link)] if phrase.plural else [Word("这", link), measure]
        case "my":
            return [Word("我", link), Word("的")]
        case "many":
            return [Word("很多", link)]
        case numeral:
            return [Word(NUMERALS[numeral][1], link), measure]


def _relative(clause: Clause) -> list[Word]:
    subject = _phrase(clause.subject) if clause.subject is not None else []
    return [*subject, *_predicate(clause), Word("的", f"{clause.name} that")]
