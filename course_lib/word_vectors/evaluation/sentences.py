"""A vector for a sentence: the mean of the vectors of its words."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor


def mean_vectors(
    vectors: Float[Tensor, "vocab d"], sentences: Sequence[Sequence[int]]
) -> Float[Tensor, "sentences d"]:
    """Average the word vectors of each sentence; a word that occurs twice counts twice.

    Args:
        vectors: one row for each word.
        sentences: the rows of their words. Leave out words without a vector before.

    Returns:
        One vector for each sentence; zeros for a sentence without words.

    Raises:
        ValueError: if a sentence names a row that does not exist.

    Example:
        >>> mean_vectors(torch.tensor([[0.0, 2.0], [4.0, 0.0]]), [[0, 1], [1], []])
        tensor([[2., 1.],
                [4., 0.],
                [0., 0.]])
    """
    lengths = torch.tensor([len(sentence) for sentence in sentences], dtype=torch.int64)
    words = torch.tensor([word for s in sentences for word in s], dtype=torch.int64)
    if len(words) and not 0 <= words.min() <= words.max() < len(vectors):
        raise ValueError(
            f"sentences goes from {words.min()} to {words.max()}, expected 0 to {len(vectors) - 1}"
        )
    owner = torch.repeat_interleave(torch.arange(len(lengths)), lengths)  # of each word
    owner, words, lengths = (t.to(vectors.device) for t in (owner, words, lengths))
    sums = vectors.new_zeros(len(lengths), vectors.shape[1])
    sums = sums.index_add(0, owner, vectors[words])
    return sums / lengths.clamp(min=1).unsqueeze(1).to(vectors.dtype)
