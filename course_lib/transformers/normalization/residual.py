"""Residual connections around a sublayer, with the normalisation before or after."""

from collections.abc import Callable

from jaxtyping import Float
from torch import Tensor, nn

from course_lib.transformers.normalization.layer_norm import LayerNorm

Sublayer = Callable[[Tensor], Tensor]


class PreNorm(nn.Module):
    """x + dropout(sublayer(norm(x))): the sum itself is never normalised.

    A stack of these needs one more ``LayerNorm`` after the last of them.

    Args:
        d_model: the number of features, at least one.
        dropout: the probability that an entry of the sublayer's output is set to zero in training
            mode, from 0 to 1.

    Raises:
        ValueError: if ``d_model`` or ``dropout`` is out of range; in ``forward`` if the sublayer
            does not return a tensor of the shape of ``x``.

    Source:
        He et al. (2016), Identity mappings in deep residual networks; Xiong et al. (2020), On
        layer normalization in the Transformer architecture.

    Example:
        >>> import torch
        >>> PreNorm(2)(torch.tensor([[5.0, 3.0]]), lambda h: 10 * h).detach().round(decimals=2)
        tensor([[15., -7.]])
    """

    def __init__(self, d_model: int, dropout: float | int = 0.0) -> None:
        """Start with a plain normalisation."""
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = _dropout(dropout)

    def forward(
        self, x: Float[Tensor, "*batch d_model"], sublayer: Sublayer
    ) -> Float[Tensor, "*batch d_model"]:
        """Add what the sublayer makes of the normalised ``x`` to ``x``."""
        return x + self.dropout(_apply(sublayer, self.norm(x)))


class PostNorm(nn.Module):
    """norm(x + dropout(sublayer(x))): what leaves is normalised, the shortcut included.

    Args:
        d_model: the number of features, at least one.
        dropout: see ``PreNorm``.

    Raises:
        ValueError: as ``PreNorm``.

    Source:
        Vaswani et al. (2017), Attention is all you need, section 3.1.

    Example:
        >>> import torch
        >>> PostNorm(2)(torch.tensor([[5.0, 3.0]]), lambda h: 10 * h).detach().round(decimals=2)
        tensor([[ 1., -1.]])
    """

    def __init__(self, d_model: int, dropout: float | int = 0.0) -> None:
        """Start with a plain normalisation."""
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = _dropout(dropout)

    def forward(
        self, x: Float[Tensor, "*batch d_model"], sublayer: Sublayer
    ) -> Float[Tensor, "*batch d_model"]:
        """Add what the sublayer makes of ``x`` to ``x``, and normalise the sum."""
        return self.norm(x + self.dropout(_apply(sublayer, x)))


def _dropout(probability: float | int) -> nn.Dropout:
    if not 0 <= probability <= 1:
        raise ValueError(f"dropout is {probability}, expected a probability from 0 to 1")
    return nn.Dropout(probability)


def _apply(sublayer: Sublayer, x: Tensor) -> Tensor:
    """Call the sublayer. A wrong shape would be broadcast in silence when it is added."""
    output = sublayer(x)
    if not isinstance(output, Tensor):
        raise ValueError(
            f"sublayer returned a {type(output).__name__}, expected a tensor; "
            "of an attention layer, take the output without the weights"
        )
    if output.shape != x.shape:
        raise ValueError(
            f"sublayer returned shape {list(output.shape)}, expected that of x, {list(x.shape)}"
        )
    return output
