"""Take heads out of a trained layer."""

import copy
from collections.abc import Iterable

import torch

from course_lib.transformers.multi_head_attention.module import MultiHeadAttention


def without_heads(layer: MultiHeadAttention, heads: Iterable[int]) -> MultiHeadAttention:
    """Copy a layer and silence some heads: their columns of the output projection become zero.

    The output is a sum over heads, so exactly the terms of these heads are missing from it.

    Args:
        layer: a layer, which stays as it is.
        heads: the numbers of the heads to silence, from 0.

    Returns:
        The copy.

    Raises:
        ValueError: if there is no head of such a number.

    Source:
        Michel, Levy and Neubig (2019), Are sixteen heads really better than one?, section 2.3.

    Example:
        >>> layer = without_heads(MultiHeadAttention(d_model=4, num_heads=2), [0])
        >>> layer.output_projection.weight[:, :2].abs().sum().item()
        0.0
    """
    pruned = copy.deepcopy(layer)
    weight = pruned.output_projection.weight
    d_k = weight.shape[1] // layer.num_heads
    for head in heads:
        if not 0 <= head < layer.num_heads:
            raise ValueError(
                f"heads holds {head}, expected numbers from 0 to {layer.num_heads - 1}"
            )
        with torch.no_grad():
            weight[:, head * d_k : (head + 1) * d_k] = 0
    return pruned
