"""A two-layer network that is trained by the engine of this package."""

import torch
from jaxtyping import Float, Int64
from torch import Tensor

from course_lib.arguments import check_sizes
from course_lib.calculus.backpropagation.functions import cross_entropy, relu
from course_lib.calculus.backpropagation.node import Node


class TwoLayerNetwork:
    """A classifier with one hidden layer: logits = relu(x W1 + b1) W2 + b2.

    Args:
        num_features: length of an input vector.
        num_hidden: how many hidden units.
        num_classes: how many classes.
        generator: draws the first weights, on the CPU. Zeros would not do: all hidden units would
            get the same gradient and stay alike for ever.
        device: where the parameters lie.

    Raises:
        ValueError: if a size is below 1.

    Example:
        >>> rng = torch.Generator().manual_seed(0)
        >>> network = TwoLayerNetwork(4, 3, 2, generator=rng)
        >>> network.logits(torch.zeros(5, 4)).shape
        torch.Size([5, 2])
    """

    def __init__(
        self,
        num_features: int,
        num_hidden: int,
        num_classes: int,
        generator: torch.Generator,
        device: torch.device | str = "cpu",
    ) -> None:
        """Draw weights whose size keeps the activations' size: He et al. (2015), equation 10."""
        check_sizes(num_features=num_features, num_hidden=num_hidden, num_classes=num_classes)

        def weights(rows: int, columns: int) -> Node:
            drawn = torch.randn(rows, columns, generator=generator) * (2 / rows) ** 0.5
            return Node(drawn.to(device), requires_grad=True)

        def zeros(size: int) -> Node:
            return Node(torch.zeros(size, device=device), requires_grad=True)

        self.parameters = [
            weights(num_features, num_hidden),
            zeros(num_hidden),
            weights(num_hidden, num_classes),
            zeros(num_classes),
        ]

    def logits(self, features: Float[Tensor, "batch features"] | Node) -> Node:
        """Return the scores of all classes for each row of features.

        Given as a node that requires a gradient, the features get one, too.
        """
        W1, b1, W2, b2 = self.parameters
        return relu(features @ W1 + b1) @ W2 + b2

    def step(
        self,
        features: Float[Tensor, "batch features"],
        targets: Int64[Tensor, " batch"],
        learning_rate: float,
    ) -> float:
        """Move the parameters once against the gradient of the mean cross-entropy.

        Returns:
            The loss before the step.

        Raises:
            ValueError: if the learning rate is not positive; as ``cross_entropy``.
        """
        if not learning_rate > 0:
            raise ValueError(f"learning_rate is {learning_rate}, expected a positive number")
        loss = cross_entropy(self.logits(features), targets)
        for parameter in self.parameters:
            parameter.grad = None  # backward adds to what is there
        loss.backward()  # computes gradients and changes no parameter
        for parameter in self.parameters:
            parameter.data = parameter.data - learning_rate * parameter.grad  # this is learning
        return loss.data.item()
