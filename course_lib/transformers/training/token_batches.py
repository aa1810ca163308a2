"""Batches of about equal work: as many pairs as fit into a number of tokens."""

from collections.abc import Iterator, Sequence

import torch

from course_lib.arguments import check_sizes
from course_lib.translation.sequence_to_sequence import Batch, IdPair, make_batch


def iterate_token_batches(
    pairs_of_ids: Sequence[IdPair], max_tokens: int, generator: torch.Generator
) -> Iterator[Batch]:
    """Go once through all pairs in random batches of similar length and bounded size.

    ``iterate_batches`` gives each batch the same number of pairs, so a batch of long sentences
    costs much more than one of short ones. Here the padded tensors are bounded instead: rows times
    columns is at most ``max_tokens``, for the source and for the target with its ``<eos>``.

    Args:
        pairs_of_ids: source and target ids, as ``encode_pairs`` gives them.
        max_tokens: the largest number of tokens, pads included, on either side of a batch.
        generator: draws the order of the pairs and of the batches, on the CPU.

    Yields:
        Batches that together hold each pair once; none if there are no pairs.

    Raises:
        ValueError: if a pair alone is larger than max_tokens, or as ``make_batch``.

    Example:
        >>> pairs = [([4] * length, [5] * length) for length in (1, 1, 2, 2, 7)]
        >>> rng = torch.Generator().manual_seed(0)
        >>> sorted(list(batch.source.shape) for batch in iterate_token_batches(pairs, 8, rng))
        [[1, 7], [2, 1], [2, 2]]
    """
    check_sizes(max_tokens=max_tokens)
    shuffled = [pairs_of_ids[i] for i in torch.randperm(len(pairs_of_ids), generator=generator)]
    shuffled.sort(key=_length)  # a stable sort: chance decides among equals
    groups = []
    for pair in shuffled:
        if _length(pair) > max_tokens:
            raise ValueError(
                f"max_tokens is {max_tokens}, expected at least {_length(pair)}, "
                "the length of the longest pair"
            )
        # The pairs come from short to long, so the newest one decides the number of columns.
        if groups and (len(groups[-1]) + 1) * _length(pair) <= max_tokens:
            groups[-1].append(pair)
        else:
            groups.append([pair])
    for i in torch.randperm(len(groups), generator=generator):
        yield make_batch(groups[i])


def _length(pair: IdPair) -> int:
    source, target = pair
    return max(len(source), len(target) + 1)  # <bos> in front of the input, <eos> behind the output
