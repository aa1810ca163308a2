"""Softmax regression, trained with the gradient that was derived by hand."""

import torch
from jaxtyping import Float, Int64
from torch import Tensor

from course_lib.arguments import check_sizes
from course_lib.calculus.jacobians.cross_entropy import cross_entropy_gradient


class SoftmaxRegression:
    """A linear layer under a softmax: logits = W x + b. It uses no autograd.

    The loss is the mean cross-entropy plus ``weight_decay / 2`` times the sum of the squared
    weights; the bias is not decayed.

    Args:
        num_features: length of an input vector.
        num_classes: how many classes, at least one.
        weight_decay: strength of the penalty, at least zero.
        device: where the parameters lie.

    Raises:
        ValueError: if a number is out of range.

    Example:
        >>> model = SoftmaxRegression(num_features=2, num_classes=2)
        >>> model.step(torch.eye(2), torch.tensor([0, 1]), learning_rate=4.0)
        >>> model.weight
        tensor([[ 1., -1.],
                [-1.,  1.]])
    """

    def __init__(
        self,
        num_features: int,
        num_classes: int,
        weight_decay: float = 0.0,
        device: torch.device | str = "cpu",
    ) -> None:
        """Start from zeros: the loss is convex, so every start leads to the same minimum."""
        check_sizes(num_features=num_features, num_classes=num_classes)
        if not weight_decay >= 0:
            raise ValueError(f"weight_decay is {weight_decay}, expected at least 0")
        self.weight = torch.zeros(num_classes, num_features, device=device)
        self.bias = torch.zeros(num_classes, device=device)
        self.weight_decay = weight_decay

    def logits(self, features: Float[Tensor, "batch features"]) -> Float[Tensor, "batch classes"]:
        """Return the scores of all classes for each row of features."""
        return features @ self.weight.T + self.bias

    def gradients(
        self, features: Float[Tensor, "batch features"], targets: Int64[Tensor, " batch"]
    ) -> tuple[Float[Tensor, "classes features"], Float[Tensor, " classes"]]:
        """Return the gradients of the loss with respect to weight and bias.

        Raises:
            ValueError: as ``cross_entropy``.
        """
        delta = cross_entropy_gradient(self.logits(features), targets)  # [batch, classes]
        weight_gradient = delta.T @ features + self.weight_decay * self.weight
        return weight_gradient, delta.sum(dim=0)

    def step(
        self,
        features: Float[Tensor, "batch features"],
        targets: Int64[Tensor, " batch"],
        learning_rate: float,
    ) -> None:
        """Move the parameters once against their gradients.

        Raises:
            ValueError: if the learning rate is not positive; as ``cross_entropy``.
        """
        if not learning_rate > 0:
            raise ValueError(f"learning_rate is {learning_rate}, expected a positive number")
        weight_gradient, bias_gradient = self.gradients(features, targets)
        self.weight = self.weight - learning_rate * weight_gradient
        self.bias = self.bias - learning_rate * bias_gradient
