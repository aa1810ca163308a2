"""What a score adds to log p: it makes up for length, and it asks whether all was translated."""

from collections.abc import Callable

import torch
from jaxtyping import Bool, Float
from torch import Tensor

LengthPenalty = Callable[[int], float]
"""Maps a length in tokens, ``<eos>`` included, to the positive number that divides log p."""


def no_penalty(length: int) -> float:
    """Return 1: the score is log p itself.

    Example:
        >>> no_penalty(20)
        1.0
    """
    return 1.0


def power_penalty(alpha: float | int) -> LengthPenalty:
    """Make the penalty length ** alpha.

    With alpha = 1 the score is the mean log p of a token, with alpha = 0 it is log p.

    Args:
        alpha: from 0 to 1 as a rule; D2L takes 0.75.

    Raises:
        ValueError: if alpha is negative.

    Source:
        Zhang, Lipton, Li and Smola, Dive into Deep Learning, section on beam search; for alpha = 1
        Cho et al. (2014), On the properties of neural machine translation.

    Example:
        >>> power_penalty(0.75)(16)
        8.0
    """
    _check("alpha", alpha)
    return lambda length: float(length**alpha)


def gnmt_penalty(alpha: float | int) -> LengthPenalty:
    """Make the penalty ((5 + length) / 6) ** alpha.

    It is 1 at length 1 and grows more slowly than a power: the five tokens added to the length
    keep very short sentences from being compared with each other per token.

    Args:
        alpha: from 0 to 1; the paper settles on 0.2, the Transformer took 0.6.

    Raises:
        ValueError: if alpha is negative.

    Source:
        Wu et al. (2016), Google's neural machine translation system, equation 14.

    Example:
        >>> gnmt_penalty(0.5)(19)
        2.0
    """
    _check("alpha", alpha)
    return lambda length: float(((5 + length) / 6) ** alpha)


def coverage_penalty(
    attention: Float[Tensor, "*batch target source"], mask: Bool[Tensor, "*batch source"]
) -> Float[Tensor, "*batch"]:
    """Sum log(min(attention that a source word got in all, 1)) over the source words.

    It is 0 if every word was looked at with a total weight of 1 or more, and negative otherwise.

    Args:
        attention: the weights of each step of the decoder.
        mask: True at the words of the source, False at its pads.

    Returns:
        Numbers of at most 0. A word that got exactly nothing counts as the smallest normal number
        of the type (-87 in single precision), not as ``-inf``, which would outweigh all else.

    Source:
        Wu et al. (2016), equation 14, without its factor beta.

    Example:
        >>> attention = torch.tensor([[0.75, 0.25], [0.75, 0.25]])
        >>> coverage_penalty(attention, torch.tensor([True, True]))
        tensor(-0.6931)
    """
    smallest = torch.finfo(attention.dtype).tiny
    covered = attention.sum(dim=-2).clamp(min=smallest, max=1)  # [*batch, source]
    return covered.log().masked_fill(~mask, 0).sum(dim=-1)


def _check(name: str, value: float | int) -> None:
    if not 0 <= value < float("inf"):
        raise ValueError(f"{name} is {value}, expected a number of at least 0")
