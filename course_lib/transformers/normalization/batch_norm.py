"""Batch normalisation: each feature by its mean and standard deviation over the batch."""

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


class BatchNorm(nn.Module):
    """Normalise each feature over all other axes, then apply a learned gain and bias.

    In training mode the statistics are those of the batch, and running averages of them are kept.
    In evaluation mode the running averages are used, so that no example depends on another one.
    Features stand on the last axis: give it ``x[mask]`` to leave padding out.

    Args:
        num_features: length of the last axis, at least one.
        eps: added to the variance, inside the root; at least 0.
        momentum: the share of the new batch in the running averages, from 0 to 1.

    Attributes:
        weight: the gain γ, ones at the start.
        bias: the bias β, zeros at the start.
        running_mean: zeros at the start.
        running_var: ones at the start. It averages the unbiased variance, while the batch itself
            is divided by the biased one.

    Raises:
        ValueError: if an argument is out of range; in ``forward`` if the last axis has not
            ``num_features`` features, or if there are fewer than two rows in training mode, as the
            variance of one number says nothing.

    Source:
        Ioffe and Szegedy (2015), Batch normalization, algorithms 1 and 2.

    Example:
        >>> layer = BatchNorm(1)
        >>> layer(torch.tensor([[0.0], [2.0]])).detach()
        tensor([[-1.0000],
                [ 1.0000]])
        >>> layer.running_mean, layer.running_var
        (tensor([0.1000]), tensor([1.1000]))
    """

    def __init__(
        self, num_features: int, eps: float | int = 1e-5, momentum: float | int = 0.1
    ) -> None:
        """Start with gain 1, bias 0 and the statistics of standardised data."""
        super().__init__()
        check_sizes(num_features=num_features)
        check_eps(eps)
        if not 0 <= momentum <= 1:
            raise ValueError(f"momentum is {momentum}, expected a number from 0 to 1")
        self.eps = eps
        self.momentum = momentum
        self.weight = nn.Parameter(torch.ones(num_features))
        self.bias = nn.Parameter(torch.zeros(num_features))
        self.register_buffer("running_mean", torch.zeros(num_features))
        self.register_buffer("running_var", torch.ones(num_features))

    def forward(
        self, x: Float[Tensor, "*batch num_features"]
    ) -> Float[Tensor, "*batch num_features"]:
        """Normalise each feature, and then scale and shift it."""
        check_features(x, len(self.weight))
        rows = widen(x).reshape(-1, x.shape[-1])
        if self.training:
            if len(rows) < 2:
                raise ValueError(
                    f"x has {len(rows)} rows, expected at least 2 in training mode: "
                    "normalised by itself, a single row always becomes zeros"
                )
            centred = centre(rows, dim=0)
            variance = centred.square().mean(dim=0)
            self._move_averages(rows, variance)
        else:
            centred, variance = rows - self.running_mean, self.running_var
        normalized = (centred * (variance + self.eps).rsqrt()).reshape(x.shape)
        return (self.weight * normalized + self.bias).to(x.dtype)

    @torch.no_grad()
    def _move_averages(
        self, rows: Float[Tensor, "rows features"], variance: Float[Tensor, " features"]
    ) -> None:
        unbiased = variance * (len(rows) / (len(rows) - 1))
        for average, new in ((self.running_mean, rows.mean(dim=0)), (self.running_var, unbiased)):
            average.lerp_(new.to(average.dtype), self.momentum)

    def extra_repr(self) -> str:
        """Describe the layer when it is printed."""
        return f"{len(self.weight)}, eps={self.eps}, momentum={self.momentum}"
