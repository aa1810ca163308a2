"""CBOW, the continuous bag of words: predict the centre word from the mean of its context."""

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor

from course_lib.calculus.jacobians import cross_entropy, cross_entropy_gradient
from course_lib.word_vectors.word2vec.skipgram import check_words


def cbow_loss(
    input_vectors: Float[Tensor, "words dim"],
    output_vectors: Float[Tensor, "words dim"],
    contexts: Int64[Tensor, "examples width"],
    targets: Int64[Tensor, " examples"],
) -> Float[Tensor, ""]:
    """Compute the mean over the examples of -log P(centre | context words), in nats.

    Args:
        input_vectors: row w is the vector of word w as a context word (V in the lecture).
        output_vectors: row w is its vector as a centre word (U).
        contexts: the context words; a negative number means that there is none.
        targets: the centre words.

    Returns:
        The mean loss, a tensor without axes.

    Raises:
        ValueError: if there is no example, one has no context word, or a number is no word.

    Source:
        Mikolov, Chen, Corrado and Dean (2013), section 3.1.

    Example:
        >>> zeros = torch.zeros(4, 2)
        >>> cbow_loss(zeros, zeros, torch.tensor([[-1, 1]]), torch.tensor([3]))
        tensor(1.3863)
    """
    mean, _ = _mean_vectors(input_vectors, contexts, targets)
    return cross_entropy(mean @ output_vectors.T, targets)


def cbow_gradients(
    input_vectors: Float[Tensor, "words dim"],
    output_vectors: Float[Tensor, "words dim"],
    contexts: Int64[Tensor, "examples width"],
    targets: Int64[Tensor, " examples"],
) -> tuple[Float[Tensor, "words dim"], Float[Tensor, "words dim"]]:
    """Compute the gradients of ``cbow_loss`` with respect to both matrices.

    Args:
        input_vectors: row w is the vector of word w as a context word.
        output_vectors: row w is its vector as a centre word.
        contexts: the context words; a negative number means that there is none.
        targets: the centre words.

    Returns:
        The gradient of the input vectors and that of the output vectors.

    Raises:
        ValueError: if there is no example, one has no context word, or a number is no word.

    Example:
        >>> V, U = torch.zeros(3, 1), torch.tensor([[2.0], [0.0], [1.0]])
        >>> cbow_gradients(V, U, torch.tensor([[1, 2]]), torch.tensor([0]))[0]
        tensor([[ 0.0000],
                [-0.5000],
                [-0.5000]])
    """
    mean, present = _mean_vectors(input_vectors, contexts, targets)
    delta = cross_entropy_gradient(mean @ output_vectors.T, targets)  # [examples, words]
    # Each context word enters the mean with the weight 1 / (number of context words).
    share = present.to(mean) / present.sum(dim=1, keepdim=True)  # [examples, width]
    parts = share.unsqueeze(-1) * (delta @ output_vectors).unsqueeze(1)
    input_gradient = torch.zeros_like(input_vectors).index_add(
        0, contexts.clamp_min(0).flatten(), parts.flatten(0, 1)
    )
    return input_gradient, delta.T @ mean


def _mean_vectors(
    input_vectors: Float[Tensor, "words dim"],
    contexts: Int64[Tensor, "examples width"],
    targets: Int64[Tensor, " examples"],
) -> tuple[Float[Tensor, "examples dim"], Bool[Tensor, "examples width"]]:
    """Average the context vectors of each example; tell which places hold a word."""
    check_words("targets", targets, len(input_vectors))
    present = contexts >= 0
    words = contexts.clamp_min(0)
    check_words("contexts", words, len(input_vectors))
    count = present.sum(dim=1, keepdim=True)
    if not count.is_meta and count.min() == 0:
        example = int(count.argmin())
        raise ValueError(f"contexts has no word in example {example}, expected at least one")
    vectors = input_vectors[words].masked_fill(~present.unsqueeze(-1), 0)
    return vectors.sum(dim=1) / count, present
