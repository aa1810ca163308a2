"""Word vectors from counts: co-occurrence, PPMI and the truncated SVD."""

from course_lib.word_vectors.cooccurrence.association import ppmi
from course_lib.word_vectors.cooccurrence.counts import count_cooccurrences
from course_lib.word_vectors.cooccurrence.svd import truncated_svd

__all__ = ["count_cooccurrences", "ppmi", "truncated_svd"]
