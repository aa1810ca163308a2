"""Scaled dot-product attention: softmax(Q Kᵀ / √d_k) V."""

import math

from jaxtyping import Bool, Float
from torch import Tensor

from course_lib.translation.attention import masked_softmax


def attention_weights(
    query: Float[Tensor, "*batch queries d_k"],
    key: Float[Tensor, "*batch keys d_k"],
    mask: Bool[Tensor, "..."] | None = None,
) -> Float[Tensor, "*batch queries keys"]:
    """Compute how much each query attends to each key: softmax(q·k / √d_k) over the keys.

    Args:
        query: what is looked for.
        key: what each place offers.
        mask: True where a query may attend to a key; broadcast to [*batch, queries, keys].

    Returns:
        Numbers from 0 to 1. Each row sums to 1; the row of a query that may attend to nothing is 0.

    Raises:
        ValueError: if the vectors have different lengths or none, or the mask does not fit.

    Source:
        Vaswani et al. (2017), Attention is all you need, section 3.2.1.

    Example:
        >>> import torch
        >>> attention_weights(torch.tensor([[2.0, 0.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0]]))
        tensor([[0.8044, 0.1956]])
    """
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(
            f"key has vectors of length {key.shape[-1]}, expected {query.shape[-1]} as in query"
        )
    d_k = query.shape[-1]
    if d_k == 0:
        raise ValueError(
            f"query has shape {list(query.shape)}, expected vectors of length 1 or more"
        )
    # The query is divided, not the scores: in half precision the undivided scores can overflow.
    scores = (query / math.sqrt(d_k)) @ key.transpose(-2, -1)  # [*batch, queries, keys]
    return masked_softmax(scores, mask)


def scaled_dot_product_attention(
    query: Float[Tensor, "*batch queries d_k"],
    key: Float[Tensor, "*batch keys d_k"],
    value: Float[Tensor, "*batch keys d_v"],
    mask: Bool[Tensor, "..."] | None = None,
) -> tuple[Float[Tensor, "*batch queries d_v"], Float[Tensor, "*batch queries keys"]]:
    """Return for each query the mean of the values, weighted by ``attention_weights``.

    Args:
        query: what is looked for.
        key: what each place offers.
        value: what each place gives.
        mask: True where a query may attend to a key; broadcast to [*batch, queries, keys].

    Returns:
        The means, and the weights. A query that may attend to nothing gets zeros for both.

    Raises:
        ValueError: if there is not one value for each key; as ``attention_weights``.

    Source:
        Vaswani et al. (2017), Attention is all you need, equation 1.

    Example:
        >>> import torch
        >>> query = torch.zeros(1, 4)
        >>> output, weights = scaled_dot_product_attention(query, torch.ones(2, 4), torch.eye(2))
        >>> output
        tensor([[0.5000, 0.5000]])
    """
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(f"value has {value.shape[-2]} places, expected {key.shape[-2]} as in key")
    weights = attention_weights(query, key, mask)
    return weights @ value, weights
