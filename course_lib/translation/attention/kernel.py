"""Nadaraya-Watson regression: attention with a kernel of the difference as the score."""

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib.translation.attention.masked import masked_softmax


def gaussian_kernel(difference: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
    """Compute exp(-u² / 2) / √(2π): largest at u = 0, smaller the farther away.

    Example:
        >>> gaussian_kernel(torch.tensor([0.0, 1.0, 3.0]))
        tensor([0.3989, 0.2420, 0.0044])
    """
    return torch.exp(-(difference**2) / 2) / math.sqrt(2 * math.pi)


def gaussian_score(
    query: Float[Tensor, "*batch queries features"],
    key: Float[Tensor, "*batch keys features"],
    scale: float | int | Float[Tensor, ""] = 1.0,
) -> Float[Tensor, "*batch queries keys"]:
    """Compute -½ ‖scale · (query - key)‖²: the logarithm of a Gaussian kernel, up to a constant.

    Args:
        query: points at which something is wanted.
        key: points at which something is known.
        scale: 1 / the width of the kernel.

    Raises:
        ValueError: if the points of query and key have different numbers of features.

    Example:
        >>> gaussian_score(torch.tensor([[1.0]]), torch.tensor([[1.0], [3.0]]))
        tensor([[-0., -2.]])
    """
    if query.shape[-1] != key.shape[-1]:  # one feature would be broadcast to many
        raise ValueError(
            f"key has points of {key.shape[-1]} features, expected {query.shape[-1]} as in query"
        )
    difference = query.unsqueeze(-2) - key.unsqueeze(-3)  # [*batch, queries, keys, features]
    return -((scale * difference) ** 2).sum(dim=-1) / 2


def nadaraya_watson(
    query: Float[Tensor, "*batch queries features"],
    key: Float[Tensor, "*batch keys features"],
    value: Float[Tensor, "*batch keys outputs"],
    scale: float | int | Float[Tensor, ""] = 1.0,
    mask: Bool[Tensor, "..."] | None = None,
) -> Float[Tensor, "*batch queries outputs"]:
    """Estimate a function as the mean of its known values, weighted by a Gaussian kernel.

    The weights K / ΣK are computed as the softmax of log K. Far from all keys every K is zero in
    the machine and their quotient 0 / 0; the softmax still finds the nearest key.

    Args:
        query: where to estimate.
        key: where the function is known.
        value: its values there.
        scale: 1 / the width of the kernel; 0 takes the plain mean.
        mask: see ``masked_softmax``; a query without keys gets the estimate 0.

    Returns:
        The estimates.

    Raises:
        ValueError: if the mask does not fit, or query and key have different numbers of features.

    Source:
        Nadaraya (1964), On estimating regression; Watson (1964), Smooth regression analysis.

    Example:
        >>> key, value = torch.tensor([[0.0], [1.0]]), torch.tensor([[10.0], [20.0]])
        >>> nadaraya_watson(torch.tensor([[0.5], [1000.0]]), key, value)
        tensor([[15.],
                [20.]])
    """
    return masked_softmax(gaussian_score(query, key, scale), mask) @ value


class NadarayaWatson(nn.Module):
    """The same with a scale that is learned.

    Args:
        scale: the scale to start from.

    Example:
        >>> model = NadarayaWatson(scale=2.0)
        >>> [(name, parameter.item()) for name, parameter in model.named_parameters()]
        [('scale', 2.0)]
    """

    def __init__(self, scale: float | int = 1.0) -> None:
        """Make the parameter."""
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(float(scale)))

    def forward(
        self,
        query: Float[Tensor, "*batch queries features"],
        key: Float[Tensor, "*batch keys features"],
        value: Float[Tensor, "*batch keys outputs"],
        mask: Bool[Tensor, "..."] | None = None,
    ) -> Float[Tensor, "*batch queries outputs"]:
        """Estimate as ``nadaraya_watson``.

        To learn the scale, let each known point be estimated from all others: mask its own key.
        """
        return nadaraya_watson(query, key, value, self.scale, mask)
