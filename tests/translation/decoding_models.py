"""Small models for the tests of translation.decoding."""

import itertools
import random

import torch

from course_lib.translation.sequence_to_sequence import EOS, PAD, SequenceToSequence

# Erratum E-16: two words, three steps.
BINARY = {
    "": {"a": 0.5, "b": 0.5},
    "a": {"a": 0.5, "b": 0.5},
    "b": {"a": 0.6, "b": 0.4},
    "a a": {"a": 0.5, "b": 0.5},
    "a b": {"a": 0.5, "b": 0.5},
    "b a": {"a": 0.5, "b": 0.5},
    "b b": {"a": 1.0, "b": 0.0},
}


def random_table(seed, words, depth):
    """A full tree of prefixes; rows are sometimes tied and sometimes have zeros."""
    rng = random.Random(seed)
    table = {}
    for length in range(depth):
        for prefix in itertools.product(words, repeat=length):
            if prefix and table.get(" ".join(prefix[:-1]), {}).get(prefix[-1], 0) == 0:
                continue
            weights = [rng.choice([0, 1, 1, 2, 5, rng.random()]) for _ in (*words, "<eos>")]
            total = sum(weights)
            if total == 0:
                weights[0], total = 1, 1
            row = {w: x / total for w, x in zip((*words, "<eos>"), weights, strict=True)}
            table[" ".join(prefix)] = row
    return table


def gru(seed=0, vocab=9, hidden=12, sharpness=3.0):
    """An untrained model whose distributions are far from uniform."""
    model = SequenceToSequence(
        9, vocab, 8, hidden, num_layers=2, generator=torch.Generator().manual_seed(seed)
    )
    with torch.no_grad():
        model.decoder.output.weight *= sharpness
        model.decoder.output.bias[EOS] = 1.0
    return model.eval()


SOURCE = torch.tensor([[4, 5, 6, 7], [8, 4, PAD, PAD], [5, PAD, PAD, PAD], [7, 7, 4, PAD]])
