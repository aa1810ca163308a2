"""How often the decoder is still given the right word: the three schedules of scheduled sampling.

Each function returns the probability of the *right* previous word at a training step. It is 1 or
nearly 1 at the start, where the model's own words would be noise, and falls from there.
"""

import math

from course_lib.arguments import check_sizes


def linear_decay(step: int, *, slope: float | int, floor: float | int = 0.0) -> float:
    """Compute max(floor, 1 - slope * step).

    Args:
        step: the number of updates made so far, at least 0.
        slope: how much each update takes off, positive.
        floor: the smallest value, from 0 to 1.

    Returns:
        The probability of the right word.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        Bengio, Vinyals, Jaitly and Shazeer (2015), Scheduled sampling for sequence prediction with
        recurrent neural networks, section 2.4, with k = 1.

    Example:
        >>> [linear_decay(step, slope=0.25, floor=0.1) for step in (0, 2, 4)]
        [1.0, 0.5, 0.1]
    """
    check_sizes(0, step=step)
    if not 0 < slope < math.inf:
        raise ValueError(f"slope is {slope}, expected a positive number")
    if not 0 <= floor <= 1:
        raise ValueError(f"floor is {floor}, expected a number from 0 to 1")
    return float(max(floor, 1 - slope * step))


def exponential_decay(step: int, *, base: float | int) -> float:
    """Compute base ** step.

    Args:
        step: the number of updates made so far, at least 0.
        base: k of the paper, between 0 and 1.

    Returns:
        The probability of the right word.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        As ``linear_decay``.

    Example:
        >>> [exponential_decay(step, base=0.5) for step in (0, 1, 2)]
        [1.0, 0.5, 0.25]
    """
    check_sizes(0, step=step)
    if not 0 < base < 1:
        raise ValueError(f"base is {base}, expected a number between 0 and 1")
    return float(base**step)


def inverse_sigmoid_decay(step: int, *, k: float | int) -> float:
    """Compute k / (k + exp(step / k)): a flat start, then a fall, then nearly 0.

    It passes 1/2 at step k log k.

    Args:
        step: the number of updates made so far, at least 0.
        k: the speed, at least 1; the larger, the later the fall.

    Returns:
        The probability of the right word. At step 0 it is k / (k + 1), not 1.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        As ``linear_decay``.

    Example:
        >>> [round(inverse_sigmoid_decay(step, k=10), 3) for step in (0, 23, 100)]
        [0.909, 0.501, 0.0]
    """
    check_sizes(0, step=step)
    if not 1 <= k < math.inf:
        raise ValueError(f"k is {k}, expected a number of at least 1")
    # The same number as k / (k + exp(step / k)), in a form that cannot overflow.
    exponent = step / k - math.log(k)
    return (
        math.exp(-exponent) / (1 + math.exp(-exponent))
        if exponent > 0
        else 1 / (1 + math.exp(exponent))
    )
