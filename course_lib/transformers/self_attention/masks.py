"""Which positions a position may attend to: masks in which True means "may be attended to".

Masks are combined with ``&``: a key is visible when every mask allows it. They broadcast against
scores of shape [batch, heads, queries, keys].
"""

import torch
from jaxtyping import Bool
from torch import Tensor

from course_lib.arguments import check_sizes


def causal_mask(n: int, device: torch.device | str | None = None) -> Bool[Tensor, "n n"]:
    """Let each of n positions attend to itself and to what stands before it.

    Args:
        n: the number of positions, at least zero.
        device: where the mask lies; use that of the scores.

    Returns:
        A lower triangular matrix, diagonal included: entry [i, j] is True when j <= i.

    Raises:
        ValueError: if n is negative.

    Source:
        Vaswani et al. (2017), Attention is all you need, section 3.2.3.

    Example:
        >>> causal_mask(3).int()
        tensor([[1, 0, 0],
                [1, 1, 0],
                [1, 1, 1]], dtype=torch.int32)
    """
    check_sizes(0, n=n)
    return torch.ones(n, n, dtype=torch.bool, device=device).tril()


def key_mask(real: Bool[Tensor, "batch keys"]) -> Bool[Tensor, "batch 1 1 keys"]:
    """Turn "which tokens are real" into a mask that hides padding from all heads and queries.

    Padding is hidden as a *key*. As a query it computes a row that nobody reads.

    Args:
        real: True for a real token, False for padding; of the sentence that the keys come from.

    Returns:
        The same values, with an axis for the heads and one for the queries.

    Raises:
        ValueError: if ``real`` is not boolean or has not two axes.

    Example:
        >>> mask = key_mask(torch.tensor([[True, True, False]])) & causal_mask(3)
        >>> list(mask.shape)
        [1, 1, 3, 3]
        >>> mask[0, 0].int()
        tensor([[1, 0, 0],
                [1, 1, 0],
                [1, 1, 0]], dtype=torch.int32)
    """
    if real.dtype != torch.bool:
        raise ValueError(f"real has dtype {real.dtype}, expected torch.bool")
    if real.ndim != 2:
        raise ValueError(f"real has shape {list(real.shape)}, expected [batch, keys]")
    return real[:, None, None, :]
