"""What a layer that mixes the vectors of a sequence costs: work, waiting, and distance."""

import math
from typing import NamedTuple

from course_lib.arguments import check_sizes


class Cost(NamedTuple):
    """The cost of one layer on one sequence.

    Attributes:
        multiplications: of two numbers, in all matrix products of the layer.
        sequential_steps: matrix products that wait for each other, because each needs the last.
        path_length: layers or steps from the first position to the last, so that it is reached.

    Example:
        >>> Cost(multiplications=8, sequential_steps=1, path_length=1).path_length
        1
    """

    multiplications: int
    sequential_steps: int
    path_length: int


def attention_cost(n: int, d: int) -> Cost:
    """Count self-attention with queries, keys and values of d numbers.

    Three products make queries, keys and values, n d² multiplications each. The scores and the
    weighted means take n² d each. The path is one step for any two positions.

    Args:
        n: the number of positions, at least 1.
        d: the length of a vector, at least 1.

    Raises:
        ValueError: if an argument is below 1.

    Source:
        Vaswani et al. (2017), table 1, which leaves out constants and the products that treat
        each position alone.

    Example:
        >>> attention_cost(n=10, d=4)
        Cost(multiplications=1280, sequential_steps=3, path_length=1)
    """
    check_sizes(n=n, d=d)
    return Cost(3 * n * d**2 + 2 * n**2 * d, 3, 1)


def recurrent_cost(n: int, d: int) -> Cost:
    """Count a plain recurrent layer, h_t = tanh(W h_{t-1} + U x_t), with d units.

    Args:
        n: the number of positions, at least 1.
        d: the length of a vector, at least 1.

    Raises:
        ValueError: if an argument is below 1.

    Example:
        >>> recurrent_cost(n=10, d=4)
        Cost(multiplications=320, sequential_steps=10, path_length=9)
    """
    check_sizes(n=n, d=d)
    return Cost(2 * n * d**2, n, n - 1)


def convolution_cost(n: int, d: int, width: int) -> Cost:
    """Count a convolution with d channels that looks at ``width`` positions, itself in the middle.

    Products with the padding at both ends are counted, as libraries compute them.

    Args:
        n: the number of positions, at least 1.
        d: the number of channels, at least 1.
        width: the width of the window, odd and at least 3.

    Returns:
        The cost of one layer; the path is the number of layers in a stack that joins both ends.

    Raises:
        ValueError: if an argument is too small, or the width is even.

    Example:
        >>> convolution_cost(n=10, d=4, width=3)
        Cost(multiplications=480, sequential_steps=1, path_length=9)
    """
    check_sizes(n=n, d=d)
    if width < 3 or width % 2 == 0:
        raise ValueError(f"width is {width}, expected an odd number of at least 3")
    return Cost(width * n * d**2, 1, math.ceil((n - 1) / (width // 2)))
