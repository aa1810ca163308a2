"""Do the attention weights point to the words that are translated?"""

from collections.abc import Iterable

from jaxtyping import Float
from torch import Tensor


def count_aligned(
    weights: Float[Tensor, "target source"], links: Iterable[tuple[int, int]]
) -> tuple[int, int]:
    """Count the links to which the largest weight points.

    Args:
        weights: for each target word the weights of the source words, without pads.
        links: pairs (index in source, index in target) of words that translate each other.

    Returns:
        How many links hold the largest weight of their target word (the first of equal ones), and
        how many links there are.

    Raises:
        ValueError: if a link lies outside the sentences.

    Example:
        >>> import torch
        >>> count_aligned(torch.tensor([[0.9, 0.1], [0.6, 0.4]]), [(0, 0), (1, 1)])
        (1, 2)
    """
    target, source = weights.shape
    right = total = 0
    for i, j in links:
        if not (0 <= i < source and 0 <= j < target):
            raise ValueError(f"links holds ({i}, {j}), expected below ({source}, {target})")
        right += int(weights[j].argmax()) == i
        total += 1
    return right, total
