"""Principal components: the directions in which vectors differ most."""

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor


class PrincipalComponents(NamedTuple):
    """What ``principal_components`` returns.

    Attributes:
        mean: the mean vector.
        directions: one unit vector in each row, orthogonal to one another.
        variances: the variance of the vectors along each direction, the largest first.
        total_variance: the sum of the variances along all directions.
    """

    mean: Float[Tensor, " d"]
    directions: Float[Tensor, "k d"]
    variances: Float[Tensor, " k"]
    total_variance: Float[Tensor, ""]

    def project(self, vectors: Float[Tensor, "*batch d"]) -> Float[Tensor, "*batch k"]:
        """Give the coordinates of vectors along the directions, measured from the mean."""
        return (vectors - self.mean) @ self.directions.T


def principal_components(vectors: Float[Tensor, "n d"], k: int) -> PrincipalComponents:
    """Find the k directions with the largest variance.

    Args:
        vectors: one in each row, at least two.
        k: how many directions, from 1 to min(n, d).

    Returns:
        Mean, directions and variances. Variances divide by n - 1. The sign of each
        direction is chosen so that its largest entry is positive.

    Raises:
        ValueError: if there are fewer than two vectors, or ``k`` is out of range.

    Source:
        Hotelling (1933), Analysis of a complex of statistical variables into principal
        components.

    Example:
        >>> vectors = torch.tensor([[0.0, 1.0], [2.0, 1.0], [4.0, 1.0]])
        >>> pca = principal_components(vectors, k=1)
        >>> pca.directions, pca.variances.round()
        (tensor([[1., 0.]]), tensor([4.]))
    """
    n, d = vectors.shape
    if n < 2:
        raise ValueError(f"vectors has {n} rows, expected at least two")
    if not 1 <= k <= min(n, d):
        raise ValueError(f"k is {k}, expected 1 to {min(n, d)}")
    mean = vectors.mean(dim=0)
    _, singular_values, directions = torch.linalg.svd(vectors - mean, full_matrices=False)
    variances = singular_values.square() / (n - 1)
    directions = directions[:k]
    # Rounding must not decide between entries of the same size: the first one counts.
    sizes = directions.abs()
    large = sizes >= 0.999 * sizes.amax(dim=1, keepdim=True)
    leading = large.int().argmax(dim=1, keepdim=True)
    signs = torch.where(directions.gather(1, leading) < 0, -1.0, 1.0).to(vectors.dtype)
    return PrincipalComponents(mean, directions * signs, variances[:k], variances.sum())
