"""From token ids to the vectors that enter the first layer."""

import math

from jaxtyping import Float, Int64
from torch import Tensor, nn

from course_lib.arguments import check_sizes
from course_lib.transformers.self_attention import SinusoidalPositions


class TokenEmbedding(nn.Module):
    """The vector of a token times the root of d_model, plus the code of its position.

    The codes have the mean square 1/2 at any d_model. Learned vectors that also serve as the rows
    of an output layer are drawn with entries of about 1/√d_model; the factor brings both to one
    size.

    Args:
        vocab_size: how many tokens, at least 1.
        d_model: length of a vector, at least 1.
        dropout: share of the sum's numbers set to zero in training, from 0 to 1.

    Attributes:
        table: one learned vector for each token.

    Raises:
        ValueError: if a number is out of range.

    Source:
        Vaswani et al. (2017), Attention is all you need, sections 3.4 and 3.5.

    Example:
        >>> import torch
        >>> embedding = TokenEmbedding(10, 4)
        >>> embedding(torch.tensor([[5, 7, 5]])).shape
        torch.Size([1, 3, 4])
    """

    def __init__(self, vocab_size: int, d_model: int, *, dropout: float | int = 0.0) -> None:
        """Make the table."""
        super().__init__()
        check_sizes(vocab_size=vocab_size, d_model=d_model)
        if not 0 <= dropout <= 1:
            raise ValueError(f"dropout is {dropout}, expected a number from 0 to 1")
        self.table = nn.Embedding(vocab_size, d_model)
        self.positions = SinusoidalPositions(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, tokens: Int64[Tensor, "batch steps"], first: int = 0
    ) -> Float[Tensor, "batch steps d_model"]:
        """Embed tokens that stand at the positions ``first``, ``first`` + 1, ... of each row."""
        words = math.sqrt(self.table.embedding_dim) * self.table(tokens)  # [batch, steps, d_model]
        return self.dropout(self.positions(words, first))
