"""What every translation model of the course can do."""

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from jaxtyping import Float, Int64
from torch import Tensor, nn

State = tuple[Tensor, ...]


@runtime_checkable
class Translator(Protocol):
    """A model that reads a source sentence and scores the words of its translation.

    Training needs ``__call__``: the whole target is known, and all its steps are scored at once.
    Translating needs ``start`` and ``step``: each word is chosen before the next one is scored.
    Both give the same scores for the same words.

    A state is a tuple of tensors whose first axis is the batch, so that a search can pick and
    repeat its rows: ``tuple(part[rows] for part in state)``.
    """

    def __call__(
        self, source: Int64[Tensor, "batch source"], target_input: Int64[Tensor, "batch target"]
    ) -> Float[Tensor, "batch target vocab"]:
        """Score each next word, given the true words before it (teacher forcing)."""
        ...

    def start(self, source: Int64[Tensor, "batch source"]) -> State:
        """Read the source sentences and return the state before the first word."""
        ...

    def step(
        self, tokens: Int64[Tensor, " batch"], state: State
    ) -> tuple[Float[Tensor, "batch vocab"], State]:
        """Read one word for each sentence; return scores for the next one and the new state."""
        ...

    def parameters(self) -> Iterator[nn.Parameter]:
        """Give what training changes; their device is where the model computes."""
        ...

    def train(self, mode: bool = True) -> "Translator":
        """Switch dropout on or off."""
        ...

    def eval(self) -> "Translator":
        """Switch dropout off."""
        ...
