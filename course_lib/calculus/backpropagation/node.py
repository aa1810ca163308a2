"""A tensor that knows how it was computed, and takes gradients back to what it came from."""

from collections.abc import Callable
from typing import Any, Union

import torch
from torch import Tensor

from course_lib.calculus.backpropagation.order import topological_order
from course_lib.calculus.backpropagation.rules import (
    index_rule,
    left_factor_rule,
    right_factor_rule,
    sum_to,
)

Rule = Callable[[Tensor], Tensor]
Operand = Union["Node", Tensor, float, int]


class Node:
    """A tensor in a computation graph.

    The values are torch tensors and the operations torch's own, so that a graph runs on any device
    and in any floating-point type. The derivatives are ours: torch's autograd is never used.

    Args:
        data: the value, in a floating-point type. It is not copied.
        requires_grad: whether ``backward`` shall compute a gradient for this node.

    Attributes:
        data: the value. An optimizer puts a new tensor here.
        grad: what ``backward`` added up, for nodes that were made with ``requires_grad``.
        edges: how it was computed: for each input that needs a gradient the input and the rule
            that turns the gradient of this node into that of the input. Constants have no edges.

    Raises:
        ValueError: if the data are not floating point.

    Example:
        >>> w = Node(torch.tensor([2.0, 3.0]), requires_grad=True)
        >>> loss = w @ w
        >>> loss.backward()
        >>> w.grad
        tensor([4., 6.])
    """

    def __init__(self, data: Tensor, requires_grad: bool = False) -> None:
        """Make a leaf: a parameter if it requires a gradient, a constant otherwise."""
        if not data.is_floating_point():
            raise ValueError(f"data has dtype {data.dtype}, expected a floating-point type")
        self.data = data.detach()
        self.grad: Tensor | None = None
        self.requires_grad = requires_grad
        self.edges: tuple[tuple[Node, Rule], ...] = ()

    @classmethod
    def result(cls, data: Tensor, *edges: tuple["Node", Rule]) -> "Node":
        """Make the result of an operation; inputs that need no gradient are forgotten."""
        node = cls(data)
        node.edges = tuple(edge for edge in edges if edge[0].requires_grad)
        node.requires_grad = bool(node.edges)
        return node

    def backward(self, gradient: Tensor | None = None) -> None:
        """Add the gradient of this node to ``grad`` of every leaf that requires it.

        Args:
            gradient: the upstream gradient; 1 if this node holds a single number.

        Raises:
            ValueError: if nothing here requires a gradient, or the shape of the upstream gradient
                is not that of the node.

        Example:
            >>> x = Node(torch.tensor([1.0, 2.0]), requires_grad=True)
            >>> (3 * x).backward(torch.tensor([1.0, 10.0]))
            >>> x.grad
            tensor([ 3., 30.])
        """
        if not self.requires_grad:
            raise ValueError("requires_grad is False for this node and all it was computed from")
        if gradient is None:
            if self.data.numel() != 1:
                raise ValueError(
                    f"gradient is None, expected one of shape {list(self.shape)}: only a node with "
                    "a single number has 1 as its upstream gradient"
                )
            gradient = torch.ones_like(self.data)
        if gradient.shape != self.shape:
            raise ValueError(
                f"gradient has shape {list(gradient.shape)}, expected {list(self.shape)}"
            )
        upstream = {self: gradient.to(self.data)}
        order = topological_order(self, lambda node: [source for source, _ in node.edges])
        for node in reversed(order):
            arrived = upstream.pop(node)  # Complete: all users of this node had their turn.
            if not node.edges:
                # A copy: two leaves must never share the memory of their gradients.
                node.grad = arrived.clone() if node.grad is None else node.grad + arrived
            for source, rule in node.edges:
                part = rule(arrived)
                upstream[source] = upstream[source] + part if source in upstream else part

    @property
    def shape(self) -> torch.Size:
        """The shape of the data."""
        return self.data.shape

    def __repr__(self) -> str:
        """Show the value, and whether a gradient goes through it."""
        return f"Node({self.data}, requires_grad={self.requires_grad})"

    # Each operation computes a value and names, for each input, the rule of its gradient. The rules
    # hold tensors, not nodes: a parameter may get new data before they are used.

    def __add__(self, other: Operand) -> "Node":
        """Return self + other, broadcast."""
        a, other = self.data, as_node(other, like=self)
        b = other.data
        return Node.result(
            a + b,
            (self, lambda g: sum_to(g, a)),
            (other, lambda g: sum_to(g, b)),
        )

    def __mul__(self, other: Operand) -> "Node":
        """Return self * other, entry by entry, broadcast."""
        a, other = self.data, as_node(other, like=self)
        b = other.data
        return Node.result(
            a * b,
            (self, lambda g: sum_to(g * b, a)),
            (other, lambda g: sum_to(g * a, b)),
        )

    def __truediv__(self, other: Operand) -> "Node":
        """Return self / other, entry by entry, broadcast."""
        a, other = self.data, as_node(other, like=self)
        b = other.data
        return Node.result(
            a / b,
            (self, lambda g: sum_to(g / b, a)),
            (other, lambda g: sum_to(-g * (a / b) / b, b)),
        )

    def __pow__(self, exponent: float | int) -> "Node":
        """Return each entry to the power of a number."""
        a, n = self.data, exponent
        slope = n * a ** (n - 1) if n != 0 else torch.zeros_like(a)  # 0 also where a is 0
        return Node.result(a**n, (self, lambda g: g * slope))

    def __matmul__(self, other: Operand) -> "Node":
        """Return the matrix product, with vectors and batches as in PyTorch."""
        a, other = self.data, as_node(other, like=self)
        b = other.data
        return Node.result(
            a @ b,
            (self, lambda g: left_factor_rule(g, a, b)),
            (other, lambda g: right_factor_rule(g, a, b)),
        )

    def __getitem__(self, index: Any) -> "Node":
        """Return some entries, by anything that a tensor can be indexed by."""
        a = self.data
        return Node.result(a[index], (self, lambda g: index_rule(g, a, index)))

    def __neg__(self) -> "Node":
        """Return -self."""
        return self * -1

    def __sub__(self, other: Operand) -> "Node":
        """Return self - other, broadcast."""
        return self + -as_node(other, like=self)

    def __radd__(self, other: Operand) -> "Node":
        """Return other + self."""
        return self + other

    def __rmul__(self, other: Operand) -> "Node":
        """Return other * self."""
        return self * other

    def __rsub__(self, other: Operand) -> "Node":
        """Return other - self."""
        return as_node(other, like=self) - self

    def __rtruediv__(self, other: Operand) -> "Node":
        """Return other / self."""
        return as_node(other, like=self) / self

    def __rmatmul__(self, other: Operand) -> "Node":
        """Return other @ self."""
        return as_node(other, like=self) @ self


def as_node(value: Operand, like: Node) -> Node:
    """Make a constant of a number or a tensor, so that it can be combined with a node.

    Args:
        value: a node is returned as it is. Numbers, whole numbers and booleans get the type and
            the device of ``like``; a floating-point tensor keeps its own.
        like: the node that it will meet.

    Example:
        >>> as_node(3, like=Node(torch.tensor(0.5)))
        Node(3.0, requires_grad=False)
    """
    if isinstance(value, Node):
        return value
    if isinstance(value, Tensor) and value.is_floating_point():
        return Node(value)
    return Node(torch.as_tensor(value, dtype=like.data.dtype, device=like.data.device))
