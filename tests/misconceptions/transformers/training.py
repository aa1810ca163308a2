"""Wrong answers to the exercise on training a Transformer."""

from misconceptions import Misconception

BY_HAND = (
    Misconception(
        name="right-word-gets-no-share",
        why="The share seems to be meant for the others.",
        answers={"label": "smoothed_label = [0.2 / 3, 0.2 / 3, 0.8, 0.2 / 3]"},
        loses={"test-label": "also to the right one"},
    ),
    Misconception(
        name="gap-of-probabilities",
        why="Logits and probabilities are mixed up.",
        answers={"gap": "best_gap = 0.8"},
        loses={"test-gap": "not of the logits"},
    ),
    Misconception(
        name="gap-from-the-other-label",
        why="The right word is taken to have 1 - eps.",
        answers={"gap": "best_gap = math.log(12)"},
        loses={"test-gap": "keeps a part of the shared share"},
    ),
    Misconception(
        name="larger-branch",
        why="min and max are mixed up.",
        answers={"rates": "three_rates = [1 / 4, 1 / 8, 1 / 2]"},
        loses={"test-rates": "Warm-up starts low"},
    ),
    Misconception(
        name="width-forgotten",
        why="The interesting part of the formula is the minimum.",
        answers={"rates": "three_rates = [1 / 8, 1 / 2, 1 / 4]"},
        loses={"test-rates": "factor of d_model is missing"},
    ),
    Misconception(
        name="pads-per-word",
        why="8 pads and 16 words make one half.",
        answers={"pads": "share_of_pads = 8 / 16"},
        loses={"test-pads": "Count them per place"},
    ),
)

BACKWARD = (
    Misconception(
        name="softmax-without-logarithm",
        why="The softmax is the function that one knows by heart.",
        answers={
            "line-1": """
def line_1(Z):
    P = np.exp(Z - Z.max(axis=1, keepdims=True))
    return P / P.sum(axis=1, keepdims=True)
"""
        },
        loses={"test-line-1": "expected -log 2"},
    ),
    Misconception(
        name="logits-not-shifted",
        why="The formula holds no shift, and small logits need none.",
        answers={
            "line-1": """
def line_1(Z):
    return Z - np.log(np.exp(Z).sum(axis=1, keepdims=True))
"""
        },
        loses={"test-line-1": "it overflows"},
    ),
    Misconception(
        name="share-for-the-others-only",
        why="Some libraries of the first years did it this way.",
        answers={
            "line-2": """
def line_2(y, V, eps):
    one_hot = np.eye(V)[y]
    return (1 - eps) * one_hot + eps / (V - 1) * (1 - one_hot)
"""
        },
        loses={"test-line-2": "also to the right one"},
    ),
    Misconception(
        name="right-word-keeps-everything",
        why="The uniform part is added and nothing is taken away.",
        answers={
            "line-2": """
def line_2(y, V, eps):
    return np.eye(V)[y] + eps / V
"""
        },
        loses={"test-line-2": "do not sum to 1"},
    ),
    Misconception(
        name="library-smooths",
        why="The course library holds smoothed_targets. It is PyTorch.",
        answers={
            "line-2": """
import torch
from course_lib.transformers.training import smoothed_targets

def line_2(y, V, eps):
    return smoothed_targets(torch.from_numpy(y), V, eps).double().numpy()
"""
        },
        loses={"test-line-2": "PyTorch was called"},
    ),
    Misconception(
        name="pads-in-the-loss",
        why="E-74: ignore_index is forgotten, and the mean runs over all tokens.",
        answers={
            "line-3": """
def line_3(log_P, Q, m):
    return -(Q * log_P).sum(axis=1).mean()
""",
            "line-4": """
def line_4(P, Q, m):
    return (P - Q) / len(m)
""",
        },
        loses={"test-line-3": "the pads are counted", "test-line-4": "the pads are counted"},
    ),
    Misconception(
        name="pads-in-the-number-only",
        why="The mask multiplies the losses, and then mean() is called.",
        answers={
            "line-3": """
def line_3(log_P, Q, m):
    return -(m * (Q * log_P).sum(axis=1)).mean()
""",
            "line-4": """
def line_4(P, Q, m):
    return m[:, None] * (P - Q) / len(m)
""",
        },
        loses={
            "test-line-3": "but not of the number",
            "test-line-4": "number of all tokens",
        },
    ),
    Misconception(
        name="sign-turned",
        why="The error is often written as target minus prediction.",
        answers={
            "line-4": """
def line_4(P, Q, m):
    return m[:, None] * (Q - P) / m.sum()
"""
        },
        loses={"test-line-4": "has to grow"},
    ),
    Misconception(
        name="mean-forgotten-backwards",
        why="p - q is the result that one remembers.",
        answers={
            "line-4": """
def line_4(P, Q, m):
    return m[:, None] * (P - Q)
"""
        },
        loses={"test-line-4": "divide by N"},
    ),
)

LOOP = (
    Misconception(
        name="clipping-blamed",
        why="Clipping looks like an extra, and the missing eval() is no line that one could see.",
        answers={"wrong-lines": "wrong_lines = [7, 10, 12]"},
        loses={"test-wrong-lines": "line 10 is right"},
    ),
    Misconception(
        name="gradients-cleared-too-late",
        why="Many loops clear them first, so this place looks wrong.",
        answers={"wrong-lines": "wrong_lines = [8, 12, 13]"},
        loses={"test-wrong-lines": "line 8 is right"},
    ),
    Misconception(
        name="scheduler-per-epoch",
        why="Most schedules in tutorials count epochs.",
        answers={
            "mended": """
def mended_rates(updates, epochs, rate):
    return np.repeat([rate(epoch) for epoch in range(1, epochs + 1)], updates)
"""
        },
        loses={"test-mended": "waits for the end of the epoch"},
    ),
    Misconception(
        name="schedule-starts-again",
        why="The inner loop counts its batches from the beginning.",
        answers={
            "mended": """
def mended_rates(updates, epochs, rate):
    return np.array([rate(step) for _ in range(epochs) for step in range(1, updates + 1)])
"""
        },
        loses={"test-mended": "starts again in each epoch"},
    ),
    Misconception(
        name="scheduler-knows-the-updates",
        why="The schedule is written in updates, so it is thought to count them itself.",
        answers={
            "as-it-stands": """
def rates_of_the_loop(updates, epochs, rate):
    return np.repeat([rate(updates * epoch + 1) for epoch in range(epochs)], updates)
"""
        },
        loses={"test-as-it-stands": "moved by one step"},
    ),
)

FIGURE = (
    Misconception(
        name="plain-curve-taken-for-a-zero",
        why="The curve that comes closest to zero at the end is c; the first zero seems to be a's.",
        answers={"reading": 'plain_curve = "a"\nsmoothing_of_b = 0.45'},
        loses={"test-curve": "paid for a smaller gap", "test-smoothing": "start of the curve"},
    ),
)

MISCONCEPTIONS = (*BY_HAND, *BACKWARD, *LOOP, *FIGURE)
