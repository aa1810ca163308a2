"""chrF: an F score of character n-grams, to compare with BLEU."""

from collections import Counter
from collections.abc import Sequence

from course_lib.arguments import check_sizes
from course_lib.translation.bleu.statistics import check_references


def chrf(
    candidates: Sequence[Sequence[str]],
    references: Sequence[Sequence[Sequence[str]]],
    max_order: int = 6,
    beta: float | int = 2,
) -> float:
    """Compute chrF of a corpus: character n-grams, precision and recall, each order alike.

    The tokens of a sentence are joined without spaces. For each candidate the reference with
    the best score of its own counts. Matches and totals are summed over the sentences; then
    precision and recall are averaged over the orders of which both sides have n-grams.

    Args:
        candidates: a translation of each sentence, as tokens.
        references: for each candidate its list of references, as tokens.
        max_order: the length of the longest n-grams, in characters.
        beta: how many times as important recall is as precision.

    Returns:
        The F score (1 + beta²) p r / (beta² p + r), from 0 to 1.

    Raises:
        ValueError: if there are no candidates, not as many lists of references, no reference
            for a candidate, ``max_order`` is less than 1, ``beta`` is not positive, or
            strings stand where sequences of tokens are expected.

    Source:
        Popović (2015), chrF: character n-gram F-score for automatic MT evaluation. Equal to
        sacrebleu's ``CHRF``.

    Example:
        >>> round(chrf([["cats"]], [[["cat"]]]), 4)
        0.8984
    """
    check_references(candidates, references)
    check_sizes(max_order=max_order)
    if not beta > 0:
        raise ValueError(f"beta is {beta}, expected a positive number")
    sums = [[0, 0, 0] for _ in range(max_order)]
    for candidate, of_candidate in zip(candidates, references, strict=True):
        if not of_candidate:
            raise ValueError("a list in references is empty, expected at least one reference")
        counts = _character_counts(candidate, max_order)
        options = [_overlap(counts, _character_counts(r, max_order)) for r in of_candidate]
        best = options[0]
        if len(options) > 1:
            best = max(options, key=lambda statistics: _f_score(statistics, beta))
        sums = [
            [a + b for a, b in zip(*rows, strict=True)] for rows in zip(sums, best, strict=True)
        ]
    return _f_score(sums, beta)


def _character_counts(tokens: Sequence[str], max_order: int) -> list[Counter[str]]:
    if isinstance(tokens, str):
        raise ValueError(f"tokens is the string {tokens!r}, expected a sequence of tokens")
    text = "".join(tokens)
    orders = range(1, max_order + 1)
    return [Counter([text[i : i + n] for i in range(len(text) - n + 1)]) for n in orders]


def _overlap(candidate: list[Counter[str]], reference: list[Counter[str]]) -> list[list[int]]:
    """For each order: n-grams of the candidate, of the reference, and clipped matches."""
    rows = []
    for ours, theirs in zip(candidate, reference, strict=True):
        common = ours.keys() & theirs.keys()
        matches = sum(min(ours[gram], theirs[gram]) for gram in common)
        # An order that the reference does not have cannot be matched, and is not held against it.
        rows.append([ours.total() if theirs else 0, theirs.total(), matches])
    return rows


def _f_score(statistics: list[list[int]], beta: float | int) -> float:
    rows = [(c, r, m) for c, r, m in statistics if c and r]
    if not any(m for _, _, m in rows):
        return 0.0
    precision = sum(m / c for c, _, m in rows) / len(rows)
    recall = sum(m / r for _, r, m in rows) / len(rows)
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
