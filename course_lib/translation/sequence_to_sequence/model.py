"""A GRU that reads a sentence, and a GRU that writes its translation."""

import torch
from jaxtyping import Float, Int64
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from course_lib.arguments import check_sizes
from course_lib.translation.sequence_to_sequence.batches import padding_mask
from course_lib.translation.sequence_to_sequence.parameters import draw_parameters
from course_lib.translation.sequence_to_sequence.translator import State


def source_lengths(source: Int64[Tensor, "batch steps"]) -> Int64[Tensor, " batch"]:
    """Count the words of each sentence, on the CPU, where ``pack_padded_sequence`` wants them.

    Raises:
        ValueError: if a row holds no word, or a word stands behind a pad.

    Example:
        >>> source_lengths(torch.tensor([[7, 8, 9], [5, 1, 1]]))
        tensor([3, 1])
    """
    mask = padding_mask(source).cpu()
    lengths = mask.sum(dim=1)
    if (lengths == 0).any():
        row = int((lengths == 0).nonzero()[0])
        raise ValueError(f"source holds no word in row {row}, expected at least one")
    if (mask[:, 1:] & ~mask[:, :-1]).any():
        raise ValueError("source has a word behind a pad, expected pads on the right only")
    return lengths


class Encoder(nn.Module):
    """Read a sentence into one state for each word and a summary of the whole.

    Args:
        vocab_size: how many words.
        embedding_size: length of a word's vector.
        hidden_size: length of a state.
        num_layers: GRUs on top of each other.
        dropout: share of the word vectors' numbers (and of those between layers) set to zero in
            training.
        bidirectional: read a second time from right to left. The two last states of a layer are
            then mapped to one of length hidden_size, which is what a decoder takes.

    Example:
        >>> encoder = Encoder(10, embedding_size=3, hidden_size=4)
        >>> outputs, summary = encoder(torch.tensor([[5, 6], [7, 1]]))
        >>> outputs.shape, summary.shape
        (torch.Size([2, 2, 4]), torch.Size([2, 1, 4]))
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        hidden_size: int,
        num_layers: int = 1,
        dropout: float = 0.0,
        bidirectional: bool = False,
    ) -> None:
        """Make the layers."""
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_size)
        self.dropout = nn.Dropout(dropout)
        self.gru = nn.GRU(
            embedding_size,
            hidden_size,
            num_layers,
            batch_first=True,
            dropout=dropout if num_layers > 1 else 0.0,
            bidirectional=bidirectional,
        )
        self.bridge = nn.Linear(2 * hidden_size, hidden_size) if bidirectional else None

    def forward(
        self, source: Int64[Tensor, "batch source"]
    ) -> tuple[Float[Tensor, "batch source outputs"], Float[Tensor, "batch layers hidden"]]:
        """Read sentences that are padded on the right; the pads are not read.

        Returns:
            The top layer's state at each word (with both directions side by side if there are two;
            zeros at pads), and each layer's state after the last word.

        Raises:
            ValueError: as ``source_lengths``.
        """
        words = self.dropout(self.embedding(source))  # [batch, source, embedding]
        packed = pack_padded_sequence(
            words, source_lengths(source), batch_first=True, enforce_sorted=False
        )
        outputs, last = self.gru(packed)
        outputs, _ = pad_packed_sequence(outputs, batch_first=True, total_length=source.shape[1])
        last = last.transpose(0, 1)  # [batch, layers * directions, hidden]
        if self.bridge is not None:
            # The two directions of a layer stand next to each other.
            both = last.reshape(last.shape[0], -1, 2 * last.shape[2])  # [batch, layers, 2 hidden]
            last = torch.tanh(self.bridge(both))
        return outputs, last


class Decoder(nn.Module):
    """Score the next word, given the words so far and a state to begin with.

    Args:
        vocab_size: how many words.
        embedding_size: length of a word's vector.
        hidden_size: length of a state.
        num_layers: GRUs on top of each other.
        dropout: share of the numbers set to zero in training: in the word vectors, between layers
            and before the output layer.

    Example:
        >>> decoder = Decoder(12, embedding_size=3, hidden_size=4)
        >>> logits, last = decoder(torch.tensor([[2, 6, 7]]), torch.zeros(1, 1, 4))
        >>> logits.shape, last.shape
        (torch.Size([1, 3, 12]), torch.Size([1, 1, 4]))
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        hidden_size: int,
        num_layers: int = 1,
        dropout: float = 0.0,
    ) -> None:
        """Make the layers."""
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_size)
        self.dropout = nn.Dropout(dropout)
        self.gru = nn.GRU(
            embedding_size,
            hidden_size,
            num_layers,
            batch_first=True,
            dropout=dropout if num_layers > 1 else 0.0,
        )
        self.output = nn.Linear(hidden_size, vocab_size)

    def forward(
        self,
        tokens: Int64[Tensor, "batch target"],
        state: Float[Tensor, "batch layers hidden"],
    ) -> tuple[Float[Tensor, "batch target vocab"], Float[Tensor, "batch layers hidden"]]:
        """Read words one after the other; return scores after each and the last state."""
        words = self.dropout(self.embedding(tokens))  # [batch, target, embedding]
        outputs, last = self.gru(words, state.transpose(0, 1).contiguous())
        return self.output(self.dropout(outputs)), last.transpose(0, 1)


class SequenceToSequence(nn.Module):
    """A translator whose decoder knows the source sentence by its start state only.

    Args:
        source_vocab_size: how many source words.
        target_vocab_size: how many target words.
        embedding_size: length of a word's vector.
        hidden_size: length of a state, and so of all that is known about the source.
        num_layers: GRUs on top of each other, in the encoder and in the decoder.
        dropout: see ``Encoder`` and ``Decoder``.
        bidirectional: see ``Encoder``.
        generator: draws the starting values, on the CPU; without it, PyTorch's global one.

    Raises:
        ValueError: if a size is below 1.

    Source:
        Sutskever, Vinyals and Le (2014), Sequence to sequence learning with neural networks, with
        the GRU of Cho et al. (2014) in place of the LSTM.

    Example:
        >>> model = SequenceToSequence(10, 12, embedding_size=3, hidden_size=4)
        >>> model(torch.tensor([[4, 5, 6], [7, 1, 1]]), torch.tensor([[2, 4], [2, 5]])).shape
        torch.Size([2, 2, 12])
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
        bidirectional: bool = False,
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
        sizes = (embedding_size, hidden_size, num_layers, dropout)
        self.encoder = Encoder(source_vocab_size, *sizes, bidirectional)
        self.decoder = Decoder(target_vocab_size, *sizes)
        draw_parameters(self, generator)

    def forward(
        self, source: Int64[Tensor, "batch source"], target_input: Int64[Tensor, "batch target"]
    ) -> Float[Tensor, "batch target vocab"]:
        """Score each next word, given the true words before it (teacher forcing)."""
        _, summary = self.encoder(source)
        logits, _ = self.decoder(target_input, summary)
        return logits

    def start(self, source: Int64[Tensor, "batch source"]) -> State:
        """Read the source sentences and return the state before the first word."""
        _, summary = self.encoder(source)
        return (summary,)

    def step(
        self, tokens: Int64[Tensor, " batch"], state: State
    ) -> tuple[Float[Tensor, "batch vocab"], State]:
        """Read one word for each sentence; return scores for the next one and the new state."""
        (hidden,) = state
        logits, hidden = self.decoder(tokens.unsqueeze(1), hidden)
        return logits.squeeze(1), (hidden,)
