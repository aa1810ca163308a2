"""The whole Transformer, from source tokens to scores of target tokens."""

from typing import NamedTuple

import torch
from jaxtyping import Float, Int64
from torch import Tensor, nn

from course_lib.arguments import check_sizes
from course_lib.transformers.transformer.cache import Cache
from course_lib.transformers.transformer.decoder import Decoder
from course_lib.transformers.transformer.encoder import Encoder
from course_lib.translation.sequence_to_sequence import State, draw_parameters, padding_mask


class AttentionMaps(NamedTuple):
    """All attention weights of one pass; each row sums to 1 over its last axis.

    Attributes:
        encoder: how source positions attend to source positions.
        decoder: how target positions attend to target positions.
        cross: how target positions attend to source positions.
    """

    encoder: Float[Tensor, "batch encoder_layers heads source source"]
    decoder: Float[Tensor, "batch decoder_layers heads target target"]
    cross: Float[Tensor, "batch decoder_layers heads target source"]


class Transformer(nn.Module):
    """A translator without recurrence: an encoder, a decoder, and a linear layer to the words.

    Padding is hidden from all attentions wherever it stands; positions are counted with it, so put
    it on the right. A source without any token is read as nothing.

    Args:
        source_vocab_size: how many source tokens.
        target_vocab_size: how many target tokens.
        d_model: length of all vectors between the layers.
        num_heads: heads of each attention, a divisor of d_model.
        num_layers: layers of the encoder, at least 1.
        num_decoder_layers: layers of the decoder; as many as the encoder has if None.
        d_ff: length of the vectors inside the feed-forward sublayers.
        dropout: share of the embeddings and of each sublayer's output that is set to zero in
            training, from 0 to 1.
        pre_norm: normalise what enters a sublayer, with a last norm behind each stack; or else the
            sum behind each sublayer, as in the paper.
        tied: let the target embedding also be the matrix of the output layer.
        generator: draws the starting values, on the CPU; without it, PyTorch's global one.

    Raises:
        ValueError: if a number is out of range.

    Source:
        Vaswani et al. (2017), Attention is all you need; Press and Wolf (2017), Using the output
        embedding to improve language models, for tied weights.

    Example:
        >>> model = Transformer(10, 12, d_model=8, num_heads=2, d_ff=16)
        >>> source, target_input = torch.tensor([[4, 5, 6], [7, 1, 1]]), torch.tensor([[2], [2]])
        >>> model(source, target_input).shape
        torch.Size([2, 1, 12])
    """

    def __init__(
        self,
        source_vocab_size: int,
        target_vocab_size: int,
        *,
        d_model: int = 64,
        num_heads: int = 4,
        num_layers: int = 2,
        num_decoder_layers: int | None = None,
        d_ff: int = 256,
        dropout: float | int = 0.0,
        pre_norm: bool = True,
        tied: bool = False,
        generator: torch.Generator | None = None,
    ) -> None:
        """Make the parts and draw their starting values."""
        super().__init__()
        if num_decoder_layers is None:
            num_decoder_layers = num_layers
        check_sizes(
            source_vocab_size=source_vocab_size,
            target_vocab_size=target_vocab_size,
            num_layers=num_layers,
            num_decoder_layers=num_decoder_layers,
        )
        options = {
            "d_model": d_model,
            "num_heads": num_heads,
            "d_ff": d_ff,
            "dropout": dropout,
            "pre_norm": pre_norm,
        }
        self.encoder = Encoder(source_vocab_size, num_layers=num_layers, **options)
        self.decoder = Decoder(target_vocab_size, num_layers=num_decoder_layers, **options)
        self.output = nn.Linear(d_model, target_vocab_size, bias=False)
        if tied:
            self.output.weight = self.decoder.embedding.table.weight
        draw_parameters(self, generator)

    def forward(
        self, source: Int64[Tensor, "batch source"], target_input: Int64[Tensor, "_ target"]
    ) -> Float[Tensor, "batch target vocab"]:
        """Score each next word, given the true words before it (teacher forcing).

        Raises:
            ValueError: if there are not as many targets as sources.
        """
        features, _ = self._run(source, target_input)  # [batch, target, d_model]
        return self.output(features)

    def attention(
        self, source: Int64[Tensor, "batch source"], target_input: Int64[Tensor, "_ target"]
    ) -> Float[Tensor, "batch target source"]:
        """Return the cross-attention, averaged over all layers and heads; zero at source pads.

        Row t holds the weights with which the word after ``target_input[:, t]`` was scored.

        Raises:
            ValueError: if there are not as many targets as sources.
        """
        return self.attention_maps(source, target_input).cross.mean(dim=(1, 2))

    def attention_maps(
        self, source: Int64[Tensor, "batch source"], target_input: Int64[Tensor, "_ target"]
    ) -> AttentionMaps:
        """Return the weights of every layer and head, for pictures: ``maps.cross[0, layer, head]``.

        Raises:
            ValueError: if there are not as many targets as sources.
        """
        _, maps = self._run(source, target_input)
        return AttentionMaps(*(torch.stack(layers, dim=1) for layers in maps))

    def start(self, source: Int64[Tensor, "batch source"]) -> State:
        """Read the source sentences and return the state before the first word, a ``Cache``."""
        memory, _ = self.encoder(source)
        return self.decoder.start(memory, padding_mask(source))

    def step(
        self, tokens: Int64[Tensor, " batch"], state: State
    ) -> tuple[Float[Tensor, "batch vocab"], State]:
        """Read one word for each sentence; return scores for the next one and the new state.

        Raises:
            ValueError: if there are not as many words as sentences in the state.
        """
        cache = Cache(*state)
        _check_batch("tokens", tokens, len(cache.source_mask))
        features, cache = self.decoder.step(tokens, cache)
        return self.output(features), cache

    def _run(
        self, source: Tensor, target_input: Tensor
    ) -> tuple[Tensor, tuple[list[Tensor], list[Tensor], list[Tensor]]]:
        _check_batch("target_input", target_input, len(source))
        memory, encoder_maps = self.encoder(source)  # [batch, source, d_model]
        features, decoder_maps, cross_maps = self.decoder(
            target_input, memory, padding_mask(source)
        )
        return features, (encoder_maps, decoder_maps, cross_maps)


def _check_batch(name: str, tokens: Tensor, expected: int) -> None:
    """Refuse what broadcasting would otherwise accept for a batch of one."""
    if len(tokens) != expected:
        raise ValueError(f"{name} has {len(tokens)} rows, expected {expected} as in source")
