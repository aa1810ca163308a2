"""Exposure bias measured: what a decoder writes after a wrong word has been forced on it."""

import torch
from jaxtyping import Int64
from torch import Tensor

from course_lib.arguments import check_sizes
from course_lib.translation.sequence_to_sequence import BOS, Translator, best_word


@torch.no_grad()
def continue_greedily(
    model: Translator,
    source: Int64[Tensor, "batch source"],
    prefix: Int64[Tensor, "batch prefix"],
    steps: int,
) -> Int64[Tensor, "batch steps"]:
    """Let the model read a given beginning, right or wrong, and write the next words greedily.

    Args:
        model: any translation model, in eval mode.
        source: the sentences.
        prefix: the first words of each translation, without ``<bos>``; all of the same length,
            which may be 0.
        steps: how many words to write, at least 1.

    Returns:
        The words written. What follows an ``<eos>`` is meaningless.

    Raises:
        ValueError: if steps is below 1.
    """
    check_sizes(steps=steps)
    state = model.start(source)
    logits, state = model.step(torch.full_like(source[:, 0], BOS), state)
    for tokens in prefix.unbind(dim=1):
        logits, state = model.step(tokens, state)
    written = [best_word(logits)]
    while len(written) < steps:
        logits, state = model.step(written[-1], state)
        written.append(best_word(logits))
    return torch.stack(written, dim=1)
