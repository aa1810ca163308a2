"""The counts from which BLEU is made, of one sentence and of a corpus."""

from collections.abc import Sequence, Sized
from typing import NamedTuple

from course_lib.arguments import check_sizes
from course_lib.translation.bleu.ngrams import Precision, modified_precision


class Statistics(NamedTuple):
    """All that BLEU needs to know of a text. Those of a corpus are sums over its sentences."""

    precisions: tuple[Precision, ...]  # of the orders 1, 2, ...
    candidate_length: int
    reference_length: int


def closest_length(candidate_length: int, reference_lengths: Sequence[int]) -> int:
    """Find the reference length that is closest to the candidate's; of two, the shorter.

    Args:
        candidate_length: tokens in the candidate.
        reference_lengths: tokens in each reference.

    Returns:
        One of the reference lengths.

    Raises:
        ValueError: if there are none.

    Example:
        >>> closest_length(6, [9, 7, 5])
        5
    """
    if not reference_lengths:
        raise ValueError("reference_lengths is empty, expected at least one length")
    return min(reference_lengths, key=lambda length: (abs(length - candidate_length), length))


def sentence_statistics(
    candidate: Sequence[str], references: Sequence[Sequence[str]], max_order: int = 4
) -> Statistics:
    """Count the clipped matches of one candidate for each order, and the lengths.

    Args:
        candidate: a translation.
        references: one or more reference translations of the same sentence.
        max_order: the length of the longest n-grams.

    Returns:
        The statistics of the pair.

    Raises:
        ValueError: if there is no reference, ``max_order`` is less than 1, or strings
            stand where sequences of tokens are expected.

    Example:
        >>> sentence_statistics("a b".split(), ["a c b".split()], max_order=2)
        ... # doctest: +NORMALIZE_WHITESPACE
        Statistics(precisions=(Precision(matches=2, total=2), Precision(matches=0, total=1)),
                   candidate_length=2, reference_length=3)
    """
    check_sizes(max_order=max_order)
    precisions = [modified_precision(candidate, references, n + 1) for n in range(max_order)]
    nearest = closest_length(len(candidate), [len(tokens) for tokens in references])
    return Statistics(tuple(precisions), len(candidate), nearest)


def check_references(candidates: Sized, references: Sized) -> None:
    """Refuse a corpus that is empty or has not one list of references for each candidate.

    Raises:
        ValueError: if it is so.

    Example:
        >>> check_references([["a"], ["b"]], [[["a"]]])
        Traceback (most recent call last):
        ValueError: references has 1 lists of references, expected 2, one for each candidate
    """
    if not len(candidates):
        raise ValueError("candidates is empty, expected at least one")
    if len(candidates) != len(references):
        raise ValueError(
            f"references has {len(references)} lists of references, expected {len(candidates)}, "
            "one for each candidate"
        )


def corpus_statistics(
    candidates: Sequence[Sequence[str]],
    references: Sequence[Sequence[Sequence[str]]],
    max_order: int = 4,
) -> Statistics:
    """Add up the statistics of all sentences.

    Args:
        candidates: a translation of each sentence.
        references: for each candidate its list of references.
        max_order: the length of the longest n-grams.

    Returns:
        The sums.

    Raises:
        ValueError: if there are no candidates, not as many lists of references, or see
            ``sentence_statistics``.

    Example:
        >>> statistics = corpus_statistics([["a"], ["b", "a"]], [[["a"]], [["c", "a"]]])
        >>> statistics.precisions[0], statistics.candidate_length
        (Precision(matches=2, total=3), 3)
    """
    check_references(candidates, references)
    each = [
        sentence_statistics(candidate, of_candidate, max_order)
        for candidate, of_candidate in zip(candidates, references, strict=True)
    ]
    by_order = zip(*(sentence.precisions for sentence in each), strict=True)
    precisions = [Precision(*map(sum, zip(*order, strict=True))) for order in by_order]
    lengths = [(sentence.candidate_length, sentence.reference_length) for sentence in each]
    return Statistics(tuple(precisions), *map(sum, zip(*lengths, strict=True)))
