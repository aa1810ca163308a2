"""Training a Transformer: smoothed labels, a warmed-up rate, batches by tokens, ablation."""

from course_lib.transformers.training.ablation import AttentionKind, without_head, without_layer
from course_lib.transformers.training.averaging import average_models
from course_lib.transformers.training.loop import train_epochs
from course_lib.transformers.training.schedule import warmup_rate
from course_lib.transformers.training.smoothing import (
    smallest_loss,
    smoothed_cross_entropy,
    smoothed_gradient,
    smoothed_targets,
)
from course_lib.transformers.training.token_batches import iterate_token_batches

__all__ = [
    "AttentionKind",
    "average_models",
    "iterate_token_batches",
    "smallest_loss",
    "smoothed_cross_entropy",
    "smoothed_gradient",
    "smoothed_targets",
    "train_epochs",
    "warmup_rate",
    "without_head",
    "without_layer",
]
