"""A translator with attention that can copy words: the pointer-generator network."""

import torch
from jaxtyping import Float, Int64
from torch import Tensor, nn

from course_lib.arguments import check_sizes
from course_lib.translation.attention import AttentionTranslator
from course_lib.translation.sequence_to_sequence import State, draw_parameters
from course_lib.translation.training_techniques.copying import copy_mixture

UNKNOWN = 0


class CopyTranslator(nn.Module):
    """A translator whose attention can also hand a source word over as it is.

    Source and target share one vocabulary, and sentences are numbered by ``extended_ids``: an id
    from the vocabulary's size on is a slot. Encoder and decoder read a slot as ``<unk>``, since it
    means another word in every sentence; what tells two slots apart is where they stand.

    Args:
        translator: with one vocabulary for both languages; it becomes a part of this model, with
            the parameters that it has.
        num_slots: how many unknown words of a sentence can be copied.
        generator: draws the starting values of the gate, on the CPU; without it, PyTorch's global
            one.

    Raises:
        ValueError: if num_slots is below 0, or the translator has two vocabularies of different
            sizes.

    Source:
        See, Liu and Manning (2017), Get to the point: summarization with pointer-generator
        networks, section 2.2; here the gate does not see the word vector itself.

    Example:
        >>> model = CopyTranslator(AttentionTranslator(10, 10, 3, 4), num_slots=2)
        >>> model(torch.tensor([[4, 10, 11]]), torch.tensor([[2, 11]])).shape
        torch.Size([1, 2, 12])
    """

    def __init__(
        self,
        translator: AttentionTranslator,
        num_slots: int,
        *,
        generator: torch.Generator | None = None,
    ) -> None:
        """Put a gate behind the translator."""
        super().__init__()
        check_sizes(0, num_slots=num_slots)
        sizes = translator.encoder.embedding.num_embeddings, translator.output.out_features
        if sizes[0] != sizes[1]:
            raise ValueError(
                f"translator has {sizes[0]} source and {sizes[1]} target words, "
                "expected one vocabulary for both"
            )
        self.translator = translator
        self.vocab_size = sizes[0]
        self.num_slots = num_slots
        self.gate = nn.Linear(translator.output.in_features, 1)
        draw_parameters(self.gate, generator)
        self.gate.to(translator.output.weight.device)

    def forward(
        self, source: Int64[Tensor, "batch source"], target_input: Int64[Tensor, "batch target"]
    ) -> Float[Tensor, "batch target extended"]:
        """Give the log-probability of each next word, given the true words before it."""
        features, weights = self._attend(source, target_input)
        return self._mix(features, weights, source.unsqueeze(1).expand_as(weights))

    def attention(
        self, source: Int64[Tensor, "batch source"], target_input: Int64[Tensor, "batch target"]
    ) -> Float[Tensor, "batch target source"]:
        """Return the weights with which each step attends to the source, and copies from it."""
        _, weights = self._attend(source, target_input)
        return weights

    def generating(
        self, source: Int64[Tensor, "batch source"], target_input: Int64[Tensor, "batch target"]
    ) -> Float[Tensor, "batch target"]:
        """Return p_gen at each step: the probability that the next word is not copied."""
        features, _ = self._attend(source, target_input)
        return self.gate(features).squeeze(-1).sigmoid()

    def start(self, source: Int64[Tensor, "batch source"]) -> State:
        """Read the source; its ids become part of the state, as copying needs them."""
        return *self.translator.start(self._readable(source)), source

    def step(
        self, tokens: Int64[Tensor, " batch"], state: State
    ) -> tuple[Float[Tensor, "batch extended"], State]:
        """Read one word for each sentence; return log-probabilities for the next one."""
        hidden, memory, mask, source = state
        word = self.translator.dropout(self.translator.embedding(self._readable(tokens)))
        features, hidden, weights = self.translator.decoder(word, hidden, memory, mask)
        return self._mix(features, weights, source), (hidden, memory, mask, source)

    def _readable(self, ids: Int64[Tensor, "*shape"]) -> Int64[Tensor, "*shape"]:
        return torch.where(ids < self.vocab_size, ids, UNKNOWN)

    def _attend(
        self, source: Int64[Tensor, "batch source"], target_input: Int64[Tensor, "batch target"]
    ) -> tuple[Float[Tensor, "batch target features"], Float[Tensor, "batch target source"]]:
        return self.translator.attend(self._readable(source), self._readable(target_input))

    def _mix(
        self,
        features: Float[Tensor, "*batch features"],
        weights: Float[Tensor, "*batch source"],
        source: Int64[Tensor, "*batch source"],
    ) -> Float[Tensor, "*batch extended"]:
        gate = self.gate(features).squeeze(-1)
        logits = self.translator.output(self.translator.dropout(features))
        return copy_mixture(logits, gate, weights, source, self.num_slots)
