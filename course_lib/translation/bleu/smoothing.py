"""What to do when an order has no match: four ways to smooth the precisions of BLEU."""

from collections.abc import Sequence

from course_lib.translation.bleu.ngrams import Precision

DEFAULTS = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}


def smoothed_precisions(
    precisions: Sequence[Precision], smoothing: str = "none", value: float | int | None = None
) -> list[float | None]:
    """Divide matches by totals, and replace what is zero.

    Args:
        precisions: matches and totals of the orders 1, 2, ....
        smoothing: how to smooth.
            "none": not at all, p = matches / total.
            "floor": where there is no match, p = value / total.
            "add-k": from order 2 on, p = (matches + value) / (total + value).
            "exp": the first order without a match gets p = 1 / (2 total), the second
            1 / (4 total), and so on.
        value: the number for "floor" (0.1 if it is not given) or "add-k" (1).

    Returns:
        A precision for each order, or None where there is nothing to divide by: the text
        has no n-gram of that order. (With "add-k" even then there is.)

    Raises:
        ValueError: if there is no such smoothing, or it takes no such value.

    Source:
        Chen and Cherry (2014), A systematic comparison of smoothing techniques for
        sentence-level BLEU: "floor" is their method 1, "add-k" their 2, "exp" their 3. As
        in sacrebleu.

    Example:
        >>> smoothed_precisions([Precision(2, 5), Precision(0, 4), Precision(0, 3)], "exp")
        [0.4, 0.125, 0.08333333333333333]
    """
    k = _smoothing_value(smoothing, value)
    result: list[float | None] = []
    halvings = 0
    for order, (matches, total) in enumerate(precisions, start=1):
        # Unigrams are left alone: they decide whether there is anything to score at all.
        added = k if smoothing == "add-k" and order > 1 else 0
        if total + added == 0:
            result.append(None)
        elif matches == 0 and smoothing == "floor":
            result.append(k / total)
        elif matches == 0 and smoothing == "exp":
            halvings += 1
            result.append(1 / (2**halvings * total))
        else:
            result.append((matches + added) / (total + added))
    return result


def _smoothing_value(smoothing: str, value: float | int | None) -> float | int:
    if smoothing not in DEFAULTS:
        raise ValueError(f"smoothing is {smoothing!r}, expected one of {', '.join(DEFAULTS)}")
    default = DEFAULTS[smoothing]
    if default is None and value is not None:
        raise ValueError(f"value is {value}, expected none: {smoothing!r} takes no number")
    if value is not None and not 0 <= value < float("inf"):
        raise ValueError(f"value is {value}, expected a finite number of at least 0")
    return (default or 0) if value is None else value
