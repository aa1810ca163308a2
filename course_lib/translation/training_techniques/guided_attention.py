"""Guided attention: a penalty for looking far from the diagonal of the attention matrix."""

import math

import torch
from jaxtyping import Float, Int64
from torch import Tensor

from course_lib.arguments import check_sizes


def diagonal_penalty(
    target_length: int, source_length: int, width: float | int = 0.2
) -> Float[Tensor, "target source"]:
    """Compute 1 - exp(-(n/N - t/T)² / (2 width²)) for each cell of an attention matrix.

    n is the position in the source of length N, t that in the target of length T, both from 0.

    Args:
        target_length: T, at least 0.
        source_length: N, at least 0.
        width: g of the paper, positive: how far from the diagonal is still cheap, as a share of
            the length.

    Returns:
        Numbers from 0 (on the diagonal) to below 1, in float64 on the CPU.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        Tachibana, Uenoyama and Aihara (2017), Efficiently trainable text-to-speech system based on
        deep convolutional networks with guided attention, section 4.1. There n and t trade places
        in the matrix, and width is 0.2.

    Example:
        >>> diagonal_penalty(2, 4, width=0.5)
        tensor([[0.0000, 0.1175, 0.3935, 0.6753],
                [0.3935, 0.1175, 0.0000, 0.1175]], dtype=torch.float64)
    """
    check_sizes(0, target_length=target_length, source_length=source_length)
    if not 0 < width < math.inf:
        raise ValueError(f"width is {width}, expected a positive number")
    t = torch.arange(target_length, dtype=torch.float64) / max(target_length, 1)
    n = torch.arange(source_length, dtype=torch.float64) / max(source_length, 1)
    distance = t.unsqueeze(1) - n  # [target, source]
    return -torch.expm1(-(distance**2) / (2 * width**2))


def guided_attention_loss(
    attention: Float[Tensor, "batch target source"],
    target_lengths: Int64[Tensor, " batch"],
    source_lengths: Int64[Tensor, " batch"],
    width: float | int = 0.2,
) -> Float[Tensor, ""]:
    """Compute the penalty that a target word expects from its attention, averaged over all words.

    Row t of the attention is a distribution over the source, so the sum of attention times penalty
    over the row is the penalty's expected value. Padding on either side costs nothing and counts
    nowhere. (The paper divides by the length of the source, too.)

    Args:
        attention: the weights; each row sums to 1.
        target_lengths: the number of real target words in each sentence.
        source_lengths: the number of real source words.
        width: see ``diagonal_penalty``.

    Returns:
        The mean over all real target words of the batch, a tensor without axes; from 0 to below 1.

    Raises:
        ValueError: if a length is larger than its axis or negative, no target word is real, or as
            ``diagonal_penalty``.

    Source:
        As ``diagonal_penalty``.

    Example:
        >>> two, turned = torch.tensor([2]), torch.tensor([[[0.0, 1.0], [1.0, 0.0]]])
        >>> guided_attention_loss(torch.eye(2).unsqueeze(0), two, two)
        tensor(0.)
        >>> guided_attention_loss(turned, two, two)
        tensor(0.9561)
    """
    batch, target, source = attention.shape
    for name, lengths, limit in (
        ("target_lengths", target_lengths, target),
        ("source_lengths", source_lengths, source),
    ):
        if lengths.shape != (batch,):
            raise ValueError(f"{name} has shape {list(lengths.shape)}, expected [{batch}]")
        if batch and not 0 <= lengths.min() <= lengths.max() <= limit:
            raise ValueError(
                f"{name} goes from {lengths.min()} to {lengths.max()}, expected 0 to {limit}"
            )
    words = int(target_lengths.sum())
    if words == 0:
        raise ValueError("target_lengths sums to 0, expected at least one target word")
    penalty = torch.zeros(batch, target, source, dtype=torch.float64)
    for cell, T, N in zip(penalty, target_lengths.tolist(), source_lengths.tolist(), strict=True):
        cell[:T, :N] = diagonal_penalty(T, N, width)
    return (attention * penalty.to(attention)).sum() / words
