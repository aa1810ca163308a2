"""The softmax over the keys that may be attended to."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor


def masked_softmax(
    scores: Float[Tensor, "*batch queries keys"], mask: Bool[Tensor, "..."] | None = None
) -> Float[Tensor, "*batch queries keys"]:
    """Turn scores into weights that are zero where the mask is False.

    The scores of masked keys are replaced by ``-inf``, so that whatever stood there makes no
    difference and gets no gradient. A query that may attend to no key at all has the weights zero
    and the gradient zero, as in PyTorch's ``scaled_dot_product_attention``.

    Args:
        scores: any real numbers; ``-inf`` is the same as a mask.
        mask: True where a query may attend to a key; broadcast to the shape of the scores. None
            allows all.

    Returns:
        Numbers from 0 to 1. Each row sums to 1, or is zero if it has no key.

    Raises:
        ValueError: if the scores are not floating point or have fewer than two axes, or the mask
            is not boolean or does not fit them.

    Example:
        >>> scores = torch.tensor([[2.0, 2.0, 9.0], [5.0, 6.0, 7.0]])
        >>> masked_softmax(scores, torch.tensor([[True, True, False], [False, False, False]]))
        tensor([[0.5000, 0.5000, 0.0000],
                [0.0000, 0.0000, 0.0000]])
    """
    if not scores.is_floating_point():
        raise ValueError(f"scores has dtype {scores.dtype}, expected a floating-point type")
    if scores.ndim < 2:
        raise ValueError(f"scores has shape {list(scores.shape)}, expected queries and keys")
    if mask is not None:
        _check(mask, scores)
        scores = scores.masked_fill(~mask, float("-inf"))
    # A row of nothing but -inf has no softmax. Any numbers do in its place: they are dropped again,
    # and with them their gradients. Mending the NaN at the end alone would leave NaN in the
    # gradient wherever -inf came with the scores.
    empty = (scores == float("-inf")).all(dim=-1, keepdim=True)
    weights = torch.softmax(scores.masked_fill(empty, 0.0), dim=-1)
    return weights.masked_fill(empty, 0.0)


def _check(mask: Tensor, scores: Tensor) -> None:
    if mask.dtype != torch.bool:
        raise ValueError(f"mask has dtype {mask.dtype}, expected torch.bool")
    try:
        fits = torch.broadcast_shapes(mask.shape, scores.shape) == scores.shape
    except RuntimeError:
        fits = False
    if not fits:
        raise ValueError(
            f"mask has shape {list(mask.shape)}, expected one that broadcasts to the shape of "
            f"scores, {list(scores.shape)}"
        )
