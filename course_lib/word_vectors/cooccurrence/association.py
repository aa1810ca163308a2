"""How much more often do two words meet than chance would have it?"""

import torch
from jaxtyping import Float
from torch import Tensor


def ppmi(
    counts: Float[Tensor, "words contexts"], *, smoothing: float | int = 1.0
) -> Float[Tensor, "words contexts"]:
    """Compute the positive pointwise mutual information (PPMI) of a matrix of counts.

    With the row sums X_i, the column sums X_j raised to the power ``smoothing`` (called a) and
    their total S = sum of all X_j^a, the entry is max(0, log(X_ij S / (X_i X_j^a))). Where a count
    is zero the entry is zero: the logarithm of zero is never taken.

    Args:
        counts: a sparse matrix (COO) of numbers from zero up, words in rows, contexts in columns.
        smoothing: 1 takes the contexts as frequent as they are. A smaller value, such as 0.75,
            takes rare contexts for more frequent, which lowers the association with them.

    Returns:
        A sparse matrix (COO, coalesced) of the same shape and type, with the entries above zero.

    Raises:
        ValueError: if the counts are dense, no floating-point numbers, negative or not finite, or
            ``smoothing`` is not between 0 and 1.

    Source:
        Church and Hanks (1990), Word association norms, mutual information, and lexicography;
        Levy, Goldberg and Dagan (2015), Improving distributional similarity, section 3.2, for
        the smoothing.

    Example:
        >>> counts = torch.tensor([[0.0, 4.0], [4.0, 8.0]]).to_sparse()
        >>> ppmi(counts).to_dense()
        tensor([[0.0000, 0.2877],
                [0.2877, 0.0000]])
    """
    if not counts.is_sparse:
        raise ValueError(f"counts is {counts.layout}, expected a sparse matrix (torch.sparse_coo)")
    if not counts.is_floating_point():
        raise ValueError(f"counts has dtype {counts.dtype}, expected a floating-point type")
    if not 0 <= smoothing <= 1:
        raise ValueError(f"smoothing is {smoothing}, expected a number from 0 to 1")
    counts = counts.coalesce()
    values = counts.values()
    if not ((values >= 0) & values.isfinite()).all():
        raise ValueError("counts holds a negative or infinite number, expected counts from 0 up")
    met = values > 0
    (words, contexts), values = counts.indices()[:, met], values[met]
    word_sums = _sums(words, values, counts.shape[0])
    context_sums = _sums(contexts, values, counts.shape[1])
    # A context that never occurs keeps the weight 0; without the mask, 0 to the power 0 is 1.
    weights = torch.where(context_sums > 0, context_sums**smoothing, 0)
    total = weights.sum().expand(len(values))  # one for each entry: without entries, no logarithm
    # Logarithms one by one: the product of two large sums may overflow.
    pmi = values.log() - word_sums[words].log() - weights[contexts].log() + total.log()
    kept = pmi > 0
    return torch.sparse_coo_tensor(
        torch.stack([words, contexts])[:, kept],
        pmi[kept],
        counts.shape,
        is_coalesced=True,
        check_invariants=True,
    )


def _sums(indices: Tensor, values: Tensor, size: int) -> Tensor:
    return torch.zeros(size, dtype=values.dtype, device=values.device).index_add(0, indices, values)
