"""GloVe: word vectors from a weighted fit of log co-occurrence counts."""

from course_lib.word_vectors.glove.adagrad import adagrad_step
from course_lib.word_vectors.glove.model import GloVe
from course_lib.word_vectors.glove.objective import (
    Parameters,
    loss,
    loss_and_gradients,
    weighting,
)

__all__ = ["GloVe", "Parameters", "adagrad_step", "loss", "loss_and_gradients", "weighting"]
