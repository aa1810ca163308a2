"""Temperature, top-k and nucleus: which next words a sampler may draw, and how likely."""

import math

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from course_lib.arguments import check_sizes


def top_k_mask(p: Float[Tensor, "*batch vocab"], k: int) -> Bool[Tensor, "*batch vocab"]:
    """Mark the k most probable words.

    Args:
        p: probabilities.
        k: how many, at least 1; with k of the vocabulary's size or more, all are marked.

    Returns:
        True at the words that are kept: exactly k, or all; among equals those with smaller ids.

    Raises:
        ValueError: if k is below 1.

    Source:
        Fan, Lewis and Dauphin (2018), Hierarchical neural story generation.

    Example:
        >>> top_k_mask(torch.tensor([0.1, 0.4, 0.1, 0.4]), 3)
        tensor([ True,  True, False,  True])
    """
    check_sizes(top_k=k)
    order = p.argsort(dim=-1, descending=True, stable=True)
    return torch.zeros_like(p, dtype=torch.bool).scatter(-1, order[..., :k], True)


def nucleus_mask(
    p: Float[Tensor, "*batch vocab"], mass: float | int
) -> Bool[Tensor, "*batch vocab"]:
    """Mark the nucleus: the fewest most probable words whose probabilities reach a mass.

    Args:
        p: probabilities.
        mass: above 0 and at most 1; with 1 all words are marked.

    Returns:
        True at the words that are kept: at least one, for the first word that reaches the mass is
        itself in the nucleus; among equals those with smaller ids.

    Raises:
        ValueError: if mass is not above 0 and at most 1.

    Source:
        Holtzman, Buys, Du, Forbes and Choi (2020), The curious case of neural text degeneration,
        section 3.1.

    Example:
        >>> nucleus_mask(torch.tensor([0.125, 0.5, 0.125, 0.25]), 0.75)
        tensor([False,  True, False,  True])
    """
    if not 0 < mass <= 1:
        raise ValueError(f"top_p is {mass}, expected a number above 0 and at most 1")
    if mass == 1:  # the sum may reach 1 before the last word by rounding
        return torch.ones_like(p, dtype=torch.bool)
    sorted_p, order = p.sort(dim=-1, descending=True, stable=True)
    # Before each word: the mass of the more probable ones. It is 0 before the first.
    before = F.pad(sorted_p.cumsum(dim=-1)[..., :-1], (1, 0))
    return torch.zeros_like(p, dtype=torch.bool).scatter(-1, order, before < mass)


def next_word_distribution(
    logits: Float[Tensor, "*batch vocab"],
    *,
    temperature: float | int = 1.0,
    top_k: int | None = None,
    top_p: float | int = 1.0,
) -> Float[Tensor, "*batch vocab"]:
    """Compute the probabilities with which a sampler draws the next word.

    The logits are divided by the temperature; then only the top_k most probable words stay; then
    of these (made to sum to 1 again) only the nucleus of mass top_p, made to sum to 1.

    Args:
        logits: scores of a model's step; ``-inf`` for a word that cannot come.
        temperature: above 0; below 1 the probable words gain, above 1 the others do.
        top_k: see ``top_k_mask``; None keeps all.
        top_p: see ``nucleus_mask``.

    Returns:
        Probabilities, in single precision or better.

    Raises:
        ValueError: if a number is out of range.

    Example:
        >>> logits = torch.tensor([0.4, 0.3, 0.2, 0.1]).log()
        >>> next_word_distribution(logits, top_k=3, top_p=0.7)
        tensor([0.5714, 0.4286, 0.0000, 0.0000])
    """
    if not 0 < temperature < math.inf:
        raise ValueError(
            f"temperature is {temperature}, expected a positive number (beam_search with "
            "beam_size=1 is its limit at 0)"
        )
    # Shifted first, in double precision: however small the temperature is, the largest logit stays
    # 0 and the others go to -inf at worst.
    z = logits.double()
    z = (z - z.amax(dim=-1, keepdim=True)) / temperature
    p = z.softmax(dim=-1).to(torch.promote_types(logits.dtype, torch.float32))
    if top_k is not None:
        p = _renormalised(p, top_k_mask(p, top_k))
    return _renormalised(p, nucleus_mask(p, top_p))


def _renormalised(
    p: Float[Tensor, "*batch vocab"], mask: Bool[Tensor, "*batch vocab"]
) -> Float[Tensor, "*batch vocab"]:
    kept = p.masked_fill(~mask, 0)
    return kept / kept.sum(dim=-1, keepdim=True)
