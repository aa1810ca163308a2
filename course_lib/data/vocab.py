"""A vocabulary: the map between tokens and the numbers that a model reads."""

from collections.abc import Iterable, Mapping, Sequence
from operator import index

UNKNOWN = "<unk>"


class Vocab:
    """Tokens with fixed ids.

    Id 0 is the unknown token ``"<unk>"``, then come the further special tokens in the order given,
    then the counted tokens: the most frequent first, ties in alphabetical order (of code points).

    Attributes:
        tokens: all tokens; ``tokens[i]`` is the one with id i.
    """

    def __init__(
        self,
        counts: Mapping[str, int],
        *,
        min_count: int = 1,
        max_size: int | None = None,
        specials: Sequence[str] = (),
    ) -> None:
        """Choose the tokens and number them.

        Args:
            counts: how often each token occurs, for example a ``collections.Counter``.
            min_count: tokens that occur less often are left out.
            max_size: the largest allowed ``len(vocab)``, special tokens included; None for no
                limit.
            specials: special tokens besides the unknown one, such as ``["<pad>", "<bos>"]``.

        Raises:
            ValueError: if min_count is below 1, max_size leaves no room for the special tokens,
                a special token is repeated or is counted, or a count is negative.

        Example:
            >>> vocab = Vocab({"whale": 3, "sea": 5, "a": 3}, min_count=2, specials=["<pad>"])
            >>> vocab.tokens
            ('<unk>', '<pad>', 'sea', 'a', 'whale')
            >>> vocab["sea"], vocab["ship"], len(vocab)
            (2, 0, 5)
        """
        if isinstance(specials, str):
            raise ValueError(f"specials: expected a list of tokens, got one string {specials!r}")
        fixed = [UNKNOWN, *specials]
        if min_count < 1:
            raise ValueError(f"min_count: expected 1 or more, got {min_count}")
        if max_size is not None and max_size < len(fixed):
            raise ValueError(
                f"max_size: expected {len(fixed)} or more to hold the special tokens, "
                f"got {max_size}"
            )
        if len(set(fixed)) != len(fixed):
            raise ValueError(f"specials: expected each token once besides {UNKNOWN!r}, got {fixed}")
        for token in fixed:
            if token in counts:
                raise ValueError(f"counts: expected no special token, got {token!r}")
        for token, count in counts.items():
            if count < 0:
                raise ValueError(f"counts: expected 0 or more for {token!r}, got {count}")
        kept = sorted(
            (token for token, count in counts.items() if count >= min_count),
            key=lambda token: (-counts[token], token),
        )
        self.tokens: tuple[str, ...] = tuple([*fixed, *kept][:max_size])
        self._ids = {token: i for i, token in enumerate(self.tokens)}

    def __len__(self) -> int:
        """Give the number of tokens, special ones included."""
        return len(self.tokens)

    def __contains__(self, token: str) -> bool:
        """Say whether the token has an id of its own."""
        return token in self._ids

    def __getitem__(self, token: str) -> int:
        """Give the id of a token, 0 for an unknown one."""
        return self._ids.get(token, 0)

    def encode(self, tokens: Iterable[str]) -> list[int]:
        """Give the ids of tokens, 0 for the unknown ones.

        Raises:
            ValueError: if tokens is one string, whose characters would be taken for tokens.

        Example:
            >>> Vocab({"call": 2, "me": 1}).encode(["call", "me", "ishmael"])
            [1, 2, 0]
        """
        if isinstance(tokens, str):
            raise ValueError(f"tokens: expected a list of tokens, got one string {tokens!r}")
        return [self[token] for token in tokens]

    def decode(self, ids: Iterable) -> list[str]:
        """Give the tokens of ids; ids may also be a one-dimensional tensor of integers.

        Raises:
            ValueError: if an id is not an integer from 0 to ``len(vocab) - 1``.

        Example:
            >>> Vocab({"call": 2, "me": 1}).decode([1, 2, 0])
            ['call', 'me', '<unk>']
        """
        return [self.tokens[self._checked(i)] for i in ids]

    def _checked(self, i: object) -> int:
        """Give the id as an int, or refuse it: a negative one would count from the end."""
        try:
            number = index(i)
        except TypeError:
            number = -1
        if not 0 <= number < len(self):
            raise ValueError(f"ids: expected integers from 0 to {len(self) - 1}, got {i!r}")
        return number
