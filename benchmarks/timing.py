"""Time two functions side by side."""

import statistics
import time
from collections.abc import Callable


def seconds(function: Callable[[], object], calls: int) -> float:
    """Return the wall-clock seconds that one call takes, averaged over some calls."""
    start = time.perf_counter()
    for _ in range(calls):
        function()
    return (time.perf_counter() - start) / calls


def ratio(
    ours: Callable[[], object], peer: Callable[[], object], rounds: int = 15, calls: int = 20
) -> tuple[float, float, float]:
    """Time two functions in turn and compare them round by round.

    A drift of the machine's speed then hits both alike.

    Args:
        ours: the function to judge.
        peer: the function to compare with.
        rounds: how often each is timed.
        calls: calls in a round.

    Returns:
        The smallest, the median and the largest ratio of our time to the peer's.
    """
    ours(), peer()  # the first calls pay for caches
    ratios = [seconds(ours, calls) / seconds(peer, calls) for _ in range(rounds)]
    return min(ratios), statistics.median(ratios), max(ratios)
