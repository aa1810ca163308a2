"""How large a Transformer is and what it costs: parameters, multiplications, bytes of a cache."""

from typing import NamedTuple

from course_lib.arguments import check_sizes


class Parameters(NamedTuple):
    """The parameters of a Transformer, by what they are for.

    Attributes:
        embeddings: the tables of vectors, an output layer that shares one of them included.
        attention: the projections of all attentions, with biases.
        feed_forward: the two layers of all feed-forward sublayers, with biases.
        norms: gain and bias of all layer normalisations.

    Example:
        >>> Parameters(embeddings=1, attention=2, feed_forward=3, norms=4).total
        10
    """

    embeddings: int
    attention: int
    feed_forward: int
    norms: int

    @property
    def total(self) -> int:
        """All of them together."""
        return sum(self)


class Multiplications(NamedTuple):
    """The multiplications of one layer, by what they are for.

    Attributes:
        projections: queries, keys, values, and the projection of the output.
        mixing: the scores, and the weighted means of the values.
        feed_forward: the two layers of the feed-forward sublayer.

    Example:
        >>> Multiplications(projections=1, mixing=2, feed_forward=3).total
        6
    """

    projections: int
    mixing: int
    feed_forward: int

    @property
    def total(self) -> int:
        """All of them together."""
        return sum(self)


def transformer_parameters(
    *,
    d_model: int,
    d_ff: int,
    num_encoder_layers: int,
    num_decoder_layers: int,
    embedding_rows: int,
    final_norms: int = 0,
) -> Parameters:
    """Count the parameters of a Transformer with biases in all of its linear layers.

    A layer without cross-attention counts as an encoder layer, so that a decoder-only model of 12
    layers has ``num_encoder_layers=12``: a mask has no parameters. Heads do not occur either.

    Args:
        d_model: length of the vectors between the layers, at least 1.
        d_ff: length of the vectors inside the feed-forward sublayers, at least 1.
        num_encoder_layers: layers with one attention and two norms.
        num_decoder_layers: layers with two attentions and three norms.
        embedding_rows: rows of all tables of vectors of length d_model; count a shared one once.
        final_norms: norms behind the stacks (two in a pre-norm encoder-decoder).

    Raises:
        ValueError: if a number is out of range.

    Source:
        Vaswani et al. (2017), Attention is all you need, section 3.

    Example:
        >>> transformer_parameters(
        ...     d_model=512, d_ff=2048, num_encoder_layers=6, num_decoder_layers=6, embedding_rows=0
        ... ).total
        44138496
    """
    check_sizes(d_model=d_model, d_ff=d_ff)
    check_sizes(
        0,
        num_encoder_layers=num_encoder_layers,
        num_decoder_layers=num_decoder_layers,
        embedding_rows=embedding_rows,
        final_norms=final_norms,
    )
    attentions = num_encoder_layers + 2 * num_decoder_layers
    layers = num_encoder_layers + num_decoder_layers
    norms = 2 * num_encoder_layers + 3 * num_decoder_layers + final_norms
    return Parameters(
        embeddings=embedding_rows * d_model,
        attention=attentions * 4 * (d_model**2 + d_model),
        feed_forward=layers * (2 * d_model * d_ff + d_ff + d_model),
        norms=norms * 2 * d_model,
    )


def layer_multiplications(*, n: int, d_model: int, d_ff: int) -> Multiplications:
    """Count one layer of self-attention and feed-forward, on n positions at once.

    Masked scores are counted: a plain program computes them before it hides them.

    Args:
        n: the number of positions, at least 1.
        d_model: see ``transformer_parameters``.
        d_ff: see ``transformer_parameters``.

    Raises:
        ValueError: if a number is below 1.

    Example:
        >>> layer_multiplications(n=10, d_model=4, d_ff=16)
        Multiplications(projections=640, mixing=800, feed_forward=1280)
    """
    check_sizes(n=n, d_model=d_model, d_ff=d_ff)
    return Multiplications(
        projections=4 * n * d_model**2,
        mixing=2 * n**2 * d_model,
        feed_forward=2 * n * d_model * d_ff,
    )


def generation_multiplications(*, n: int, d_model: int, d_ff: int, cached: bool) -> int:
    """Count one layer over the generation of n positions, one after the other.

    Args:
        n: the number of positions, at least 1.
        d_model: see ``transformer_parameters``.
        d_ff: see ``transformer_parameters``.
        cached: keep keys and values, so that each step treats the newest position only; or else
            each step treats all positions so far again.

    Raises:
        ValueError: if a number is below 1.

    Example:
        >>> generation_multiplications(n=2, d_model=1, d_ff=4, cached=True)
        30
        >>> generation_multiplications(n=2, d_model=1, d_ff=4, cached=False)
        46
    """
    check_sizes(n=n, d_model=d_model, d_ff=d_ff)
    if not cached:
        lengths = range(1, n + 1)
        return sum(layer_multiplications(n=t, d_model=d_model, d_ff=d_ff).total for t in lengths)
    each = 4 * d_model**2 + 2 * d_model * d_ff
    # Step t compares one query with t keys and averages t values: 2 t d_model.
    return n * each + n * (n + 1) * d_model


def cache_bytes(
    *,
    length: int,
    num_layers: int,
    num_key_heads: int,
    d_k: int,
    batch: int = 1,
    bytes_per_number: int = 2,
) -> int:
    """Compute the memory of the keys and values of all positions, layers and sentences.

    Args:
        length: positions kept, at least 0.
        num_layers: layers of self-attention, at least 1.
        num_key_heads: heads with keys and values of their own, at least 1. It is the number of
            heads, or less where several heads of queries share keys and values.
        d_k: length of a key, and of a value, at least 1.
        batch: sentences, at least 1.
        bytes_per_number: 2 in half precision, 4 in single precision.

    Raises:
        ValueError: if a number is out of range.

    Example:
        >>> cache_bytes(length=1024, num_layers=12, num_key_heads=12, d_k=64)
        37748736
    """
    check_sizes(0, length=length)
    check_sizes(
        1,
        num_layers=num_layers,
        num_key_heads=num_key_heads,
        d_k=d_k,
        batch=batch,
        bytes_per_number=bytes_per_number,
    )
    return 2 * batch * length * num_layers * num_key_heads * d_k * bytes_per_number
