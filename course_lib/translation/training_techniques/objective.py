"""Training with any objective of a batch, not only with the cross-entropy of its words."""

import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from course_lib.arguments import check_sizes
from course_lib.runtime import progress
from course_lib.translation.sequence_to_sequence import (
    Batch,
    IdPair,
    Translator,
    iterate_batches,
    take_step,
)


def minimize(
    model: Translator,
    pairs: Sequence[IdPair],
    objective: Callable[[Batch], Tensor],
    *,
    epochs: int,
    batch_size: int,
    learning_rate: float | int,
    generator: torch.Generator,
) -> list[float]:
    """Train as ``sequence_to_sequence.train`` does, with a loss that sees the whole batch.

    Adam, with the steps of ``take_step``, and eval mode at the end.

    Args:
        model: any translation model; it is changed, on the device where it lies.
        pairs: source and target ids.
        objective: maps a batch on the model's device to a loss without axes.
        epochs: how often to go through all pairs, at least 0.
        batch_size: pairs in a batch.
        learning_rate: of Adam, positive.
        generator: draws the order of the pairs, on the CPU.

    Returns:
        The loss of each update.

    Raises:
        ValueError: if epochs is negative or the learning rate is not positive.
    """
    check_sizes(0, epochs=epochs)
    if not 0 < learning_rate < math.inf:
        raise ValueError(f"learning_rate is {learning_rate}, expected a positive number")
    device = next(model.parameters()).device
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)
    history = []
    model.train()
    for _ in progress(range(epochs), "epochs"):
        for batch in iterate_batches(pairs, batch_size, generator):
            loss = objective(batch.to(device))
            take_step(optimizer, loss)
            history.append(loss.detach())
    model.eval()
    return torch.stack(history).tolist() if history else []
