"""Skip-gram with negative sampling on a whole corpus, with negatives shared in a batch."""

import torch
from jaxtyping import Float, Int64
from torch import Tensor

from course_lib.arguments import check_sizes
from course_lib.word_vectors.negative_sampling.batches import minibatches
from course_lib.word_vectors.negative_sampling.sampling import draw_negatives


class NegativeSampling:
    """Two vectors for each word, trained with the gradients that were derived by hand.

    Args:
        noise: the probability of each word to be drawn as a negative.
        dimension: length of a vector, at least 1.
        rng: draws the first vectors, on the CPU.
        device: where the vectors lie.

    Attributes:
        input_vectors: row w is the vector of word w as a centre word.
        output_vectors: row w is its vector as a context word.
        noise: the probabilities.

    Raises:
        ValueError: if the dimension is below 1.

    Example:
        >>> rng = torch.Generator().manual_seed(0)
        >>> model = NegativeSampling(torch.full((2,), 0.5), dimension=4, rng=rng)
        >>> model.input_vectors.shape, model.output_vectors.any().item()
        (torch.Size([2, 4]), False)
    """

    def __init__(
        self,
        noise: Float[Tensor, " words"],
        dimension: int,
        rng: torch.Generator,
        device: torch.device | str = "cpu",
    ) -> None:
        """Draw the input vectors and set the output vectors to zero, as word2vec does."""
        check_sizes(dimension=dimension)
        self.noise = noise
        first = torch.rand(len(noise), dimension, generator=rng) - 0.5
        self.input_vectors = (first / dimension).to(device)
        self.output_vectors = torch.zeros_like(self.input_vectors)

    def step(
        self,
        centres: Int64[Tensor, " pairs"],
        contexts: Int64[Tensor, " pairs"],
        negatives: Int64[Tensor, " pool"],
        number: int,
        learning_rate: float,
    ) -> None:
        """Move both matrices once against the gradient of the sum of the losses of a batch.

        All pairs share the negatives. Each negative has the weight number / pool, so that a pair
        has the weight of ``number`` negatives, and the mean gradient is that of negatives of its
        own.

        Args:
            centres: the centre word of each pair.
            contexts: the context word of each pair.
            negatives: words drawn from the noise distribution, the same for all pairs.
            number: K, how many negatives they stand for in each pair.
            learning_rate: the step for one pair.

        Raises:
            ValueError: if there is no negative.
        """
        if len(negatives) == 0:
            raise ValueError("negatives is empty, expected at least one word")
        V, U = self.input_vectors, self.output_vectors
        # Indexing copies: all gradients belong to the vectors as they were before the step.
        v, u_o, u_k = V[centres], U[contexts], U[negatives]
        positive = ((u_o * v).sum(dim=1, keepdim=True).sigmoid() - 1) * learning_rate
        # [pairs, pool]: one matrix product instead of `number` scores for each pair
        negative = (v @ u_k.T).sigmoid() * (learning_rate * number / len(negatives))
        V.index_add_(0, centres, positive * u_o + negative @ u_k, alpha=-1)
        U.index_add_(0, contexts, positive * v, alpha=-1)
        U.index_add_(0, negatives, negative.T @ v, alpha=-1)

    def epoch(
        self,
        pairs: tuple[Int64[Tensor, " pairs"], Int64[Tensor, " pairs"]],
        rng: torch.Generator,
        rates: tuple[float, float],
        number: int = 5,
        batch: int = 1024,
        pool: int = 64,
    ) -> None:
        """Use each pair once, in random order.

        Args:
            pairs: the centre words and the context words.
            rng: draws the order and the negatives, on the CPU.
            rates: the learning rate at the start and at the end; in between it falls linearly.
            number: K, the negatives of a pair.
            batch: how many pairs make a step.
            pool: how many negatives the pairs of a batch share.

        Raises:
            ValueError: if a number is below 1, the first rate is not positive, or the second is
                negative.
        """
        check_sizes(number=number, batch=batch, pool=pool)
        start, end = rates
        if not (start > 0 and end >= 0):
            raise ValueError(f"rates is {rates}, expected a positive number and one from 0")
        centres, contexts = (part.to(self.input_vectors.device) for part in pairs)
        steps = -(-len(centres) // batch)
        negatives = draw_negatives(self.noise, steps * pool, rng).to(centres.device)
        for i, chosen in enumerate(minibatches(len(centres), batch, rng)):
            chosen = chosen.to(centres.device)
            rate = start + (end - start) * i / steps
            self.step(
                centres[chosen],
                contexts[chosen],
                negatives[i * pool : (i + 1) * pool],
                number,
                rate,
            )
