"""A synchronous grammar: English sentences with their Spanish or Chinese translations.

Agreement, word order, measure words and relative clauses are real; the world that the sentences
tell of is small. Each pair comes with its gold alignment: which word translates which.
"""

from course_lib.data.grammar.lexicon import NOUNS, Noun
from course_lib.data.grammar.pairs import (
    AlignedPair,
    AlignedSplits,
    align,
    content_words,
    lexicon,
    load_grammar,
    pinyin,
)

__all__ = [
    "NOUNS",
    "AlignedPair",
    "AlignedSplits",
    "Noun",
    "align",
    "content_words",
    "lexicon",
    "load_grammar",
    "pinyin",
]
