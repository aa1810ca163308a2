"""Softmax, log-softmax and log-sum-exp over the last axis, and their derivatives.

All functions shift the logits by their maximum first. The shift cancels in exact arithmetic, and
it keeps every exponent at or below zero, so that nothing overflows. Logits of ``-inf`` get
probability zero. A row that holds ``+inf``, or nothing but ``-inf``, has no softmax: its result is
NaN, as in PyTorch.
"""

import torch
from jaxtyping import Float
from torch import Tensor


def logsumexp(logits: Float[Tensor, "*batch classes"]) -> Float[Tensor, "*batch"]:
    """Compute log(sum(exp(logits))) over the classes.

    Args:
        logits: any real scores.

    Returns:
        One number for each row: between the row's maximum and that plus log(classes).

    Raises:
        ValueError: if there are no classes, or the logits are not floating point.

    Source:
        Blanchard, Higham and Higham (2021), Accurately computing the log-sum-exp and softmax
        functions, section 1: the shifted formula.

    Example:
        >>> logsumexp(torch.tensor([1000.0, 1000.0]))
        tensor(1000.6932)
    """
    shifted, shift = _shift_by_maximum(logits)
    return shifted.exp().sum(dim=-1).log() + shift.squeeze(-1)


def softmax(logits: Float[Tensor, "*batch classes"]) -> Float[Tensor, "*batch classes"]:
    """Turn scores into probabilities: exp(logits), divided by its sum over the classes.

    Args:
        logits: any real scores.

    Returns:
        Numbers from 0 to 1 that sum to 1 in each row.

    Raises:
        ValueError: if there are no classes, or the logits are not floating point.

    Source:
        Bridle (1990), Probabilistic interpretation of feedforward classification network outputs.

    Example:
        >>> softmax(torch.tensor([1000.0, 0.0]))
        tensor([1., 0.])
    """
    shifted, _ = _shift_by_maximum(logits)
    weights = shifted.exp()
    return weights / weights.sum(dim=-1, keepdim=True)


def log_softmax(logits: Float[Tensor, "*batch classes"]) -> Float[Tensor, "*batch classes"]:
    """Compute log(softmax(logits)) without ever taking the logarithm of zero.

    Args:
        logits: any real scores.

    Returns:
        Log-probabilities, at most zero.

    Raises:
        ValueError: if there are no classes, or the logits are not floating point.

    Source:
        Blanchard, Higham and Higham (2021), as ``logsumexp``.

    Example:
        >>> log_softmax(torch.tensor([1000.0, 0.0]))
        tensor([    0., -1000.])
    """
    shifted, _ = _shift_by_maximum(logits)
    return shifted - shifted.exp().sum(dim=-1, keepdim=True).log()


def softmax_jacobian(
    logits: Float[Tensor, "*batch classes"],
) -> Float[Tensor, "*batch classes classes"]:
    """Compute the Jacobian of softmax: diag(p) - p pᵀ.

    Args:
        logits: any real scores.

    Returns:
        Entry [..., i, j] is the derivative of probability i with respect to logit j.

    Raises:
        ValueError: if there are no classes, or the logits are not floating point.

    Example:
        >>> softmax_jacobian(torch.zeros(2))
        tensor([[ 0.2500, -0.2500],
                [-0.2500,  0.2500]])
    """
    p = softmax(logits)
    return torch.diag_embed(p) - p.unsqueeze(-1) * p.unsqueeze(-2)


def softmax_vjp(
    logits: Float[Tensor, "*batch classes"], upstream: Float[Tensor, "*batch classes"]
) -> Float[Tensor, "*batch classes"]:
    """Multiply a gradient by the softmax Jacobian without building the matrix.

    Jᵀg = p ⊙ (g - pᵀg): n multiplications for the dot product and n for the rest,
    instead of n².

    Args:
        logits: any real scores.
        upstream: the gradient of a loss with respect to the probabilities.

    Returns:
        The gradient of the loss with respect to the logits.

    Raises:
        ValueError: if there are no classes, or the logits are not floating point.

    Example:
        >>> softmax_vjp(torch.zeros(2), torch.tensor([1.0, 0.0]))
        tensor([ 0.2500, -0.2500])
    """
    p = softmax(logits)
    return p * (upstream - (p * upstream).sum(dim=-1, keepdim=True))


def log_softmax_jacobian(
    logits: Float[Tensor, "*batch classes"],
) -> Float[Tensor, "*batch classes classes"]:
    """Compute the Jacobian of log-softmax: I - 1 pᵀ.

    Args:
        logits: any real scores.

    Returns:
        Entry [..., i, j] is the derivative of log-probability i with respect to logit j.

    Raises:
        ValueError: if there are no classes, or the logits are not floating point.

    Example:
        >>> log_softmax_jacobian(torch.zeros(2))
        tensor([[ 0.5000, -0.5000],
                [-0.5000,  0.5000]])
    """
    p = softmax(logits)
    identity = torch.eye(p.shape[-1], dtype=p.dtype, device=p.device)
    return identity - p.unsqueeze(-2)


def log_softmax_vjp(
    logits: Float[Tensor, "*batch classes"], upstream: Float[Tensor, "*batch classes"]
) -> Float[Tensor, "*batch classes"]:
    """Multiply a gradient by the log-softmax Jacobian without building the matrix: g - p (1ᵀg).

    Args:
        logits: any real scores.
        upstream: the gradient of a loss with respect to the log-probabilities.

    Returns:
        The gradient of the loss with respect to the logits.

    Raises:
        ValueError: if there are no classes, or the logits are not floating point.

    Example:
        >>> log_softmax_vjp(torch.zeros(2), torch.tensor([-1.0, 0.0]))
        tensor([-0.5000,  0.5000])
    """
    return upstream - softmax(logits) * upstream.sum(dim=-1, keepdim=True)


def _shift_by_maximum(
    logits: Float[Tensor, "*batch classes"],
) -> tuple[Float[Tensor, "*batch classes"], Float[Tensor, "*batch 1"]]:
    """Subtract each row's maximum; return the shifted logits and what was subtracted."""
    if not logits.is_floating_point():
        raise ValueError(f"logits has dtype {logits.dtype}, expected a floating-point type")
    if logits.ndim == 0 or logits.shape[-1] == 0:
        raise ValueError(f"logits has shape {list(logits.shape)}, expected at least one class")
    # The result does not depend on the shift, so no gradient has to flow through it.
    maximum = logits.detach().amax(dim=-1, keepdim=True)
    return logits - maximum, maximum
