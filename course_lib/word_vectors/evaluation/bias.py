"""The word embedding association test (WEAT): do two groups of words lean to two sides?"""

from itertools import combinations
from math import comb
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.word_vectors.evaluation.similarity import unit

# Beyond this number of ways to split the words, a random part of them stands for all.
EXACT_SPLITS = 50_000


class Association(NamedTuple):
    """What ``association_test`` returns.

    Attributes:
        effect_size: the difference of the groups' mean leanings in standard deviations,
            from -2 to 2.
        p_value: the share of all splits into two groups of these sizes whose difference
            is at least as large.
    """

    effect_size: float
    p_value: float


def leaning(
    words: Float[Tensor, "words d"], first: Float[Tensor, "m d"], second: Float[Tensor, "n d"]
) -> Float[Tensor, " words"]:
    """Say how much nearer each word is to one set of words than to another.

    Args:
        words: the vectors of the words to look at.
        first: the vectors of one set, at least one.
        second: the vectors of the other set, at least one.

    Returns:
        The mean cosine with the first set minus that with the second: from -2 to 2.

    Raises:
        ValueError: if a set is empty.

    Example:
        >>> axes = torch.eye(2)
        >>> leaning(torch.tensor([[3.0, 0.0], [1.0, 1.0]]), axes[:1], axes[1:])
        tensor([1., 0.])
    """
    for name, vectors in (("first", first), ("second", second)):
        if len(vectors) == 0:
            raise ValueError(f"{name} is empty, expected at least one word")
    words = unit(words)
    return (words @ unit(first).T).mean(dim=1) - (words @ unit(second).T).mean(dim=1)


def association_test(
    x: Float[Tensor, " m"],
    y: Float[Tensor, " n"],
    generator: torch.Generator | None = None,
) -> Association:
    """Compare the leanings of two groups, and ask how often chance does as much.

    The effect size is (mean of x - mean of y) / s, with s the standard deviation of all
    m + n leanings (divided by m + n, not m + n - 1, so that with m = n it cannot exceed
    2). The p-value is one-sided: it looks at all ways to split the same m + n numbers
    into two groups of these sizes, and counts those with a difference of means at least
    as large.

    Args:
        x: the ``leaning`` of each word of the first group.
        y: that of the second group.
        generator: draws 50,000 random splits if there are more ways than that; unused
            otherwise.

    Returns:
        Effect size and p-value. The split at hand is among those counted, so the
        p-value is never zero.

    Raises:
        ValueError: if a group is empty, all leanings are equal, or there are too many
            splits to count and no generator.

    Source:
        Caliskan, Bryson and Narayanan (2017), Semantics derived automatically from
        language corpora contain human-like biases.

    Example:
        >>> x, y = torch.tensor([0.5, 0.5]), torch.tensor([-0.5, -0.5])
        >>> test = association_test(x, y)
        >>> test.effect_size, round(test.p_value, 4)
        (2.0, 0.1667)
    """
    m, n = len(x), len(y)
    for name, values in (("x", x), ("y", y)):
        if len(values) == 0:
            raise ValueError(f"{name} is empty, expected at least one word")
    # On the CPU and in float64: the splits are compared to the last digits.
    values = torch.cat([x, y]).cpu().double()
    deviation = values.std(correction=0)
    if values.min() == values.max():
        raise ValueError("x and y hold one value only, expected words that differ")
    if comb(m + n, m) <= EXACT_SPLITS:
        groups = torch.tensor(list(combinations(range(m + n), m)))
        extra = 0
    elif generator is None:
        raise ValueError(f"generator is None, expected one: {m + n} words have too many splits")
    else:
        keys = torch.rand(EXACT_SPLITS, m + n, generator=generator)
        groups = keys.argsort(dim=1)[:, :m]
        extra = 1  # the split at hand, which a random draw need not hold
    difference = values[:m].mean() - values[m:].mean()
    sums = values[groups].sum(dim=1)
    differences = sums / m - (values.sum() - sums) / n
    # Splits that tie with the one at hand must count, whatever rounding makes of them.
    reached = int((differences >= difference - 1e-12 * deviation).sum())
    p_value = (reached + extra) / (len(groups) + extra)
    return Association((difference / deviation).item(), p_value)
