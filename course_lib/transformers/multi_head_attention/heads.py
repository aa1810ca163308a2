"""Cut vectors into heads, and put them together again."""

from jaxtyping import Shaped
from torch import Tensor


def split_heads(
    x: Shaped[Tensor, "batch length d_model"], num_heads: int
) -> Shaped[Tensor, "batch num_heads length d_k"]:
    """Cut each vector into ``num_heads`` pieces, and let the heads become an axis of the batch.

    Head i gets the entries from i * d_k to (i + 1) * d_k - 1, where d_k = d_model / num_heads.
    Nothing is copied: the result is another view of the same memory.

    Args:
        x: a vector for each token.
        num_heads: into how many pieces, a divisor of d_model.

    Returns:
        The pieces, with the axis of the heads before that of the tokens.

    Raises:
        ValueError: if ``num_heads`` does not divide d_model.

    Example:
        >>> import torch
        >>> split_heads(torch.tensor([[[1, 2, 3, 4], [5, 6, 7, 8]]]), num_heads=2)
        tensor([[[[1, 2],
                  [5, 6]],
        <BLANKLINE>
                 [[3, 4],
                  [7, 8]]]])
    """
    batch, length, d_model = x.shape
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads is {num_heads}, expected a divisor of d_model = {d_model}")
    # Each of q, k and v is cut at its own length: in cross-attention they differ.
    pieces = x.reshape(batch, length, num_heads, d_model // num_heads)
    return pieces.transpose(1, 2)  # [batch, heads, length, d_k]


def merge_heads(
    x: Shaped[Tensor, "batch num_heads length d_k"],
) -> Shaped[Tensor, "batch length d_model"]:
    """Put the heads of each token side by side again: the inverse of ``split_heads``.

    Args:
        x: the heads.

    Returns:
        For each token one vector of length num_heads * d_k.

    Example:
        >>> import torch
        >>> merge_heads(torch.tensor([[[[1, 2], [5, 6]], [[3, 4], [7, 8]]]]))
        tensor([[[1, 2, 3, 4],
                 [5, 6, 7, 8]]])
    """
    # After the transpose the pieces of a token lie apart in memory. ``reshape`` copies them
    # together, where ``view`` would raise an error.
    return x.transpose(1, 2).reshape(x.shape[0], x.shape[2], x.shape[1] * x.shape[3])
