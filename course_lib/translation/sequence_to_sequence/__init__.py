"""Sequence to sequence: an encoder reads a sentence, a decoder writes its translation."""

from course_lib.translation.sequence_to_sequence.batches import (
    BOS,
    EOS,
    PAD,
    Batch,
    IdPair,
    build_vocab,
    encode_pairs,
    iterate_batches,
    make_batch,
    pad,
    padding_mask,
)
from course_lib.translation.sequence_to_sequence.greedy import best_word, translate_greedily
from course_lib.translation.sequence_to_sequence.loss import masked_cross_entropy
from course_lib.translation.sequence_to_sequence.metrics import exact_match
from course_lib.translation.sequence_to_sequence.model import (
    Decoder,
    Encoder,
    SequenceToSequence,
    source_lengths,
)
from course_lib.translation.sequence_to_sequence.parameters import draw_parameters
from course_lib.translation.sequence_to_sequence.training import take_step, train, train_epoch
from course_lib.translation.sequence_to_sequence.translator import State, Translator

__all__ = [
    "BOS",
    "EOS",
    "PAD",
    "Batch",
    "Decoder",
    "Encoder",
    "IdPair",
    "SequenceToSequence",
    "State",
    "Translator",
    "best_word",
    "build_vocab",
    "draw_parameters",
    "encode_pairs",
    "exact_match",
    "iterate_batches",
    "make_batch",
    "masked_cross_entropy",
    "pad",
    "padding_mask",
    "source_lengths",
    "take_step",
    "train",
    "train_epoch",
    "translate_greedily",
]
