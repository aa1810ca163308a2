"""Multi-head attention as a module."""

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib.arguments import check_sizes
from course_lib.transformers.multi_head_attention.heads import merge_heads, split_heads
from course_lib.transformers.multi_head_attention.scaled_dot_product import attention_weights


class MultiHeadAttention(nn.Module):
    """Several attentions side by side, each with its own projections of the whole vectors.

    Head i sees queries, keys and values of length d_k = d_model / num_heads. The outputs of the
    heads are put side by side and mixed by a last linear layer.

    Weights are drawn uniformly with mean 0 and variance 1 / d_model, and biases start at 0. Inputs
    of mean 0 and variance 1 then give queries and keys of mean 0 and variance 1.

    Args:
        d_model: length of the vectors that come in and go out.
        num_heads: how many heads, a divisor of d_model.
        dropout: the share of attention weights that is dropped in training, from 0 to 1.
        bias: whether the four linear layers have biases.
        generator: draws the weights, on the CPU; without it, PyTorch's own one.

    Attributes:
        query_projection: W_Q of all heads, d_k rows for each.
        key_projection: W_K likewise.
        value_projection: W_V likewise.
        output_projection: W_O, d_k columns for each head.

    Raises:
        ValueError: if a number is out of range.

    Source:
        Vaswani et al. (2017), Attention is all you need, section 3.2.2.

    Example:
        >>> layer = MultiHeadAttention(d_model=8, num_heads=2)
        >>> x = torch.zeros(3, 5, 8)
        >>> output, weights = layer(x, x, x)
        >>> output.shape, weights.shape
        (torch.Size([3, 5, 8]), torch.Size([3, 2, 5, 5]))
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        *,
        dropout: float | int = 0.0,
        bias: bool = True,
        generator: torch.Generator | None = None,
    ) -> None:
        """Draw the weights."""
        super().__init__()
        check_sizes(d_model=d_model)
        if num_heads < 1 or d_model % num_heads:
            raise ValueError(f"num_heads is {num_heads}, expected a divisor of d_model = {d_model}")
        if not 0 <= dropout <= 1:
            raise ValueError(f"dropout is {dropout}, expected a number from 0 to 1")
        self.num_heads = num_heads
        self.query_projection = nn.Linear(d_model, d_model, bias=bias)
        self.key_projection = nn.Linear(d_model, d_model, bias=bias)
        self.value_projection = nn.Linear(d_model, d_model, bias=bias)
        self.output_projection = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)
        bound = math.sqrt(3 / d_model)  # a uniform number from -a to a has the variance a² / 3
        with torch.no_grad():
            for name, parameter in self.named_parameters():
                if name.endswith("weight"):
                    parameter.uniform_(-bound, bound, generator=generator)
                else:
                    parameter.zero_()

    def forward(
        self,
        query: Float[Tensor, "batch queries d_model"],
        key: Float[Tensor, "batch keys d_model"],
        value: Float[Tensor, "batch keys d_model"],
        mask: Bool[Tensor, "..."] | None = None,
    ) -> tuple[
        Float[Tensor, "batch queries d_model"], Float[Tensor, "batch num_heads queries keys"]
    ]:
        """Attend from each query to the keys and collect their values, in every head.

        In self-attention the three inputs are one tensor. In cross-attention the queries come from
        one sequence, keys and values from another.

        Args:
            query: vectors that ask.
            key: vectors that are compared with the queries.
            value: vectors that are collected.
            mask: True where a query may attend to a key: [queries, keys] for the whole batch, or
                [batch or 1, heads or 1, queries or 1, keys].

        Returns:
            The output, and the attention weights of each head *before* dropout: each row sums to
            1, or is 0 where a query may attend to nothing.

        Raises:
            ValueError: if sizes do not fit, or the mask lacks the axis of the heads.
        """
        q = split_heads(
            self.query_projection(query), self.num_heads
        )  # [batch, heads, queries, d_k]
        k = split_heads(self.key_projection(key), self.num_heads)  # [batch, heads, keys, d_k]
        v = split_heads(self.value_projection(value), self.num_heads)  # [batch, heads, keys, d_k]
        return self.attend(q, k, v, mask)

    def attend(
        self,
        q: Float[Tensor, "batch num_heads queries d_k"],
        k: Float[Tensor, "batch num_heads keys d_k"],
        v: Float[Tensor, "batch num_heads keys d_k"],
        mask: Bool[Tensor, "..."] | None = None,
    ) -> tuple[
        Float[Tensor, "batch queries d_model"], Float[Tensor, "batch num_heads queries keys"]
    ]:
        """Do what comes after the projections; a decoder that stores its keys and values calls it.

        Args:
            q: the queries of each head.
            k: the keys of each head.
            v: the values of each head.
            mask: see ``forward``.

        Returns:
            See ``forward``.

        Raises:
            ValueError: see ``forward``.
        """
        _check_mask(mask, (q.shape[0], q.shape[1], q.shape[2], k.shape[2]))
        weights = attention_weights(q, k, mask)  # [batch, heads, queries, keys]
        heads = self.dropout(weights) @ v  # [batch, heads, queries, d_k]
        return self.output_projection(merge_heads(heads)), weights


def _check_mask(mask: Tensor | None, sizes: tuple[int, int, int, int]) -> None:
    if mask is None:
        return
    if mask.dtype != torch.bool:
        raise ValueError(f"mask has dtype {mask.dtype}, expected torch.bool")
    if mask.ndim not in (2, 4):
        # [batch, queries, keys] would be read as [heads, queries, keys], often without an error.
        raise ValueError(
            f"mask has shape {list(mask.shape)}, expected [queries, keys] or "
            "[batch or 1, heads or 1, queries or 1, keys]: is the axis of the heads missing?"
        )
    for size, wanted in zip(mask.shape, sizes[-mask.ndim :], strict=True):
        if size not in (1, wanted):
            raise ValueError(
                f"mask has shape {list(mask.shape)}, expected {list(sizes[-mask.ndim :])}, "
                "or 1 in place of a size"
            )
