"""A training loop whose learning rate is a function of the update."""

from collections.abc import Callable, Iterator, Sequence

import torch
from torch import Tensor
from torch.optim.lr_scheduler import LambdaLR

from course_lib.arguments import check_sizes
from course_lib.runtime import progress
from course_lib.transformers.training.token_batches import iterate_token_batches
from course_lib.translation.sequence_to_sequence import IdPair, Translator, train_epoch


def train_epochs(
    model: Translator,
    pairs: Sequence[IdPair],
    *,
    epochs: int,
    max_tokens: int,
    rate: Callable[[int], float],
    loss: Callable[[Tensor, Tensor], Tensor],
    generator: torch.Generator,
) -> Iterator[float]:
    """Train with Adam, and hand the model over after each epoch.

    ``translation.sequence_to_sequence.train`` has one learning rate and returns at the end. Here
    each update has its own rate, and the caller may measure the model between two epochs. Both
    leave the epoch itself to ``train_epoch``.

    Args:
        model: any translation model; it is changed, on the device where it lies.
        pairs: source and target ids, as ``encode_pairs`` gives them.
        epochs: how often to go through all pairs, at least 0.
        max_tokens: see ``iterate_token_batches``.
        rate: maps the number of an update, from 1, to its learning rate.
        loss: maps logits [batch, target, vocab] and the right words [batch, target] to the mean
            over real words.
        generator: draws the order of the pairs, on the CPU.

    Yields:
        After each epoch the mean loss of a word, as it was when its batch was read. The model is
        then in eval mode; the next epoch switches it back.

    Raises:
        ValueError: if pairs is empty or epochs is negative.
    """
    if not pairs:
        raise ValueError("pairs is empty, expected at least one pair")
    check_sizes(0, epochs=epochs)
    # The paper's settings of Adam. The second average forgets faster than by default (0.999).
    optimizer = torch.optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
    scheduler = LambdaLR(optimizer, lambda done: rate(done + 1))

    def run() -> Iterator[float]:
        for _ in progress(range(epochs), "epochs"):
            batches = iterate_token_batches(pairs, max_tokens, generator)
            mean = train_epoch(model, batches, optimizer, loss, scheduler)
            model.eval()
            yield mean

    return run()  # apart, so that bad arguments are refused at once and not at the first epoch
