"""Cross-entropy over the real tokens of a padded batch."""

import torch.nn.functional as F
from jaxtyping import Float, Int64
from torch import Tensor

from course_lib.translation.sequence_to_sequence.batches import PAD, padding_mask


def masked_cross_entropy(
    logits: Float[Tensor, "batch steps vocab"], target: Int64[Tensor, "batch steps"]
) -> Float[Tensor, ""]:
    """Compute the mean over the real tokens of -log p[token], in nats.

    What stands at a pad counts neither in the sum nor in the number of tokens, and gets the
    gradient zero.

    Args:
        logits: for each step a score for each word.
        target: the right words, filled up with ``PAD``.

    Returns:
        The mean loss, a tensor without axes.

    Raises:
        ValueError: if no target is a real token (the mean is undefined), or a target is no word.

    Example:
        >>> import torch
        >>> logits = torch.zeros(1, 3, 8)
        >>> logits[0, 2] = 1e9  # at a pad: it makes no difference
        >>> masked_cross_entropy(logits, torch.tensor([[5, 3, 1]]))  # log 8
        tensor(2.0794)
    """
    # A meta tensor has a shape but no values to look at.
    if not target.is_meta:
        if not padding_mask(target).any():
            raise ValueError("target holds nothing but pads, expected at least one real token")
        if not 0 <= target.min() <= target.max() < logits.shape[-1]:
            raise ValueError(
                f"target goes from {target.min()} to {target.max()}, "
                f"expected 0 to {logits.shape[-1] - 1}"
            )
    return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=PAD)
