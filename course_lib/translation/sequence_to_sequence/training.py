"""Training a translation model with teacher forcing."""

import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

from course_lib.runtime import progress
from course_lib.translation.sequence_to_sequence.batches import (
    IdPair,
    iterate_batches,
    padding_mask,
)
from course_lib.translation.sequence_to_sequence.loss import masked_cross_entropy
from course_lib.translation.sequence_to_sequence.translator import Translator

MAX_NORM = 1.0  # longer gradients are scaled to this length: one odd batch cannot throw the model


def train(
    model: Translator,
    pairs: Sequence[IdPair],
    *,
    epochs: int,
    batch_size: int,
    learning_rate: float | int,
    generator: torch.Generator,
    loss: Callable[[Tensor, Tensor], Tensor] = masked_cross_entropy,
) -> list[float]:
    """Train with Adam, the true words before each word given, and leave the model in eval mode.

    Args:
        model: any translation model; it is changed, on the device where it lies.
        pairs: source and target ids, as ``encode_pairs`` gives them.
        epochs: how often to go through all pairs, at least 0.
        batch_size: pairs in a batch.
        learning_rate: of Adam, positive.
        generator: draws the order of the pairs, on the CPU.
        loss: maps logits [batch, target, vocab] and the right words [batch, target] to the mean
            over real words.

    Returns:
        For each epoch the mean loss of a word, as it was when its batch was read.

    Raises:
        ValueError: if pairs is empty, epochs is negative or the learning rate is not positive.
    """
    if not pairs:
        raise ValueError("pairs is empty, expected at least one pair")
    if epochs < 0:
        raise ValueError(f"epochs is {epochs}, expected at least 0")
    if not 0 < learning_rate < math.inf:
        raise ValueError(f"learning_rate is {learning_rate}, expected a positive number")
    parameters = list(model.parameters())
    device = parameters[0].device
    optimizer = torch.optim.Adam(parameters, lr=learning_rate)
    history = []
    model.train()
    for _ in progress(range(epochs), "epochs"):
        total = words = torch.zeros((), device=device)
        for batch in iterate_batches(pairs, batch_size, generator):
            batch = batch.to(device)
            value = loss(model(batch.source, batch.target_input), batch.target_output)
            optimizer.zero_grad()
            value.backward()
            nn.utils.clip_grad_norm_(parameters, MAX_NORM)
            optimizer.step()
            # Batches hold different numbers of words, so their means are weighted.
            count = padding_mask(batch.target_output).sum()
            total, words = total + value.detach() * count, words + count
        history.append(float(total / words))
    model.eval()
    return history
