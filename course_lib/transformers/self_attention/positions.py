"""Where a token stands: codes of positions that are added to the vectors of the tokens."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from course_lib.arguments import check_sizes


def frequencies(d_model: int) -> Float[Tensor, " pairs"]:
    """Return the angle in radians by which each pair of columns turns from position to position.

    Args:
        d_model: the length of a code, at least 1.

    Returns:
        10000^(-2i / d_model) for i = 0, 1, ..., in float64: one for each pair, and one for the
        last column alone if their number is odd.

    Raises:
        ValueError: if d_model is below 1.

    Example:
        >>> frequencies(4)
        tensor([1.0000, 0.0100], dtype=torch.float64)
    """
    check_sizes(d_model=d_model)
    return 10000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)


def sinusoidal_positions(num_positions: int, d_model: int) -> Float[Tensor, "positions d_model"]:
    """Compute fixed codes of the positions 0, 1, ...: sines and cosines of many frequencies.

    Column 2i holds sin(p · w_i) and column 2i + 1 holds cos(p · w_i), with the frequencies w_i of
    ``frequencies``. For odd d_model the last column is a sine.

    Args:
        num_positions: how many positions, at least 0.
        d_model: the length of a code, at least 1.

    Returns:
        One code in each row, on the CPU, in float32. The angles are computed in float64, so that
        far positions keep their digits.

    Raises:
        ValueError: if an argument is too small.

    Source:
        Vaswani et al. (2017), Attention is all you need, section 3.5.

    Example:
        >>> [f"{x:.4f}" for x in sinusoidal_positions(2, 5)[1].tolist()]
        ['0.8415', '0.5403', '0.0251', '0.9997', '0.0006']
    """
    check_sizes(0, num_positions=num_positions)
    positions = torch.arange(num_positions, dtype=torch.float64).unsqueeze(1)  # [positions, 1]
    angles = positions * frequencies(d_model)  # [positions, pairs]
    codes = torch.empty(num_positions, d_model)
    codes[:, 0::2] = torch.sin(angles)
    codes[:, 1::2] = torch.cos(angles[:, : d_model // 2])
    return codes


def shift_matrix(offset: int, d_model: int) -> Float[Tensor, "d_model d_model"]:
    """Return the matrix that turns the code of position p into that of p + offset, for every p.

    Args:
        offset: how far to move; may be negative.
        d_model: the length of a code, even: in an odd one the last sine lacks its cosine.

    Returns:
        A block-diagonal rotation R with R · code(p) = code(p + offset), in float64.

    Raises:
        ValueError: if d_model is odd or below 1.

    Example:
        >>> codes = sinusoidal_positions(10, 4).double()
        >>> torch.allclose(shift_matrix(3, 4) @ codes[5], codes[8])
        True
    """
    if d_model % 2:
        raise ValueError(f"d_model is {d_model}, expected an even number")
    angles = offset * frequencies(d_model)
    cos, sin = torch.cos(angles), torch.sin(angles)
    blocks = torch.stack([torch.stack([cos, sin], dim=1), torch.stack([-sin, cos], dim=1)], dim=1)
    return torch.block_diag(*blocks)


class SinusoidalPositions(nn.Module):
    """Add ``sinusoidal_positions`` to a batch of token vectors. Nothing in it is learned.

    Args:
        d_model: the length of a token vector.

    Raises:
        ValueError: if d_model is below 1.

    Example:
        >>> SinusoidalPositions(2)(torch.zeros(1, 2, 2))
        tensor([[[0.0000, 1.0000],
                 [0.8415, 0.5403]]])
    """

    def __init__(self, d_model: int) -> None:
        """Keep the length of a code."""
        super().__init__()
        frequencies(d_model)  # refuses a bad d_model now, not in the first forward pass
        self.d_model = d_model

    def forward(
        self, x: Float[Tensor, "batch steps d_model"], first: int = 0
    ) -> Float[Tensor, "batch steps d_model"]:
        """Return x plus the codes of the positions ``first``, ``first`` + 1, ...

        Raises:
            ValueError: if ``first`` is negative.
        """
        check_sizes(0, first=first)
        codes = sinusoidal_positions(first + x.shape[1], self.d_model)[first:]
        return x + codes.to(x)  # [steps, d_model] is the same for each member of the batch


class LearnedPositions(nn.Module):
    """Add a vector of its own for each position, learned like any other weight.

    Args:
        max_length: the number of positions that have a vector, at least 1.
        d_model: the length of a token vector, at least 1.
        generator: draws the first values, from a normal distribution with variance 1 / d_model.

    Raises:
        ValueError: if a size is below 1.

    Example:
        >>> positions = LearnedPositions(8, 4, generator=torch.Generator().manual_seed(0))
        >>> x = torch.zeros(2, 3, 4)
        >>> torch.equal(positions(x)[1], positions.table[:3])
        True
    """

    def __init__(self, max_length: int, d_model: int, *, generator: torch.Generator) -> None:
        """Draw a first vector for each position."""
        super().__init__()
        check_sizes(max_length=max_length, d_model=d_model)
        values = torch.randn(max_length, d_model, generator=generator)
        self.table = nn.Parameter(values / d_model**0.5)

    def forward(
        self, x: Float[Tensor, "batch steps d_model"], first: int = 0
    ) -> Float[Tensor, "batch steps d_model"]:
        """Return x plus the vectors of the positions ``first``, ``first`` + 1, ...

        Raises:
            ValueError: if ``first`` is negative, or a position has no vector.
        """
        check_sizes(0, first=first)
        end = first + x.shape[1]
        if end > len(self.table):
            raise ValueError(f"position {end - 1} has no vector: max_length is {len(self.table)}")
        return x + self.table[first:end]
