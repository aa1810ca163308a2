"""Which words are drawn as negatives: the noise distribution, and drawing from it."""

import torch
from jaxtyping import Float, Int64
from torch import Tensor


def noise_distribution(
    counts: Float[Tensor, " words"], exponent: float = 0.75
) -> Float[Tensor, " words"]:
    """Turn counts of words into probabilities proportional to count ** exponent.

    Args:
        counts: how often each word occurs; frequencies give the same result. A word with count 0
            is never drawn, whatever the exponent.
        exponent: 1 draws words as often as they occur, 0 draws all words that occur equally often.

    Returns:
        The probabilities, which sum to 1.

    Raises:
        ValueError: if a count is negative or not finite, all are zero, or the exponent is negative.

    Source:
        Mikolov, Sutskever et al. (2013), section 2.2.

    Example:
        >>> noise_distribution(torch.tensor([0.9, 0.09, 0.01]))
        tensor([0.8250, 0.1467, 0.0282])
    """
    if not exponent >= 0:
        raise ValueError(f"exponent is {exponent}, expected 0 or more")
    check_counts("counts", counts)
    # Divided by the largest, no power overflows.
    weights = torch.where(counts > 0, (counts / counts.amax()) ** exponent, 0)
    return weights / weights.sum()


def draw_negatives(
    noise: Float[Tensor, " words"],
    number: int,
    rng: torch.Generator,
    contexts: Int64[Tensor, " pairs"] | None = None,
) -> Int64[Tensor, "*pairs number"]:
    """Draw words from a distribution, independently and with replacement.

    Args:
        noise: the probabilities of the words; they need not sum to 1.
        number: how many words to draw.
        rng: draws, on the CPU.
        contexts: if given, ``number`` words are drawn for each of these context words, and never
            the context word itself. Other words that stand in the same window may well be drawn.

    Returns:
        The words, of shape [number], or [pairs, number] if ``contexts`` is given.

    Raises:
        ValueError: if the number is negative, a probability is negative or not finite, all are
            zero, a context is no word, or there is no other word to draw than a context itself.

    Example:
        >>> noise = torch.tensor([0.5, 0.5, 0.0])
        >>> draw_negatives(noise, 3, torch.Generator(), contexts=torch.tensor([0, 1])).tolist()
        [[1, 1, 1], [0, 0, 0]]
    """
    if number < 0:
        raise ValueError(f"number is {number}, expected 0 or more")
    check_counts("noise", noise)
    weights = noise.double().cpu()
    ends = weights.cumsum(0)  # word w owns the interval from ends[w] - weights[w] to ends[w]
    if contexts is None:
        points = torch.rand(number, generator=rng, dtype=torch.float64) * ends[-1]
    else:
        own = contexts.cpu()
        if own.numel() and not 0 <= own.min() <= own.max() < len(noise):
            raise ValueError(
                f"contexts goes from {own.min()} to {own.max()}, expected 0 to {len(noise) - 1}"
            )
        if (weights > 0).sum() == 1 and (weights[own] > 0).any():
            raise ValueError(
                f"noise allows word {int(weights.argmax())} only, which is a context word itself: "
                "there is no negative to draw"
            )
        # Cut the context's interval out: draw on what is left, and jump over the gap.
        gap, left = weights[own].unsqueeze(1), (ends[own] - weights[own]).unsqueeze(1)
        points = torch.rand(len(own), number, generator=rng, dtype=torch.float64)
        points = points * (ends[-1] - gap)
        points = torch.where(points >= left, points + gap, points)
    words = torch.searchsorted(ends, points.contiguous(), right=True)
    # Rounding may push a point to an end: then the nearest word that can be drawn is taken.
    possible = (weights > 0).nonzero().flatten()
    words = words.clamp_max(int(possible[-1]))
    if contexts is not None:
        words = _step_off(words, own.unsqueeze(1), possible)
    return words.to(noise.device)


def _step_off(
    words: Int64[Tensor, "pairs number"],
    own: Int64[Tensor, "pairs 1"],
    possible: Int64[Tensor, " possible"],
) -> Int64[Tensor, "pairs number"]:
    """Replace a word that equals its own context by a neighbour among the possible words."""
    place = torch.searchsorted(possible, words)
    other = torch.where(place > 0, place - 1, (place + 1).clamp_max(len(possible) - 1))
    return torch.where(words == own, possible[other], words)


def check_counts(name: str, counts: Float[Tensor, " words"]) -> None:
    """Refuse counts or probabilities from which nothing can be drawn.

    Raises:
        ValueError: if one is negative or not finite, or all are zero.

    Example:
        >>> check_counts("counts", torch.zeros(2))
        Traceback (most recent call last):
        ValueError: counts has no positive entry, expected at least one
    """
    # A meta tensor has a shape but no values to look at.
    if counts.is_meta:
        return
    if not (counts >= 0).all() or counts.isinf().any():
        raise ValueError(
            f"{name} holds {counts[~(counts >= 0) | counts.isinf()][0]}, expected "
            "finite numbers from 0"
        )
    if not counts.any():
        raise ValueError(f"{name} has no positive entry, expected at least one")
