"""AdaGrad: gradient descent with a step size of its own for every number."""

import math

from jaxtyping import Float
from torch import Tensor


def adagrad_step(
    parameter: Float[Tensor, "*shape"],
    gradient: Float[Tensor, "*shape"],
    squares: Float[Tensor, "*shape"],
    learning_rate: float | int,
    epsilon: float = 1e-10,
) -> tuple[Float[Tensor, "*shape"], Float[Tensor, "*shape"]]:
    """Move a parameter once: by learning_rate * gradient / root of the sum of squared gradients.

    Args:
        parameter: the values before the step.
        gradient: the gradient of the loss there.
        squares: the sum of the squared gradients of all earlier steps; zeros at the start.
        learning_rate: the size of the very first step, positive.
        epsilon: keeps a parameter whose gradient has always been zero from a division by zero.

    Returns:
        The parameter after the step, and the new sum of squares. No argument is changed.

    Raises:
        ValueError: if the shapes differ, or the learning rate is not a positive number.

    Source:
        Duchi, Hazan and Singer (2011), Adaptive subgradient methods for online learning and
        stochastic optimization, the diagonal version of figure 1.

    Example:
        >>> import torch
        >>> adagrad_step(torch.zeros(3), torch.tensor([3.0, -0.5, 0.0]), torch.zeros(3), 0.1)
        (tensor([-0.1000,  0.1000,  0.0000]), tensor([9.0000, 0.2500, 0.0000]))
    """
    if not parameter.shape == gradient.shape == squares.shape:
        raise ValueError(
            f"parameter, gradient and squares have shapes {list(parameter.shape)}, "
            f"{list(gradient.shape)} and {list(squares.shape)}, expected three equal ones"
        )
    if not 0 < learning_rate < math.inf:
        raise ValueError(f"learning_rate is {learning_rate}, expected a positive number")
    squares = squares + gradient**2
    return parameter - learning_rate * gradient / (squares.sqrt() + epsilon), squares
