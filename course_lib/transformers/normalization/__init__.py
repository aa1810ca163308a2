"""Normalisation and residual connections, with the derivatives that the lecture derives."""

from course_lib.transformers.normalization.batch_norm import BatchNorm
from course_lib.transformers.normalization.layer_norm import (
    LayerNorm,
    layer_norm,
    layer_norm_jacobian,
    layer_norm_vjp,
)
from course_lib.transformers.normalization.residual import PostNorm, PreNorm
from course_lib.transformers.normalization.rms_norm import RMSNorm, rms_norm
from course_lib.transformers.normalization.stack import DeepStack

__all__ = [
    "BatchNorm",
    "DeepStack",
    "LayerNorm",
    "PostNorm",
    "PreNorm",
    "RMSNorm",
    "layer_norm",
    "layer_norm_jacobian",
    "layer_norm_vjp",
    "rms_norm",
]
