"""The sublayer that treats each position alone."""

from jaxtyping import Float
from torch import Tensor, nn

from course_lib.arguments import check_sizes


class FeedForward(nn.Module):
    """W₂ max(0, W₁ x + b₁) + b₂, with the same weights at every position.

    Args:
        d_model: length of the vectors that come in and go out, at least 1.
        d_ff: length of the vectors between the two layers, at least 1.

    Raises:
        ValueError: if a size is below 1.

    Source:
        Vaswani et al. (2017), Attention is all you need, equation 2.

    Example:
        >>> sum(parameter.numel() for parameter in FeedForward(512, 2048).parameters())
        2099712
    """

    def __init__(self, d_model: int, d_ff: int) -> None:
        """Make the two layers."""
        super().__init__()
        check_sizes(d_model=d_model, d_ff=d_ff)
        self.expand = nn.Linear(d_model, d_ff)
        self.contract = nn.Linear(d_ff, d_model)

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """Apply the two layers to each vector."""
        return self.contract(self.expand(x).relu())
