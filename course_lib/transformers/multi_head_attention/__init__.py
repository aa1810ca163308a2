"""Scaled dot-product attention with several heads."""

from course_lib.transformers.multi_head_attention.heads import merge_heads, split_heads
from course_lib.transformers.multi_head_attention.module import MultiHeadAttention
from course_lib.transformers.multi_head_attention.pruning import without_heads
from course_lib.transformers.multi_head_attention.scaled_dot_product import (
    attention_weights,
    scaled_dot_product_attention,
)
from course_lib.transformers.multi_head_attention.torch_weights import from_torch

__all__ = [
    "MultiHeadAttention",
    "attention_weights",
    "from_torch",
    "merge_heads",
    "scaled_dot_product_attention",
    "split_heads",
    "without_heads",
]
