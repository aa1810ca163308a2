"""A deep stack of feed-forward sublayers, wired in one of five ways, to compare the wirings."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from course_lib.arguments import check_sizes
from course_lib.transformers.feed_forward import FeedForward
from course_lib.transformers.normalization.layer_norm import LayerNorm
from course_lib.transformers.normalization.residual import PostNorm, PreNorm

WIRINGS = ("plain", "normalized", "residual", "pre_norm", "post_norm")


def draw_feed_forward(
    d_model: int, generator: torch.Generator, gain: float | int = 1.0
) -> FeedForward:
    """Draw a sublayer, twice as wide inside, whose output starts about as large as its input.

    With standard deviations √(2 / inputs) in front of the ReLU and √(1 / inputs) behind it, the
    mean square of the output is ``gain``² times that of the input, on average over the weights.
    Biases start at zero.

    Args:
        d_model: length of input and output, at least one.
        generator: draws the weights, on the CPU.
        gain: factor of the second matrix; 0 makes the output zero.

    Raises:
        ValueError: if ``d_model`` is below 1.

    Source:
        He et al. (2015), Delving deep into rectifiers, equation 10, for the factor 2.

    Example:
        >>> draw_feed_forward(3, torch.Generator(), gain=0)(torch.ones(3)).detach()
        tensor([0., 0., 0.])
    """
    layer = FeedForward(d_model, 2 * d_model)
    with torch.no_grad():
        for linear, deviation in (
            (layer.expand, (2 / d_model) ** 0.5),
            (layer.contract, gain * (1 / (2 * d_model)) ** 0.5),
        ):
            linear.weight.copy_(torch.randn(linear.weight.shape, generator=generator))
            linear.weight.mul_(deviation)
            linear.bias.zero_()
    return layer


class Block(nn.Module):
    """One feed-forward sublayer f, wired as f(x), f(norm(x)), x + f(x), PreNorm or PostNorm.

    Args:
        d_model: length of a row.
        wiring: one of ``WIRINGS``, in the order of the first line.
        generator: draws the weights.
        gain: see ``draw_feed_forward``.

    Raises:
        ValueError: if ``wiring`` has another name, or ``d_model`` is below 1.

    Example:
        >>> Block(2, "residual", torch.Generator(), gain=0)(torch.tensor([1.0, 5.0])).detach()
        tensor([1., 5.])
    """

    def __init__(
        self, d_model: int, wiring: str, generator: torch.Generator, gain: float | int = 1.0
    ) -> None:
        """Build the sublayer, and what stands around it."""
        super().__init__()
        _check_wiring(wiring)
        self.sublayer = draw_feed_forward(d_model, generator, gain)
        self.wiring = wiring
        around = {"normalized": LayerNorm, "pre_norm": PreNorm, "post_norm": PostNorm}
        self.around = around.get(wiring, nn.Identity)(d_model)

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """Apply the sublayer as it is wired."""
        if self.wiring == "residual":
            return x + self.sublayer(x)
        if self.wiring in ("pre_norm", "post_norm"):
            return self.around(x, self.sublayer)
        return self.sublayer(self.around(x))


class DeepStack(nn.Module):
    """``depth`` blocks, and after the last one a ``LayerNorm`` where the blocks are pre-norm.

    Args:
        depth: how many blocks, at least zero.
        d_model: length of a row, at least one.
        wiring: ``plain``, ``normalized``, ``residual``, ``pre_norm`` or ``post_norm``, see
            ``Block``.
        generator: draws the weights, on the CPU, block by block.
        gain: see ``draw_feed_forward``.

    Attributes:
        blocks: the blocks in order.
        final_norm: the last normalisation; does nothing where the blocks are not pre-norm.

    Raises:
        ValueError: if an argument is out of range.

    Example:
        >>> stack = DeepStack(depth=50, d_model=8, wiring="pre_norm", generator=torch.Generator())
        >>> output = stack(torch.arange(8.0))
        >>> f"mean square {output.square().mean():.2f}"
        'mean square 1.00'
    """

    def __init__(
        self,
        depth: int,
        d_model: int,
        wiring: str,
        generator: torch.Generator,
        gain: float | int = 1.0,
    ) -> None:
        """Build the blocks."""
        super().__init__()
        check_sizes(0, depth=depth)
        _check_wiring(wiring)
        self.blocks = nn.ModuleList(Block(d_model, wiring, generator, gain) for _ in range(depth))
        self.final_norm = LayerNorm(d_model) if wiring == "pre_norm" else nn.Identity()

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """Apply all blocks, one after the other."""
        for block in self.blocks:
            x = block(x)
        return self.final_norm(x)


def _check_wiring(wiring: str) -> None:
    if wiring not in WIRINGS:
        raise ValueError(f"wiring is {wiring!r}, expected one of {', '.join(WIRINGS)}")
