"""What a decoder keeps from step to step, so that it computes nothing twice."""

from typing import NamedTuple

from jaxtyping import Bool, Float
from torch import Tensor

from course_lib.transformers.multi_head_attention import MultiHeadAttention, split_heads


class Cache(NamedTuple):
    """Keys and values of all layers. The batch is the first axis of each tensor.

    A search may therefore pick and repeat rows: ``tuple(part[rows] for part in cache)``.

    Attributes:
        source_mask: True at the source's tokens, False at its pads.
        memory_keys: of each layer's cross-attention; they stay as they are.
        memory_values: likewise.
        target_mask: True at the tokens read so far, False at a pad among them.
        keys: of each layer's self-attention; one more at each step.
        values: likewise.

    Example:
        >>> import torch
        >>> real, vectors = torch.ones(1, 2, dtype=torch.bool), torch.zeros(1, 3, 4, 2, 5)
        >>> cache = Cache(real, vectors, vectors, real, vectors, vectors)
        >>> [part.shape[0] for part in cache]
        [1, 1, 1, 1, 1, 1]
    """

    source_mask: Bool[Tensor, "batch source"]
    memory_keys: Float[Tensor, "batch layers heads source d_k"]
    memory_values: Float[Tensor, "batch layers heads source d_k"]
    target_mask: Bool[Tensor, "batch steps"]
    keys: Float[Tensor, "batch layers heads steps d_k"]
    values: Float[Tensor, "batch layers heads steps d_k"]


def queries(
    attention: MultiHeadAttention, x: Float[Tensor, "batch steps d_model"]
) -> Float[Tensor, "batch heads steps d_k"]:
    """Compute the query of each position and head.

    Example:
        >>> import torch
        >>> queries(MultiHeadAttention(8, 2), torch.zeros(1, 3, 8)).shape
        torch.Size([1, 2, 3, 4])
    """
    return split_heads(attention.query_projection(x), attention.num_heads)


def keys_and_values(
    attention: MultiHeadAttention, x: Float[Tensor, "batch steps d_model"]
) -> tuple[Float[Tensor, "batch heads steps d_k"], Float[Tensor, "batch heads steps d_k"]]:
    """Compute the key and the value of each position and head.

    They depend on this position's vector alone, which is why they can be kept.

    Example:
        >>> import torch
        >>> keys, values = keys_and_values(MultiHeadAttention(8, 2), torch.zeros(1, 3, 8))
        >>> keys.shape, values.shape
        (torch.Size([1, 2, 3, 4]), torch.Size([1, 2, 3, 4]))
    """
    keys = split_heads(attention.key_projection(x), attention.num_heads)
    return keys, split_heads(attention.value_projection(x), attention.num_heads)
