"""The learning rate of the Transformer paper: up in a line, down with the root of the step."""

from course_lib.arguments import check_sizes


def warmup_rate(step: int, *, d_model: int, warmup: int, factor: float | int = 1.0) -> float:
    """Compute factor * d_model^-0.5 * min(step^-0.5, step * warmup^-1.5).

    Args:
        step: the number of the update, from 1. (PyTorch's ``LambdaLR`` counts from 0: give it
            ``lambda done: warmup_rate(done + 1, ...)``, and its optimizer the learning rate 1.)
        d_model: length of the model's vectors: wide models get smaller steps.
        warmup: the update with the largest rate, at least 1.
        factor: multiplies the whole curve, positive; 1 in the paper.

    Returns:
        The learning rate of this update.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        Vaswani et al. (2017), Attention is all you need, equation 3.

    Example:
        >>> [warmup_rate(step, d_model=64, warmup=4) for step in (1, 2, 4, 16)]
        [0.015625, 0.03125, 0.0625, 0.03125]
    """
    check_sizes(step=step, d_model=d_model, warmup=warmup)
    if not 0 < factor < float("inf"):
        raise ValueError(f"factor is {factor}, expected a positive number")
    return factor * d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)
