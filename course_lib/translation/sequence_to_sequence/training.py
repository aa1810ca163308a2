"""Training a translation model with teacher forcing."""

import math
from collections.abc import Callable, Iterable, Sequence

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler

from course_lib.arguments import check_sizes
from course_lib.runtime import progress
from course_lib.translation.sequence_to_sequence.batches import (
    Batch,
    IdPair,
    iterate_batches,
    padding_mask,
)
from course_lib.translation.sequence_to_sequence.loss import masked_cross_entropy
from course_lib.translation.sequence_to_sequence.translator import Translator

MAX_NORM = 1.0  # longer gradients are scaled to this length: one odd batch cannot throw the model


def take_step(optimizer: Optimizer, loss: Float[Tensor, ""]) -> None:
    """Move an optimizer's parameters once, against the gradient of a loss.

    A gradient longer than ``MAX_NORM``, all parameters taken as one vector, is scaled to that
    length first.

    Args:
        optimizer: its parameters and their gradients are changed.
        loss: computed from the parameters; its graph is used up.

    Source:
        Pascanu, Mikolov and Bengio (2013), On the difficulty of training recurrent neural networks,
        algorithm 1.

    Example:
        >>> weight = nn.Parameter(torch.tensor([1.0, 2.0]))
        >>> optimizer = torch.optim.SGD([weight], lr=0.5)
        >>> take_step(optimizer, (weight * torch.tensor([3.0, 4.0])).sum())
        >>> weight.grad, weight.data  # the gradient (3, 4) had the length 5
        (tensor([0.6000, 0.8000]), tensor([0.7000, 1.6000]))
    """
    optimizer.zero_grad()
    loss.backward()
    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    nn.utils.clip_grad_norm_(parameters, MAX_NORM)
    optimizer.step()


def train_epoch(
    model: Translator,
    batches: Iterable[Batch],
    optimizer: Optimizer,
    loss: Callable[[Tensor, Tensor], Tensor],
    scheduler: LRScheduler | None = None,
) -> float:
    """Take one step for each batch, the true words before each word given (teacher forcing).

    Args:
        model: any translation model; it is changed, on the device where it lies, and left in
            training mode.
        batches: what to learn from, on any device.
        optimizer: of the model's parameters.
        loss: maps logits [batch, target, vocab] and the right words [batch, target] to the mean
            over real words.
        scheduler: changes the learning rate after each step; without it, the rate stays.

    Returns:
        The mean loss of a word, as it was when its batch was read.

    Raises:
        ValueError: if there are no batches.

    Example:
        >>> from course_lib.translation.sequence_to_sequence.batches import make_batch
        >>> from course_lib.translation.sequence_to_sequence.model import SequenceToSequence
        >>> model = SequenceToSequence(10, 8, generator=torch.Generator().manual_seed(0))
        >>> optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        >>> batches = [make_batch([([4, 5], [6, 7])])] * 9
        >>> first = train_epoch(model, batches, optimizer, masked_cross_entropy)
        >>> train_epoch(model, batches, optimizer, masked_cross_entropy) < first
        True
    """
    device = next(model.parameters()).device
    total = words = torch.zeros((), device=device)
    model.train()
    for batch in batches:
        batch = batch.to(device)
        value = loss(model(batch.source, batch.target_input), batch.target_output)
        take_step(optimizer, value)
        if scheduler is not None:
            scheduler.step()
        # Batches hold different numbers of words, so their means are weighted.
        count = padding_mask(batch.target_output).sum()
        total, words = total + value.detach() * count, words + count
    if words == 0:
        raise ValueError("batches is empty, expected at least one batch")
    return float(total / words)


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
    check_sizes(0, epochs=epochs)
    if not 0 < learning_rate < math.inf:
        raise ValueError(f"learning_rate is {learning_rate}, expected a positive number")
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)
    history = []
    for _ in progress(range(epochs), "epochs"):
        batches = iterate_batches(pairs, batch_size, generator)
        history.append(train_epoch(model, batches, optimizer, loss))
    model.eval()
    return history
