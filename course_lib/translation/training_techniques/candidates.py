"""Minimum risk training of a translator: candidates, their probabilities, and their risk."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float, Int64
from torch import Tensor

from course_lib.translation.decoding import sample
from course_lib.translation.sequence_to_sequence import (
    BOS,
    EOS,
    PAD,
    Batch,
    Translator,
    pad,
    padding_mask,
)
from course_lib.translation.training_techniques.minimum_risk import minimum_risk_loss


class Candidates(NamedTuple):
    """Different translations of each sentence of a batch, side by side.

    Attributes:
        rows: for each candidate the number of its sentence in the batch.
        columns: for each candidate its number among those of its sentence, from 0.
        tokens: for each candidate its words, without ``<bos>`` and ``<eos>``.
    """

    rows: list[int]
    columns: list[int]
    tokens: list[list[int]]


def draw_candidates(
    model: Translator,
    batch: Batch,
    count: int,
    generator: torch.Generator,
    extra_words: int = 3,
) -> Candidates:
    """Draw translations from the model and add the right one; each is kept once.

    Args:
        model: any translation model.
        batch: sentences with their right translations.
        count: how many translations to draw for each sentence, at least 1.
        generator: draws them, on the CPU.
        extra_words: how many words a drawn translation may be longer than the longest right one.

    Returns:
        For each sentence from 1 to count + 1 different candidates, the right one first.

    Raises:
        ValueError: if count is below 1.

    Source:
        Shen et al. (2016), Minimum risk training for neural machine translation, algorithm 1.
    """
    if count < 1:
        raise ValueError(f"count is {count}, expected at least 1")
    drawn = sample(
        model,
        batch.source.repeat_interleave(count, dim=0),
        batch.target_output.shape[1] + extra_words,
        generator=generator,
    )
    candidates = Candidates([], [], [])
    for row, right in enumerate(reference_ids(batch)):
        own = [hypothesis.tokens for hypothesis in drawn[row * count : (row + 1) * count]]
        for column, tokens in enumerate(dict.fromkeys([tuple(right), *own])):
            candidates.rows.append(row)
            candidates.columns.append(column)
            candidates.tokens.append(list(tokens))
    return candidates


def reference_ids(batch: Batch) -> list[list[int]]:
    """Give the right translations of a batch, without ``<eos>`` and pads."""
    rows = batch.target_output.tolist()
    return [[token for token in row if token not in {EOS, PAD}] for row in rows]


def sentence_log_probs(
    model: Translator,
    source: Int64[Tensor, "batch source"],
    translations: Sequence[Sequence[int]],
) -> Float[Tensor, " batch"]:
    """Compute the log-probability of a whole translation of each sentence: a sum over its words.

    The ``<eos>`` counts, pads do not. It has a gradient.

    Args:
        model: any translation model.
        source: the sentences.
        translations: for each of them a translation, without ``<bos>`` and ``<eos>``.

    Returns:
        The natural logarithms, at most 0.

    Raises:
        ValueError: if there are not as many translations as sentences.
    """
    if len(translations) != len(source):
        raise ValueError(
            f"translations has {len(translations)} entries, expected {len(source)}, "
            "one for each sentence"
        )
    read = pad([[BOS, *tokens] for tokens in translations]).to(source.device)
    expected = pad([[*tokens, EOS] for tokens in translations]).to(source.device)
    log_p = model(source, read).log_softmax(dim=-1)
    of_words = log_p.gather(-1, expected.unsqueeze(-1)).squeeze(-1)  # [batch, steps]
    return torch.where(padding_mask(expected), of_words, 0).sum(dim=1)


def sampled_risk(
    model: Translator,
    batch: Batch,
    cost: Callable[[list[int], list[int]], float],
    *,
    count: int,
    generator: torch.Generator,
    sharpness: float | int = 1.0,
) -> Float[Tensor, ""]:
    """Draw candidates from the model and compute their expected cost, with its gradient.

    Args:
        model: any translation model.
        batch: sentences with their right translations.
        cost: maps the ids of a candidate and of the right translation to a number.
        count: how many translations to draw for each sentence.
        generator: draws them, on the CPU.
        sharpness: see ``candidate_distribution``.

    Returns:
        The mean risk of a sentence, a tensor without axes.

    Raises:
        ValueError: as ``draw_candidates`` and ``minimum_risk_loss``.
    """
    rows, columns, tokens = draw_candidates(model, batch, count, generator)
    right = reference_ids(batch)
    costs = [cost(candidate, right[row]) for row, candidate in zip(rows, tokens, strict=True)]

    device = batch.source.device
    places = torch.tensor(rows, device=device), torch.tensor(columns, device=device)
    log_probs = sentence_log_probs(model, batch.source[places[0]], tokens)
    # One row for each sentence of the batch; a sentence may have fewer candidates than others.
    empty = log_probs.new_zeros(len(right), max(columns) + 1)
    mask = empty.bool().index_put(places, torch.tensor(True, device=device))
    return minimum_risk_loss(
        empty.index_put(places, log_probs),
        empty.index_put(places, torch.tensor(costs, dtype=empty.dtype, device=device)),
        sharpness,
        mask,
    )
