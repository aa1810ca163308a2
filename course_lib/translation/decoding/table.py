"""A translation model that is nothing but a table of conditional probabilities."""

import math
from collections.abc import Mapping

import torch
from jaxtyping import Float, Int64
from torch import Tensor, nn

from course_lib.data import Vocab
from course_lib.translation.sequence_to_sequence import BOS, EOS, State

Table = Mapping[str, Mapping[str, float | int]]


class TableTranslator(nn.Module):
    """A model whose probabilities were written down, so that a search can be checked by hand.

    A table gives for a prefix (its words with spaces between, ``""`` at the start) the
    probability of each next word, and of ``"<eos>"``. A prefix that is not in the table ends.

    Args:
        tables: one for each source sentence that the model can translate.

    Attributes:
        vocab: ``<unk> <pad> <bos> <eos>`` and the words of all tables in alphabetical order.
        sources: the source sentences, one row of one token for each table.

    Raises:
        ValueError: if there is no table, the probabilities of a prefix do not sum to 1 or are
            negative, the first word has none, or a prefix is impossible.

    Example:
        >>> model = TableTranslator({"": {"a": 0.6, "b": 0.4}, "b": {"a": 0.9, "<eos>": 0.1}})
        >>> model.vocab.tokens[4:]
        ('a', 'b')
        >>> state = model.start(model.sources)
        >>> logits, state = model.step(torch.tensor([2]), state)  # <bos>
        >>> logits.exp()
        tensor([[0.0000, 0.0000, 0.0000, 0.0000, 0.6000, 0.4000]], dtype=torch.float64)
    """

    def __init__(self, *tables: Table) -> None:
        """Number the words and the prefixes."""
        super().__init__()
        if not tables:
            raise ValueError("tables is empty, expected at least one table")
        words = {word for table in tables for row in table.values() for word in row}
        counts = dict.fromkeys(words - {"<eos>"}, 1)
        self.vocab = Vocab(counts, specials=["<pad>", "<bos>", "<eos>"])
        # Node 0 is every prefix that is in no table: it ends, and whatever follows ends again.
        log_p = [[-math.inf] * len(self.vocab)]
        log_p[0][EOS] = 0.0
        following = [[0] * len(self.vocab)]
        roots = []
        for table in tables:
            _check(table)
            nodes = {prefix: len(log_p) + i for i, prefix in enumerate(table)}
            for prefix, row in table.items():
                log_p.append([_log(row.get(token, 0)) for token in self.vocab.tokens])
                longer = [f"{prefix} {token}".strip() for token in self.vocab.tokens]
                following.append([nodes.get(name, 0) for name in longer])
            roots.append(nodes[""])
        self.register_buffer("log_p", torch.tensor(log_p, dtype=torch.float64))
        self.register_buffer("following", torch.tensor(following))
        self.register_buffer("roots", torch.tensor(roots))
        self.register_buffer("sources", 4 + torch.arange(len(tables)).unsqueeze(1))

    def forward(
        self, source: Int64[Tensor, "batch source"], target_input: Int64[Tensor, "batch target"]
    ) -> Float[Tensor, "batch target vocab"]:
        """Look up all steps of given translations; log-probabilities serve as logits."""
        state, steps = self.start(source), []
        for tokens in target_input.T:
            log_p, state = self.step(tokens, state)
            steps.append(log_p)
        return torch.stack(steps, dim=1)

    def start(self, source: Int64[Tensor, "batch source"]) -> State:
        """Go to the empty prefix of the table that the first source token names."""
        return (self.roots[source[:, 0] - 4],)

    def step(
        self, tokens: Int64[Tensor, " batch"], state: State
    ) -> tuple[Float[Tensor, "batch vocab"], State]:
        """Go from each prefix to the one with a further token, and look up its row."""
        (node,) = state
        node = torch.where(tokens == BOS, node, self.following[node, tokens])
        return self.log_p[node], (node,)


def _log(probability: float | int) -> float:
    return math.log(probability) if probability > 0 else -math.inf


def _check(table: Table) -> None:
    if "" not in table:
        raise ValueError("the table has no entry for '', expected the probabilities of first words")
    for prefix, row in table.items():
        if min(row.values(), default=0) < 0 or not abs(sum(row.values()) - 1) < 1e-9:
            raise ValueError(
                f"the probabilities after {prefix!r} are {dict(row)}, expected numbers of at "
                "least 0 that sum to 1"
            )
        shorter, _, word = prefix.rpartition(" ")
        if prefix and not table.get(shorter, {}).get(word, 0) > 0:
            raise ValueError(f"the prefix {prefix!r} is impossible, expected a possible beginning")
