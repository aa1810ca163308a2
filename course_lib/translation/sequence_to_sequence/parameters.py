"""Starting values of a model, drawn from one generator."""

import math

import torch
from torch import nn


@torch.no_grad()
def draw_parameters(model: nn.Module, generator: torch.Generator | None) -> None:
    """Draw all parameters of a model anew, in place.

    A matrix of m rows and n columns is drawn evenly between plus and minus the root of 6 / (m + n)
    (Glorot and Bengio, 2010). Biases become zero; other vectors, such as the scale of a
    normalization, stay as they are. PyTorch's layers would draw from its global generator instead.

    Args:
        model: a model on the CPU. It is changed.
        generator: draws the numbers; without it, PyTorch's global one.

    Example:
        >>> layer = nn.Linear(2, 1)
        >>> draw_parameters(layer, torch.Generator().manual_seed(0))
        >>> layer.weight.data, layer.bias.data
        (tensor([[-0.0106,  0.7586]]), tensor([0.]))
    """
    for name, parameter in model.named_parameters():
        if parameter.ndim >= 2:
            bound = math.sqrt(6 / (parameter.shape[0] + parameter.shape[1]))
            parameter.uniform_(-bound, bound, generator=generator)
        elif "bias" in name:
            parameter.zero_()
