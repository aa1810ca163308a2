"""How often do two words stand near each other?"""

from array import array
from collections.abc import Sequence
from itertools import chain

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from course_lib.arguments import check_sizes


def count_cooccurrences(
    documents: Sequence[Sequence[int]],
    vocab_size: int,
    window: int,
    *,
    by_distance: bool = False,
) -> Float[Tensor, "vocab vocab"]:
    """Count for each pair of words how often they stand at most ``window`` positions apart.

    A pair of positions (s, t) in one document, with words i and j, adds to entry [i, j] once and
    to entry [j, i] once. So row i sums to the number of neighbours of all occurrences of word i,
    and two neighbours with the same word i add 2 to entry [i, i].

    Args:
        documents: the ids of the words, document by document. No window crosses from one document
            into another. An id that stands for unknown words is counted like any other.
        vocab_size: the number of words; the ids are 0 to ``vocab_size - 1``.
        window: the largest distance that counts, at least 1; neighbours have distance 1.
        by_distance: let a pair at distance d count 1/d instead of 1.

    Returns:
        A symmetric sparse matrix (COO, coalesced, float64), which holds the entries above zero.

    Raises:
        ValueError: if the documents are no lists of ids in that range, or ``vocab_size`` or
            ``window`` is below 1.

    Source:
        Pennington, Socher and Manning (2014), GloVe, section 4.2, for ``by_distance``.

    Example:
        >>> a, b, c = 0, 1, 2
        >>> count_cooccurrences([[a, b, c, b, a]], vocab_size=3, window=1).to_dense()
        tensor([[0., 2., 0.],
                [2., 0., 2.],
                [0., 2., 0.]], dtype=torch.float64)
    """
    check_sizes(vocab_size=vocab_size, window=window)
    words, document = _join(documents, vocab_size)
    indices, values = [], []
    for distance in range(1, min(window, len(words) - 1) + 1):
        together = document[:-distance] == document[distance:]
        left, right = words[:-distance][together], words[distance:][together]
        # One number for each pair of ids: equal pairs become equal numbers, which are counted.
        pairs, counts = torch.unique(left * vocab_size + right, return_counts=True)
        indices.append(torch.stack([pairs // vocab_size, pairs % vocab_size]))
        values.append(counts.double() / distance if by_distance else counts.double())
    # The same pair at several distances stands there several times; coalesce adds these up.
    to_the_right = torch.sparse_coo_tensor(
        torch.cat(indices, dim=1) if indices else torch.empty(2, 0, dtype=torch.int64),
        torch.cat(values) if values else torch.empty(0, dtype=torch.float64),
        (vocab_size, vocab_size),
        check_invariants=True,
    ).coalesce()
    return (to_the_right + to_the_right.T).coalesce()


def _join(
    documents: Sequence[Sequence[int]], vocab_size: int
) -> tuple[Int[Tensor, " words"], Int[Tensor, " words"]]:
    """Join the documents; return the ids of all words and the number of each one's document."""
    try:
        # An array of type "q" takes whole numbers only: 1.5 or a string is an error, not cut to 1.
        words = torch.from_numpy(np.array(array("q", chain.from_iterable(documents))))
    except (TypeError, OverflowError) as error:
        raise ValueError(f"documents: expected lists of word ids, but {error}") from None
    wrong = words[(words < 0) | (words >= vocab_size)]
    if len(wrong):
        raise ValueError(f"documents: expected ids from 0 to {vocab_size - 1}, got {wrong[0]}")
    lengths = torch.tensor([len(document) for document in documents], dtype=torch.int64)
    return words, torch.repeat_interleave(torch.arange(len(lengths)), lengths)
