"""Features and attention weights of a translator in one pass, for losses that need both."""

import torch
from jaxtyping import Float, Int64
from torch import Tensor

from course_lib.translation.attention import AttentionTranslator


def attend(
    translator: AttentionTranslator,
    source: Int64[Tensor, "batch source"],
    target_input: Int64[Tensor, "batch target"],
) -> tuple[Float[Tensor, "batch target features"], Float[Tensor, "batch target source"]]:
    """Run the decoder over the right words.

    ``translator(source, target_input)`` is ``translator.output(features)`` in eval mode, and
    ``translator.attention(source, target_input)`` is the weights. Here one run gives both.

    Args:
        translator: a translator with attention.
        source: the sentences.
        target_input: the words that the decoder reads, ``<bos>`` first.

    Returns:
        What the output layer reads at each step, and the attention weights.

    Example:
        >>> translator = AttentionTranslator(10, 10, embedding_size=3, hidden_size=4)
        >>> source, target_input = torch.tensor([[4, 5]]), torch.tensor([[2, 6, 7]])
        >>> features, weights = attend(translator, source, target_input)
        >>> features.shape, weights.shape
        (torch.Size([1, 3, 12]), torch.Size([1, 3, 2]))
    """
    hidden, memory, mask = translator.start(source)
    words = translator.dropout(translator.embedding(target_input))
    features, weights = [], []
    for word in words.unbind(dim=1):
        step_features, hidden, step_weights = translator.decoder(word, hidden, memory, mask)
        features.append(step_features)
        weights.append(step_weights)
    return torch.stack(features, dim=1), torch.stack(weights, dim=1)
