"""From pairs of sentences to batches of ids that a translation model reads."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import torch
from jaxtyping import Bool, Int64
from torch import Tensor

from course_lib.arguments import check_sizes
from course_lib.data import Vocab

PAD, BOS, EOS = 1, 2, 3

IdPair = tuple[list[int], list[int]]


class Batch(NamedTuple):
    """Pairs of sentences side by side, each filled up with ``PAD`` on the right.

    Attributes:
        source: the words of the source sentences.
        source_lengths: how many words each source sentence has.
        target_input: what the decoder reads: ``<bos> w1 ... wn``.
        target_output: what it has to predict at the same steps: ``w1 ... wn <eos>``.
    """

    source: Int64[Tensor, "batch source"]
    source_lengths: Int64[Tensor, " batch"]
    target_input: Int64[Tensor, "batch target"]
    target_output: Int64[Tensor, "batch target"]

    def to(self, device: torch.device | str) -> "Batch":
        """Return the batch on a device."""
        return Batch(*(part.to(device) for part in self))


def build_vocab(sentences: Iterable[Sequence[str]], min_count: int = 1) -> Vocab:
    """Number the words of sentences; ``<unk> <pad> <bos> <eos>`` get the ids 0, 1, 2, 3.

    Args:
        sentences: each a sequence of words.
        min_count: rarer words get no id of their own.

    Returns:
        The vocabulary, the special tokens first, then the words from frequent to rare.

    Raises:
        ValueError: if a sentence is one string, or min_count is below 1.

    Example:
        >>> vocab = build_vocab([["a", "red", "door"], ["a", "house"]])
        >>> vocab.encode(["a", "blue", "door"]), vocab.encode(["<pad>", "<bos>", "<eos>"])
        ([4, 0, 5], [1, 2, 3])
    """
    counts = Counter()
    for sentence in sentences:
        if isinstance(sentence, str):
            raise ValueError(f"sentences: expected lists of words, got one string {sentence!r}")
        counts.update(sentence)
    return Vocab(counts, min_count=min_count, specials=["<pad>", "<bos>", "<eos>"])


def encode_pairs(pairs: Iterable[tuple], source_vocab: Vocab, target_vocab: Vocab) -> list[IdPair]:
    """Turn pairs of sentences into pairs of lists of ids.

    Args:
        pairs: each with the words of the source first and those of the target second, for example
            a ``course_lib.data.pairs.Pair``.
        source_vocab: numbers the words of the source.
        target_vocab: numbers the words of the target.

    Returns:
        For each pair its two lists; they hold no ``<bos>`` and no ``<eos>`` yet.

    Example:
        >>> vocab = build_vocab([["yes"]])
        >>> encode_pairs([(("yes", "no"), ("yes",))], vocab, vocab)
        [([4, 0], [4])]
    """
    return [(source_vocab.encode(pair[0]), target_vocab.encode(pair[1])) for pair in pairs]


def pad(sequences: Sequence[Sequence[int]]) -> Int64[Tensor, "batch steps"]:
    """Write sequences of ids as the rows of one tensor, filled up with ``PAD`` on the right.

    Example:
        >>> pad([[7, 8, 9], [5]])
        tensor([[7, 8, 9],
                [5, 1, 1]])
    """
    steps = max((len(sequence) for sequence in sequences), default=0)
    rows = [[*sequence, *[PAD] * (steps - len(sequence))] for sequence in sequences]
    return torch.tensor(rows, dtype=torch.int64).reshape(len(sequences), steps)


def padding_mask(tokens: Int64[Tensor, "batch steps"]) -> Bool[Tensor, "batch steps"]:
    """Tell the real tokens (True) from the pads (False).

    Example:
        >>> padding_mask(torch.tensor([[7, 8, 9], [5, 1, 1]]))
        tensor([[ True,  True,  True],
                [ True, False, False]])
    """
    return tokens != PAD


def make_batch(pairs_of_ids: Sequence[IdPair]) -> Batch:
    """Put pairs side by side, with the target shifted by one step for teacher forcing.

    Args:
        pairs_of_ids: source and target ids, as ``encode_pairs`` gives them.

    Returns:
        The batch, on the CPU. A target may be empty: it is then ``<bos>`` in and ``<eos>`` out.

    Raises:
        ValueError: if there are no pairs, or a source sentence is empty.

    Example:
        >>> batch = make_batch([([4, 5], [6, 7, 8]), ([9], [6])])
        >>> batch.target_input.tolist(), batch.target_output.tolist()
        ([[2, 6, 7, 8], [2, 6, 1, 1]], [[6, 7, 8, 3], [6, 3, 1, 1]])
        >>> batch.source_lengths
        tensor([2, 1])
    """
    if not pairs_of_ids:
        raise ValueError("pairs_of_ids is empty, expected at least one pair")
    for position, (source, _) in enumerate(pairs_of_ids):
        if not source:
            raise ValueError(f"pairs_of_ids[{position}] has an empty source, expected a word")
    return Batch(
        source=pad([source for source, _ in pairs_of_ids]),
        source_lengths=torch.tensor([len(source) for source, _ in pairs_of_ids]),
        target_input=pad([[BOS, *target] for _, target in pairs_of_ids]),
        target_output=pad([[*target, EOS] for _, target in pairs_of_ids]),
    )


def iterate_batches(
    pairs_of_ids: Sequence[IdPair], batch_size: int, generator: torch.Generator
) -> Iterator[Batch]:
    """Go once through all pairs in random batches of similar length.

    The pairs are shuffled, then sorted by their lengths (so that chance decides among equals only),
    cut into batches, and the batches are shuffled. Little of a batch is then padding.

    Args:
        pairs_of_ids: source and target ids, as ``encode_pairs`` gives them.
        batch_size: pairs in a batch, at least 1; the last batch may hold fewer.
        generator: draws the two orders, on the CPU.

    Yields:
        Batches that together hold each pair once; none if there are no pairs.

    Raises:
        ValueError: if batch_size is below 1, or as ``make_batch``.

    Example:
        >>> pairs = [([4, 5, 6], [4]), ([7], [4]), ([8, 9, 4], [4]), ([5], [4])]
        >>> rng = torch.Generator().manual_seed(0)
        >>> [batch.source_lengths.tolist() for batch in iterate_batches(pairs, 2, rng)]
        [[1, 1], [3, 3]]
    """
    check_sizes(batch_size=batch_size)
    shuffled = [pairs_of_ids[i] for i in torch.randperm(len(pairs_of_ids), generator=generator)]
    shuffled.sort(key=lambda pair: (len(pair[0]), len(pair[1])))
    starts = range(0, len(shuffled), batch_size)
    for i in torch.randperm(len(starts), generator=generator):
        yield make_batch(shuffled[starts[i] : starts[i] + batch_size])
