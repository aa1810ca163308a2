"""Functions of nodes, named as in PyTorch: elementwise ones, sums, shapes, and the loss."""

import math

import torch
from jaxtyping import Int64
from torch import Tensor

from course_lib.calculus.backpropagation.node import Node, Operand, as_node
from course_lib.calculus.backpropagation.rules import sum_to

Axes = int | tuple[int, ...] | None


def exp(x: Node) -> Node:
    """Return e to the power of each entry. Its derivative is itself.

    Example:
        >>> exp(Node(torch.tensor([0.0, 1.0])))
        Node(tensor([1.0000, 2.7183]), requires_grad=False)
    """
    y = x.data.exp()
    return Node.result(y, (x, lambda g: g * y))


def log(x: Node) -> Node:
    """Return the natural logarithm of each entry; the derivative is 1 / x.

    Example:
        >>> log(Node(torch.tensor([1.0, 10.0])))
        Node(tensor([0.0000, 2.3026]), requires_grad=False)
    """
    a = x.data
    return Node.result(a.log(), (x, lambda g: g / a))


def tanh(x: Node) -> Node:
    """Return the hyperbolic tangent of each entry; the derivative is 1 - tanh².

    Example:
        >>> tanh(Node(torch.tensor([0.0, 1.0])))
        Node(tensor([0.0000, 0.7616]), requires_grad=False)
    """
    y = x.data.tanh()
    return Node.result(y, (x, lambda g: g * (1 - y * y)))


def sigmoid(x: Node) -> Node:
    """Return 1 / (1 + exp(-x)) of each entry; the derivative is s (1 - s).

    Example:
        >>> sigmoid(Node(torch.tensor([0.0, 1.0])))
        Node(tensor([0.5000, 0.7311]), requires_grad=False)
    """
    y = x.data.sigmoid()
    return Node.result(y, (x, lambda g: g * y * (1 - y)))


def relu(x: Node) -> Node:
    """Return max(x, 0) of each entry; the derivative at 0 is 0, as in PyTorch.

    Example:
        >>> relu(Node(torch.tensor([-1.0, 2.0])))
        Node(tensor([0., 2.]), requires_grad=False)
    """
    a = x.data
    return Node.result(a.relu(), (x, lambda g: torch.where(a > 0, g, 0)))


def maximum(x: Node, y: Operand) -> Node:
    """Return the larger of two entries, broadcast; a tie shares the gradient, as in PyTorch.

    Example:
        >>> maximum(Node(torch.tensor([1.0, 5.0])), 3)
        Node(tensor([3., 5.]), requires_grad=False)
    """
    y = as_node(y, like=x)
    a, b = x.data, y.data
    share = torch.where(a == b, 0.5, (a > b).to(a.dtype))
    return Node.result(
        torch.maximum(a, b),
        (x, lambda g: sum_to(g * share, a)),
        (y, lambda g: sum_to(g * (1 - share), b)),
    )


def sum(x: Node, dim: Axes = None, keepdim: bool = False) -> Node:
    """Add up all entries, or those along one or several axes.

    Each entry is a term with the factor 1, so each gets a copy of the gradient of its sum.

    Raises:
        ValueError: if ``dim`` names no axis.

    Example:
        >>> sum(Node(torch.tensor([[1.0, 2.0], [3.0, 4.0]])), dim=1)
        Node(tensor([3., 7.]), requires_grad=False)
    """
    a, axes = x.data, _axes(x, dim)
    total = a.sum(dim=axes, keepdim=True)
    return Node.result(
        total if keepdim else total.squeeze(axes),
        (x, lambda g: g.reshape(total.shape).expand(a.shape)),
    )


def mean(x: Node, dim: Axes = None, keepdim: bool = False) -> Node:
    """Average all entries, or those along one or several axes: their sum over their number.

    Raises:
        ValueError: if ``dim`` names no axis.

    Example:
        >>> mean(Node(torch.tensor([[1.0, 2.0], [3.0, 4.0]])), dim=1)
        Node(tensor([1.5000, 3.5000]), requires_grad=False)
    """
    return sum(x, dim, keepdim) / math.prod(x.shape[axis] for axis in _axes(x, dim))


def reshape(x: Node, shape: tuple[int, ...]) -> Node:
    """Give the entries another shape, in the same order.

    Example:
        >>> reshape(Node(torch.tensor([1.0, 2.0])), (2, 1)).shape
        torch.Size([2, 1])
    """
    a = x.data
    return Node.result(a.reshape(shape), (x, lambda g: g.reshape(a.shape)))


def transpose(x: Node, dim0: int, dim1: int) -> Node:
    """Exchange two axes. Exchanging them again undoes it, for the gradient as well.

    Example:
        >>> transpose(Node(torch.zeros(2, 3)), 0, 1).shape
        torch.Size([3, 2])
    """
    return Node.result(x.data.transpose(dim0, dim1), (x, lambda g: g.transpose(dim0, dim1)))


def log_softmax(logits: Node) -> Node:
    """Return the logarithms of the softmax over the last axis, without overflow.

    The maximum is subtracted as a constant: the result does not depend on it.

    Example:
        >>> log_softmax(Node(torch.tensor([1000.0, 0.0])))
        Node(tensor([    0., -1000.]), requires_grad=False)
    """
    shifted = logits - logits.data.amax(dim=-1, keepdim=True)
    return shifted - log(sum(exp(shifted), dim=-1, keepdim=True))


def cross_entropy(logits: Node, targets: Int64[Tensor, " batch"]) -> Node:
    """Return the mean of -log p[target], in nats.

    Args:
        logits: scores of shape [batch, classes].
        targets: the number of the right class of each row.

    Raises:
        ValueError: if the shapes do not fit, the batch is empty, or a target is no class.

    Example:
        >>> cross_entropy(Node(torch.tensor([[1000.0, 0.0]])), torch.tensor([1]))
        Node(1000.0, requires_grad=False)
    """
    if len(logits.shape) != 2 or targets.shape != logits.shape[:1]:
        raise ValueError(
            f"targets has shape {list(targets.shape)}, expected [batch] for logits of shape "
            f"[batch, classes], which is {list(logits.shape)}"
        )
    if targets.numel() == 0:
        raise ValueError("targets is empty, expected at least one example")
    # A meta tensor has a shape but no values to look at.
    if not targets.is_meta and not 0 <= targets.min() <= targets.max() < logits.shape[1]:
        raise ValueError(
            f"targets goes from {targets.min()} to {targets.max()}, "
            f"expected 0 to {logits.shape[1] - 1}"
        )
    rows = torch.arange(len(targets), device=targets.device)
    return -mean(log_softmax(logits)[rows, targets])


def _axes(x: Node, dim: Axes) -> tuple[int, ...]:
    if dim == ():
        raise ValueError("dim is (), expected an axis or None: PyTorch takes it for all axes")
    if dim is None:
        return tuple(range(len(x.shape)))
    return (dim,) if isinstance(dim, int) else dim
