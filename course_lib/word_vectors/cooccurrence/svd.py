"""The best approximation of a matrix by one of small rank."""

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.arguments import check_sizes

# Directions beyond the rank that are carried along, so that the last wanted ones converge too.
EXTRA_DIRECTIONS = 20


def truncated_svd(
    matrix: Float[Tensor, "rows columns"],
    rank: int,
    *,
    generator: torch.Generator,
    iterations: int = 4,
) -> tuple[Float[Tensor, "rows {rank}"], Float[Tensor, " {rank}"], Float[Tensor, "columns {rank}"]]:
    """Compute the largest singular values of a matrix and their singular vectors.

    The matrix is only ever multiplied by thin blocks of vectors, so it may be sparse and large.
    Each iteration multiplies random directions by the matrix and its transpose, which stretches
    them towards the singular vectors with the largest values. If the smaller side of the matrix is
    at most ``rank + 20``, the block holds everything and the result is exact.

    Args:
        matrix: dense or sparse (COO).
        rank: how many singular values, at most the smaller side of the matrix.
        generator: a CPU generator, for the directions to begin with.
        iterations: the error of singular vector i falls as (s_j / s_i)^(2 iterations), where s_j
            is the first singular value beyond the block of ``rank + 20`` directions.

    Returns:
        U, S and V, so that ``(U * S) @ V.T`` approximates the matrix: U and V have orthonormal
        columns, S falls and is never negative. The sign of each pair of columns is fixed: the
        largest entry of the column of U is positive (the first one, if several have its size).

    Raises:
        ValueError: if ``rank`` or ``iterations`` is below 1, ``rank`` is larger than a side, or
            the matrix is not floating point.

    Source:
        Halko, Martinsson and Tropp (2011), Finding structure with randomness, algorithms 4.4
        and 5.1.

    Example:
        >>> matrix = torch.tensor([[0.0, 3.0], [2.0, 0.0]])
        >>> U, S, V = truncated_svd(matrix, rank=1, generator=torch.Generator().manual_seed(0))
        >>> ((U * S) @ V.T).round(decimals=3)
        tensor([[0., 3.],
                [0., 0.]])
    """
    if not matrix.is_floating_point():
        raise ValueError(f"matrix has dtype {matrix.dtype}, expected a floating-point type")
    if not 1 <= rank <= min(matrix.shape):
        raise ValueError(f"rank is {rank}, expected 1 to {min(matrix.shape)}")
    check_sizes(iterations=iterations)
    transposed = matrix.T.coalesce() if matrix.is_sparse else matrix.T
    width = min(rank + EXTRA_DIRECTIONS, *matrix.shape)
    block = torch.randn(matrix.shape[1], width, generator=generator, dtype=matrix.dtype)
    block = block.to(matrix.device)  # [columns, width]
    for _ in range(iterations):
        # Without making the columns orthonormal again, all would turn into the first direction.
        block = torch.linalg.qr(matrix @ block).Q  # [rows, width]
        block = torch.linalg.qr(transposed @ block).Q  # [columns, width]
    # The matrix within the block is small, and its singular value decomposition is exact.
    U, S, W = torch.linalg.svd(matrix @ block, full_matrices=False)
    U, S, V = U[:, :rank], S[:rank], (block @ W.T)[:, :rank]
    signs = _signs(U)
    return U * signs, S, V * signs


def _signs(U: Float[Tensor, "rows rank"]) -> Float[Tensor, " rank"]:
    """Give the sign of the first entry of each column that is as large as any, but for rounding."""
    sizes = U.abs()
    first = (sizes >= 0.999 * sizes.amax(dim=0)).int().argmax(dim=0)
    return torch.where(U.gather(0, first.unsqueeze(0)).squeeze(0) < 0, -1.0, 1.0).to(U.dtype)
