"""From a text to pairs: frequent words are thinned out, and near words count more.

A word is a number from 0; a negative number is a word outside the vocabulary.
"""

from collections.abc import Sequence

import torch
from jaxtyping import Float, Int64
from torch import Tensor

from course_lib.word_vectors.negative_sampling.sampling import check_counts
from course_lib.word_vectors.word2vec import context_windows


def keep_probability(counts: Float[Tensor, " words"], threshold: float) -> Float[Tensor, " words"]:
    """Compute with which probability an occurrence of each word is kept: min(1, sqrt(t / f)).

    Args:
        counts: how often each word occurs.
        threshold: the frequency t up to which words are always kept, as a share of all words.

    Returns:
        The probabilities; 1 for a word that does not occur.

    Raises:
        ValueError: if the threshold is not positive, a count is negative or not finite, or all
            are zero.

    Source:
        Mikolov, Sutskever et al. (2013), equation 5. Their program and gensim use another formula,
        min(1, sqrt(t / f) + t / f).

    Example:
        >>> keep_probability(torch.tensor([96.0, 4.0, 0.0]), threshold=0.01)
        tensor([0.1021, 0.5000, 1.0000])
    """
    if not threshold > 0:
        raise ValueError(f"threshold is {threshold}, expected a positive number")
    check_counts("counts", counts)
    return (threshold * counts.sum() / counts).sqrt().clamp_max(1)


def subsample(
    documents: Sequence[Sequence[int]], keep: Float[Tensor, " words"], rng: torch.Generator
) -> list[list[int]]:
    """Drop occurrences of words at random, and close the gaps that they leave.

    Words outside the vocabulary are dropped, too. So a window reaches over dropped words, further
    than before.

    Args:
        documents: the words of each document as numbers.
        keep: the probability to keep an occurrence of each word.
        rng: draws one number for each word of the text, on the CPU.

    Returns:
        The documents without the dropped words; none is removed, though it may be empty.

    Raises:
        ValueError: if a probability is not between 0 and 1, or a number is no word.

    Example:
        >>> subsample([[0, 1, -1, 0], [1]], torch.tensor([0.0, 1.0]), torch.Generator())
        [[1], [1]]
    """
    if not ((keep >= 0) & (keep <= 1)).all():
        raise ValueError(f"keep goes from {keep.min()} to {keep.max()}, expected 0 to 1")
    keep = keep.cpu()
    words = torch.tensor([word for document in documents for word in document], dtype=torch.int64)
    if words.numel() and words.max() >= len(keep):
        raise ValueError(f"documents holds {words.max()}, expected numbers up to {len(keep) - 1}")
    chance = torch.where(words >= 0, keep[words.clamp_min(0)], 0)
    kept = torch.rand(len(words), generator=rng) < chance
    lengths = [len(document) for document in documents]
    return [
        part[mask].tolist()
        for part, mask in zip(words.split(lengths), kept.split(lengths), strict=True)
    ]


def dynamic_window_pairs(
    documents: Sequence[Sequence[int]], window: int, rng: torch.Generator
) -> tuple[Int64[Tensor, " pairs"], Int64[Tensor, " pairs"]]:
    """List the pairs of skip-gram, with a window size drawn anew for each centre word.

    The size is 1, ..., window, each with the same probability. So a context word at distance d
    makes a pair with probability (window - d + 1) / window.

    Args:
        documents: the words of each document as numbers, negative ones for unknown words.
        window: the largest size of a window, at least 1.
        rng: draws one size for each centre word, on the CPU.

    Returns:
        The centre words and the context words.

    Raises:
        ValueError: if the window is below 1.

    Source:
        Mikolov, Chen, Corrado and Dean (2013), section 3.2.

    Example:
        >>> centres, contexts = dynamic_window_pairs([[5, 6, 7]], 1, torch.Generator())
        >>> list(zip(centres.tolist(), contexts.tolist()))
        [(5, 6), (6, 5), (6, 7), (7, 6)]
    """
    centres, contexts = context_windows(documents, window)
    sizes = torch.randint(1, window + 1, (len(centres), 1), generator=rng)
    distances = torch.cat([torch.arange(window, 0, -1), torch.arange(1, window + 1)])
    inside = (contexts >= 0) & (distances <= sizes)
    return centres.repeat_interleave(inside.sum(dim=1)), contexts[inside]
