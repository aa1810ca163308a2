"""Where two numerical values differ: the comparison behind ``verify``."""

from numbers import Integral
from typing import Any

import torch
from torch import Tensor


def difference(actual: Any, expected: Any, tolerance: float) -> str:
    """Say where two values differ most, or return an empty string if they agree.

    Args:
        actual: a number, tensor, array or nested list of numbers.
        expected: the value it should have.
        tolerance: the largest allowed difference, relative to values above 1. Integers and
            booleans have to be equal exactly. NaN equals nothing: two sides that both break down
            agree on no value.

    Example:
        >>> difference([1.0, 2.0], [1.0, 2.5], tolerance=0.1)
        'largest difference 0.5 at index 1: 2 against 2.5'
        >>> difference(1.0, 1.05, tolerance=0.1)
        ''
    """
    exact = _is_integral(actual) and _is_integral(expected)
    a, b = _as_tensor(actual, exact), _as_tensor(expected, exact)
    if a.shape != b.shape:
        return f"shape {list(a.shape)} against {list(b.shape)}"
    gap = (a - b).abs()
    allowed = torch.zeros_like(a) if exact else tolerance * b.abs().clamp(min=1)
    # Written so that a NaN, or infinities of opposite sign, count as a difference.
    wrong = ~((a == b) | ((gap <= allowed) & (gap < float("inf"))))
    if not wrong.any():
        return ""
    worst = int(torch.where(wrong, gap, -1).nan_to_num(nan=float("inf")).flatten().argmax())
    index = [int(i) for i in torch.unravel_index(torch.tensor(worst), a.shape)]
    place = f" at index {index[0] if len(index) == 1 else tuple(index)}" if index else ""
    values = (t.flatten()[worst].item() for t in (gap, a, b))
    return "largest difference {:.6g}{place}: {:.6g} against {:.6g}".format(*values, place=place)


def _is_integral(value: Any) -> bool:
    if isinstance(value, Tensor):
        return not (value.is_floating_point() or value.is_complex())
    if isinstance(value, (list, tuple)):
        return all(_is_integral(item) for item in value)
    if hasattr(value, "dtype"):
        return value.dtype.kind in "iub"
    return isinstance(value, Integral)


def _as_tensor(value: Any, exact: bool) -> Tensor:
    dtype = torch.int64 if exact else torch.float64
    if isinstance(value, Tensor):
        return value.detach().to("cpu", dtype)
    return torch.tensor(value, dtype=dtype)
