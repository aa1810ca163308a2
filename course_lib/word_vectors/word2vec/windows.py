"""Windows that slide over documents, and the training examples of skip-gram and CBOW.

A word is a number from 0. A negative number stands for a word that is not in the vocabulary: it
keeps its place in the text, but it is no centre and no context word. No window reaches from one
document into the next.
"""

from collections.abc import Sequence

import torch
from jaxtyping import Int64
from torch import Tensor

from course_lib.arguments import check_sizes


def context_windows(
    documents: Sequence[Sequence[int]], window: int
) -> tuple[Int64[Tensor, " positions"], Int64[Tensor, "positions width"]]:
    """Put each word of each document into the centre of a window, in the order of the text.

    Args:
        documents: the words of each document as numbers, negative ones for unknown words.
        window: how many places the window reaches to each side, at least 1.

    Returns:
        The centre words, and the words around each: column k belongs to the offset k - window for
        k < window and to k - window + 1 from there on. It holds -1 where there is no known word.

    Raises:
        ValueError: if the window is below 1.

    Example:
        >>> centres, contexts = context_windows([[5, 6, 7]], window=1)
        >>> centres.tolist(), contexts.tolist()
        ([5, 6, 7], [[-1, 6], [5, 7], [6, -1]])
    """
    check_sizes(window=window)
    # A gap of `window` places follows each document: no window can see across it.
    gap = [-1] * window
    text = [-1, *gap]
    for document in documents:
        text.extend(document)
        text.extend(gap)
    text.extend(gap)
    rows = torch.tensor(text).clamp_min(-1).unfold(0, 2 * window + 1, 1)  # [places, 2 window + 1]
    rows = rows[rows[:, window] >= 0]
    return rows[:, window], torch.cat([rows[:, :window], rows[:, window + 1 :]], dim=1)


def skipgram_pairs(
    documents: Sequence[Sequence[int]], window: int
) -> tuple[Int64[Tensor, " pairs"], Int64[Tensor, " pairs"]]:
    """List the examples of skip-gram: the centre is the input, one context word is the target.

    Args:
        documents: the words of each document as numbers, negative ones for unknown words.
        window: how many places the window reaches to each side, at least 1.

    Returns:
        The centre words and the context words, one pair for each word in each window.

    Raises:
        ValueError: if the window is below 1.

    Source:
        Mikolov, Chen, Corrado and Dean (2013), section 3.2.

    Example:
        >>> centres, contexts = skipgram_pairs([[5, 6, 7]], window=1)
        >>> list(zip(centres.tolist(), contexts.tolist()))
        [(5, 6), (6, 5), (6, 7), (7, 6)]
    """
    centres, contexts = context_windows(documents, window)
    present = contexts >= 0
    return centres.repeat_interleave(present.sum(dim=1)), contexts[present]


def cbow_examples(
    documents: Sequence[Sequence[int]], window: int
) -> tuple[Int64[Tensor, "examples width"], Int64[Tensor, " examples"]]:
    """List the examples of CBOW: all context words are the input, the centre is the target.

    Args:
        documents: the words of each document as numbers, negative ones for unknown words.
        window: how many places the window reaches to each side, at least 1.

    Returns:
        The context words, with -1 where there is none, and the centre words. A centre without any
        context word makes no example.

    Raises:
        ValueError: if the window is below 1.

    Source:
        Mikolov, Chen, Corrado and Dean (2013), section 3.1.

    Example:
        >>> contexts, targets = cbow_examples([[5, 6, 7], [8]], window=1)
        >>> contexts.tolist(), targets.tolist()
        ([[-1, 6], [5, 7], [6, -1]], [5, 6, 7])
    """
    centres, contexts = context_windows(documents, window)
    some = (contexts >= 0).any(dim=1)
    return contexts[some], centres[some]
