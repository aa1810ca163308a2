"""Copy the weights of PyTorch's Transformer into ours."""

import torch
from torch import nn

from course_lib.transformers.feed_forward import FeedForward
from course_lib.transformers.multi_head_attention import from_torch
from course_lib.transformers.normalization import LayerNorm
from course_lib.transformers.transformer.decoder import DecoderLayer
from course_lib.transformers.transformer.encoder import EncoderLayer
from course_lib.transformers.transformer.model import Transformer


def copy_encoder_layer(ours: EncoderLayer, theirs: nn.TransformerEncoderLayer) -> None:
    """Give our layer, which is changed, the weights of PyTorch's, so that both compute the same.

    Example:
        >>> theirs = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, norm_first=True).eval()
        >>> ours, x = EncoderLayer(8, num_heads=2, d_ff=16), torch.randn(1, 3, 8)
        >>> copy_encoder_layer(ours, theirs)
        >>> torch.allclose(ours(x)[0], theirs(x), atol=1e-5)
        True
    """
    ours.attention.load_state_dict(from_torch(theirs.self_attn).state_dict())
    _copy_feed_forward(ours.feed_forward, theirs)
    _copy_norm(ours.attention_residual.norm, theirs.norm1)
    _copy_norm(ours.feed_forward_residual.norm, theirs.norm2)


def copy_decoder_layer(ours: DecoderLayer, theirs: nn.TransformerDecoderLayer) -> None:
    """Give our layer, which is changed, the weights of PyTorch's, so that both compute the same.

    Example:
        >>> theirs = nn.TransformerDecoderLayer(8, 2, 16, batch_first=True, norm_first=True).eval()
        >>> ours, x = DecoderLayer(8, num_heads=2, d_ff=16), torch.randn(1, 3, 8)
        >>> copy_decoder_layer(ours, theirs)
        >>> torch.allclose(ours(x, x)[0], theirs(x, x), atol=1e-5)
        True
    """
    ours.self_attention.load_state_dict(from_torch(theirs.self_attn).state_dict())
    ours.cross_attention.load_state_dict(from_torch(theirs.multihead_attn).state_dict())
    _copy_feed_forward(ours.feed_forward, theirs)
    _copy_norm(ours.self_residual.norm, theirs.norm1)
    _copy_norm(ours.cross_residual.norm, theirs.norm2)
    _copy_norm(ours.feed_forward_residual.norm, theirs.norm3)


def copy_stacks(ours: Transformer, theirs: nn.Transformer) -> None:
    """Give our encoder and decoder, which are changed, the weights of PyTorch's.

    ``nn.Transformer`` begins behind the embedding and ends before the output layer. It has a last
    norm in each stack even where the layers are post-norm; ours has it where they are pre-norm.

    Args:
        ours: a model with the sizes of theirs.
        theirs: a model with ``norm_first`` as ``pre_norm`` of ours.

    Raises:
        ValueError: if one has a last norm that the other lacks, or another number of layers.

    Example:
        >>> theirs = nn.Transformer(8, 2, 1, 1, 16, batch_first=True).eval()
        >>> theirs.encoder.norm = theirs.decoder.norm = None
        >>> ours = Transformer(9, 9, d_model=8, num_heads=2, num_layers=1, d_ff=16, pre_norm=False)
        >>> copy_stacks(ours, theirs)
        >>> tokens = torch.tensor([[4, 5, 6]])
        >>> memory, _ = ours.encoder(tokens)
        >>> torch.allclose(memory, theirs.encoder(ours.encoder.embedding(tokens)), atol=1e-5)
        True
    """
    for name, copy in (("encoder", copy_encoder_layer), ("decoder", copy_decoder_layer)):
        mine, other = getattr(ours, name), getattr(theirs, name)
        if isinstance(mine.final_norm, LayerNorm) != (other.norm is not None):
            raise ValueError(f"theirs: the last norm of the {name} is there in one model only")
        if len(mine.layers) != len(other.layers):
            raise ValueError(
                f"theirs has {len(other.layers)} layers in the {name}, expected {len(mine.layers)}"
            )
        for layer, their_layer in zip(mine.layers, other.layers, strict=True):
            copy(layer, their_layer)
        if other.norm is not None:
            _copy_norm(mine.final_norm, other.norm)


def _copy_feed_forward(
    ours: FeedForward, theirs: nn.TransformerEncoderLayer | nn.TransformerDecoderLayer
) -> None:
    ours.expand.load_state_dict(theirs.linear1.state_dict())
    ours.contract.load_state_dict(theirs.linear2.state_dict())


def _copy_norm(ours: LayerNorm, theirs: nn.LayerNorm) -> None:
    with torch.no_grad():
        ours.weight.copy_(theirs.weight)
        ours.bias.copy_(theirs.bias)
    ours.eps = theirs.eps
