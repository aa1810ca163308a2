"""Counting n-grams, and the clipped matches of a candidate with its references."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple


class Precision(NamedTuple):
    """How many n-grams of a candidate are matched, of how many: ``Fraction(*precision)``."""

    matches: int
    total: int


def ngram_counts(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """Count the n-grams of a sentence: all runs of n neighbouring tokens.

    Args:
        tokens: the sentence.
        n: how many tokens a run has, at least 1.

    Returns:
        For each n-gram how often it occurs. A sentence of m tokens has m - n + 1 of them
        in all, and none if it is shorter than n.

    Raises:
        ValueError: if n is less than 1, or ``tokens`` is a string (its n-grams would be of
            letters).

    Example:
        >>> dict(ngram_counts("the cat the cat".split(), 2))
        {('the', 'cat'): 2, ('cat', 'the'): 1}
    """
    if n < 1:
        raise ValueError(f"n is {n}, expected at least 1")
    if isinstance(tokens, str):
        raise ValueError(f"tokens is the string {tokens!r}, expected a sequence of tokens")
    # The sentence beside itself shifted by one, two, ... tokens; zip ends with the shortest.
    return Counter(zip(*(tokens[start:] for start in range(n)), strict=False))


def largest_counts(references: Sequence[Sequence[str]], n: int) -> Counter[tuple[str, ...]]:
    """Count, for each n-gram, its occurrences in the one reference that has most of them.

    Args:
        references: one or more reference translations of the same sentence.
        n: how many tokens an n-gram has.

    Returns:
        The limit to which the candidate's counts are clipped. It is a maximum over the
        references and not a sum: no single translation needs the word more often.

    Raises:
        ValueError: if there is no reference, or one is a string.

    Example:
        >>> dict(largest_counts(["the cat".split(), "the the".split()], 1))
        {('the',): 2, ('cat',): 1}
    """
    if not references:
        raise ValueError("references is empty, expected at least one reference")
    if isinstance(references, str) or any(isinstance(tokens, str) for tokens in references):
        raise ValueError(f"references is {references!r}, expected a list of sequences of tokens")
    largest = ngram_counts(references[0], n)
    for tokens in references[1:]:
        largest |= ngram_counts(tokens, n)  # the union of two counters takes the maximum
    return largest


def modified_precision(
    candidate: Sequence[str], references: Sequence[Sequence[str]], n: int
) -> Precision:
    """Count the n-grams of a candidate that are matched, each clipped to what a reference has.

    Args:
        candidate: a translation.
        references: one or more reference translations of the same sentence.
        n: how many tokens an n-gram has.

    Returns:
        The clipped matches and the number of all n-grams of the candidate.

    Raises:
        ValueError: if there is no reference, n is less than 1, or strings stand where
            sequences of tokens are expected.

    Source:
        Papineni, Roukos, Ward and Zhu (2002), BLEU: a method for automatic evaluation of
        machine translation, section 2.1.

    Example:
        >>> modified_precision(["the"] * 7, ["the cat is on the mat".split()], 1)
        Precision(matches=2, total=7)
    """
    counts = ngram_counts(candidate, n)
    limits = largest_counts(references, n)
    common = counts.keys() & limits.keys()
    return Precision(sum(min(counts[g], limits[g]) for g in common), counts.total())
