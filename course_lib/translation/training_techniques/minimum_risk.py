"""Minimum risk training: the expected cost of a sentence as a loss that has gradients."""

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor


def candidate_distribution(
    log_probs: Float[Tensor, "*batch candidates"],
    sharpness: float | int = 1.0,
    mask: Bool[Tensor, "*batch candidates"] | None = None,
) -> Float[Tensor, "*batch candidates"]:
    """Compute Q: the model's probabilities to the power of sharpness, made to sum to 1.

    Args:
        log_probs: the log-probability of each candidate sentence under the model.
        sharpness: alpha of the paper, at least 0. At 0 all candidates count the same, at 1 the
            model's own probabilities decide, far above only the likeliest candidate counts.
        mask: True where a candidate is there; by default everywhere.

    Returns:
        A distribution over the candidates of each sentence. Where none is there, zeros.

    Raises:
        ValueError: if sharpness is negative or not finite.

    Source:
        Shen et al. (2016), Minimum risk training for neural machine translation, equation 13.

    Example:
        >>> log_probs = torch.tensor([0.1, 0.3]).log()
        >>> candidate_distribution(log_probs), candidate_distribution(log_probs, sharpness=0)
        (tensor([0.2500, 0.7500]), tensor([0.5000, 0.5000]))
    """
    if not 0 <= sharpness < math.inf:
        raise ValueError(f"sharpness is {sharpness}, expected a number of at least 0")
    scores = sharpness * log_probs
    if mask is None:
        return scores.softmax(dim=-1)
    # A row without candidates gets scores of 0 for the softmax and zeros afterwards: its gradient
    # is zero, too, and not NaN.
    kept = mask | ~mask.any(dim=-1, keepdim=True)
    scores = torch.where(mask, scores, 0).masked_fill(~kept, -math.inf)
    return scores.softmax(dim=-1) * mask


def minimum_risk_loss(
    log_probs: Float[Tensor, "batch candidates"],
    costs: Float[Tensor, "batch candidates"],
    sharpness: float | int = 1.0,
    mask: Bool[Tensor, "batch candidates"] | None = None,
) -> Float[Tensor, ""]:
    """Compute the expected cost of a candidate under Q, averaged over the sentences.

    The costs are data, such as 1 - BLEU: no gradient flows into them, and none has to.

    Args:
        log_probs: the log-probability of each candidate under the model, with its gradient.
        costs: what each candidate costs.
        sharpness: see ``candidate_distribution``.
        mask: True where a candidate is there; by default everywhere. Several copies of one
            sentence would count it several times: mask all but one.

    Returns:
        The mean risk over the sentences with at least one candidate, a tensor without axes.

    Raises:
        ValueError: if no sentence has a candidate, or as ``candidate_distribution``.

    Source:
        Shen et al. (2016), equation 12.

    Example:
        >>> log_probs = torch.tensor([[0.1, 0.3]]).log()
        >>> minimum_risk_loss(log_probs, torch.tensor([[1.0, 0.2]]))
        tensor(0.4000)
    """
    present = torch.ones_like(costs, dtype=torch.bool) if mask is None else mask
    sentences = present.any(dim=-1).sum()
    if present.numel() == 0 or (not present.is_meta and sentences == 0):
        raise ValueError("mask leaves no candidate, expected at least one")
    q = candidate_distribution(log_probs, sharpness, mask)
    # A cost behind the mask may be anything, NaN included.
    risk = (q * torch.where(present, costs.detach(), 0)).sum(dim=-1)
    return risk.sum() / sentences
