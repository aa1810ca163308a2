"""A translator whose decoder looks back at every source word, at each step anew."""

from collections.abc import Callable

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from course_lib.arguments import check_sizes
from course_lib.translation.attention.additive import AdditiveScore
from course_lib.translation.attention.masked import masked_softmax
from course_lib.translation.sequence_to_sequence import (
    Encoder,
    State,
    draw_parameters,
    padding_mask,
)

Score = Callable[[Tensor, Tensor], Tensor]


class AttentionDecoder(nn.Module):
    """One step of a decoder: attend with the last state, then read the last word and the context.

    Args:
        embedding_size: length of a word's vector.
        hidden_size: length of a state.
        memory_size: length of the vector that stands for a source word.
        num_layers: GRUs on top of each other; the state of the top one is the query.
        dropout: share of the numbers between layers that are set to zero in training.
        score: maps queries [batch, 1, hidden] and keys [batch, source, memory] to scores
            [batch, 1, source].
    """

    def __init__(
        self,
        embedding_size: int,
        hidden_size: int,
        memory_size: int,
        num_layers: int,
        dropout: float,
        score: Score,
    ) -> None:
        """Make the layers."""
        super().__init__()
        self.score = score
        self.gru = nn.GRU(
            embedding_size + memory_size,
            hidden_size,
            num_layers,
            batch_first=True,
            dropout=dropout if num_layers > 1 else 0.0,
        )

    def forward(
        self,
        word: Float[Tensor, "batch embedding"],
        hidden: Float[Tensor, "batch layers hidden"],
        memory: Float[Tensor, "batch source memory"],
        mask: Bool[Tensor, "batch source"],
    ) -> tuple[
        Float[Tensor, "batch features"],
        Float[Tensor, "batch layers hidden"],
        Float[Tensor, "batch source"],
    ]:
        """Make one step.

        Args:
            word: the vector of the last target word.
            hidden: the states after the word before it.
            memory: keys and values, one for each source word.
            mask: True at the source's words, False at its pads.

        Returns:
            The new state of the top layer and the context side by side, all new states, and the
            attention weights.
        """
        scores = self.score(hidden[:, -1:], memory)  # [batch, 1, source]
        weights = masked_softmax(scores, mask.unsqueeze(1))
        context = weights @ memory  # [batch, 1, memory]
        seen = torch.cat([word.unsqueeze(1), context], dim=-1)
        output, last = self.gru(seen, hidden.transpose(0, 1).contiguous())
        features = torch.cat([output, context], dim=-1).squeeze(1)
        return features, last.transpose(0, 1), weights.squeeze(1)


class AttentionTranslator(nn.Module):
    """A GRU encoder that keeps a state for each word, and a GRU decoder that attends to them.

    The encoder reads in both directions, so that the state at a word knows what stands around it.
    At each step the decoder's last state is the query, and the encoder's states are both the keys
    and the values.

    Args:
        source_vocab_size: how many source words.
        target_vocab_size: how many target words.
        embedding_size: length of a word's vector.
        hidden_size: length of the decoder's state. A source word is kept as two such vectors, one
            for each direction.
        num_layers: GRUs on top of each other, in the encoder and in the decoder.
        dropout: share of the numbers set to zero in training: in the word vectors, between layers
            and before the output layer.
        score: maps queries [batch, 1, hidden_size] and keys [batch, source, 2 hidden_size] to
            scores [batch, 1, source]; by default an ``AdditiveScore`` of hidden_size. A module's
            parameters are drawn anew with all others.
        generator: draws the starting values, on the CPU; without it, PyTorch's global one.

    Raises:
        ValueError: if a size is below 1.

    Source:
        Bahdanau, Cho and Bengio (2014), Neural machine translation by jointly learning to align and
        translate, with a linear output layer in place of the maxout one, and with a start state
        made of both directions' last states.

    Example:
        >>> model = AttentionTranslator(10, 12, embedding_size=3, hidden_size=4)
        >>> source, target_input = torch.tensor([[4, 5, 6]]), torch.tensor([[2, 7]])
        >>> model(source, target_input).shape, model.attention(source, target_input).shape
        (torch.Size([1, 2, 12]), torch.Size([1, 2, 3]))
    """

    def __init__(
        self,
        source_vocab_size: int,
        target_vocab_size: int,
        embedding_size: int = 64,
        hidden_size: int = 128,
        num_layers: int = 1,
        *,
        dropout: float = 0.0,
        score: Score | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        """Make encoder and decoder and draw their starting values."""
        super().__init__()
        check_sizes(
            source_vocab_size=source_vocab_size,
            target_vocab_size=target_vocab_size,
            embedding_size=embedding_size,
            hidden_size=hidden_size,
            num_layers=num_layers,
        )
        memory_size = 2 * hidden_size
        self.encoder = Encoder(
            source_vocab_size, embedding_size, hidden_size, num_layers, dropout, bidirectional=True
        )
        self.embedding = nn.Embedding(target_vocab_size, embedding_size)
        self.dropout = nn.Dropout(dropout)
        self.decoder = AttentionDecoder(
            embedding_size,
            hidden_size,
            memory_size,
            num_layers,
            dropout,
            AdditiveScore(hidden_size, memory_size, hidden_size) if score is None else score,
        )
        self.output = nn.Linear(hidden_size + memory_size, target_vocab_size)
        draw_parameters(self, generator)

    def forward(
        self, source: Int64[Tensor, "batch source"], target_input: Int64[Tensor, "batch target"]
    ) -> Float[Tensor, "batch target vocab"]:
        """Score each next word, given the true words before it (teacher forcing)."""
        features, _ = self.attend(source, target_input)
        return self.output(self.dropout(features))

    def attention(
        self, source: Int64[Tensor, "batch source"], target_input: Int64[Tensor, "batch target"]
    ) -> Float[Tensor, "batch target source"]:
        """Return the weights with which each step attends to the source; zero at its pads.

        Row t holds those that were used to score the word after ``target_input[:, t]``.
        """
        _, weights = self.attend(source, target_input)
        return weights

    def attend(
        self, source: Int64[Tensor, "batch source"], target_input: Int64[Tensor, "batch target"]
    ) -> tuple[Float[Tensor, "batch target features"], Float[Tensor, "batch target source"]]:
        """Make all steps; each needs the state of the one before, so they go one by one.

        Returns:
            What the output layer reads at each step, and the attention weights.
        """
        hidden, memory, mask = self.start(source)
        words = self.dropout(self.embedding(target_input))  # [batch, target, embedding]
        features, weights = [], []
        for word in words.unbind(dim=1):
            step_features, hidden, step_weights = self.decoder(word, hidden, memory, mask)
            features.append(step_features)
            weights.append(step_weights)
        return torch.stack(features, dim=1), torch.stack(weights, dim=1)

    def start(self, source: Int64[Tensor, "batch source"]) -> State:
        """Read the source sentences and return the state before the first word.

        The state is the decoder's hidden state, a vector for each source word, and which of these
        are words and not pads.
        """
        memory, hidden = self.encoder(source)
        return hidden, memory, padding_mask(source)

    def step(
        self, tokens: Int64[Tensor, " batch"], state: State
    ) -> tuple[Float[Tensor, "batch vocab"], State]:
        """Read one word for each sentence; return scores for the next one and the new state."""
        hidden, memory, mask = state
        word = self.dropout(self.embedding(tokens))
        features, hidden, _ = self.decoder(word, hidden, memory, mask)
        return self.output(self.dropout(features)), (hidden, memory, mask)
