"""The mean of a model at several moments of its training."""

import copy
from collections.abc import Sequence
from typing import TypeVar

import torch
from torch import nn

Model = TypeVar("Model", bound=nn.Module)


@torch.no_grad()
def average_models(models: Sequence[Model]) -> Model:
    """Copy a model, with each parameter the mean of those of several models.

    The models have to be the same one at different times. Their distance to the valley's floor is
    then mostly the noise of the last updates, and a mean has less noise than its terms.

    Args:
        models: at least one; they stay as they are.

    Returns:
        A new model, in the mode of the first one.

    Raises:
        ValueError: if there are no models.

    Source:
        Vaswani et al. (2017), Attention is all you need, section 6.1, which averages the last 5 or
        20 checkpoints.

    Example:
        >>> one, two = nn.Linear(1, 1), nn.Linear(1, 1)
        >>> _ = nn.init.constant_(one.weight, 2.0), nn.init.constant_(two.weight, 4.0)
        >>> average_models([one, two]).weight.item()
        3.0
    """
    if not models:
        raise ValueError("models is empty, expected at least one model")
    average = copy.deepcopy(models[0])
    for target, *sources in zip(
        average.parameters(), *(m.parameters() for m in models), strict=True
    ):
        target.copy_(torch.stack(sources).mean(dim=0))
    return average
