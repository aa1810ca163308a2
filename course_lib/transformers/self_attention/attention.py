"""Self-attention with a single head: every position asks all positions of its own sequence."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib.arguments import check_sizes
from course_lib.translation.attention import masked_softmax


class SelfAttention(nn.Module):
    """Replace each vector of a sequence by a weighted mean over the sequence.

    Three learned matrices make a query, a key and a value of each vector. The score of position i
    for position j is query i times key j, divided by the root of d_k. A softmax over j turns the
    scores into weights, and output i is the mean of the values with these weights.

    Args:
        d_model: the length of a vector that comes in.
        d_k: the length of queries and keys.
        d_v: the length of values, and of the vectors that go out.
        generator: draws the first weights, uniformly up to 1 / sqrt(d_model) in size.

    Raises:
        ValueError: if a size is below 1.

    Source:
        Vaswani et al. (2017), Attention is all you need, equation 1.

    Example:
        >>> attend = SelfAttention(4, d_k=3, d_v=2, generator=torch.Generator().manual_seed(0))
        >>> output, weights = attend(torch.zeros(1, 2, 4))
        >>> list(output.shape)
        [1, 2, 2]
        >>> weights
        tensor([[[0.5000, 0.5000],
                 [0.5000, 0.5000]]], grad_fn=<SqueezeBackward1>)
    """

    def __init__(self, d_model: int, *, d_k: int, d_v: int, generator: torch.Generator) -> None:
        """Draw the three matrices."""
        super().__init__()
        check_sizes(d_model=d_model, d_k=d_k, d_v=d_v)

        def weight(rows: int) -> nn.Parameter:
            uniform = 2 * torch.rand(rows, d_model, generator=generator) - 1
            return nn.Parameter(uniform / d_model**0.5)

        self.query_weight, self.key_weight = weight(d_k), weight(d_k)
        self.value_weight = weight(d_v)

    def forward(
        self,
        x: Float[Tensor, "batch steps d_model"],
        mask: Bool[Tensor, "..."] | None = None,
    ) -> tuple[Float[Tensor, "batch steps d_v"], Float[Tensor, "batch steps steps"]]:
        """Attend.

        Args:
            x: a batch of sequences.
            mask: True where a query may attend to a key; [queries, keys] for all sequences, or
                with axes for the batch and the heads, [batch or 1, 1, queries or 1, keys]. A query
                that may attend to nothing gets zero weights and a zero output.

        Returns:
            The outputs and the weights.

        Raises:
            ValueError: if the mask has another number of axes. With [batch, queries, keys] the
                batch would be taken for the heads by a layer that has several.
        """
        if mask is not None and mask.ndim not in (2, 4):
            raise ValueError(
                f"mask has shape {list(mask.shape)}, expected [queries, keys] "
                "or [batch, 1, queries, keys]"
            )
        query, key = x @ self.query_weight.T, x @ self.key_weight.T  # [batch, steps, d_k]
        value = x @ self.value_weight.T  # [batch, steps, d_v]
        # The query is divided, not the scores: in half precision the undivided scores can overflow.
        scores = (query / key.shape[-1] ** 0.5) @ key.transpose(1, 2)  # [batch, queries, keys]
        # One head: the mask's axis for heads is matched, and taken away again.
        weights = masked_softmax(scores.unsqueeze(1), mask).squeeze(1)
        return weights @ value, weights
