"""Skip-gram: predict each context word from the centre word, by a softmax over all words."""

import torch
from jaxtyping import Float, Int64
from torch import Tensor

from course_lib.calculus.jacobians import cross_entropy, cross_entropy_gradient


def skipgram_loss(
    input_vectors: Float[Tensor, "words dim"],
    output_vectors: Float[Tensor, "words dim"],
    centres: Int64[Tensor, " pairs"],
    contexts: Int64[Tensor, " pairs"],
) -> Float[Tensor, ""]:
    """Compute the mean over the pairs of -log P(context | centre), in nats.

    Args:
        input_vectors: row w is the vector of word w as a centre word (V in the lecture).
        output_vectors: row w is its vector as a context word (U).
        centres: the centre word of each pair.
        contexts: the context word of each pair.

    Returns:
        The mean loss, a tensor without axes.

    Raises:
        ValueError: if there is no pair, or a number is no word.

    Source:
        Mikolov, Chen, Corrado and Dean (2013); Mikolov, Sutskever et al. (2013), equations 1 and 2.

    Example:
        >>> zeros = torch.zeros(4, 2)
        >>> skipgram_loss(zeros, zeros, torch.tensor([0]), torch.tensor([3]))
        tensor(1.3863)
    """
    _check(input_vectors, centres, contexts)
    return cross_entropy(input_vectors[centres] @ output_vectors.T, contexts)


def skipgram_gradients(
    input_vectors: Float[Tensor, "words dim"],
    output_vectors: Float[Tensor, "words dim"],
    centres: Int64[Tensor, " pairs"],
    contexts: Int64[Tensor, " pairs"],
) -> tuple[Float[Tensor, "words dim"], Float[Tensor, "words dim"]]:
    """Compute the gradients of ``skipgram_loss`` with respect to both matrices.

    Args:
        input_vectors: row w is the vector of word w as a centre word.
        output_vectors: row w is its vector as a context word.
        centres: the centre word of each pair.
        contexts: the context word of each pair.

    Returns:
        The gradient of the input vectors and that of the output vectors.

    Raises:
        ValueError: if there is no pair, or a number is no word.

    Example:
        >>> vectors = torch.tensor([[1.0], [0.0]])
        >>> skipgram_gradients(vectors, vectors, torch.tensor([1]), torch.tensor([0]))
        (tensor([[ 0.0000],
                [-0.5000]]), tensor([[0.],
                [0.]]))
    """
    _check(input_vectors, centres, contexts)
    v = input_vectors[centres]  # [pairs, dim]
    delta = cross_entropy_gradient(v @ output_vectors.T, contexts)  # [pairs, words]
    # A word that is the centre of several pairs collects from all of them: index_add, not "=".
    input_gradient = torch.zeros_like(input_vectors).index_add(0, centres, delta @ output_vectors)
    return input_gradient, delta.T @ v


def _check(
    input_vectors: Float[Tensor, "words dim"],
    centres: Int64[Tensor, " pairs"],
    contexts: Int64[Tensor, " pairs"],
) -> None:
    check_words("centres", centres, len(input_vectors))
    check_words("contexts", contexts, len(input_vectors))


def check_words(name: str, words: Int64[Tensor, " *any"], num_words: int) -> None:
    """Refuse an empty list of words and numbers that are no word.

    Raises:
        ValueError: if there is no word, or one is not from 0 to ``num_words - 1``.

    Example:
        >>> check_words("centres", torch.tensor([0, 4]), num_words=4)
        Traceback (most recent call last):
        ValueError: centres goes from 0 to 4, expected 0 to 3
    """
    if words.numel() == 0:
        raise ValueError(f"{name} is empty, expected at least one word")
    # A meta tensor has a shape but no values to look at.
    if not words.is_meta and not 0 <= words.min() <= words.max() < num_words:
        raise ValueError(
            f"{name} goes from {words.min()} to {words.max()}, expected 0 to {num_words - 1}"
        )
