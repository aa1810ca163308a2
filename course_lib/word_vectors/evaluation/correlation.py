"""Do two lists of numbers put things in the same order? Spearman's rank correlation."""

import torch
from jaxtyping import Float
from torch import Tensor


def average_ranks(values: Float[Tensor, "*batch n"]) -> Float[Tensor, "*batch n"]:
    """Number the values from 1 for the smallest to n for the largest.

    Equal values share the mean of the ranks that they take up together.

    Args:
        values: real numbers, compared within the last axis.

    Returns:
        The ranks. They always sum to n (n + 1) / 2.

    Raises:
        ValueError: if a value is NaN, or the values are not floating point.

    Example:
        >>> average_ranks(torch.tensor([10.0, 30.0, 20.0, 20.0]))
        tensor([1.0000, 4.0000, 2.5000, 2.5000])
    """
    if not values.is_floating_point():
        raise ValueError(f"values has dtype {values.dtype}, expected a floating-point type")
    if values.ndim == 0:
        raise ValueError("values has shape [], expected at least one axis")
    if not values.is_meta and values.isnan().any():
        raise ValueError("values holds NaN, which has no place in an order")
    ordered = values.sort(dim=-1).values.contiguous()
    values = values.contiguous()
    smaller = torch.searchsorted(ordered, values)  # how many are smaller
    not_larger = torch.searchsorted(ordered, values, right=True)  # smaller or equal
    # Equal values take up the ranks smaller + 1, ..., not_larger.
    return (smaller + 1 + not_larger).to(values.dtype) / 2


def spearman(
    x: Float[Tensor, "*#batch n"], y: Float[Tensor, "*#batch n"]
) -> Float[Tensor, "*batch"]:
    """Compute Spearman's rank correlation: the correlation of the ranks, ties averaged.

    Args:
        x: real numbers; the axes before the last are broadcast against those of ``y``.
        y: as many.

    Returns:
        Numbers from -1 (opposite orders) to 1 (the same order).

    Raises:
        ValueError: if there are fewer than two values, different numbers of them, all
            values of a list are equal (then there is no order to compare), or one is
            NaN.

    Source:
        Spearman (1904), The proof and measurement of association between two things.

    Example:
        >>> spearman(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([0.1, 100.0, 7.0]))
        tensor(0.5000)
    """
    ranks = []
    for name, values in (("x", x), ("y", y)):
        if values.ndim == 0 or values.shape[-1] < 2:
            raise ValueError(f"{name} has shape {list(values.shape)}, expected at least two values")
        if not values.is_meta and (values.amin(dim=-1) == values.amax(dim=-1)).any():
            raise ValueError(f"{name} holds a list of equal values, which is no order")
        rank = average_ranks(values.double())  # ranks overflow half precision
        ranks.append(rank - (values.shape[-1] + 1) / 2)  # all ranks have this mean
    if x.shape[-1] != y.shape[-1]:
        raise ValueError(f"y has {y.shape[-1]} values, expected {x.shape[-1]} as x")
    a, b = ranks
    lengths = (a.square().sum(dim=-1) * b.square().sum(dim=-1)).sqrt()
    return ((a * b).sum(dim=-1) / lengths).clamp(-1, 1).to(x.dtype)
