"""The loss of GloVe and its gradients, over a list of entries of the co-occurrence matrix."""

import math
from typing import NamedTuple

import torch
from jaxtyping import Float, Int64
from torch import Tensor


class Parameters(NamedTuple):
    """What GloVe learns: a word vector and a context vector for each word, and a bias for each.

    Attributes:
        word: w, one row for each word.
        context: w̃, one row for each word.
        word_bias: b.
        context_bias: b̃.
    """

    word: Float[Tensor, "vocab dimension"]
    context: Float[Tensor, "vocab dimension"]
    word_bias: Float[Tensor, " vocab"]
    context_bias: Float[Tensor, " vocab"]


def weighting(
    counts: Float[Tensor, "*shape"], x_max: float | int = 100.0, alpha: float | int = 0.75
) -> Float[Tensor, "*shape"]:
    """Compute the weight of each count in the loss: (count / x_max) ** alpha, but at most 1.

    Args:
        counts: how often two words occur near each other, at least zero.
        x_max: the count from which on the weight is 1, positive.
        alpha: how fast the weight grows below it, positive.

    Returns:
        Weights from 0 to 1. A count of zero has weight zero.

    Raises:
        ValueError: if a count is negative or NaN, or x_max or alpha is not a positive number.

    Source:
        Pennington, Socher and Manning (2014), GloVe, equation 9.

    Example:
        >>> weighting(torch.tensor([0.0, 1.0, 50.0, 100.0, 200.0]))
        tensor([0.0000, 0.0316, 0.5946, 1.0000, 1.0000])
    """
    for name, value in (("x_max", x_max), ("alpha", alpha)):
        if not 0 < value < math.inf:
            raise ValueError(f"{name} is {value}, expected a positive number")
    # A meta tensor has a shape but no values to look at.
    if not counts.is_meta and counts.numel() and not counts.min() >= 0:
        raise ValueError(f"counts has the entry {counts.min()}, expected numbers of at least 0")
    return (counts / x_max).clamp(max=1) ** alpha


def loss(
    parameters: Parameters,
    rows: Int64[Tensor, " entries"],
    columns: Int64[Tensor, " entries"],
    counts: Float[Tensor, " entries"],
    x_max: float | int = 100.0,
    alpha: float | int = 0.75,
) -> Float[Tensor, ""]:
    """Compute the weighted squared error, summed over the given entries.

    The loss is the sum of weighting(X) * (w · w̃ + b + b̃ - log X)². An entry with a count of zero
    adds exactly zero, and its logarithm is not taken.

    Args:
        parameters: vectors and biases.
        rows: for each entry the number of its word.
        columns: for each entry the number of its context word.
        counts: the entries of the co-occurrence matrix, at least zero.
        x_max: see ``weighting``.
        alpha: see ``weighting``.

    Returns:
        The loss, a tensor without axes; zero if there are no entries.

    Raises:
        ValueError: if a row or column is no word, or as ``weighting``.

    Source:
        Pennington, Socher and Manning (2014), GloVe, equation 8.

    Example:
        >>> one = torch.ones(1, 1)
        >>> where = torch.zeros(1, dtype=torch.int64)
        >>> loss(Parameters(one, 3 * one, one[0], -one[0]), where, where, torch.tensor([100.0]))
        tensor(2.5766)
    """
    weights, errors = _weights_and_errors(parameters, rows, columns, counts, x_max, alpha)
    return (weights * errors**2).sum()


def loss_and_gradients(
    parameters: Parameters,
    rows: Int64[Tensor, " entries"],
    columns: Int64[Tensor, " entries"],
    counts: Float[Tensor, " entries"],
    x_max: float | int = 100.0,
    alpha: float | int = 0.75,
) -> tuple[Float[Tensor, ""], Parameters]:
    """Compute the loss and, without autograd, its gradients.

    Args and Raises: see ``loss``.

    Returns:
        The loss, and the gradient with respect to each parameter. A word that stands in several
        entries gets the sum of their gradients, a word in none gets zero.

    Example:
        >>> one = torch.ones(1, 1)
        >>> where = torch.zeros(1, dtype=torch.int64)
        >>> parameters = Parameters(one, 3 * one, one[0], -one[0])
        >>> _, gradients = loss_and_gradients(parameters, where, where, torch.tensor([100.0]))
        >>> gradients.word, gradients.word_bias
        (tensor([[-9.6310]]), tensor([-3.2103]))
    """
    weights, errors = _weights_and_errors(parameters, rows, columns, counts, x_max, alpha)
    slopes = 2 * weights * errors  # [entries], the derivative by each prediction
    word_parts = slopes.unsqueeze(1) * parameters.context[columns]  # [entries, dimension]
    context_parts = slopes.unsqueeze(1) * parameters.word[rows]
    # index_add adds up the parts of a word that occurs more than once; `gradient[rows] = parts`
    # would keep only one of them.
    gradients = Parameters(
        torch.zeros_like(parameters.word).index_add(0, rows, word_parts),
        torch.zeros_like(parameters.context).index_add(0, columns, context_parts),
        torch.zeros_like(parameters.word_bias).index_add(0, rows, slopes),
        torch.zeros_like(parameters.context_bias).index_add(0, columns, slopes),
    )
    return (weights * errors**2).sum(), gradients


def _weights_and_errors(
    parameters: Parameters,
    rows: Int64[Tensor, " entries"],
    columns: Int64[Tensor, " entries"],
    counts: Float[Tensor, " entries"],
    x_max: float | int,
    alpha: float | int,
) -> tuple[Float[Tensor, " entries"], Float[Tensor, " entries"]]:
    if not rows.shape == columns.shape == counts.shape:
        raise ValueError(
            f"rows, columns and counts have shapes {list(rows.shape)}, {list(columns.shape)} and "
            f"{list(counts.shape)}, expected three equal ones"
        )
    vocab_size = parameters.word.shape[0]
    for name, ids in (("rows", rows), ("columns", columns)):
        if not ids.is_meta and ids.numel() and not 0 <= ids.min() <= ids.max() < vocab_size:
            raise ValueError(
                f"{name} goes from {ids.min()} to {ids.max()}, expected 0 to {vocab_size - 1}"
            )
    weights = weighting(counts, x_max, alpha)
    # Where the count is 0 the weight is 0, and any finite number may stand for the logarithm.
    logarithms = torch.where(counts > 0, counts, 1).log()
    predictions = (parameters.word[rows] * parameters.context[columns]).sum(dim=1)
    predictions = predictions + parameters.word_bias[rows] + parameters.context_bias[columns]
    return weights, predictions - logarithms
