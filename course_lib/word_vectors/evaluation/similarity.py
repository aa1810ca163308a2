"""Cosine similarity, and the words nearest to a vector."""

from collections.abc import Sequence

import torch
from jaxtyping import Float, Int64
from torch import Tensor


def unit(vectors: Float[Tensor, "*batch d"]) -> Float[Tensor, "*batch d"]:
    """Divide each vector by its length; a zero vector stays zero.

    The largest entry is divided out first, so that the squares neither overflow nor
    vanish.

    Args:
        vectors: any real vectors with at least one entry.

    Returns:
        Vectors of length 1, or 0 where the vector was zero.

    Raises:
        ValueError: if the vectors have no entries or are not floating point.

    Example:
        >>> unit(torch.tensor([[3.0, 4.0], [0.0, 0.0]]))
        tensor([[0.6000, 0.8000],
                [0.0000, 0.0000]])
    """
    _check("vectors", vectors)
    largest = vectors.abs().amax(dim=-1, keepdim=True)
    scaled = vectors / torch.where(largest > 0, largest, torch.ones_like(largest))
    length = scaled.square().sum(dim=-1, keepdim=True).sqrt()
    return scaled / torch.where(length > 0, length, torch.ones_like(length))


def cosine_similarity(
    a: Float[Tensor, "*#batch d"], b: Float[Tensor, "*#batch d"]
) -> Float[Tensor, "*batch"]:
    """Compute the cosine of the angle between vectors: aᵀb / (|a| |b|), over the last axis.

    Args:
        a: vectors; the axes before the last are broadcast against those of ``b``.
        b: vectors with as many entries.

    Returns:
        Numbers from -1 to 1; 0 where either vector is zero, since it points nowhere.

    Raises:
        ValueError: if the vectors have no entries, different numbers of them, or are
            not floating point.

    Example:
        >>> a = torch.tensor([[1.0, 0.0], [1.0, 1.0], [-2.0, 0.0]])
        >>> cosine_similarity(a, torch.tensor([3.0, 0.0]))
        tensor([ 1.0000,  0.7071, -1.0000])
    """
    _check("a", a)
    _check("b", b)
    if a.shape[-1] != b.shape[-1]:
        raise ValueError(f"b has {b.shape[-1]} entries in a vector, expected {a.shape[-1]} as a")
    # Rounding may leave a sum of 1.0000001.
    return (unit(a) * unit(b)).sum(dim=-1).clamp(-1, 1)


def nearest_neighbours(
    vectors: Float[Tensor, "vocab d"],
    query: Float[Tensor, " d"],
    k: int,
    exclude: Sequence[int] = (),
) -> tuple[Float[Tensor, " k"], Int64[Tensor, " k"]]:
    """Find the rows with the largest cosine similarity to a query.

    Args:
        vectors: one row for each word.
        query: any vector, of a word or not. If it is a row itself, that row comes
            first, unless it is excluded.
        k: how many rows.
        exclude: numbers of rows that must not be found.

    Returns:
        The cosines, in falling order, and the numbers of their rows. Equal cosines come
        in the order of the rows.

    Raises:
        ValueError: if ``k`` is negative or larger than the number of rows left, an
            excluded row does not exist, or the shapes do not fit.

    Example:
        >>> vectors = torch.tensor([[1.0, 0.0], [2.0, 2.0], [0.0, 3.0]])
        >>> nearest_neighbours(vectors, vectors[0], k=2, exclude=[0])
        (tensor([0.7071, 0.0000]), tensor([1, 2]))
    """
    rows = len(vectors)
    out = sorted(set(exclude))
    if out and not 0 <= out[0] <= out[-1] < rows:
        raise ValueError(f"exclude is {out}, expected numbers of rows from 0 to {rows - 1}")
    if not 0 <= k <= rows - len(out):
        raise ValueError(f"k is {k}, expected 0 to {rows - len(out)}, the rows left to find")
    cosines = cosine_similarity(vectors, query)
    if out:
        rows_out = torch.tensor(out, device=cosines.device)
        cosines = cosines.index_fill(0, rows_out, -torch.inf)
    # A stable sort, not topk, which leaves the order of equal values open.
    values, indices = cosines.sort(descending=True, stable=True)
    return values[:k], indices[:k]


def _check(name: str, vectors: Tensor) -> None:
    if not vectors.is_floating_point():
        raise ValueError(f"{name} has dtype {vectors.dtype}, expected a floating-point type")
    if vectors.ndim == 0 or vectors.shape[-1] == 0:
        raise ValueError(f"{name} has shape {list(vectors.shape)}, expected at least one entry")
