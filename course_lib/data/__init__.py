"""Texts that the lectures use, and what turns text into numbers.

The files lie in this package, so nothing is downloaded. ``README.md`` beside them says where they
come from, what was changed and under which licence.
"""

from course_lib.data.books import Chapter, Speech, load_moby_dick, load_state_of_the_union
from course_lib.data.grammar import AlignedPair, AlignedSplits, load_grammar
from course_lib.data.pairs import Pair, Splits
from course_lib.data.text import split_sentences, tokenize
from course_lib.data.translation_pairs import load_english_spanish
from course_lib.data.vocab import Vocab

__all__ = [
    "AlignedPair",
    "AlignedSplits",
    "Chapter",
    "Pair",
    "Speech",
    "Splits",
    "Vocab",
    "load_english_spanish",
    "load_grammar",
    "load_moby_dick",
    "load_state_of_the_union",
    "split_sentences",
    "tokenize",
]
