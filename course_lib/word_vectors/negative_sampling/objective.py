"""The loss of negative sampling, and the gradients that the lecture derives."""

import torch
from jaxtyping import Float, Int64
from torch import Tensor

from course_lib.word_vectors.word2vec.skipgram import check_words


def negative_sampling_loss(
    input_vectors: Float[Tensor, "words dim"],
    output_vectors: Float[Tensor, "words dim"],
    centres: Int64[Tensor, " pairs"],
    contexts: Int64[Tensor, " pairs"],
    negatives: Int64[Tensor, "pairs number"],
) -> Float[Tensor, ""]:
    """Compute the mean over the pairs of -log σ(u_o·v_c) - Σ_k log σ(-u_k·v_c), in nats.

    Args:
        input_vectors: row w is the vector of word w as a centre word (V in the lecture).
        output_vectors: row w is its vector as a context word (U).
        centres: the centre word c of each pair.
        contexts: the context word o of each pair.
        negatives: the words k drawn for each pair; a word may be drawn twice and then counts twice.

    Returns:
        The mean loss, a tensor without axes.

    Raises:
        ValueError: if there is no pair or no negative, or a number is no word.

    Source:
        Mikolov, Sutskever et al. (2013), equation 4.

    Example:
        >>> zeros, word = torch.zeros(4, 2), torch.tensor([0])
        >>> negative_sampling_loss(zeros, zeros, word, word, torch.tensor([[1, 2, 3, 3, 3]]))
        tensor(4.1589)
    """
    _check(input_vectors, centres, contexts, negatives)
    v = input_vectors[centres]  # [pairs, dim]
    positive = (output_vectors[contexts] * v).sum(dim=1)  # [pairs]
    negative = torch.einsum("pkd,pd->pk", output_vectors[negatives], v)
    # -log σ(x) = softplus(-x), without taking the logarithm of a rounded zero.
    loss = -torch.nn.functional.logsigmoid(positive)
    return (loss - torch.nn.functional.logsigmoid(-negative).sum(dim=1)).mean()


def negative_sampling_gradients(
    input_vectors: Float[Tensor, "words dim"],
    output_vectors: Float[Tensor, "words dim"],
    centres: Int64[Tensor, " pairs"],
    contexts: Int64[Tensor, " pairs"],
    negatives: Int64[Tensor, "pairs number"],
) -> tuple[Float[Tensor, "words dim"], Float[Tensor, "words dim"]]:
    """Compute the gradients of ``negative_sampling_loss`` with respect to both matrices.

    Args:
        input_vectors: row w is the vector of word w as a centre word.
        output_vectors: row w is its vector as a context word.
        centres: the centre word of each pair.
        contexts: the context word of each pair.
        negatives: the words drawn for each pair.

    Returns:
        The gradient of the input vectors and that of the output vectors.

    Raises:
        ValueError: if there is no pair or no negative, or a number is no word.

    Example:
        >>> V, U = torch.ones(3, 1), torch.zeros(3, 1)
        >>> pair = torch.tensor([0]), torch.tensor([1])
        >>> negative_sampling_gradients(V, U, *pair, torch.tensor([[2, 2]]))[1]
        tensor([[ 0.0000],
                [-0.5000],
                [ 1.0000]])
    """
    _check(input_vectors, centres, contexts, negatives)
    words = torch.cat([contexts.unsqueeze(1), negatives], dim=1)  # [pairs, 1 + number]
    v, u = input_vectors[centres], output_vectors[words]
    delta = torch.einsum("pkd,pd->pk", u, v).sigmoid()  # the answers of the model
    delta = torch.cat([delta[:, :1] - 1, delta[:, 1:]], dim=1) / len(centres)  # minus the truth
    # A word may turn up many times, in one pair or in several: index_add adds each time.
    input_gradient = torch.zeros_like(input_vectors).index_add(
        0, centres, torch.einsum("pk,pkd->pd", delta, u)
    )
    parts = delta.unsqueeze(2) * v.unsqueeze(1)  # [pairs, 1 + number, dim]
    output_gradient = torch.zeros_like(output_vectors).index_add(
        0, words.flatten(), parts.flatten(0, 1)
    )
    return input_gradient, output_gradient


def _check(
    input_vectors: Float[Tensor, "words dim"],
    centres: Int64[Tensor, " pairs"],
    contexts: Int64[Tensor, " pairs"],
    negatives: Int64[Tensor, "pairs number"],
) -> None:
    for name, words in (("centres", centres), ("contexts", contexts), ("negatives", negatives)):
        check_words(name, words, len(input_vectors))
