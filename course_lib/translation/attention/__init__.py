"""Attention: a weighted mean of values, with weights that say how well keys fit a query."""

from course_lib.translation.attention.additive import AdditiveScore
from course_lib.translation.attention.alignment import count_aligned
from course_lib.translation.attention.kernel import (
    NadarayaWatson,
    gaussian_kernel,
    gaussian_score,
    nadaraya_watson,
)
from course_lib.translation.attention.masked import masked_softmax
from course_lib.translation.attention.model import AttentionDecoder, AttentionTranslator
from course_lib.translation.attention.products import (
    MultiplicativeScore,
    ReducedRankScore,
    dot_product_score,
)

__all__ = [
    "AdditiveScore",
    "AttentionDecoder",
    "AttentionTranslator",
    "MultiplicativeScore",
    "NadarayaWatson",
    "ReducedRankScore",
    "count_aligned",
    "dot_product_score",
    "gaussian_kernel",
    "gaussian_score",
    "masked_softmax",
    "nadaraya_watson",
]
