"""Layer normalisation over the last axis: each token by its own mean and standard deviation."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from course_lib.arguments import check_sizes
from course_lib.transformers.normalization.inputs import (
    centre,
    check_eps,
    check_features,
    widen,
)


def standardize(
    x: Float[Tensor, "*batch features"], eps: float | int = 1e-5
) -> tuple[Float[Tensor, "*batch features"], Float[Tensor, "*batch 1"]]:
    """Return the normalised rows and their factor 1/√(σ² + eps), both at least in float32.

    Args and Raises: see ``layer_norm``.

    Example:
        >>> standardize(torch.tensor([3.0, -3.0]), eps=0)
        (tensor([ 1., -1.]), tensor([0.3333]))
    """
    check_eps(eps)
    centred = centre(widen(x), dim=-1)
    inverse = (centred.square().mean(dim=-1, keepdim=True) + eps).rsqrt()
    return centred * inverse, inverse


def layer_norm(
    x: Float[Tensor, "*batch features"], eps: float | int = 1e-5
) -> Float[Tensor, "*batch features"]:
    """Subtract each row's mean, and divide by the root of its variance plus ``eps``.

    The variance is the biased one: the mean of the squares, not their sum over features - 1.

    Args:
        x: any numbers whose squares do not overflow in float32; every row stands for itself.
        eps: added to the variance, inside the root; at least 0. With 0 a row of equal numbers
            becomes NaN.

    Returns:
        Rows of mean 0 and variance 1, up to ``eps``. A row of equal numbers becomes zeros.

    Raises:
        ValueError: if there are no features, ``x`` is not floating point, or ``eps`` is negative.

    Source:
        Ba, Kiros and Hinton (2016), Layer normalization, equation 3, without gain and bias.

    Example:
        >>> layer_norm(torch.tensor([1.0, 0.0, 0.0, 0.0]))
        tensor([ 1.7320, -0.5773, -0.5773, -0.5773])
    """
    normalized, _ = standardize(x, eps)
    return normalized.to(x.dtype)


def layer_norm_jacobian(
    x: Float[Tensor, "*batch features"], eps: float | int = 1e-5
) -> Float[Tensor, "*batch features features"]:
    """Compute the Jacobian of ``layer_norm``: (I - 1 1ᵀ/n - x̂ x̂ᵀ/n) / s with s = √(σ² + eps).

    Args:
        x: see ``layer_norm``.
        eps: see ``layer_norm``.

    Returns:
        Entry [..., i, j] is the derivative of output i with respect to input j.

    Raises:
        ValueError: as ``layer_norm``.

    Example:
        >>> layer_norm_jacobian(torch.tensor([1.0, -1.0, 0.0]), eps=0)
        tensor([[ 0.2041,  0.2041, -0.4082],
                [ 0.2041,  0.2041, -0.4082],
                [-0.4082, -0.4082,  0.8165]])
    """
    normalized, inverse = standardize(x, eps)
    n = x.shape[-1]
    identity = torch.eye(n, dtype=normalized.dtype, device=x.device)
    outer = normalized.unsqueeze(-1) * normalized.unsqueeze(-2)
    return (inverse.unsqueeze(-1) * (identity - 1 / n - outer / n)).to(x.dtype)


def layer_norm_vjp(
    x: Float[Tensor, "*batch features"],
    upstream: Float[Tensor, "*batch features"],
    eps: float | int = 1e-5,
) -> Float[Tensor, "*batch features"]:
    """Multiply a gradient by the Jacobian of ``layer_norm`` without building the matrix.

    Jᵀg = (g - mean(g) - x̂ mean(x̂ ⊙ g)) / s: two means instead of n² products.

    Args:
        x: see ``layer_norm``.
        upstream: the gradient of a loss with respect to the normalised rows.
        eps: see ``layer_norm``.

    Returns:
        The gradient of the loss with respect to ``x``.

    Raises:
        ValueError: as ``layer_norm``.

    Example:
        >>> layer_norm_vjp(torch.tensor([1.0, -1.0, 0.0]), torch.tensor([0.0, 0.0, 1.0]), eps=0)
        tensor([-0.4082, -0.4082,  0.8165])
    """
    normalized, inverse = standardize(x, eps)
    g = upstream.to(normalized.dtype)
    g = g - g.mean(dim=-1, keepdim=True) - normalized * (normalized * g).mean(dim=-1, keepdim=True)
    return (inverse * g).to(x.dtype)


class LayerNorm(nn.Module):
    """``layer_norm``, then a learned gain and bias for each feature.

    Args:
        d_model: the number of features, at least one.
        eps: see ``layer_norm``.

    Attributes:
        weight: the gain γ, ones at the start.
        bias: the bias β, zeros at the start.

    Raises:
        ValueError: if ``d_model`` is below 1 or ``eps`` is negative; in ``forward`` if the last
            axis has not ``d_model`` features.

    Source:
        Ba, Kiros and Hinton (2016), Layer normalization.

    Example:
        >>> LayerNorm(2)(torch.tensor([[1000.0, 0.1], [3.0, 2.0]])).detach()
        tensor([[ 1.0000, -1.0000],
                [ 1.0000, -1.0000]])
    """

    def __init__(self, d_model: int, eps: float | int = 1e-5) -> None:
        """Start as ``layer_norm`` alone."""
        super().__init__()
        check_sizes(d_model=d_model)
        check_eps(eps)
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """Normalise each row, and then scale and shift each feature."""
        check_features(x, len(self.weight))
        normalized, _ = standardize(x, self.eps)
        # Rounded to half precision once, at the end.
        return (self.weight * normalized + self.bias).to(x.dtype)

    def extra_repr(self) -> str:
        """Describe the layer when it is printed."""
        return f"{len(self.weight)}, eps={self.eps}"
