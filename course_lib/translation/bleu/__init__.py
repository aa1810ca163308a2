"""BLEU: how much a translation has in common with reference translations; and chrF."""

from course_lib.translation.bleu.chrf import chrf
from course_lib.translation.bleu.d2l import halving_bleu
from course_lib.translation.bleu.ngrams import (
    Precision,
    largest_counts,
    modified_precision,
    ngram_counts,
)
from course_lib.translation.bleu.score import (
    bleu_from_statistics,
    brevity_penalty,
    corpus_bleu,
    sentence_bleu,
)
from course_lib.translation.bleu.smoothing import smoothed_precisions
from course_lib.translation.bleu.statistics import (
    Statistics,
    closest_length,
    corpus_statistics,
    sentence_statistics,
)

__all__ = [
    "Precision",
    "Statistics",
    "bleu_from_statistics",
    "brevity_penalty",
    "chrf",
    "closest_length",
    "corpus_bleu",
    "corpus_statistics",
    "halving_bleu",
    "largest_counts",
    "modified_precision",
    "ngram_counts",
    "sentence_bleu",
    "sentence_statistics",
    "smoothed_precisions",
]
