"""Skip-gram with negative sampling: objective, gradients, sampling and training, by hand."""

from course_lib.word_vectors.negative_sampling.batches import minibatches
from course_lib.word_vectors.negative_sampling.model import NegativeSampling
from course_lib.word_vectors.negative_sampling.objective import (
    negative_sampling_gradients,
    negative_sampling_loss,
)
from course_lib.word_vectors.negative_sampling.sampling import draw_negatives, noise_distribution
from course_lib.word_vectors.negative_sampling.text import (
    dynamic_window_pairs,
    keep_probability,
    subsample,
)

__all__ = [
    "NegativeSampling",
    "draw_negatives",
    "dynamic_window_pairs",
    "keep_probability",
    "minibatches",
    "negative_sampling_gradients",
    "negative_sampling_loss",
    "noise_distribution",
    "subsample",
]
