"""Vector-Jacobian products that are more than one line: they work on tensors, not on nodes.

Each takes the gradient of a result and returns the gradient of an input, in the input's shape and
type. The Jacobian itself is never built.
"""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor


def sum_to(gradient: Float[Tensor, "..."], like: Float[Tensor, "..."]) -> Float[Tensor, "..."]:
    """Go back through broadcasting: add up the gradients of all copies of an entry.

    Args:
        gradient: has the shape to which ``like`` was broadcast.
        like: the tensor before broadcasting.

    Returns:
        The gradient in the shape, type and device of ``like``.

    Raises:
        ValueError: if ``like`` cannot be broadcast to the shape of the gradient.

    Example:
        >>> sum_to(torch.ones(4, 3), torch.zeros(3))
        tensor([4., 4., 4.])
    """
    added = gradient.ndim - like.ndim  # Broadcasting puts missing axes in front.
    pairs = zip(like.shape, gradient.shape[max(added, 0) :], strict=True) if added >= 0 else ()
    if added < 0 or any(size not in {1, wanted} for size, wanted in pairs):
        raise ValueError(
            f"like has shape {list(like.shape)}, expected one that broadcasts to "
            f"{list(gradient.shape)}"
        )
    stretched = [
        axis
        for axis, size in enumerate(gradient.shape)
        if axis < added or (like.shape[axis - added] == 1 and size != 1)
    ]
    if stretched:  # PyTorch takes an empty list for all axes.
        gradient = gradient.sum(dim=stretched)
    return gradient.reshape(like.shape).to(like)


def left_factor_rule(
    gradient: Float[Tensor, "..."], a: Float[Tensor, "..."], b: Float[Tensor, "..."]
) -> Float[Tensor, "..."]:
    """Go back through a @ b to a: G bᵀ.

    Args:
        gradient: G, in the shape of ``a @ b``.
        a: the left factor; a vector counts as a row.
        b: the right factor; a vector counts as a column.

    Returns:
        The gradient of a.

    Example:
        >>> a, b = torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0], [4.0]])
        >>> left_factor_rule(torch.tensor([[10.0]]), a, b)
        tensor([[30., 40.]])
    """
    gradient, left, right = _as_matrices(gradient, a, b)
    return sum_to(gradient @ right.mT, left).reshape(a.shape)


def right_factor_rule(
    gradient: Float[Tensor, "..."], a: Float[Tensor, "..."], b: Float[Tensor, "..."]
) -> Float[Tensor, "..."]:
    """Go back through a @ b to b: aᵀ G. Arguments as in ``left_factor_rule``.

    Example:
        >>> a, b = torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0], [4.0]])
        >>> right_factor_rule(torch.tensor([[10.0]]), a, b)
        tensor([[10.],
                [20.]])
    """
    gradient, left, right = _as_matrices(gradient, a, b)
    return sum_to(left.mT @ gradient, right).reshape(b.shape)


def index_rule(
    gradient: Float[Tensor, "..."], x: Float[Tensor, "..."], index: Any
) -> Float[Tensor, "..."]:
    """Go back through x[index]: put each gradient where its entry came from.

    An entry that was picked several times gets the sum; one that was not picked gets 0.

    Args:
        gradient: in the shape of ``x[index]``.
        x: the tensor that was indexed.
        index: anything that a tensor can be indexed by.

    Returns:
        The gradient of x.

    Example:
        >>> index_rule(torch.tensor([1.0, 10.0, 100.0]), torch.zeros(3), torch.tensor([2, 0, 2]))
        tensor([ 10.,   0., 101.])
    """
    # Index the numbers of the entries in the same way, and see which number arrives where.
    numbers = torch.arange(x.numel(), device=x.device).reshape(x.shape)[index]
    result = torch.zeros_like(x, memory_format=torch.contiguous_format).flatten()
    return result.index_add(0, numbers.flatten(), gradient.to(x).flatten()).reshape(x.shape)


def _as_matrices(gradient: Tensor, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Give vectors, and the gradient of their product, the axis of length 1 that they lack."""
    left = a.unsqueeze(0) if a.ndim == 1 else a  # [..., n, k]
    right = b.unsqueeze(1) if b.ndim == 1 else b  # [..., k, m]
    if b.ndim == 1:
        gradient = gradient.unsqueeze(-1)
    if a.ndim == 1:
        gradient = gradient.unsqueeze(-2)  # [..., n, m]
    return gradient, left, right
