"""GloVe as a model that learns, entry by entry, with the gradients derived by hand."""

import math

import torch
from jaxtyping import Float, Int64
from torch import Tensor

from course_lib.arguments import check_sizes
from course_lib.word_vectors.glove.adagrad import adagrad_step
from course_lib.word_vectors.glove.objective import Parameters, loss_and_gradients, weighting


class GloVe:
    """Word vectors whose dot products fit the logarithms of co-occurrence counts.

    It uses no autograd. Vectors start at random between -1/2 and 1/2, divided by the dimension, and
    biases at zero.

    Args:
        vocab_size: how many words, at least one.
        dimension: length of a vector, at least one.
        learning_rate: of AdaGrad, positive.
        x_max: see ``weighting``.
        alpha: see ``weighting``.
        generator: draws the starting vectors, on the CPU; without it, PyTorch's own one.
        device: where the parameters lie.

    Attributes:
        parameters: the current ``Parameters``.

    Raises:
        ValueError: if a number is out of range.

    Source:
        Pennington, Socher and Manning (2014), GloVe: global vectors for word representation.

    Example:
        >>> model = GloVe(vocab_size=5, dimension=3)
        >>> sum(parameter.numel() for parameter in model.parameters)
        40
    """

    def __init__(
        self,
        vocab_size: int,
        dimension: int,
        learning_rate: float | int = 0.05,
        x_max: float | int = 100.0,
        alpha: float | int = 0.75,
        generator: torch.Generator | None = None,
        device: torch.device | str = "cpu",
    ) -> None:
        """Draw the starting values."""
        check_sizes(vocab_size=vocab_size, dimension=dimension)
        if not 0 < learning_rate < math.inf:
            raise ValueError(f"learning_rate is {learning_rate}, expected a positive number")
        weighting(torch.zeros(0), x_max, alpha)  # refuses bad values now, not at the first step
        word, context = (
            torch.rand(2, vocab_size, dimension, generator=generator) - 0.5
        ) / dimension
        bias = torch.zeros(vocab_size)
        self.parameters = Parameters(*(p.to(device) for p in (word, context, bias, bias)))
        self._squares = Parameters(*map(torch.zeros_like, self.parameters))
        self.learning_rate = learning_rate
        self.x_max = x_max
        self.alpha = alpha

    def step(
        self,
        rows: Int64[Tensor, " entries"],
        columns: Int64[Tensor, " entries"],
        counts: Float[Tensor, " entries"],
    ) -> Float[Tensor, ""]:
        """Make one step of AdaGrad on some entries of the co-occurrence matrix.

        Args:
            rows: for each entry the number of its word.
            columns: for each entry the number of its context word.
            counts: the entries.

        Returns:
            The loss before the step, summed over the entries.

        Raises:
            ValueError: as ``loss``.
        """
        value, gradients = loss_and_gradients(
            self.parameters, rows, columns, counts, self.x_max, self.alpha
        )
        moved = [
            adagrad_step(parameter, gradient, squares, self.learning_rate)
            for parameter, gradient, squares in zip(
                self.parameters, gradients, self._squares, strict=True
            )
        ]
        self.parameters = Parameters(*(parameter for parameter, _ in moved))
        self._squares = Parameters(*(squares for _, squares in moved))
        return value

    def vectors(self) -> Float[Tensor, "vocab dimension"]:
        """Return the sum of word and context vector for each word, as the paper does."""
        return self.parameters.word + self.parameters.context
