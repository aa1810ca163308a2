"""Sampling: sentences drawn at random, word by word."""

import torch
from jaxtyping import Float, Float64, Int64
from torch import Tensor

from course_lib.arguments import check_sizes
from course_lib.translation.decoding.hypothesis import Hypothesis, word_log_probabilities
from course_lib.translation.decoding.truncation import next_word_distribution
from course_lib.translation.sequence_to_sequence import BOS, EOS, Translator


def draw(
    p: Float[Tensor, "batch vocab"], uniform: Float64[Tensor, " batch"]
) -> Int64[Tensor, " batch"]:
    """Turn a random number for each row into a word: the inverse of the distribution function.

    The words lie one after the other on the line from 0 to 1, each with a piece as long as its
    probability, and the number falls into one of the pieces.

    Args:
        p: probabilities.
        uniform: numbers from 0 to 1, 1 excluded.

    Returns:
        The ids of the words; none has the probability 0.

    Example:
        >>> p = torch.tensor([[0.25, 0.0, 0.75]] * 3)
        >>> draw(p, torch.tensor([0.2, 0.25, 0.9], dtype=torch.float64))
        tensor([0, 2, 2])
    """
    ends = p.double().cumsum(dim=-1)
    total = ends[:, -1]  # 1, up to rounding
    point = torch.minimum(uniform * total, torch.nextafter(total, torch.zeros_like(total)))
    return torch.searchsorted(ends, point.unsqueeze(-1), right=True).squeeze(-1)


@torch.no_grad()
def sample(
    model: Translator,
    source: Int64[Tensor, "batch source"],
    max_length: int,
    *,
    generator: torch.Generator,
    temperature: float | int = 1.0,
    top_k: int | None = None,
    top_p: float | int = 1.0,
) -> list[Hypothesis]:
    """Draw a translation for each sentence, each word with the probability that the model gives it.

    A sentence takes max_length random numbers from the generator, however many it uses. So a batch
    gives what its members give one after the other. The model is used in the mode in which it is:
    call ``model.eval()`` before.

    Args:
        model: any translation model.
        source: sentences, on the model's device; for several samples repeat a row.
        max_length: the longest translation, in words, at least 1; a sentence that has not ended by
            then is ended there, at the price of its ``<eos>``.
        generator: draws the numbers, on the CPU.
        temperature, top_k, top_p: see ``next_word_distribution``.

    Returns:
        For each sentence a hypothesis. Its log-probability is the model's own, whatever the
        temperature, and its score is the same number.

    Raises:
        ValueError: if a number is out of range.

    Example:
        >>> from course_lib.translation.decoding import TableTranslator
        >>> model = TableTranslator({"": {"yes": 0.75, "<eos>": 0.25}})
        >>> rng = torch.Generator().manual_seed(0)
        >>> samples = sample(model, model.sources.expand(1000, 1), max_length=2, generator=rng)
        >>> sum(hypothesis.tokens == (4,) for hypothesis in samples)
        745
    """
    check_sizes(max_length=max_length)
    if source.shape[0] == 0:
        return []
    uniform = torch.rand(len(source), max_length, generator=generator, dtype=torch.float64)
    uniform = uniform.to(source.device)
    tokens = torch.full_like(source[:, 0], BOS)
    state = model.start(source)
    ended = torch.zeros_like(tokens, dtype=torch.bool)
    log_p = torch.zeros_like(tokens, dtype=torch.float64)
    steps = []
    for step in range(max_length + 1):
        logits, state = model.step(tokens, state)
        step_log_p = word_log_probabilities(logits)
        if step < max_length:
            p = next_word_distribution(
                step_log_p, temperature=temperature, top_k=top_k, top_p=top_p
            )
            tokens = draw(p, uniform[:, step])
        else:
            tokens = torch.full_like(tokens, EOS)
        tokens = tokens.masked_fill(ended, EOS)
        chosen = step_log_p.gather(1, tokens.unsqueeze(1)).squeeze(1)
        log_p = log_p + chosen.masked_fill(ended, 0)
        ended = ended | (tokens == EOS)
        steps.append(tokens)
        if ended.all():
            break
    rows = torch.stack(steps, dim=1).tolist()
    return [
        Hypothesis(tuple(row[: row.index(EOS)]), value, value)
        for row, value in zip(rows, log_p.tolist(), strict=True)
    ]
