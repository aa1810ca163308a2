"""Cross-entropy of logits against class numbers, and its gradient."""

import torch
from jaxtyping import Float, Int64
from torch import Tensor

from course_lib.calculus.jacobians.softmax import log_softmax, softmax


def cross_entropy(
    logits: Float[Tensor, "*batch classes"], targets: Int64[Tensor, "*batch"]
) -> Float[Tensor, ""]:
    """Compute the mean over the batch of -log p[target], in nats.

    Args:
        logits: any real scores.
        targets: the number of the right class, from 0 to classes - 1.

    Returns:
        The mean loss, a tensor without axes.

    Raises:
        ValueError: if the batch is empty (its mean is undefined), a target is no class, or the
            shapes do not fit.

    Example:
        >>> cross_entropy(torch.tensor([1000.0, 0.0]), torch.tensor(1))
        tensor(1000.)
    """
    _check(logits, targets)
    log_p = log_softmax(logits)
    return -log_p.gather(-1, targets.unsqueeze(-1)).mean()


def cross_entropy_gradient(
    logits: Float[Tensor, "*batch classes"], targets: Int64[Tensor, "*batch"]
) -> Float[Tensor, "*batch classes"]:
    """Compute the gradient of ``cross_entropy`` with respect to the logits: (p - y) / batch.

    Args:
        logits: any real scores.
        targets: the number of the right class, from 0 to classes - 1.

    Returns:
        The predicted minus the observed distribution, divided by the number of examples.

    Raises:
        ValueError: as ``cross_entropy``.

    Example:
        >>> cross_entropy_gradient(torch.zeros(2), torch.tensor(1))
        tensor([ 0.5000, -0.5000])
    """
    _check(logits, targets)
    p = softmax(logits)
    y = torch.zeros_like(p).scatter(-1, targets.unsqueeze(-1), 1.0)
    return (p - y) / targets.numel()


def _check(logits: Float[Tensor, "*batch classes"], targets: Int64[Tensor, "*batch"]) -> None:
    if logits.ndim == 0 or logits.shape[:-1] != targets.shape:
        raise ValueError(
            f"targets has shape {list(targets.shape)}, expected that of logits "
            f"{list(logits.shape)} without its last axis"
        )
    if targets.numel() == 0:
        raise ValueError("targets is empty, expected at least one example")
    # A meta tensor has a shape but no values to look at.
    if not targets.is_meta and not 0 <= targets.min() <= targets.max() < logits.shape[-1]:
        raise ValueError(
            f"targets goes from {targets.min()} to {targets.max()}, "
            f"expected 0 to {logits.shape[-1] - 1}"
        )
