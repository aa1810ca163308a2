"""Wrong answers to the exercise on sequence to sequence."""

from misconceptions import Misconception

BY_HAND = (
    Misconception(
        name="the-end-is-not-predicted",
        why="<eos> is not part of the sentence that one reads.",
        answers={"tokens": "tokens = 10", "batch-loss": "batch_loss = (2 + 10 + 9) / 10"},
        loses={"test-tokens": "<eos> is a token", "test-batch-loss": "has a loss, too"},
    ),
    Misconception(
        name="pads-are-averaged",
        why="The mean of a tensor is taken over all of its entries.",
        answers={"tokens": "tokens = 18", "batch-loss": "batch_loss = 27 / 18"},
        loses={"test-tokens": "Pads do not count", "test-batch-loss": "Pads are no tokens"},
    ),
    Misconception(
        name="mean-of-means",
        why="A mean of the sentences' losses looks like the loss of the batch.",
        answers={"batch-loss": "batch_loss = (1 + 2 + 3) / 3"},
        loses={"test-batch-loss": "mean of the three means"},
    ),
    Misconception(
        name="batch-sizes-are-lengths",
        why="Both lists describe the batch and both add up to the number of words.",
        answers={"batch-sizes": "batch_sizes = [5, 2, 1]"},
        loses={"test-batch-sizes": "lengths of the sentences"},
    ),
    Misconception(
        name="batch-sizes-grow",
        why="Something that is filled up is expected to grow.",
        answers={"batch-sizes": "batch_sizes = [1, 1, 1, 2, 3]"},
        loses={"test-batch-sizes": "largest number comes first"},
    ),
)

LINES = (
    Misconception(
        name="the-end-is-masked-too",
        why="All special tokens look like things that are not words.",
        answers={
            "line-1": """
def line_1(y):
    return (y > 3).astype(float)
"""
        },
        loses={"test-line-1": "only pads (id 1) do not count"},
    ),
    Misconception(
        name="padding-mask-of-the-library",
        why="The course library has this function.",
        answers={
            "line-1": """
import torch
from course_lib.translation.sequence_to_sequence import padding_mask

def line_1(y):
    return padding_mask(torch.tensor(y)).numpy()
"""
        },
        loses={"test-line-1": "PyTorch was called"},
    ),
    Misconception(
        name="mean-over-tokens",
        why="It is the loss of the lecture.",
        answers={
            "line-2": """
def line_2(mask):
    return mask / mask.sum()
"""
        },
        loses={"test-line-2": "mean over tokens"},
    ),
    Misconception(
        name="divided-by-all-steps",
        why="mean(axis=1) divides by the number of columns.",
        answers={
            "line-2": """
def line_2(mask):
    return mask / mask.size
"""
        },
        loses={"test-line-2": "pads included"},
    ),
    Misconception(
        name="sums-over-the-sentences",
        why="Axes are counted from 0, and the first axis is the first that comes to mind.",
        answers={
            "line-2": """
def line_2(mask):
    return mask / (len(mask) * mask.sum(axis=0, keepdims=True))
"""
        },
        loses={"test-line-2": "not over the sentences"},
    ),
    Misconception(
        name="gradient-upside-down",
        why="Observed minus predicted is the direction of the step, and is taken for the gradient.",
        answers={
            "line-3": """
def line_3(weights, logits, y):
    e = np.exp(logits - logits.max(axis=-1, keepdims=True))
    p = e / e.sum(axis=-1, keepdims=True)
    return weights[:, :, None] * (np.eye(logits.shape[-1])[y] - p)
"""
        },
        loses={"test-line-3": "the sign is wrong"},
    ),
    Misconception(
        name="softmax-overflows",
        why="The formula is typed in as it stands on paper.",
        answers={
            "line-3": """
def line_3(weights, logits, y):
    e = np.exp(logits)
    p = e / e.sum(axis=-1, keepdims=True)
    return weights[:, :, None] * (p - np.eye(logits.shape[-1])[y])
"""
        },
        loses={"test-line-3": "overflows at large logits"},
    ),
    Misconception(
        name="outer-product-turned-around",
        why="States come first in the network, so they are put first in the product.",
        answers={
            "line-4": """
def line_4(gradient, states):
    return np.einsum("btd,btv->dv", states, gradient)
"""
        },
        loses={"test-line-4": "transpose"},
    ),
    Misconception(
        name="mean-over-the-batch-again",
        why="Gradients of a batch are often averaged, so it is done here once more.",
        answers={
            "line-4": """
def line_4(gradient, states):
    return np.einsum("btv,btd->vd", gradient, states) / len(states)
"""
        },
        loses={"test-line-4": "mean over the sentences"},
    ),
)

