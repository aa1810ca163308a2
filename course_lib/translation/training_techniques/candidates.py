"""Minimum risk training of a translator: candidates, their probabilities, and their risk."""

from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.arguments import check_sizes
from course_lib.translation.decoding import sample, sentence_log_probability
from course_lib.translation.sequence_to_sequence import (
    EOS,
    PAD,
    Batch,
    Translator,
)
from course_lib.translation.training_techniques.minimum_risk import minimum_risk_loss

EXTRA_WORDS = 3  # how much longer than the longest right translation a drawn one may get


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
) -> Candidates:
    """Draw translations from the model and add the right one; each is kept once.

    Args:
        model: any translation model.
        batch: sentences with their right translations.
        count: how many translations to draw for each sentence, at least 1.
        generator: draws them, on the CPU.

    Returns:
        For each sentence from 1 to count + 1 different candidates, the right one first.

    Raises:
        ValueError: if count is below 1.

    Source:
        Shen et al. (2016), Minimum risk training for neural machine translation, algorithm 1.
    """
    check_sizes(count=count)
    drawn = sample(
        model,
        batch.source.repeat_interleave(count, dim=0),
        batch.target_output.shape[1] + EXTRA_WORDS,
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


def sampled_risk(
    model: Translator,
    batch: Batch,
    cost: Callable[[list[int], list[int]], float],
    *,
    count: int,
    generator: torch.Generator,
) -> Float[Tensor, ""]:
    """Draw candidates from the model and compute their expected cost, with its gradient.

    The candidates count by the model's own probabilities: the sharpness is 1.

    Args:
        model: any translation model.
        batch: sentences with their right translations.
        cost: maps the ids of a candidate and of the right translation to a number.
        count: how many translations to draw for each sentence.
        generator: draws them, on the CPU.

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
    log_probs = sentence_log_probability(model, batch.source[places[0]], tokens)
    # One row for each sentence of the batch; a sentence may have fewer candidates than others.
    empty = log_probs.new_zeros(len(right), max(columns) + 1)
    mask = empty.bool().index_put(places, torch.tensor(True, device=device))
    return minimum_risk_loss(
        empty.index_put(places, log_probs),
        empty.index_put(places, torch.tensor(costs, dtype=empty.dtype, device=device)),
        mask=mask,
    )
