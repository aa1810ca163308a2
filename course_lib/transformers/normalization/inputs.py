"""What all normalisations ask of their input."""

import torch
from jaxtyping import Float
from torch import Tensor


def check_eps(eps: float | int) -> None:
    """Refuse an ``eps`` that is negative, infinite or NaN.

    Raises:
        ValueError: if it is.

    Example:
        >>> check_eps(-1)
        Traceback (most recent call last):
        ValueError: eps is -1, expected a number from 0 on
    """
    if not 0 <= eps < float("inf"):
        raise ValueError(f"eps is {eps}, expected a number from 0 on")


def check_features(x: Tensor, expected: int) -> None:
    """Refuse an ``x`` whose last axis has another length: broadcasting would hide it.

    Raises:
        ValueError: if it has.

    Example:
        >>> check_features(torch.zeros(2, 1), 3)
        Traceback (most recent call last):
        ValueError: x has shape [2, 1], expected 3 features on the last axis
    """
    if x.ndim == 0 or x.shape[-1] != expected:
        raise ValueError(
            f"x has shape {list(x.shape)}, expected {expected} features on the last axis"
        )


def widen(x: Float[Tensor, "*batch features"]) -> Float[Tensor, "*batch features"]:
    """Return ``x`` at least in float32: the square of 300 overflows in float16.

    Raises:
        ValueError: if ``x`` is not floating point, or has no features.

    Example:
        >>> widen(torch.tensor([300.0], dtype=torch.float16)).square()
        tensor([90000.])
    """
    if not x.is_floating_point():
        raise ValueError(f"x has dtype {x.dtype}, expected a floating-point type")
    if x.ndim == 0 or x.shape[-1] == 0:
        raise ValueError(f"x has shape {list(x.shape)}, expected at least one feature")
    return x.to(torch.promote_types(x.dtype, torch.float32))


def centre(x: Float[Tensor, "*batch features"], dim: int) -> Float[Tensor, "*batch features"]:
    """Subtract the mean along an axis, twice.

    In exact arithmetic the second subtraction changes nothing. In the machine the mean of large
    numbers is rounded, and the second subtraction removes what the rounding left.

    Example:
        >>> centre(torch.tensor([10_000_000.0, 10_000_003.0]), dim=0)
        tensor([-1.5000,  1.5000])
    """
    x = x - x.mean(dim=dim, keepdim=True)
    return x - x.mean(dim=dim, keepdim=True)
