"""Scheduled sampling: the decoder sometimes reads its own word in place of the right one."""

import torch
from jaxtyping import Float, Int64
from torch import Tensor

from course_lib.translation.decoding.sampling import draw
from course_lib.translation.sequence_to_sequence import Translator


def scheduled_sampling_logits(
    model: Translator,
    source: Int64[Tensor, "batch source"],
    target_input: Int64[Tensor, "batch target"],
    teacher_probability: float | int,
    generator: torch.Generator,
) -> Float[Tensor, "batch target vocab"]:
    """Score each next word, where some of the words before it are the model's own.

    At each step of each sentence a coin decides alone: with ``teacher_probability`` the decoder
    reads the right previous word, otherwise one drawn from what it predicted a step before. The
    drawing has no gradient. What has to be predicted stays the right word: the labels are not
    part of this function.

    Args:
        model: any translation model.
        source: the sentences.
        target_input: the right words, ``<bos>`` first, which is always read as it is.
        teacher_probability: of the right word, from 0 to 1; at 1 this is teacher forcing.
        generator: tosses the coins and draws the words, on the CPU.

    Returns:
        The logits of all steps, as ``model(source, target_input)``.

    Raises:
        ValueError: if teacher_probability is out of range, or there is no step.

    Source:
        Bengio, Vinyals, Jaitly and Shazeer (2015), Scheduled sampling for sequence prediction with
        recurrent neural networks, section 2.4.
    """
    if not 0 <= teacher_probability <= 1:
        raise ValueError(
            f"teacher_probability is {teacher_probability}, expected a number from 0 to 1"
        )
    batch, steps = target_input.shape
    if steps == 0:
        raise ValueError("target_input has no step, expected <bos> at least")
    right = torch.rand(batch, steps, generator=generator) < teacher_probability
    levels = torch.rand(batch, steps, generator=generator)
    right, levels = right.to(target_input.device), levels.to(target_input.device)
    state = model.start(source)
    logits: list[Tensor] = []
    for t in range(steps):
        tokens = target_input[:, t]
        if t > 0:
            own = draw(logits[-1].detach().double().softmax(dim=-1), levels[:, t].double())
            tokens = torch.where(right[:, t], tokens, own)
        scores, state = model.step(tokens, state)
        logits.append(scores)
    return torch.stack(logits, dim=1)
