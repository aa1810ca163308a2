"""Take parts out of a trained Transformer, to see which ones it needs."""

import copy
from typing import Literal

from torch import nn

from course_lib.transformers.multi_head_attention import without_heads
from course_lib.transformers.transformer import Transformer

AttentionKind = Literal["encoder", "decoder", "cross"]


def without_head(model: Transformer, kind: AttentionKind, layer: int, head: int) -> Transformer:
    """Copy a model and silence one head: what it says no longer reaches the sum over heads.

    Args:
        model: a model, which stays as it is.
        kind: "encoder" for a self-attention of the encoder, "decoder" for one of the decoder,
            "cross" for a cross-attention of the decoder.
        layer: the layer, from 0.
        head: the head, from 0.

    Returns:
        The copy.

    Raises:
        ValueError: if there is no such kind, layer or head.

    Source:
        Michel, Levy and Neubig (2019), Are sixteen heads really better than one?

    Example:
        >>> model = Transformer(10, 12, d_model=8, num_heads=2, d_ff=16)
        >>> pruned = without_head(model, "cross", layer=1, head=0)
        >>> projection = pruned.decoder.layers[1].cross_attention.output_projection
        >>> projection.weight[:, :4].abs().sum().item()
        0.0
    """
    names = {"encoder": "attention", "decoder": "self_attention", "cross": "cross_attention"}
    if kind not in names:
        raise ValueError(f"kind is {kind!r}, expected one of {sorted(names)}")
    pruned = copy.deepcopy(model)
    layers = pruned.encoder.layers if kind == "encoder" else pruned.decoder.layers
    _check_layer(layer, layers)
    attention = getattr(layers[layer], names[kind])
    setattr(layers[layer], names[kind], without_heads(attention, [head]))
    return pruned


def without_layer(
    model: Transformer, stack: Literal["encoder", "decoder"], layer: int
) -> Transformer:
    """Copy a model and take out a whole layer: its neighbours are joined.

    Args:
        model: a model, which stays as it is.
        stack: where the layer is.
        layer: its number, from 0.

    Returns:
        The copy, with one layer fewer.

    Raises:
        ValueError: if there is no such stack or layer, or it is the only layer of the stack.

    Example:
        >>> model = Transformer(10, 12, d_model=8, num_heads=2, num_layers=2, d_ff=16)
        >>> smaller = without_layer(model, "decoder", 0)
        >>> len(smaller.encoder.layers), len(smaller.decoder.layers)
        (2, 1)
    """
    if stack not in ("encoder", "decoder"):
        raise ValueError(f"stack is {stack!r}, expected 'encoder' or 'decoder'")
    smaller = copy.deepcopy(model)
    layers = getattr(smaller, stack).layers
    _check_layer(layer, layers)
    if len(layers) == 1:
        raise ValueError(f"layer is {layer}, the only layer of the {stack}: expected a second one")
    del layers[layer]
    return smaller


def _check_layer(layer: int, layers: nn.ModuleList) -> None:
    if not 0 <= layer < len(layers):
        raise ValueError(f"layer is {layer}, expected a number from 0 to {len(layers) - 1}")
