"""Decoding: from the probabilities of a translation model to a sentence."""

from course_lib.translation.decoding.beam import beam_search, best_k
from course_lib.translation.decoding.exhaustive import exhaustive_search
from course_lib.translation.decoding.hypothesis import (
    Hypothesis,
    reorder,
    sentence_log_probability,
    word_log_probabilities,
)
from course_lib.translation.decoding.penalties import (
    LengthPenalty,
    coverage_penalty,
    gnmt_penalty,
    no_penalty,
    power_penalty,
)
from course_lib.translation.decoding.sampling import sample
from course_lib.translation.decoding.table import TableTranslator
from course_lib.translation.decoding.truncation import (
    next_word_distribution,
    nucleus_mask,
    top_k_mask,
)

__all__ = [
    "Hypothesis",
    "LengthPenalty",
    "TableTranslator",
    "beam_search",
    "best_k",
    "coverage_penalty",
    "exhaustive_search",
    "gnmt_penalty",
    "next_word_distribution",
    "no_penalty",
    "nucleus_mask",
    "power_penalty",
    "reorder",
    "sample",
    "sentence_log_probability",
    "top_k_mask",
    "word_log_probabilities",
]
