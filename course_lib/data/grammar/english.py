"""Say a sentence of the grammar in English."""

from course_lib.data.grammar.meaning import Clause, NounPhrase, Word


def english(clause: Clause) -> list[Word]:
    """Give the words of a sentence.

    Example:
        >>> import random
        >>> from course_lib.data.grammar.meaning import sample_sentence
        >>> " ".join(word.text for word in english(sample_sentence(random.Random(1))))
        'a boy buys two flowers .'
    """
    words = _phrase(clause.subject) + _predicate(clause, clause.subject.plural)
    if clause.adverb is not None and clause.adverb.kind != "frequency":
        adverb = [Word(clause.adverb.english, "adverb")]
        words = adverb + words if clause.adverb_first else words + adverb
    return [*words, Word(".", "end")]


def _predicate(clause: Clause, plural: bool) -> list[Word]:
    words = []
    if clause.adverb is not None and clause.adverb.kind == "frequency":
        words.append(Word(clause.adverb.english, "adverb"))
    if clause.negated:
        words += [Word("do" if plural else "does"), Word("not", f"{clause.name} not")]
        plural = True  # "does not read": the form without an ending
    words.append(Word(clause.verb.english[plural], f"{clause.name} verb"))
    return words + (_phrase(clause.object) if clause.object is not None else [])


def _phrase(phrase: NounPhrase) -> list[Word]:
    words = [Word(_determiner(phrase), f"{phrase.name} determiner")]
    if phrase.adjective is not None:
        words.append(Word(phrase.adjective.english, f"{phrase.name} adjective"))
    words.append(Word(phrase.noun.english[phrase.plural], f"{phrase.name} noun"))
    if words[0].text == "a" and words[1].text[0] in "aeiou":
        words[0] = words[0]._replace(text="an")
    return words + (_relative(phrase, phrase.relative) if phrase.relative is not None else [])


def _determiner(phrase: NounPhrase) -> str:
    return "these" if phrase.determiner == "this" and phrase.plural else phrase.determiner


def _relative(phrase: NounPhrase, clause: Clause) -> list[Word]:
    that = Word("that", f"{clause.name} that")
    if clause.subject is None:
        return [that, *_predicate(clause, phrase.plural)]
    return [that, *_phrase(clause.subject), *_predicate(clause, clause.subject.plural)]
