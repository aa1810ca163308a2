"""Cross-entropy with smoothed labels, over the real tokens of a padded batch."""

import math

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int64
from torch import Tensor

from course_lib.arguments import check_sizes
from course_lib.translation.sequence_to_sequence import padding_mask


def smoothed_targets(
    target: Int64[Tensor, "*batch"], vocab_size: int, smoothing: float | int = 0.1
) -> Float[Tensor, "*batch {vocab_size}"]:
    """Give each right word 1 - smoothing, and share out the rest evenly among all words.

    The right word is one of "all words", so it ends up with 1 - smoothing + smoothing / vocab_size.

    Args:
        target: the right words.
        vocab_size: how many words, at least 1.
        smoothing: the share that is taken from the right word, from 0 to 1.

    Returns:
        For each place a probability of each word.

    Raises:
        ValueError: if smoothing or vocab_size is out of range, or a target is no word.

    Source:
        Szegedy et al. (2016), Rethinking the Inception architecture for computer vision, section 7.

    Example:
        >>> smoothed_targets(torch.tensor([2]), vocab_size=4, smoothing=0.4)
        tensor([[0.1000, 0.1000, 0.7000, 0.1000]])
    """
    _check_smoothing(smoothing, vocab_size)
    _check_words(target, vocab_size)
    rest = smoothing / vocab_size
    right = torch.arange(vocab_size, device=target.device) == target.unsqueeze(-1)
    return right.to(torch.get_default_dtype()) * (1 - smoothing) + rest


def smoothed_cross_entropy(
    logits: Float[Tensor, "batch steps vocab"],
    target: Int64[Tensor, "batch steps"],
    smoothing: float | int = 0.1,
) -> Float[Tensor, ""]:
    """Compute the mean over the real tokens of -sum(q log p), with q from ``smoothed_targets``.

    No q is written down. With the logits' log-sum-exp the sum becomes
    (1 - smoothing) times -log p of the right word, plus smoothing times the mean of -log p over all
    words. What stands at a pad counts neither in the sum nor in the number of tokens.

    Args:
        logits: for each step a score for each word.
        target: the right words, filled up with ``PAD``.
        smoothing: the share that is taken from the right word, from 0 to 1; 0 gives the plain
            cross-entropy.

    Returns:
        The mean loss in nats, a tensor without axes.

    Raises:
        ValueError: if smoothing is out of range, no target is a real token (the mean is undefined),
            or a target is no word.

    Example:
        >>> logits = torch.zeros(1, 3, 8)
        >>> logits[0, 2] = 1e9  # at a pad: it makes no difference
        >>> smoothed_cross_entropy(logits, torch.tensor([[5, 3, 1]]))  # log 8
        tensor(2.0794)
    """
    vocab_size = logits.shape[-1]
    _check_smoothing(smoothing, vocab_size)
    _check_words(target, vocab_size)
    if not target.is_meta and not padding_mask(target).any():
        raise ValueError("target holds nothing but pads, expected at least one real token")
    real = padding_mask(target)
    log_p = F.log_softmax(logits, dim=-1)  # [batch, steps, vocab]
    right = -log_p.gather(-1, target.unsqueeze(-1)).squeeze(-1)  # [batch, steps]
    losses = right
    if smoothing > 0:  # 0 times the infinite loss of a word with probability 0 would be NaN
        losses = (1 - smoothing) * right - smoothing * log_p.mean(dim=-1)
    # Divided before the sum, which could overflow in half precision.
    return torch.where(real, losses / real.sum(), 0).sum()


def smoothed_gradient(
    logits: Float[Tensor, "vocab"], word: int, smoothing: float | int = 0.1
) -> Float[Tensor, "vocab"]:
    """Compute the gradient of one token's smoothed loss with respect to its logits: p - q.

    Args:
        logits: a score for each word.
        word: the right one.
        smoothing: see ``smoothed_targets``.

    Returns:
        A new tensor like ``logits``; its entries sum to 0.

    Raises:
        ValueError: as ``smoothed_targets``.

    Example:
        >>> smoothed_gradient(torch.zeros(4), 2, smoothing=0.4)
        tensor([ 0.1500,  0.1500, -0.4500,  0.1500])
    """
    target = torch.tensor(word, device=logits.device)
    q = smoothed_targets(target, len(logits), smoothing)
    return logits.softmax(dim=-1) - q.to(logits.dtype)


def smallest_loss(vocab_size: int, smoothing: float | int = 0.1) -> float:
    """Compute the smallest smoothed loss that any model can reach: the entropy of q.

    Args:
        vocab_size: how many words, at least 1.
        smoothing: see ``smoothed_targets``.

    Returns:
        The entropy in nats; 0 without smoothing.

    Raises:
        ValueError: as ``smoothed_targets``.

    Example:
        >>> round(smallest_loss(150, smoothing=0.1), 4)
        0.8207
        >>> smallest_loss(150, smoothing=0)
        0.0
    """
    _check_smoothing(smoothing, vocab_size)
    rest = smoothing / vocab_size
    right = 1 - smoothing + rest
    entropy = -right * math.log(right)
    if rest > 0:  # 0 log 0 counts as 0
        entropy -= (vocab_size - 1) * rest * math.log(rest)
    return max(0.0, entropy)


def _check_smoothing(smoothing: float | int, vocab_size: int) -> None:
    check_sizes(vocab_size=vocab_size)
    if not 0 <= smoothing <= 1:
        raise ValueError(f"smoothing is {smoothing}, expected a number from 0 to 1")


def _check_words(target: Tensor, vocab_size: int) -> None:
    # A meta tensor has a shape but no values to look at.
    if target.is_meta or target.numel() == 0:
        return
    if not 0 <= target.min() <= target.max() < vocab_size:
        raise ValueError(
            f"target goes from {target.min()} to {target.max()}, expected 0 to {vocab_size - 1}"
        )
