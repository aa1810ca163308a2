"""Mini-batches: each example once in an epoch, in random order."""

from collections.abc import Iterator

import torch
from jaxtyping import Int64
from torch import Tensor

from course_lib.arguments import check_sizes


def minibatches(number: int, size: int, rng: torch.Generator) -> Iterator[Int64[Tensor, " batch"]]:
    """Split the examples 0, ..., number - 1 into random batches; each belongs to exactly one.

    The size 1 gives stochastic gradient descent in the strict sense, the size ``number`` gives
    ordinary gradient descent.

    Args:
        number: how many examples there are; 0 gives no batch.
        size: how many make a batch. The last batch is smaller if the size does not divide.
        rng: draws the order, on the CPU.

    Returns:
        An iterator over the numbers of the examples of each batch.

    Raises:
        ValueError: if the number is negative or the size below 1.

    Example:
        >>> sizes = [len(batch) for batch in minibatches(10, 4, torch.Generator())]
        >>> sizes
        [4, 4, 2]
    """
    if number < 0:
        raise ValueError(f"number is {number}, expected 0 or more")
    check_sizes(size=size)
    order = torch.randperm(number, generator=rng)
    # torch.empty(0).split gives one empty part.
    return iter(order.split(size) if number else ())
