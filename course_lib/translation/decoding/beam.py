"""Beam search over any translation model, for a whole batch at once."""

import math

import torch
from jaxtyping import Float, Int64
from torch import Tensor

from course_lib.arguments import check_sizes
from course_lib.translation.decoding.hypothesis import Hypothesis, reorder, word_log_probabilities
from course_lib.translation.decoding.penalties import LengthPenalty, coverage_penalty, no_penalty
from course_lib.translation.sequence_to_sequence import BOS, EOS, Translator, padding_mask


def best_k(
    scores: Float[Tensor, "batch candidates"], k: int
) -> tuple[Float[Tensor, "batch kept"], Int64[Tensor, "batch kept"]]:
    """Find the k largest scores of each row, the largest first; among equals the first one wins.

    ``torch.topk`` leaves open which of several equal scores it takes, and a search whose result
    depends on that could not be checked.

    Args:
        scores: one row for each search.
        k: how many; all of them if there are fewer.

    Returns:
        The scores and their places in the row.

    Example:
        >>> best_k(torch.tensor([[0.2, 0.5, 0.2, 0.1]]), 2)
        (tensor([[0.5000, 0.2000]]), tensor([[1, 0]]))
    """
    k = min(k, scores.shape[1])
    last = scores.topk(k, dim=1).values[:, -1:]  # the smallest score that is kept
    above, equal = scores > last, scores == last
    room = k - above.sum(dim=1, keepdim=True)
    kept = above | (equal & (equal.cumsum(dim=1) <= room))
    places = kept.nonzero()[:, 1].reshape(-1, k)  # in the order of the row
    values, order = scores.gather(1, places).sort(dim=1, descending=True, stable=True)
    return values, places.gather(1, order)


