"""A variant of BLEU from a textbook, whose weights halve from order to order."""

import math
from collections.abc import Sequence

from course_lib.arguments import check_sizes
from course_lib.translation.bleu.ngrams import modified_precision
from course_lib.translation.bleu.score import brevity_penalty


def halving_bleu(candidate: Sequence[str], reference: Sequence[str], max_order: int) -> float:
    """Compute brevity penalty times the product of p_n to the power 1/2ⁿ.

    The logarithms of the precisions get the weights 1/2, 1/4, 1/8, ..., which do not sum
    to 1, where BLEU gives each the weight 1/max_order. Numbers of the two must not be
    compared.

    Args:
        candidate: a translation, as tokens.
        reference: a reference translation, as tokens.
        max_order: the length of the longest n-grams; orders that are longer than the
            candidate are left out.

    Returns:
        A number from 0 to 1.

    Raises:
        ValueError: if ``max_order`` is less than 1, or a string stands where tokens are
            expected.

    Source:
        Zhang, Lipton, Li and Smola, Dive into Deep Learning, section 10.7.

    Example:
        >>> candidate, reference = "the cat the cat on the mat", "the cat is on the mat"
        >>> round(halving_bleu(candidate.split(), reference.split(), 2), 4)
        0.7107
    """
    check_sizes(max_order=max_order)
    score = brevity_penalty(len(candidate), len(reference))
    for n in range(1, min(max_order, len(candidate)) + 1):
        matches, total = modified_precision(candidate, [reference], n)
        score *= math.pow(matches / total, 0.5**n)
    return score
