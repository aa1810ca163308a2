"""A sentence that a search has found, and how probable the model thinks it is."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float, Int64
from torch import Tensor

from course_lib.translation.sequence_to_sequence import (
    BOS,
    EOS,
    PAD,
    State,
    Translator,
    pad,
    padding_mask,
)


class Hypothesis(NamedTuple):
    """A finished sentence.

    Attributes:
        tokens: its words, without ``<bos>`` and ``<eos>``.
        log_probability: the logarithm of its probability, that of its ``<eos>`` included.
        score: what the search ranked it by, the larger the better.
    """

    tokens: tuple[int, ...]
    log_probability: float
    score: float


def word_log_probabilities(
    logits: Float[Tensor, "*batch vocab"],
) -> Float[Tensor, "*batch vocab"]:
    """Compute log p of each next word; ``<pad>`` and ``<bos>`` are no words and get ``-inf``.

    The others keep the probability that the model gives them, so that a sum over the steps is what
    teacher forcing computes for the same sentence.

    Args:
        logits: scores of a model's step.

    Returns:
        Log-probabilities, in single precision or better.

    Example:
        >>> word_log_probabilities(torch.zeros(5)).exp()
        tensor([0.2000, 0.0000, 0.0000, 0.2000, 0.2000])
    """
    # Half precision keeps three digits: too few to add up over a sentence.
    dtype = torch.promote_types(logits.dtype, torch.float32)
    never = torch.tensor([PAD, BOS], device=logits.device)
    return logits.log_softmax(dim=-1, dtype=dtype).index_fill(-1, never, -torch.inf)


def reorder(state: State, rows: Int64[Tensor, " rows"]) -> State:
    """Pick rows of a decoder's state, as often and in the order in which they are asked for.

    Args:
        state: a tuple of tensors whose first axis is the batch; a named tuple stays one.
        rows: the numbers of the rows.

    Example:
        >>> reorder((torch.tensor([[10], [11], [12]]),), torch.tensor([2, 0, 0]))
        (tensor([[12],
                [10],
                [10]]),)
    """
    parts = [part[rows] for part in state]
    return type(state)(*parts) if hasattr(state, "_fields") else tuple(parts)


def sentence_log_probability(
    model: Translator, source: Int64[Tensor, "batch source"], sentences: Sequence[Sequence[int]]
) -> Float[Tensor, " batch"]:
    """Compute the log-probability of given translations by teacher forcing, all steps at once.

    It has a gradient.

    Args:
        model: any translation model.
        source: the sentences, on the model's device.
        sentences: a translation for each, without ``<bos>`` and ``<eos>``.

    Returns:
        For each the sum of log p over its words and its ``<eos>``, in single precision or better.

    Raises:
        ValueError: if there are not as many translations as sentences, or one of them holds a
            ``<pad>``, ``<bos>`` or ``<eos>``.

    Example:
        >>> from course_lib.translation.decoding import TableTranslator
        >>> model = TableTranslator({"": {"yes": 0.75, "<eos>": 0.25}})
        >>> sentence_log_probability(model, model.sources[[0, 0]], [[4], []]).exp()
        tensor([0.7500, 0.2500], dtype=torch.float64)
    """
    if len(sentences) != source.shape[0]:
        raise ValueError(
            f"sentences has {len(sentences)} entries, expected {source.shape[0]}, one for each row "
            "of source"
        )
    for position, sentence in enumerate(sentences):
        if not {PAD, BOS, EOS}.isdisjoint(sentence):
            raise ValueError(f"sentences[{position}] is {sentence!r}, expected words only")
    inputs = pad([[BOS, *sentence] for sentence in sentences]).to(source.device)
    outputs = pad([[*sentence, EOS] for sentence in sentences]).to(source.device)
    log_p = word_log_probabilities(model(source, inputs))  # [batch, target, vocab]
    chosen = log_p.gather(-1, outputs.unsqueeze(-1)).squeeze(-1)
    return chosen.masked_fill(~padding_mask(outputs), 0).sum(dim=1)
