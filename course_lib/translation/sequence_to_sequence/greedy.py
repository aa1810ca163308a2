"""Translating by taking the most probable word at every step."""

import torch
from jaxtyping import Float, Int64
from torch import Tensor

from course_lib.arguments import check_sizes
from course_lib.translation.sequence_to_sequence.batches import BOS, EOS, PAD
from course_lib.translation.sequence_to_sequence.translator import Translator


def best_word(logits: Float[Tensor, "batch vocab"]) -> Int64[Tensor, " batch"]:
    """Find the word of the highest score; ``<pad>`` and ``<bos>`` are no words.

    Example:
        >>> best_word(torch.tensor([[0.0, 9.0, 8.0, 1.0, 2.0]]))
        tensor([4])
    """
    never = torch.tensor([PAD, BOS], device=logits.device)
    return logits.index_fill(-1, never, -torch.inf).argmax(dim=-1)


@torch.no_grad()
def translate_greedily(
    model: Translator, source: Int64[Tensor, "batch source"], max_length: int
) -> list[list[int]]:
    """Translate sentences word by word, always with the word of the highest score.

    The model is used in the mode in which it is: call ``model.eval()`` before, unless you want
    dropout.

    Args:
        model: any translation model.
        source: sentences, filled up with ``PAD``, on the model's device.
        max_length: the longest translation, in words; a sentence that has not ended by then is cut.

    Returns:
        For each sentence the ids before the first ``<eos>``, without ``<bos>``.

    Raises:
        ValueError: if max_length is below 1.

    Example:
        >>> from course_lib.translation.sequence_to_sequence.model import SequenceToSequence
        >>> model = SequenceToSequence(10, 12, generator=torch.Generator().manual_seed(0))
        >>> [len(ids) <= 5 for ids in translate_greedily(model, torch.tensor([[4, 5], [6, 1]]), 5)]
        [True, True]
    """
    check_sizes(max_length=max_length)
    if source.shape[0] == 0:
        return []
    state = model.start(source)
    tokens = torch.full_like(source[:, 0], BOS)
    finished = torch.zeros_like(tokens, dtype=torch.bool)
    steps = []
    while len(steps) < max_length and not finished.all():
        logits, state = model.step(tokens, state)
        tokens = best_word(logits)
        finished = finished | (tokens == EOS)
        steps.append(tokens)
    rows = torch.stack(steps, dim=1).tolist()
    return [row[: row.index(EOS)] if EOS in row else row for row in rows]
