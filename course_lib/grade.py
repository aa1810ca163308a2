"""What the tests of the exercises are made of: they say what was expected and what went wrong.

Errors are raised and not asserted: ``python -O`` does not drop them, and pytest adds nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from torch.overrides import TorchFunctionMode


class WithoutTorch(TorchFunctionMode):
    """A context in which every call of PyTorch fails.

    Example:
        >>> import torch
        >>> with WithoutTorch():
        ...     torch.exp(torch.zeros(2))
        Traceback (most recent call last):
        AssertionError: PyTorch was called, by your code or by the course library. ...
    """

    def __torch_function__(self, function, types, args=(), kwargs=None):  # noqa: D105
        raise AssertionError(
            "PyTorch was called, by your code or by the course library. Type the formula that you "
            "derived, in NumPy: neither autograd nor the library can answer for you."
        )


def call_answer(function: Callable, *inputs: Any) -> Any:
    """Call a student's function with NumPy arrays, and without PyTorch.

    Args:
        function: the answer.
        inputs: its arguments.

    Returns:
        What the function returns.

    Raises:
        AssertionError: if it is not written yet, combines shapes that do not fit, calls PyTorch or
            returns nothing.

    Example:
        >>> call_answer(np.square, np.array([1.0, 2.0]))
        array([1., 4.])
    """
    name = function.__name__
    try:
        # A harmless NumPy warning would count as a failed test.
        with WithoutTorch(), np.errstate(all="ignore"):
            value = function(*inputs)
    except NotImplementedError:
        raise AssertionError(f"{name} is not written yet.") from None
    except ValueError as error:
        shapes = [str(x.shape) for x in inputs if isinstance(x, np.ndarray)]
        if not shapes:
            raise AssertionError(f"{name} raises a ValueError: {error}") from None
        raise AssertionError(
            f"{name} combines arrays whose shapes do not fit. "
            f"It was given the shapes {' and '.join(shapes)}. "
            "Usually a transpose is missing, or one too many."
        ) from None
    if value is None:
        raise AssertionError(f"{name} returned nothing: is `return` missing?")
    return value


def expect_parts(name: str, value: Any, names: Sequence[str]) -> None:
    """Check that an answer is a tuple or a list with one array for each name.

    Example:
        >>> expect_parts("backward", 3, ["dW", "db"])
        Traceback (most recent call last):
        AssertionError: backward must return 2 arrays: dW, db.
    """
    if not isinstance(value, (tuple, list)) or len(value) != len(names):
        raise AssertionError(f"{name} must return {len(names)} arrays: {', '.join(names)}.")


def expect_shape(
    name: str, value: Any, shape: tuple[int, ...], mistakes: Mapping[tuple, str] | None = None
) -> None:
    """Check the shape of an answer.

    Args:
        name: what the message calls the answer.
        value: an array or a number.
        shape: the right shape.
        mistakes: for a wrong shape, where it usually comes from.

    Example:
        >>> expect_shape("J", np.ones((3, 2)), (2, 3), {(3, 2): "This is the transpose."})
        Traceback (most recent call last):
        AssertionError: J has shape (3, 2), expected (2, 3). This is the transpose.
    """
    if np.shape(value) != shape:
        hint = (mistakes or {}).get(np.shape(value), "")
        raise AssertionError(
            f"{name} has shape {np.shape(value)}, expected {shape}. {hint}".strip()
        )


def expect_values(
    name: str,
    value: Any,
    expected: Any,
    meaning: str,
    mistakes: Mapping[str, Any] | None = None,
    tolerance: float = 1e-12,
) -> None:
    """Check the values of an answer; no message quotes the right ones.

    Args:
        name: what the messages call the answer.
        value: an array or a number.
        expected: the right one.
        meaning: the right one in words.
        mistakes: typical wrong values, each under the sentence that names its mistake.
        tolerance: the largest allowed difference.

    Example:
        >>> expect_values("slope", 2.0, 4.0, "twice x", {"this is x itself.": 2.0})
        Traceback (most recent call last):
        AssertionError: slope: this is x itself.
    """
    expect_shape(name, value, np.shape(expected))
    value = np.asarray(value, dtype=float)
    if np.allclose(value, expected, rtol=0, atol=tolerance):
        return
    for mistake, wrong in (mistakes or {}).items():
        if np.allclose(value, wrong, rtol=0, atol=max(tolerance, 1e-9)):
            raise AssertionError(f"{name}: {mistake}")
    if not np.isfinite(value).all():
        raise AssertionError(f"{name} holds inf or nan: some intermediate number overflows.")
    if np.allclose(value, expected, rtol=0, atol=1e-4):
        raise AssertionError(
            f"{name} is nearly right, as a difference quotient or single precision would be. "
            "Type the exact formula."
        )
    raise AssertionError(f"{name}: expected {meaning}. The shape is right, the numbers are not.")
