"""BLEU: the brevity penalty times the geometric mean of the precisions."""

import math
from collections.abc import Sequence

from course_lib.arguments import check_sizes
from course_lib.translation.bleu.smoothing import smoothed_precisions
from course_lib.translation.bleu.statistics import (
    Statistics,
    corpus_statistics,
    sentence_statistics,
)


def brevity_penalty(candidate_length: int, reference_length: int) -> float:
    """Compute 1 if the candidate is at least as long as the reference, else exp(1 - r / c).

    Args:
        candidate_length: c, tokens of the whole corpus of candidates.
        reference_length: r, tokens of the references that are closest in length.

    Returns:
        A factor from 0 (an empty candidate) to 1.

    Raises:
        ValueError: if a length is negative.

    Source:
        Papineni, Roukos, Ward and Zhu (2002), section 2.2.2.

    Example:
        >>> round(brevity_penalty(3, 6), 4)
        0.3679
    """
    check_sizes(0, candidate_length=candidate_length, reference_length=reference_length)
    if candidate_length >= reference_length:
        return 1.0
    return math.exp(1 - reference_length / candidate_length) if candidate_length else 0.0


def bleu_from_statistics(
    statistics: Statistics,
    smoothing: str = "none",
    value: float | int | None = None,
    effective_order: bool = False,
) -> float:
    """Compute BLEU from counts: brevity penalty times the geometric mean of the precisions.

    Args:
        statistics: of a sentence or of a corpus.
        smoothing, value: what to do with an order that has no match, see
            ``smoothed_precisions``.
        effective_order: what to do with an order of which the candidates have no n-gram at
            all. False: BLEU is 0. True: the mean goes over the orders before it.

    Returns:
        A number from 0 to 1. It is 0 if not one n-gram matches, whatever the smoothing.

    Raises:
        ValueError: if ``smoothing`` or ``value`` is none of the possible ones.

    Example:
        >>> from course_lib.translation.bleu import Precision
        >>> counts = Statistics((Precision(5, 7), Precision(3, 6)), 7, 6)
        >>> round(bleu_from_statistics(counts), 4)
        0.5976
    """
    precisions = smoothed_precisions(statistics.precisions, smoothing, value)
    if effective_order and None in precisions:
        precisions = precisions[: precisions.index(None)]
    no_match = not any(precision.matches for precision in statistics.precisions)
    if no_match or not all(precisions):
        return 0.0  # exp(-inf): the logarithm of 0 is never taken
    mean_log = sum(math.log(p) for p in precisions) / len(precisions)
    penalty = brevity_penalty(statistics.candidate_length, statistics.reference_length)
    return penalty * math.exp(mean_log)


def corpus_bleu(
    candidates: Sequence[Sequence[str]],
    references: Sequence[Sequence[Sequence[str]]],
    max_order: int = 4,
    smoothing: str = "none",
    value: float | int | None = None,
    effective_order: bool = False,
) -> float:
    """Compute BLEU of a corpus: counts and lengths are summed over the sentences first.

    Args:
        candidates: a translation of each sentence, as tokens.
        references: for each candidate its list of references, as tokens.
        max_order: the length of the longest n-grams.
        smoothing, value, effective_order: see ``bleu_from_statistics``.

    Returns:
        A number from 0 to 1 (papers print it times 100).

    Raises:
        ValueError: see ``corpus_statistics`` and ``smoothed_precisions``.

    Source:
        Papineni, Roukos, Ward and Zhu (2002), section 2.3. Equal to sacrebleu (Post 2018) on
        the same tokens.

    Example:
        >>> candidates = ["the cat sat on the mat".split(), "a dog ran".split()]
        >>> references = [["the cat sat on a mat".split()], ["a dog ran home today".split()]]
        >>> round(corpus_bleu(candidates, references), 4)
        0.478
    """
    statistics = corpus_statistics(candidates, references, max_order)
    return bleu_from_statistics(statistics, smoothing, value, effective_order)


def sentence_bleu(
    candidate: Sequence[str],
    references: Sequence[Sequence[str]],
    max_order: int = 4,
    smoothing: str = "none",
    value: float | int | None = None,
    effective_order: bool = False,
) -> float:
    """Compute BLEU of one sentence: that of a corpus with nothing else in it.

    Without smoothing it is 0 for most sentences. For numbers as sacrebleu's ``sentence_bleu``
    prints them, take ``smoothing="exp"`` and ``effective_order=True``.

    Args:
        candidate: a translation, as tokens.
        references: its list of references, as tokens.
        max_order: the length of the longest n-grams.
        smoothing, value, effective_order: see ``bleu_from_statistics``.

    Returns:
        A number from 0 to 1.

    Raises:
        ValueError: see ``sentence_statistics`` and ``smoothed_precisions``.

    Example:
        >>> candidate, references = "the cat the cat on the mat", ["the cat is on the mat".split()]
        >>> sentence_bleu(candidate.split(), references)
        0.0
        >>> round(sentence_bleu(candidate.split(), references, smoothing="exp"), 4)
        0.3074
    """
    statistics = sentence_statistics(candidate, references, max_order)
    return bleu_from_statistics(statistics, smoothing, value, effective_order)
