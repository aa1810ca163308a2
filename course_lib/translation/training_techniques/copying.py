"""The copy mechanism: a mixture of generating a word and copying one of the source.

Source and target share one vocabulary of ``vocab_size`` words. A word outside it gets a *slot*: the
first unknown word of a sentence the id ``vocab_size``, the second the next one, and so on. A slot
means another word in every sentence, and only copying can produce it.
"""

import math
from collections.abc import Sequence

import torch
from jaxtyping import Float, Int64
from torch import Tensor

from course_lib.arguments import check_sizes
from course_lib.data import Vocab


def extended_ids(
    source: Sequence[str], target: Sequence[str], vocab: Vocab, num_slots: int
) -> tuple[list[int], list[int], list[str]]:
    """Number the words of a pair, with slots for the unknown words of the source.

    Args:
        source: the tokens of the sentence.
        target: the tokens of its translation; empty when it is not known.
        vocab: the vocabulary that both languages share.
        num_slots: how many unknown words have a slot; the others become ``<unk>``.

    Returns:
        The ids of the source, the ids of the target, and the words of the slots in order. An
        unknown word of the target that does not stand in the source is ``<unk>``: it cannot be
        copied.

    Raises:
        ValueError: if num_slots is negative.

    Source:
        See, Liu and Manning (2017), Get to the point: summarization with pointer-generator
        networks, section 2.2, which calls it the extended vocabulary.

    Example:
        >>> vocab = Vocab({"says": 2, "dice": 2})
        >>> extended_ids(["ana", "says"], ["ana", "dice"], vocab, num_slots=1)
        ([3, 2], [3, 1], ['ana'])
    """
    check_sizes(0, num_slots=num_slots)
    unknown = dict.fromkeys(token for token in source if token not in vocab)
    slots = list(unknown)[:num_slots]
    number = {token: len(vocab) + k for k, token in enumerate(slots)}

    def ids(tokens: Sequence[str]) -> list[int]:
        return [number.get(token, vocab[token]) for token in tokens]

    return ids(source), ids(target), slots


def copy_distribution(
    attention: Float[Tensor, "*batch source"], source: Int64[Tensor, "*batch source"], size: int
) -> Float[Tensor, "*batch size"]:
    """Turn attention over positions into a distribution over words.

    Each position hands its weight to the word that stands there; a word that stands at several
    positions gets the sum.

    Args:
        attention: the weights of the source positions.
        source: the id of the word at each position.
        size: the number of words, slots included.

    Returns:
        The probability that each word is copied. It sums to 1 where the attention does.

    Raises:
        ValueError: if the shapes differ, or an id is no word.

    Source:
        See, Liu and Manning (2017), equation 9, the sum.

    Example:
        >>> copy_distribution(torch.tensor([0.5, 0.2, 0.3]), torch.tensor([1, 0, 1]), size=3)
        tensor([0.2000, 0.8000, 0.0000])
    """
    if attention.shape != source.shape:
        raise ValueError(
            f"source has shape {list(source.shape)}, expected that of attention, "
            f"{list(attention.shape)}"
        )
    if not source.is_meta and source.numel() and not 0 <= source.min() <= source.max() < size:
        raise ValueError(
            f"source goes from {source.min()} to {source.max()}, expected ids from 0 to {size - 1}"
        )
    empty = attention.new_zeros(*attention.shape[:-1], size)
    # scatter_add, not scatter: the weights of a repeated word add up.
    return empty.scatter_add(-1, source, attention)


def copy_mixture(
    vocab_logits: Float[Tensor, "*batch vocab"],
    gate: Float[Tensor, "*batch"],
    attention: Float[Tensor, "*batch source"],
    source: Int64[Tensor, "*batch source"],
    num_slots: int,
) -> Float[Tensor, "*batch extended"]:
    """Mix generating and copying: log(p_gen P_vocab(w) + (1 - p_gen) P_copy(w)).

    It is computed from logarithms, so that a tiny probability is not lost, and the logarithm of 0
    is never taken: a word that can be neither generated nor copied gets -inf, and no gradient.

    Args:
        vocab_logits: the scores of the words of the vocabulary.
        gate: the logit of p_gen, the probability of generating.
        attention: the weights of the source positions, summing to 1.
        source: the extended id of the word at each position.
        num_slots: the number of slots behind the vocabulary.

    Returns:
        Log-probabilities of vocab + num_slots words. As logits they are their own log-softmax.

    Raises:
        ValueError: as ``copy_distribution``, or if num_slots is negative.

    Source:
        See, Liu and Manning (2017), equation 9.

    Example:
        >>> half = copy_mixture(
        ...     torch.zeros(2), torch.tensor(0.0), torch.tensor([1.0]), torch.tensor([2]), 1
        ... )
        >>> half.exp()
        tensor([0.2500, 0.2500, 0.5000])
    """
    check_sizes(0, num_slots=num_slots)
    size = vocab_logits.shape[-1] + num_slots
    log_generated = vocab_logits.log_softmax(dim=-1) + _log_sigmoid(gate)
    log_generated = torch.nn.functional.pad(log_generated, (0, num_slots), value=-math.inf)
    copied = copy_distribution(attention, source, size)
    # Where nothing is copied, 1 stands in for the 0 whose logarithm must not be taken.
    log_copied = torch.where(copied > 0, copied, 1).log() + _log_sigmoid(-gate)
    return torch.where(copied > 0, torch.logaddexp(log_generated, log_copied), log_generated)


def _log_sigmoid(logit: Float[Tensor, "*batch"]) -> Float[Tensor, "*batch 1"]:
    return torch.nn.functional.logsigmoid(logit).unsqueeze(-1)
