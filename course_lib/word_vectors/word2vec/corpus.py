"""Skip-gram on a whole corpus at once, for a vocabulary of about a thousand words.

The loss depends on the corpus only through how often each pair occurs. So the sum over millions of
pairs becomes a sum over the entries of one matrix of counts.
"""

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.arguments import check_sizes
from course_lib.calculus.jacobians import log_softmax, softmax


def corpus_loss(
    input_vectors: Float[Tensor, "words dim"],
    output_vectors: Float[Tensor, "words dim"],
    counts: Float[Tensor, "words words"],
) -> Float[Tensor, ""]:
    """Compute the mean of -log P(context | centre) over all pairs of a corpus, in nats.

    Args:
        input_vectors: row w is the vector of word w as a centre word.
        output_vectors: row w is its vector as a context word.
        counts: entry [c, o] says how often o stands in a window around c.

    Returns:
        The mean loss, a tensor without axes.

    Raises:
        ValueError: if a count is negative, or all are zero.

    Example:
        >>> zeros = torch.zeros(2, 3)
        >>> corpus_loss(zeros, zeros, torch.tensor([[0.0, 5.0], [5.0, 0.0]]))
        tensor(0.6931)
    """
    _check(counts)
    log_p = log_softmax(input_vectors @ output_vectors.T)  # [words, words]
    return -(counts * log_p).sum() / counts.sum()


def corpus_gradients(
    input_vectors: Float[Tensor, "words dim"],
    output_vectors: Float[Tensor, "words dim"],
    counts: Float[Tensor, "words words"],
) -> tuple[Float[Tensor, "words dim"], Float[Tensor, "words dim"]]:
    """Compute the gradients of ``corpus_loss`` with respect to both matrices.

    Args:
        input_vectors: row w is the vector of word w as a centre word.
        output_vectors: row w is its vector as a context word.
        counts: entry [c, o] says how often o stands in a window around c.

    Returns:
        The gradient of the input vectors and that of the output vectors.

    Raises:
        ValueError: if a count is negative, or all are zero.

    Example:
        >>> V, U = torch.zeros(2, 1), torch.tensor([[1.0], [0.0]])
        >>> corpus_gradients(V, U, torch.tensor([[0.0, 5.0], [5.0, 0.0]]))[0]
        tensor([[ 0.2500],
                [-0.2500]])
    """
    _check(counts)
    p = softmax(input_vectors @ output_vectors.T)  # [words, words]
    # Expected minus observed: row c of p is expected as often as c is a centre.
    delta = (counts.sum(dim=1, keepdim=True) * p - counts) / counts.sum()
    return delta @ output_vectors, delta.T @ input_vectors


class SkipGram:
    """Two vectors for each word, trained with the gradients that were derived by hand.

    Args:
        num_words: size of the vocabulary, at least 1.
        dimension: length of a vector, at least 1.
        rng: draws the first vectors, on the CPU.
        device: where the vectors lie.

    Attributes:
        input_vectors: row w is the vector of word w as a centre word.
        output_vectors: row w is its vector as a context word.

    Raises:
        ValueError: if a number is below 1.

    Example:
        >>> model = SkipGram(2, dimension=4, rng=torch.Generator().manual_seed(0))
        >>> counts = torch.tensor([[0.0, 5.0], [5.0, 0.0]])
        >>> for _ in range(100):
        ...     model.step(counts, learning_rate=1.0)
        >>> model.loss(counts).item() < 0.05
        True
    """

    def __init__(
        self,
        num_words: int,
        dimension: int,
        rng: torch.Generator,
        device: torch.device | str = "cpu",
    ) -> None:
        """Draw vectors of length about 1: zeros would stay zeros for ever."""
        check_sizes(num_words=num_words, dimension=dimension)
        vectors = torch.randn(2, num_words, dimension, generator=rng) / dimension**0.5
        self.input_vectors, self.output_vectors = vectors.to(device)

    def loss(self, counts: Float[Tensor, "words words"]) -> Float[Tensor, ""]:
        """Return the mean loss over all pairs; see ``corpus_loss``."""
        return corpus_loss(self.input_vectors, self.output_vectors, counts)

    def step(self, counts: Float[Tensor, "words words"], learning_rate: float) -> None:
        """Move both matrices once against their gradients.

        Raises:
            ValueError: if the learning rate is not positive; as ``corpus_loss``.
        """
        if not learning_rate > 0:
            raise ValueError(f"learning_rate is {learning_rate}, expected a positive number")
        input_gradient, output_gradient = corpus_gradients(
            self.input_vectors, self.output_vectors, counts
        )
        self.input_vectors = self.input_vectors - learning_rate * input_gradient
        self.output_vectors = self.output_vectors - learning_rate * output_gradient


def _check(counts: Float[Tensor, "words words"]) -> None:
    # A meta tensor has a shape but no values to look at.
    if counts.is_meta:
        return
    if (counts < 0).any():
        raise ValueError(f"counts goes down to {counts.min()}, expected no negative count")
    if not counts.any():
        raise ValueError("counts holds no pair, expected at least one")
