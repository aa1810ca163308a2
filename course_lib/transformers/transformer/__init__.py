"""The Transformer of "Attention is all you need": encoder, decoder, and decoding with a cache."""

from course_lib.transformers.feed_forward import FeedForward
from course_lib.transformers.transformer.cache import Cache, keys_and_values, queries
from course_lib.transformers.transformer.decoder import Decoder, DecoderLayer
from course_lib.transformers.transformer.embedding import TokenEmbedding
from course_lib.transformers.transformer.encoder import Encoder, EncoderLayer
from course_lib.transformers.transformer.model import AttentionMaps, Transformer
from course_lib.transformers.transformer.torch_weights import (
    copy_decoder_layer,
    copy_encoder_layer,
    copy_stacks,
)

__all__ = [
    "AttentionMaps",
    "Cache",
    "Decoder",
    "DecoderLayer",
    "Encoder",
    "EncoderLayer",
    "FeedForward",
    "TokenEmbedding",
    "Transformer",
    "copy_decoder_layer",
    "copy_encoder_layer",
    "copy_stacks",
    "keys_and_values",
    "queries",
]
