"""Scores made of products: plain, with a matrix between, and with a matrix of low rank."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from course_lib.arguments import check_sizes
from course_lib.translation.sequence_to_sequence import draw_parameters


def dot_product_score(
    query: Float[Tensor, "*batch queries size"], key: Float[Tensor, "*batch keys size"]
) -> Float[Tensor, "*batch queries keys"]:
    """Compute qᵀk for each query and key.

    No parameters; size multiplications for each pair.

    Args:
        query: the vectors that ask.
        key: the vectors that are compared with them, of the same size.

    Returns:
        A score for each query and key.

    Raises:
        ValueError: if the sizes differ.

    Source:
        Luong, Pham and Manning (2015), Effective approaches to attention-based neural machine
        translation, equation 8, "dot".

    Example:
        >>> dot_product_score(torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, 4.0], [0.0, 1.0]]))
        tensor([[11.,  2.]])
    """
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(
            f"key has vectors of size {key.shape[-1]}, expected {query.shape[-1]} as in query"
        )
    return query @ key.transpose(-2, -1)


class MultiplicativeScore(nn.Module):
    """Compute qᵀWk, with a matrix W that is learned.

    query_size · key_size parameters. The queries are mapped once, at query_size · key_size
    multiplications each; a pair then costs key_size.

    Args:
        query_size: length of a query.
        key_size: length of a key; it may differ.
        generator: draws the starting values, on the CPU; without it, PyTorch's global one.

    Raises:
        ValueError: if a size is below 1.

    Source:
        Luong, Pham and Manning (2015), equation 8, "general".

    Example:
        >>> score = MultiplicativeScore(query_size=3, key_size=2)
        >>> score(torch.zeros(4, 3), torch.ones(5, 2)).shape
        torch.Size([4, 5])
    """

    def __init__(
        self, query_size: int, key_size: int, *, generator: torch.Generator | None = None
    ) -> None:
        """Draw the starting values."""
        super().__init__()
        check_sizes(query_size=query_size, key_size=key_size)
        self.weight = nn.Parameter(torch.empty(query_size, key_size))  # W
        draw_parameters(self, generator)

    def forward(
        self,
        query: Float[Tensor, "*batch queries query_size"],
        key: Float[Tensor, "*batch keys key_size"],
    ) -> Float[Tensor, "*batch queries keys"]:
        """Score each query with each key."""
        return dot_product_score(query @ self.weight, key)


class ReducedRankScore(nn.Module):
    """Compute (Uq)ᵀ(Vk): a multiplicative score whose matrix UᵀV has at most a given rank.

    rank · (query_size + key_size) parameters. Each query and each key is mapped once; a pair then
    costs rank multiplications.

    Args:
        query_size: length of a query.
        key_size: length of a key.
        rank: length of both after the mapping.
        generator: draws the starting values, on the CPU; without it, PyTorch's global one.

    Raises:
        ValueError: if a size is below 1.

    Example:
        >>> score = ReducedRankScore(query_size=100, key_size=100, rank=10)
        >>> sum(parameter.numel() for parameter in score.parameters())
        2000
    """

    def __init__(
        self,
        query_size: int,
        key_size: int,
        rank: int,
        *,
        generator: torch.Generator | None = None,
    ) -> None:
        """Draw the starting values."""
        super().__init__()
        check_sizes(query_size=query_size, key_size=key_size, rank=rank)
        self.query_weight = nn.Parameter(torch.empty(rank, query_size))  # U
        self.key_weight = nn.Parameter(torch.empty(rank, key_size))  # V
        draw_parameters(self, generator)

    def forward(
        self,
        query: Float[Tensor, "*batch queries query_size"],
        key: Float[Tensor, "*batch keys key_size"],
    ) -> Float[Tensor, "*batch queries keys"]:
        """Score each query with each key."""
        return dot_product_score(query @ self.query_weight.T, key @ self.key_weight.T)