@torch.no_grad()
def beam_search(
    model: Translator,
    source: Int64[Tensor, "batch source"],
    beam_size: int,
    max_length: int,
    *,
    length_penalty: LengthPenalty = no_penalty,
    coverage_weight: float | int = 0.0,
) -> list[list[Hypothesis]]:
    """Search for the best translations with a beam of hypotheses that are followed side by side.

    At each step every hypothesis of a beam is extended by every word, and the beam_size extensions
    with the largest log p are kept. One that ends leaves the beam for a list of finished
    hypotheses. These are ranked by

        score = log p / length_penalty(length) + coverage_weight * coverage_penalty,

    where the length counts the ``<eos>``. The search for a sentence stops when nothing in its beam
    can enter the best beam_size of the list any more, so stopping changes no result. A hypothesis
    that still goes on after max_length words is ended there, at the price of its ``<eos>``. The
    model is used in the mode in which it is: call ``model.eval()`` before.

    Args:
        model: any translation model; with a coverage weight one with a method ``attention``.
        source: sentences, filled up with ``PAD``, on the model's device.
        beam_size: how many hypotheses are kept, at least 1. A beam of 1 is greedy search.
        max_length: the longest translation, in words, at least 1.
        length_penalty: a positive function of the length; see ``power_penalty`` and
            ``gnmt_penalty``.
        coverage_weight: how much it costs to leave source words unattended, at least 0.

    Returns:
        For each sentence at most beam_size hypotheses, the best score first. None has the
        probability 0, so that the list is empty if the beam holds no possible sentence.

    Raises:
        ValueError: if a number is out of range, or coverage is asked of a model without attention.

    Source:
        Sutskever, Vinyals and Le (2014), section 3.2; Wu et al. (2016), section 7.

    Example:
        >>> from course_lib.translation.decoding import TableTranslator
        >>> model = TableTranslator({"": {"a": 0.6, "b": 0.4}, "a": {"a": 0.5, "b": 0.5}})
        >>> [[best]] = beam_search(model, model.sources, beam_size=1, max_length=5)
        >>> best.tokens, round(math.exp(best.log_probability), 2)
        ((4, 4), 0.3)
        >>> [hypotheses] = beam_search(model, model.sources, beam_size=2, max_length=5)
        >>> hypotheses[0].tokens, round(math.exp(hypotheses[0].log_probability), 2)
        ((5,), 0.4)
    """
    _check(model, beam_size, max_length, coverage_weight)
    if source.shape[0] == 0:
        return []
    finished: list[list[Hypothesis]] = [[] for _ in source]
    members = torch.arange(source.shape[0], device=source.device)  # searches that still go on
    state = model.start(source)
    tokens = torch.full_like(source, BOS)[:, :1]  # [members, beam]: the last word of each
    words = tokens[:, :, None][:, :, :0]  # [members, beam, words so far]
    log_p = None  # [members, beam], once there is a word

    for length in range(1, max_length + 2):  # <eos> counts
        logits, state = model.step(tokens.flatten(), state)
        extended = word_log_probabilities(logits).unflatten(0, tokens.shape)
        if log_p is not None:
            extended = extended + log_p.unsqueeze(-1)  # [members, beam, vocab]
        if length > max_length:
            extended[..., :EOS] = extended[..., EOS + 1 :] = -torch.inf
        log_p, places = best_k(extended.flatten(1), beam_size)
        parents, tokens = places // extended.shape[-1], places % extended.shape[-1]
        words = words.take_along_dim(parents.unsqueeze(-1), dim=1)

        rows, slots = ((tokens == EOS) & (log_p > -torch.inf)).nonzero(as_tuple=True)
        ended = words[rows, slots]
        scores = log_p[rows, slots] / length_penalty(length)
        if coverage_weight > 0 and len(rows) > 0:
            scores = scores + coverage_weight * _coverage(model, source[members[rows]], ended)
        for member, sentence, p, score in zip(
            members[rows].tolist(),
            ended.tolist(),
            log_p[rows, slots].tolist(),
            scores.tolist(),
            strict=True,
        ):
            finished[member].append(Hypothesis(tuple(sentence), p, score))
        log_p = log_p.masked_fill(tokens == EOS, -torch.inf)  # it has left the beam

        # log p only falls, so log p divided by the largest penalty to come bounds every score.
        penalty = max(map(length_penalty, range(length + 1, max_length + 2)), default=1.0)
        bounds = log_p.amax(dim=1) / penalty
        going = [
            bound > _to_beat(finished[member], beam_size)
            for member, bound in zip(members.tolist(), bounds.tolist(), strict=True)
        ]
        if not any(going):
            break
        keep = torch.tensor(going, device=source.device)
        first_row = torch.arange(len(going), device=source.device) * extended.shape[1]
        state = reorder(state, (first_row.unsqueeze(1) + parents)[keep].flatten())
        members, log_p, tokens = members[keep], log_p[keep], tokens[keep]
        words = torch.cat([words[keep], tokens.unsqueeze(-1)], dim=-1)
    return [_ranked(hypotheses)[:beam_size] for hypotheses in finished]


def _ranked(hypotheses: list[Hypothesis]) -> list[Hypothesis]:
    return sorted(hypotheses, key=lambda hypothesis: -hypothesis.score)


def _to_beat(hypotheses: list[Hypothesis], beam_size: int) -> float:
    """Return the score that a new hypothesis must exceed to be among the best beam_size."""
    if len(hypotheses) < beam_size:
        return -math.inf
    return _ranked(hypotheses)[beam_size - 1].score


def _coverage(
    model: Translator, source: Int64[Tensor, "rows source"], words: Int64[Tensor, "rows words"]
) -> Float[Tensor, " rows"]:
    """Compute the coverage penalty of finished sentences of one length."""
    start = torch.full_like(source[:, :1], BOS)
    attention = model.attention(source, torch.cat([start, words], dim=1))
    return coverage_penalty(attention, padding_mask(source))


def _check(
    model: Translator, beam_size: int, max_length: int, coverage_weight: float | int
) -> None:
    check_sizes(beam_size=beam_size, max_length=max_length)
    if not 0 <= coverage_weight < math.inf:
        raise ValueError(f"coverage_weight is {coverage_weight}, expected a number of at least 0")
    if coverage_weight > 0 and not hasattr(model, "attention"):
        raise ValueError(
            f"coverage_weight is {coverage_weight}, expected 0 for a model without attention"
        )
