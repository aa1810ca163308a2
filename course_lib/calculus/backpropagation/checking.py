"""Gradients by central differences, to check those of a backward pass, and the best step."""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.calculus.backpropagation.node import Node


def best_step(x: float | int, dtype: torch.dtype = torch.float64) -> float:
    """Return a good step for central differences: the cube root of machine epsilon, times |x|.

    The formula's error grows as step², rounding's as epsilon / step. Their sum is smallest where
    step³ is about epsilon, if the function changes on the scale of x itself.

    Args:
        x: the size of the numbers that are moved; below 1 it counts as 1.
        dtype: the type in which the function is computed.

    Example:
        >>> f"{best_step(1):.1e}", f"{best_step(200, torch.float32):.1e}"
        ('6.1e-06', '9.8e-01')
    """
    return torch.finfo(dtype).eps ** (1 / 3) * max(abs(x), 1)


def numerical_gradient(
    function: Callable[[Tensor], Tensor], x: Float[Tensor, "..."], step: float | None = None
) -> Float[Tensor, "..."]:
    """Approximate the gradient of a number with respect to a tensor: two evaluations an entry.

    Args:
        function: maps a tensor like ``x`` to a single number.
        x: the point. It is not changed.
        step: how far an entry is moved, up and down; by default ``best_step`` of the entry.

    Returns:
        The gradient, in the shape and type of ``x``.

    Raises:
        ValueError: if the step is not positive or lost in rounding, or the function returns
            several numbers.

    Example:
        >>> numerical_gradient(lambda x: (x**2).sum(), torch.tensor([3.0, 4.0]).double())
        tensor([6.0000, 8.0000], dtype=torch.float64)
    """
    if step is not None and not step > 0:
        raise ValueError(f"step is {step}, expected a positive number")
    gradient = torch.zeros_like(x, memory_format=torch.contiguous_format).flatten()
    moved = x.detach().clone(memory_format=torch.contiguous_format).flatten()
    for i, value in enumerate(moved.tolist()):
        h = best_step(value, x.dtype) if step is None else step
        ends = []
        for end in (value + h, value - h):
            moved[i] = end
            # What was stored is rounded: the step that was really made is the one that counts.
            ends.append((moved[i].item(), function(moved.reshape(x.shape).clone())))
        moved[i] = value
        (up, f_up), (down, f_down) = ends
        if f_up.numel() != 1:
            raise ValueError(f"function returned shape {list(f_up.shape)}, expected one number")
        if up == down:
            raise ValueError(f"step is {h}, expected one that changes {value} in {x.dtype}")
        gradient[i] = (f_up - f_down).reshape(()) / (up - down)
    return gradient.reshape(x.shape)


def gradient_error(function: Callable[..., Node], *inputs: Float[Tensor, "..."]) -> float:
    """Compare the backward pass with central differences, for every entry of every input.

    Args:
        function: maps nodes to a node with a single number.
        inputs: the values of the nodes, in float64: differences need the digits.

    Returns:
        The largest difference, relative to gradients above 1. Below 1e-6 all is well; above 1e-3
        there is an error, or a kink (of a ReLU, say) closer than the step.

    Raises:
        ValueError: if an input is not float64.

    Example:
        >>> x = torch.tensor([1.0, 2.0], dtype=torch.float64)
        >>> gradient_error(lambda node: (node * node)[0], x) < 1e-8
        True
    """
    for number, x in enumerate(inputs):
        if x.dtype != torch.float64:
            raise ValueError(f"inputs[{number}] has dtype {x.dtype}, expected torch.float64")
    nodes = [Node(x, requires_grad=True) for x in inputs]
    function(*nodes).backward()
    largest = 0.0
    for number, (node, x) in enumerate(zip(nodes, inputs, strict=True)):

        def with_input(value: Tensor, number: int = number) -> Tensor:
            others = [Node(value if i == number else x) for i, x in enumerate(inputs)]
            return function(*others).data

        expected = numerical_gradient(with_input, x)
        actual = torch.zeros_like(x) if node.grad is None else node.grad
        error = (actual - expected).abs() / expected.abs().clamp(min=1)
        largest = max(largest, error.max().item() if error.numel() else 0.0)
    return largest
