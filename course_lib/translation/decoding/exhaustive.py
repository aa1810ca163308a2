"""Exhaustive search: every sentence there is, for models small enough to try it."""

import torch
from jaxtyping import Int64
from torch import Tensor

from course_lib.arguments import check_sizes
from course_lib.translation.decoding.hypothesis import Hypothesis, reorder, word_log_probabilities
from course_lib.translation.decoding.penalties import LengthPenalty, no_penalty
from course_lib.translation.sequence_to_sequence import BOS, EOS, Translator

LIMIT = 1_000_000  # prefixes of one length that are followed at the same time


@torch.no_grad()
def exhaustive_search(
    model: Translator,
    source: Int64[Tensor, "batch source"],
    max_length: int,
    *,
    length_penalty: LengthPenalty = no_penalty,
) -> list[list[Hypothesis]]:
    """List all sentences of at most max_length words that the model thinks possible.

    Args:
        model: any translation model, over a small vocabulary.
        source: sentences, on the model's device.
        max_length: the longest sentence, in words.
        length_penalty: the score of a sentence is log p divided by this function of its length.

    Returns:
        For each source all sentences with a probability above 0, the best score first; among equal
        scores the shorter one, then the one whose ids are smaller.

    Raises:
        ValueError: if max_length is negative, or more than a million prefixes would have to be
            followed.

    Example:
        >>> from course_lib.translation.decoding import TableTranslator
        >>> model = TableTranslator({"": {"yes": 0.75, "<eos>": 0.25}})
        >>> [hypothesis.tokens for hypothesis in exhaustive_search(model, model.sources, 1)[0]]
        [(4,), ()]
    """
    check_sizes(0, max_length=max_length)
    return [_all_sentences(model, row.unsqueeze(0), max_length, length_penalty) for row in source]


def _all_sentences(
    model: Translator,
    source: Int64[Tensor, "1 source"],
    max_length: int,
    length_penalty: LengthPenalty,
) -> list[Hypothesis]:
    state = model.start(source)
    tokens = torch.full_like(source[:, 0], BOS)
    prefixes: list[tuple[int, ...]] = [()]
    log_p = None  # of the prefixes
    found = []
    for length in range(1, max_length + 2):  # <eos> counts
        logits, state = model.step(tokens, state)
        longer = word_log_probabilities(logits)  # [prefixes, vocab]
        if log_p is not None:
            longer = longer + log_p.unsqueeze(1)
        for prefix, value in zip(prefixes, longer[:, EOS].tolist(), strict=True):
            if value > -torch.inf:
                found.append(Hypothesis(prefix, value, value / length_penalty(length)))
        longer[:, EOS] = -torch.inf
        rows, tokens = (longer > -torch.inf).nonzero(as_tuple=True)
        if len(rows) == 0 or length > max_length:
            break
        if len(rows) > LIMIT:
            raise ValueError(
                f"max_length is {max_length}, expected a search with at most {LIMIT:,} prefixes; "
                f"there are {len(rows):,} with {length} words"
            )
        prefixes = [
            (*prefixes[row], token)
            for row, token in zip(rows.tolist(), tokens.tolist(), strict=True)
        ]
        log_p, state = longer[rows, tokens], reorder(state, rows)
    return sorted(found, key=lambda hypothesis: -hypothesis.score)
