"""Self-attention, the positions it cannot see by itself, its masks, and what it costs."""

from course_lib.transformers.self_attention.attention import SelfAttention
from course_lib.transformers.self_attention.cost import (
    Cost,
    attention_cost,
    convolution_cost,
    recurrent_cost,
)
from course_lib.transformers.self_attention.masks import causal_mask, key_mask
from course_lib.transformers.self_attention.positions import (
    LearnedPositions,
    SinusoidalPositions,
    frequencies,
    shift_matrix,
    sinusoidal_positions,
)

__all__ = [
    "Cost",
    "LearnedPositions",
    "SelfAttention",
    "SinusoidalPositions",
    "attention_cost",
    "causal_mask",
    "convolution_cost",
    "frequencies",
    "key_mask",
    "recurrent_cost",
    "shift_matrix",
    "sinusoidal_positions",
]
