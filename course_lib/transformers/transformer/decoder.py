"""The decoder: it writes the target, looking at what it has written and at the source."""

from collections.abc import Callable

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from course_lib.arguments import check_sizes
from course_lib.transformers.feed_forward import FeedForward
from course_lib.transformers.multi_head_attention import MultiHeadAttention
from course_lib.transformers.normalization import LayerNorm, PostNorm, PreNorm
from course_lib.transformers.self_attention import causal_mask, key_mask
from course_lib.transformers.transformer.cache import Cache, keys_and_values, queries
from course_lib.transformers.transformer.embedding import TokenEmbedding
from course_lib.translation.sequence_to_sequence import padding_mask

Attend = Callable[[Tensor], tuple[Tensor, Tensor]]


class DecoderLayer(nn.Module):
    """Three sublayers: causal self-attention, cross-attention to the memory, feed-forward.

    Args:
        d_model: length of the vectors that come in and go out, and of those of the memory.
        num_heads: see ``EncoderLayer``.
        d_ff: see ``EncoderLayer``.
        dropout: see ``EncoderLayer``.
        pre_norm: see ``EncoderLayer``. The memory itself is never normalised here.

    Raises:
        ValueError: if a number is out of range.

    Source:
        Vaswani et al. (2017), Attention is all you need, section 3.1.

    Example:
        >>> layer = DecoderLayer(8, num_heads=2, d_ff=16)
        >>> x, self_weights, cross_weights = layer(torch.zeros(3, 5, 8), torch.zeros(3, 7, 8))
        >>> x.shape, self_weights.shape, cross_weights.shape
        (torch.Size([3, 5, 8]), torch.Size([3, 2, 5, 5]), torch.Size([3, 2, 5, 7]))
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
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.cross_attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.self_residual = residual(d_model, dropout)
        self.cross_residual = residual(d_model, dropout)
        self.feed_forward_residual = residual(d_model, dropout)

    def forward(
        self,
        x: Float[Tensor, "batch target d_model"],
        memory: Float[Tensor, "batch source d_model"],
        self_mask: Bool[Tensor, "..."] | None = None,
        cross_mask: Bool[Tensor, "..."] | None = None,
    ) -> tuple[
        Float[Tensor, "batch target d_model"],
        Float[Tensor, "batch heads target target"],
        Float[Tensor, "batch heads target source"],
    ]:
        """Treat all target positions at once.

        Args:
            x: a vector for each target position.
            memory: a vector for each source position, the output of the whole encoder.
            self_mask: True where a target position may attend to another.
            cross_mask: True where a target position may attend to a source position.

        Returns:
            A new vector for each position, and the weights of the two attentions.
        """
        return self._apply_sublayers(
            x,
            lambda h: self.self_attention(h, h, h, self_mask),
            lambda h: self.cross_attention(h, memory, memory, cross_mask),
        )

    def step(
        self,
        x: Float[Tensor, "batch 1 d_model"],
        past: tuple[Tensor, Tensor],
        memory: tuple[Tensor, Tensor],
        self_mask: Bool[Tensor, "..."],
        cross_mask: Bool[Tensor, "..."],
    ) -> tuple[Float[Tensor, "batch 1 d_model"], tuple[Tensor, Tensor]]:
        """Treat the newest position only; those before it are there as keys and values.

        Args:
            x: the vector of the newest position.
            past: keys and values of the positions before it, [batch, heads, steps, d_k].
            memory: keys and values of the source, [batch, heads, source, d_k].
            self_mask: True where it may attend to a position up to itself.
            cross_mask: True where it may attend to a source position.

        Returns:
            Its new vector, and the keys and values with its own behind those of the past.
        """
        present = past

        def attend_to_past(h: Tensor) -> tuple[Tensor, Tensor]:
            nonlocal present
            new = keys_and_values(self.self_attention, h)
            present = torch.cat([past[0], new[0]], dim=2), torch.cat([past[1], new[1]], dim=2)
            q = queries(self.self_attention, h)  # [batch, heads, 1, d_k]
            return self.self_attention.attend(q, *present, self_mask)

        def attend_to_source(h: Tensor) -> tuple[Tensor, Tensor]:
            q = queries(self.cross_attention, h)
            return self.cross_attention.attend(q, *memory, cross_mask)

        x, _, _ = self._apply_sublayers(x, attend_to_past, attend_to_source)
        return x, present

    def _apply_sublayers(
        self, x: Tensor, attend_to_self: Attend, attend_to_memory: Attend
    ) -> tuple[Tensor, Tensor, Tensor]:
        weights = []

        def keeping_weights(attend: Attend) -> Callable[[Tensor], Tensor]:
            def attend_and_keep(h: Tensor) -> Tensor:
                output, w = attend(h)
                weights.append(w)
                return output

            return attend_and_keep

        x = self.self_residual(x, keeping_weights(attend_to_self))  # [batch, target, d_model]
        x = self.cross_residual(x, keeping_weights(attend_to_memory))  # [batch, target, d_model]
        x = self.feed_forward_residual(x, self.feed_forward)  # [batch, target, d_model]
        return x, weights[0], weights[1]


class Decoder(nn.Module):
    """Embedding, a chain of ``DecoderLayer``, and a last norm where the layers are pre-norm.

    Args: as ``Encoder``, with ``vocab_size`` for the target tokens.

    Raises:
        ValueError: if a number is out of range.

    Example:
        >>> decoder = Decoder(12, d_model=8, num_heads=2, num_layers=3, d_ff=16)
        >>> tokens, real = torch.tensor([[2, 5]]), torch.tensor([[True, True, False]])
        >>> features, self_weights, cross_weights = decoder(tokens, torch.zeros(1, 3, 8), real)
        >>> features.shape, len(cross_weights)
        (torch.Size([1, 2, 8]), 3)
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
            DecoderLayer(
                d_model, num_heads=num_heads, d_ff=d_ff, dropout=dropout, pre_norm=pre_norm
            )
            for _ in range(num_layers)
        )
        self.final_norm = LayerNorm(d_model) if pre_norm else nn.Identity()

    def forward(
        self,
        target_input: Int64[Tensor, "batch target"],
        memory: Float[Tensor, "batch source d_model"],
        source_mask: Bool[Tensor, "batch source"],
    ) -> tuple[
        Float[Tensor, "batch target d_model"],
        list[Float[Tensor, "batch heads target target"]],
        list[Float[Tensor, "batch heads target source"]],
    ]:
        """Treat all target positions at once; each sees itself, those before it, and the source.

        Args:
            target_input: the target's tokens, filled up with ``PAD``.
            memory: the output of the encoder.
            source_mask: True at the source's tokens, False at its pads.

        Returns:
            A vector for each position, and each layer's weights of self- and cross-attention.
        """
        causal = causal_mask(target_input.shape[1], target_input.device)  # [target, target]
        self_mask = causal & key_mask(padding_mask(target_input))  # [batch, 1, target, target]
        cross_mask = key_mask(source_mask)  # [batch, 1, 1, source]: the keys are the source's
        x = self.embedding(target_input)  # [batch, target, d_model]
        self_weights, cross_weights = [], []
        for layer in self.layers:
            x, w_self, w_cross = layer(x, memory, self_mask, cross_mask)
            self_weights.append(w_self)
            cross_weights.append(w_cross)
        return self.final_norm(x), self_weights, cross_weights

    def start(
        self,
        memory: Float[Tensor, "batch source d_model"],
        source_mask: Bool[Tensor, "batch source"],
    ) -> Cache:
        """Compute each layer's keys and values of the source, once for all steps."""
        pairs = [keys_and_values(layer.cross_attention, memory) for layer in self.layers]
        memory_keys = torch.stack([keys for keys, _ in pairs], dim=1)
        memory_values = torch.stack([values for _, values in pairs], dim=1)
        return Cache(
            source_mask=source_mask,
            memory_keys=memory_keys,
            memory_values=memory_values,
            target_mask=source_mask[:, :0],  # nothing is written yet
            keys=memory_keys[:, :, :, :0],
            values=memory_values[:, :, :, :0],
        )

    def step(
        self, tokens: Int64[Tensor, " batch"], cache: Cache
    ) -> tuple[Float[Tensor, "batch d_model"], Cache]:
        """Treat one more position of each target, whose token is given."""
        new = tokens.unsqueeze(1)  # [batch, 1]
        target_mask = torch.cat([cache.target_mask, padding_mask(new)], dim=1)
        self_mask, cross_mask = key_mask(target_mask), key_mask(cache.source_mask)
        x = self.embedding(new, first=cache.target_mask.shape[1])  # [batch, 1, d_model]
        keys, values = [], []
        for i, layer in enumerate(self.layers):
            past = cache.keys[:, i], cache.values[:, i]
            memory = cache.memory_keys[:, i], cache.memory_values[:, i]
            x, (k, v) = layer.step(x, past, memory, self_mask, cross_mask)
            keys.append(k)
            values.append(v)
        longer = cache._replace(
            target_mask=target_mask,
            keys=torch.stack(keys, dim=1),
            values=torch.stack(values, dim=1),
        )
        return self.final_norm(x).squeeze(1), longer
