"""The additive score: a small network looks at query and key together."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from course_lib.arguments import check_sizes
from course_lib.translation.sequence_to_sequence import draw_parameters


class AdditiveScore(nn.Module):
    """Compute vᵀ tanh(W₁k + W₂q): a network with one hidden layer and one output.

    hidden_size · (query_size + key_size + 1) parameters. Each query and each key is mapped once; a
    pair then costs hidden_size multiplications and as many tanh, and a batch holds a hidden layer
    for each pair in memory. The score stays between plus and minus the sum of the entries of v, in
    absolute value.

    Args:
        query_size: length of a query.
        key_size: length of a key; it may differ.
        hidden_size: length of the hidden layer.
        generator: draws the starting values, on the CPU; without it, PyTorch's global one.

    Raises:
        ValueError: if a size is below 1.

    Source:
        Bahdanau, Cho and Bengio (2014), Neural machine translation by jointly learning to align and
        translate, section 3.1 and appendix A.1.2.

    Example:
        >>> score = AdditiveScore(query_size=3, key_size=5, hidden_size=4)
        >>> score(torch.zeros(2, 1, 3), torch.zeros(2, 6, 5)).shape
        torch.Size([2, 1, 6])
    """

    def __init__(
        self,
        query_size: int,
        key_size: int,
        hidden_size: int,
        *,
        generator: torch.Generator | None = None,
    ) -> None:
        """Draw the starting values."""
        super().__init__()
        check_sizes(query_size=query_size, key_size=key_size, hidden_size=hidden_size)
        self.key_weight = nn.Parameter(torch.empty(hidden_size, key_size))  # W₁
        self.query_weight = nn.Parameter(torch.empty(hidden_size, query_size))  # W₂
        self.output_weight = nn.Parameter(torch.empty(1, hidden_size))  # vᵀ
        draw_parameters(self, generator)

    def forward(
        self,
        query: Float[Tensor, "*batch queries query_size"],
        key: Float[Tensor, "*batch keys key_size"],
    ) -> Float[Tensor, "*batch queries keys"]:
        """Score each query with each key."""
        queries = (query @ self.query_weight.T).unsqueeze(-2)  # [*batch, queries, 1, hidden]
        keys = (key @ self.key_weight.T).unsqueeze(-3)  # [*batch, 1, keys, hidden]
        hidden = torch.tanh(queries + keys)  # [*batch, queries, keys, hidden]
        return (hidden @ self.output_weight.T).squeeze(-1)
