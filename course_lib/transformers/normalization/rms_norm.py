"""RMS normalisation: the length of each token is fixed, and its mean is left alone."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from course_lib.arguments import check_sizes
from course_lib.transformers.normalization.inputs import (
    check_eps,
    check_features,
    widen,
)


def rms_norm(
    x: Float[Tensor, "*batch features"], eps: float | int = 1e-5
) -> Float[Tensor, "*batch features"]:
    """Divide each row by the root of its mean square plus ``eps``.

    Args:
        x: any numbers whose squares do not overflow in float32; every row stands for itself.
        eps: added to the mean square, inside the root; at least 0.

    Returns:
        Rows of mean square 1, up to ``eps``; a row of zeros stays zero.

    Raises:
        ValueError: if there are no features, ``x`` is not floating point, or ``eps`` is negative.

    Source:
        Zhang and Sennrich (2019), Root mean square layer normalization, equation 4, without gain.

    Example:
        >>> rms_norm(torch.tensor([3.0, 4.0, 0.0, 0.0]))
        tensor([1.2000, 1.6000, 0.0000, 0.0000])
    """
    return _normalize(x, eps).to(x.dtype)


class RMSNorm(nn.Module):
    """``rms_norm``, then a learned gain for each feature; there is no bias.

    Args:
        d_model: the number of features, at least one.
        eps: see ``rms_norm``.

    Attributes:
        weight: the gain, ones at the start.

    Raises:
        ValueError: if ``d_model`` is below 1 or ``eps`` is negative; in ``forward`` if the last
            axis has not ``d_model`` features.

    Source:
        Zhang and Sennrich (2019), Root mean square layer normalization.

    Example:
        >>> RMSNorm(2)(torch.tensor([[1.0, 1.0], [7.0, -1.0]])).detach()
        tensor([[ 1.0000,  1.0000],
                [ 1.4000, -0.2000]])
    """

    def __init__(self, d_model: int, eps: float | int = 1e-5) -> None:
        """Start as ``rms_norm`` alone."""
        super().__init__()
        check_sizes(d_model=d_model)
        check_eps(eps)
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """Normalise each row, and then scale each feature."""
        check_features(x, len(self.weight))
        return (self.weight * _normalize(x, self.eps)).to(x.dtype)

    def extra_repr(self) -> str:
        """Describe the layer when it is printed."""
        return f"{len(self.weight)}, eps={self.eps}"


def _normalize(
    x: Float[Tensor, "*batch features"], eps: float | int
) -> Float[Tensor, "*batch features"]:
    """Return the normalised rows, at least in float32."""
    check_eps(eps)
    x = widen(x)
    return x * (x.square().mean(dim=-1, keepdim=True) + eps).rsqrt()
