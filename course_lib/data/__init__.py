"""Texts that the lectures use, and what turns text into numbers.

The files lie in this package, so nothing is downloaded. ``README.md`` beside them says where they
come from, what was changed and under which licence.
"""

from course_lib.data.analogies import Analogy, load_analogies
from course_lib.data.books import Chapter, Speech, load_moby_dick, load_state_of_the_union
from course_lib.data.corpus import load_corpus
from course_lib.data.eras import EraSentence, load_era_sentences
from course_lib.data.glove import load_glove
from course_lib.data.grammar import AlignedPair, AlignedSplits, load_grammar
from course_lib.data.pairs import Pair, Splits
from course_lib.data.similar_pairs import SimilarPair, load_similar_pairs
from course_lib.data.text import split_sentences, tokenize
from course_lib.data.translation_pairs import load_english_spanish
from course_lib.data.vocab import Vocab

__all__ = [
    "AlignedPair",
    "AlignedSplits",
    "Analogy",
    "Chapter",
    "EraSentence",
    "Pair",
    "SimilarPair",
    "Speech",
    "Splits",
    "Vocab",
    "load_analogies",
    "load_corpus",
    "load_english_spanish",
    "load_era_sentences",
    "load_glove",
    "load_grammar",
    "load_moby_dick",
    "load_similar_pairs",
    "load_state_of_the_union",
    "split_sentences",
    "tokenize",
]
