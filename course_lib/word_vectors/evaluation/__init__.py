"""Judging word vectors: neighbours, analogies, rank correlation, maps, sentences and bias."""

from course_lib.word_vectors.evaluation.analogies import solve_analogies
from course_lib.word_vectors.evaluation.bias import Association, association_test, leaning
from course_lib.word_vectors.evaluation.correlation import average_ranks, spearman
from course_lib.word_vectors.evaluation.projection import (
    PrincipalComponents,
    principal_components,
)
from course_lib.word_vectors.evaluation.sentences import mean_vectors
from course_lib.word_vectors.evaluation.similarity import (
    cosine_similarity,
    nearest_neighbours,
    unit,
)

__all__ = [
    "Association",
    "PrincipalComponents",
    "association_test",
    "average_ranks",
    "cosine_similarity",
    "leaning",
    "mean_vectors",
    "nearest_neighbours",
    "principal_components",
    "solve_analogies",
    "spearman",
    "unit",
]