ENCODER = (
    Misconception(
        name="the-last-line-is-blamed",
        why="The wrong state is seen where it is returned.",
        answers={"wrong-line": "wrong_line = 6"},
        loses={"test-wrong-line": "too late"},
    ),
    Misconception(
        name="state-after-the-last-time-step",  # N-34
        why="With one sentence the last step is that of the last word.",
        answers={
            "mended-encoder": """
def mended_encoder(E, V, tokens, lengths):
    h = np.zeros((len(tokens), len(V)))
    for t in range(tokens.shape[1]):
        h = np.tanh(E[tokens[:, t]] + h @ V.T)
    return h
"""
        },
        loses={"test-mended-encoder": "pads are still read"},
    ),
    Misconception(
        name="pads-with-zero-vectors",
        why="padding_idx gives pads a zero vector, which sounds like no effect.",
        answers={
            "mended-encoder": """
def mended_encoder(E, V, tokens, lengths):
    h = np.zeros((len(tokens), len(V)))
    for t in range(tokens.shape[1]):
        words = np.where((t < lengths)[:, None], E[tokens[:, t]], 0)
        h = np.tanh(words + h @ V.T)
    return h
"""
        },
        loses={"test-mended-encoder": "a zero vector still moves the state"},
    ),
    Misconception(
        name="finished-states-set-to-zero",
        why="Multiplying by the mask is how pads are removed from a loss.",
        answers={
            "mended-encoder": """
def mended_encoder(E, V, tokens, lengths):
    h = np.zeros((len(tokens), len(V)))
    for t in range(tokens.shape[1]):
        h = (t < lengths)[:, None] * np.tanh(E[tokens[:, t]] + h @ V.T)
    return h
"""
        },
        loses={"test-mended-encoder": "sets the state of a finished sentence to zero"},
    ),
    Misconception(
        name="one-word-too-early",
        why="Steps are counted from 0 and lengths from 1.",
        answers={
            "mended-encoder": """
def mended_encoder(E, V, tokens, lengths):
    h = np.zeros((len(tokens), len(V)))
    for t in range(tokens.shape[1]):
        new = np.tanh(E[tokens[:, t]] + h @ V.T)
        h = np.where(((t < lengths - 1) | (lengths == tokens.shape[1]))[:, None], new, h)
    return h
"""
        },
        loses={"test-mended-encoder": "expected the state after the last word"},
    ),
)

OPTIONAL = (
    Misconception(
        name="the-best-word-whatever-it-is",
        why="The lecture's greedy search takes the maximum over all words.",
        answers={
            "greedy": """
def greedy(step, state, max_length):
    word, words = 2, []
    while len(words) < max_length:
        logits, state = step(word, state)
        word = int(np.argmax(logits))
        if word == 3:
            break
        words.append(word)
    return words
"""
        },
        loses={"test-greedy": "must never be chosen"},
    ),
    Misconception(
        name="end-token-in-the-answer",
        why="The loop stops after it has written the word down.",
        answers={
            "greedy": """
def greedy(step, state, max_length):
    word, words = 2, []
    while word != 3 and len(words) < max_length:
        logits, state = step(word, state)
        word = 2 + int(np.argmax(logits[2:]))
        words.append(word)
    return words
"""
        },
        loses={"test-greedy": "ends the sentence"},
    ),
    Misconception(
        name="always-fed-the-beginning",  # the other side of E-79: translating has no teacher
        why="With teacher forcing nobody has to feed words back, so it is forgotten here.",
        answers={
            "greedy": """
def greedy(step, state, max_length):
    words = []
    while len(words) < max_length:
        logits, state = step(2, state)
        word = 2 + int(np.argmax(logits[2:]))
        if word == 3:
            break
        words.append(word)
    return words
"""
        },
        loses={"test-greedy": "fed back"},
    ),
    Misconception(
        name="the-steeper-curve-is-independent",
        why="Powers are expected to fall steeply.",
        answers={"reading": 'independent = "b"\nword_probability = 0.98'},
        loses={
            "test-independent": "falls faster than any power",
            "test-word-probability": "n-th root",
        },
    ),
    Misconception(
        name="no-root",
        why="The first value of the curve is read off as it stands.",
        answers={"reading": 'independent = "a"\nword_probability = 0.81'},
        loses={"test-word-probability": "Take the root"},
    ),
)

MISCONCEPTIONS = BY_HAND + LINES + ENCODER + OPTIONAL
