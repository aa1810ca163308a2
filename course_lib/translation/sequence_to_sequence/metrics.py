"""How many translations are exactly right."""

from collections.abc import Hashable, Sequence


def exact_match(
    candidates: Sequence[Sequence[Hashable]], references: Sequence[Sequence[Hashable]]
) -> float:
    """Compute the share of candidates that equal their reference token for token.

    Args:
        candidates: the translations, as words or as ids.
        references: for each candidate the one right translation.

    Returns:
        A number from 0 to 1.

    Raises:
        ValueError: if there are no candidates, or not as many references.

    Example:
        >>> exact_match([["el", "gato"], ["la", "casa"]], [("el", "gato"), ("la", "casa", "roja")])
        0.5
    """
    if len(candidates) == 0:
        raise ValueError("candidates is empty, expected at least one translation")
    if len(candidates) != len(references):
        raise ValueError(
            f"references has {len(references)} entries, expected {len(candidates)}, "
            "one for each candidate"
        )
    right = sum(list(c) == list(r) for c, r in zip(candidates, references, strict=True))
    return right / len(candidates)
