"""The encoder: it reads the whole source, every position at once."""

from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from course_lib.arguments import check_sizes
from course_lib.transformers.feed_forward import FeedForward
from course_lib.transformers.multi_head_attention import MultiHeadAttention
from course_lib.transformers.normalization import LayerNorm, PostNorm, PreNorm
from course_lib.transformers.self_attention import key_mask
from course_lib.transformers.transformer.embedding import TokenEmbedding
from course_lib.translation.sequence_to_sequence import padding_mask


class EncoderLayer(nn.Module):
    """Two sublayers, each with a residual connection and a norm: self-attention, feed-forward.

    Args:
        d_model: length of the vectors that come in and go out.
        num_heads: heads of the attention, a divisor of d_model.
        d_ff: length of the vectors inside the feed-forward sublayer.
        dropout: share of each sublayer's output that is set to zero in training, once, before it
            is added.
        pre_norm: normalise what enters a sublayer, or else the sum behind it, as in the paper.

    Raises:
        ValueError: if a number is out of range.

    Source:
        Vaswani et al. (2017), Attention is all you need, section 3.1.

    Example:
        >>> import torch
        >>> layer = EncoderLayer(8, num_heads=2, d_ff=16)
        >>> x, weights = layer(torch.zeros(3, 5, 8))
        >>> x.shape, weights.shape
        (torch.Size([3, 5, 8]), torch.Size([3, 2, 5, 5]))
    """

    def __init__(
        self,
        d_model: int,
        *,
        num_heads: int,
        d_ff: int,
        dropout: float | int = 0.0,
        pre_norm: bool = True,
    ) -> None:
        """Make the sublayers and what stands around them."""
        super().__init__()
        residual = PreNorm if pre_norm else PostNorm
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.attention_residual = residual(d_model, dropout)
        self.feed_forward_residual = residual(d_model, dropout)

    def forward(
        self, x: Float[Tensor, "batch steps d_model"], mask: Bool[Tensor, "..."] | None = None
    ) -> tuple[Float[Tensor, "batch steps d_model"], Float[Tensor, "batch heads steps steps"]]:
        """Let the positions exchange information, then treat each alone.

        Args:
            x: a vector for each position.
            mask: True where a position may attend to another; see ``MultiHeadAttention``.

        Returns:
            A new vector for each position, and the attention weights.
        """
        weights = []

        def attend(h: Tensor) -> Tensor:
            output, w = self.attention(h, h, h, mask)
            weights.append(w)
            return output

        x = self.attention_residual(x, attend)  # [batch, steps, d_model]
        x = self.feed_forward_residual(x, self.feed_forward)  # [batch, steps, d_model]
        return x, weights[0]


class Encoder(nn.Module):
    """Embedding, a chain of ``EncoderLayer``, and a last norm where the layers are pre-norm.

    Args:
        vocab_size: how many source tokens.
        d_model: length of all vectors between the layers.
        num_heads: see ``EncoderLayer``.
        num_layers: how many layers, at least 1; each has weights of its own.
        d_ff: see ``EncoderLayer``.
        dropout: see ``TokenEmbedding`` and ``EncoderLayer``.
        pre_norm: see ``EncoderLayer``.

    Raises:
        ValueError: if a number is out of range.

    Example:
        >>> import torch
        >>> encoder = Encoder(10, d_model=8, num_heads=2, num_layers=3, d_ff=16)
        >>> memory, weights = encoder(torch.tensor([[4, 5, 6], [7, 1, 1]]))
        >>> memory.shape, len(weights)
        (torch.Size([2, 3, 8]), 3)
    """

    def __init__(
        self,
        vocab_size: int,
        *,
        d_model: int,
        num_heads: int,
        num_layers: int,
        d_ff: int,
        dropout: float | int = 0.0,
        pre_norm: bool = True,
    ) -> None:
        """Make the layers."""
        super().__init__()
        check_sizes(num_layers=num_layers)
        self.embedding = TokenEmbedding(vocab_size, d_model, dropout=dropout)
        self.layers = nn.ModuleList(
            EncoderLayer(
                d_model, num_heads=num_heads, d_ff=d_ff, dropout=dropout, pre_norm=pre_norm
            )
            for _ in range(num_layers)
        )
        self.final_norm = LayerNorm(d_model) if pre_norm else nn.Identity()

    def forward(
        self, source: Int64[Tensor, "batch source"]
    ) -> tuple[
        Float[Tensor, "batch source d_model"], list[Float[Tensor, "batch heads source source"]]
    ]:
        """Read sentences that are filled up with ``PAD``; no position attends to a pad.

        Returns:
            The memory, a vector for each source token, and each layer's attention weights.
        """
        mask = key_mask(padding_mask(source))  # [batch, 1, 1, source]
        x = self.embedding(source)  # [batch, source, d_model]
        weights = []
        for layer in self.layers:
            x, w = layer(x, mask)  # the output of one layer is the input of the next
            weights.append(w)
        return self.final_norm(x), weights
