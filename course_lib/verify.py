"""Checks of equations and claims, for the cells that stand behind a lecture's formulas.

Each check takes the number of the equation in the text (``"3"`` for ``\\tag{3}``), prints
``(3) holds`` when it does and raises an ``AssertionError`` that says by how much when it does not.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from course_lib.comparison import difference
from course_lib.runtime import generator

if TYPE_CHECKING:
    import sympy


def equal(tag: str, actual: Any, expected: Any, tolerance: float = 1e-6) -> None:
    """Check that two values are equal.

    Args:
        tag: number of the equation in the text.
        actual: a number, tensor, array or nested list of numbers.
        expected: the value it should have, in the same shape.
        tolerance: the largest allowed difference, relative to values above 1. Integers and
            booleans have to be equal exactly, and NaN equals nothing.

    Raises:
        AssertionError: if shapes differ, or a value differs by more than the tolerance.

    Example:
        >>> equal("1", 0.1 + 0.2, 0.3)
        (1) holds
        >>> equal("1", [1, 2], [1, 3])
        Traceback (most recent call last):
        AssertionError: (1) does not hold: largest difference 1 at index 1: 2 against 3
    """
    gap = difference(actual, expected, tolerance)
    if gap:
        raise AssertionError(f"({tag}) does not hold: {gap}")
    _holds(tag)


def identity(
    tag: str,
    left: Callable[..., Any],
    right: Callable[..., Any],
    sample: Callable[[torch.Generator], tuple],
    tolerance: float = 1e-9,
) -> None:
    """Check that two functions agree on twenty random inputs.

    Args:
        tag: number of the equation in the text.
        left: the left side, a function of the sampled arguments.
        right: the right side, a function of the same arguments.
        sample: draws a tuple of arguments from a generator; draw in float64.
        tolerance: see ``equal``.

    Raises:
        AssertionError: if the two sides differ on some draw.

    Example:
        >>> draw = lambda rng: (torch.randn(3, generator=rng, dtype=torch.float64),)
        >>> identity("2", lambda x: x.exp().log(), lambda x: x, draw)
        (2) holds
    """
    rng = generator(0)
    for trial in range(20):
        arguments = sample(rng)
        gap = difference(left(*arguments), right(*arguments), tolerance)
        if gap:
            raise AssertionError(f"({tag}) does not hold in trial {trial + 1}: {gap}")
    _holds(tag)


def jacobian(
    tag: str,
    function: Callable[[Tensor], Tensor],
    formula: Callable[[Tensor], Tensor],
    x: Tensor,
) -> None:
    """Check a formula for a Jacobian against autograd and against central differences.

    The Jacobian has the shape of the output followed by the shape of the input, as in
    ``torch.autograd.functional.jacobian``: entry ``[i, j]`` is the derivative of output i with
    respect to input j.

    Args:
        tag: number of the equation in the text.
        function: maps a tensor to a tensor.
        formula: maps the same tensor to the Jacobian.
        x: the point, in float64 (differences need the digits).

    Raises:
        AssertionError: if the formula differs from either.
        ValueError: if ``x`` is not float64.

    Example:
        >>> x = torch.tensor([1.0, 2.0], dtype=torch.float64)
        >>> jacobian("3", lambda x: x**2, lambda x: torch.diag(2 * x), x)
        (3) holds
    """
    claimed = formula(x)
    by_autograd = torch.autograd.functional.jacobian(function, x)
    gap = difference(claimed, by_autograd, tolerance=1e-6)
    if gap:
        raise AssertionError(f"({tag}) does not hold against autograd: {gap}")

    by_differences = numerical_jacobian(function, x)
    # Differences keep about ten digits at best, fewer where the function is large.
    gap = difference(claimed, by_differences, tolerance=1e-5)
    if gap:
        raise AssertionError(f"({tag}) does not hold against finite differences: {gap}")
    _holds(tag)


def numerical_jacobian(
    function: Callable[[Tensor], Tensor], x: Tensor, step: float = 1e-5
) -> Tensor:
    """Approximate a Jacobian by central differences, one input at a time.

    The error is of the order of step² (the formula) plus 1e-16 / step (rounding), times the size
    of the function: about 1e-10 for the default step.

    Args:
        function: maps a tensor to a tensor.
        x: the point, in float64.
        step: how far each input is moved, up and down.

    Returns:
        The derivatives, in the shape of the output followed by the shape of the input.

    Raises:
        ValueError: if ``x`` is not float64, or the step is not positive.

    Example:
        >>> numerical_jacobian(lambda x: x**2, torch.tensor([3.0], dtype=torch.float64))
        tensor([[6.0000]], dtype=torch.float64)
    """
    if x.dtype != torch.float64:
        raise ValueError(f"x has dtype {x.dtype}, expected torch.float64")
    if not step > 0:
        raise ValueError(f"step is {step}, expected a positive number")
    output_shape = function(x).shape
    result = x.new_empty(*output_shape, x.numel())
    for i, direction in enumerate(torch.eye(x.numel(), dtype=x.dtype, device=x.device)):
        move = step * direction.reshape(x.shape)
        result[..., i] = (function(x + move) - function(x - move)) / (2 * step)
    return result.reshape([*output_shape, *x.shape])


def symbolic(tag: str, left: "sympy.Expr", right: "sympy.Expr") -> None:
    """Check that two sympy expressions are equal for all values of their symbols.

    Args:
        tag: number of the equation in the text.
        left: a sympy expression or matrix.
        right: another.

    Raises:
        AssertionError: if their difference does not simplify to zero.

    Example:
        >>> import sympy
        >>> x = sympy.Symbol("x")
        >>> symbolic("4", (x + 1) ** 2, x**2 + 2 * x + 1)
        (4) holds
    """
    import sympy

    rest = sympy.simplify(left - right)
    is_zero = rest.is_zero_matrix if isinstance(rest, sympy.MatrixBase) else rest == 0
    if not is_zero:
        raise AssertionError(f"({tag}) does not hold: left - right = {rest}")
    _holds(tag)


def claim(statement: str, condition: Any) -> None:
    """Check a claim of the text that has no number.

    Args:
        statement: the claim, as a sentence without a full stop.
        condition: whether it is true.

    Raises:
        AssertionError: if it is not.

    Example:
        >>> claim("two times two is four", 2 * 2 == 4)
        holds: two times two is four
    """
    if not bool(condition):
        raise AssertionError(f"does not hold: {statement}")
    print(f"holds: {statement}")


def _holds(tag: str) -> None:
    print(f"({tag}) holds")
