"""Wrong answers to the exercise on residual connections and normalisation."""

from misconceptions import Misconception

BY_HAND = (
    Misconception(
        name="unbiased-variance",
        why="Statistics courses divide by n - 1.",
        answers={"token": "normalized_token = list(np.array([3, -3, 0, 0]) / 7.75**0.5)"},
        loses={"test-token": "Divide by n, not by n - 1"},
    ),
    Misconception(
        name="epsilon-outside-the-root",
        why="It is there to save a division, so it is added to what divides.",
        answers={"token": "normalized_token = list(np.array([3, -3, 0, 0]) / (4.5**0.5 + 1.75))"},
        loses={"test-token": "epsilon stands outside the root"},
    ),
    Misconception(
        name="layer-norm-makes-features-equal",
        why="E-18: normalising features is taken for scaling each of them.",
        answers={"gaps": "gap_ratio = 1.0"},
        loses={"test-gaps": "one scale for all"},
    ),
    Misconception(
        name="running-variance-biased",
        why="The batch is divided by the biased variance, so that one is averaged as well.",
        answers={"running": "running = [0.5, 0.9 + 0.1 * 26 / 3]"},
        loses={"test-running": "unbiased variance"},
    ),
    Misconception(
        name="momentum-turned-round",
        why="In an optimizer, momentum is the share that is kept.",
        answers={"running": "running = [4.5, 0.1 + 0.9 * 13]"},
        loses={"test-running": "share of the new batch"},
    ),
    Misconception(
        name="batch-rows-layer-columns",
        why="E-25: the two axes are mixed up.",
        answers={"means": "numbers_of_means = [512, 160]"},
        loses={"test-means": "Layer normalisation works on the rows"},
    ),
    Misconception(
        name="layer-norm-of-whole-sentences",
        why="N-30: one sample is read as one sentence.",
        answers={"means": "numbers_of_means = [8, 512]"},
        loses={"test-means": "not on each sentence"},
    ),
)

RMS_BACKWARD = (
    Misconception(
        name="mean-subtracted",
        why="RMS normalisation is taken for layer normalisation.",
        answers={
            "line-1": """
def line_1(X, eps):
    r = np.sqrt(X.var(axis=1) + eps)
    return (X - X.mean(axis=1, keepdims=True)) / r[:, None], r
"""
        },
        loses={"test-line-1": "the scales: expected"},
    ),
    Misconception(
        name="length-instead-of-mean-square",
        why="Normalising a vector usually divides it by its length.",
        answers={
            "line-1": """
def line_1(X, eps):
    r = np.sqrt((X**2).sum(axis=1) + eps)
    return X / r[:, None], r
"""
        },
        loses={"test-line-1": "the mean is missing"},
    ),
    Misconception(
        name="library-normalises",
        why="The course library holds rms_norm. It does not return r, and it is PyTorch.",
        answers={
            "line-1": """
import torch
from course_lib.transformers.normalization import rms_norm

def line_1(X, eps):
    X_hat = rms_norm(torch.from_numpy(X), eps).numpy()
    return X_hat, X[:, 0] / X_hat[:, 0]
"""
        },
        loses={"test-line-1": "PyTorch was called"},
    ),
    Misconception(
        name="gain-gradient-averaged",
        why="Batches are averaged so often.",
        answers={
            "line-2": """
def line_2(Delta, X_hat):
    return (Delta * X_hat).mean(axis=0)
"""
        },
        loses={"test-line-2": "its gradients add up"},
    ),
    Misconception(
        name="gradient-of-a-bias",
        why="The gradient of the bias of layer normalisation is remembered.",
        answers={
            "line-2": """
def line_2(Delta, X_hat):
    return Delta.sum(axis=0)
"""
        },
        loses={"test-line-2": "expected the sum of delta times x_hat"},
    ),
    Misconception(
        name="gain-skipped",
        why="The gain is 1 at the start, so it is forgotten.",
        answers={
            "line-3": """
def line_3(Delta, gamma):
    return Delta
"""
        },
        loses={"test-line-3": "the gain is skipped"},
    ),
    Misconception(
        name="scale-taken-for-a-constant",
        why="r is one number for the whole token, so it looks like a constant.",
        answers={
            "line-4": """
def line_4(x_hat, r):
    return np.eye(len(x_hat)) / r
""",
            "line-5": """
def line_5(G, X_hat, r):
    return G / r[:, None]
""",
        },
        loses={"test-line-4": "r is no constant", "test-line-5": "taken for a constant"},
    ),
    Misconception(
        name="jacobian-of-layer-norm",
        why="The formula of the lecture is copied, with the part that removes the mean.",
        answers={
            "line-4": """
def line_4(x_hat, r):
    n = len(x_hat)
    return (np.eye(n) - 1 / n - np.outer(x_hat, x_hat) / n) / r
""",
            "line-5": """
def line_5(G, X_hat, r):
    mean = G.mean(axis=1, keepdims=True)
    return (G - mean - X_hat * (X_hat * G).mean(axis=1, keepdims=True)) / r[:, None]
""",
        },
        loses={"test-line-4": "entry (2, 2)", "test-line-5": "expected G over r"},
    ),
    Misconception(
        name="sum-instead-of-mean",
        why="An outer product times a vector is a sum, and the 1/n is lost.",
        answers={
            "line-4": """
def line_4(x_hat, r):
    return (np.eye(len(x_hat)) - np.outer(x_hat, x_hat)) / r
""",
            "line-5": """
def line_5(G, X_hat, r):
    return (G - X_hat * (X_hat * G).sum(axis=1, keepdims=True)) / r[:, None]
""",
        },
        loses={"test-line-4": "divided by n", "test-line-5": "not divided by n"},
    ),
    Misconception(
        name="one-mean-for-all-tokens",
        why="mean() without an axis gives a number, and broadcasting hides it.",
        answers={
            "line-5": """
def line_5(G, X_hat, r):
    return (G - X_hat * (X_hat * G).mean()) / r[:, None]
"""
        },
        loses={"test-line-5": "Each token has its own"},
    ),
)

STACK = (
    Misconception(
        name="last-normalisation-blamed",
        why="E-59: every block has its normalisation, so the last one looks superfluous.",
        answers={
            "wrong-line": "wrong_line = 4",
            "mended": """
def mended_stack(x, layers):
    for layer in layers:
        x = x + layer(normalize(x))
    return x
""",
        },
        loses={
            "test-wrong-line": "needs one more normalisation",
            "test-mended": "last normalisation is missing",
        },
    ),
    Misconception(
        name="mended-into-post-norm",
        why="The sum is normalised, so that it cannot grow.",
        answers={
            "mended": """
def mended_stack(x, layers):
    for layer in layers:
        x = normalize(x + layer(x))
    return x
"""
        },
        loses={"test-mended": "this is post-norm"},
    ),
    Misconception(
        name="nothing-normalised-on-the-way",
        why="The normalisation at the end seems to be enough.",
        answers={
            "wrong-line": "wrong_line = 2",
            "mended": """
def mended_stack(x, layers):
    for layer in layers:
        x = x + layer(x)
    return normalize(x)
""",
        },
        loses={
            "test-wrong-line": "A layer reads the normalised stream",
            "test-mended": "Normalise what they read",
        },
    ),
    Misconception(
        name="output-of-the-layer-normalised",
        why="What is added should not be too large, so it is normalised.",
        answers={
            "mended": """
def mended_stack(x, layers):
    for layer in layers:
        x = x + normalize(layer(x))
    return normalize(x)
"""
        },
        loses={"test-mended": "Normalise what it reads"},
    ),
    Misconception(
        name="copied-without-mending",
        why="All shapes fit and nothing crashes.",
        answers={
            "mended": """
def mended_stack(x, layers):
    return pre_norm_stack(x, layers)
"""
        },
        loses={"test-mended": "still starts at the normalised stream"},
    ),
)

FIGURE = (
    Misconception(
        name="pre-norm-stream-keeps-its-size",
        why="There is a normalisation in every block, so nothing seems to grow.",
        answers={
            "reading": """
pre_norm_curve = "a"
factor = 2
"""
        },
        loses={"test-curve": "That is post-norm", "test-factor": "square of the length"},
    ),
)

MASKED = (
    Misconception(
        name="padding-counted",
        why="The mean over both axes is one call.",
        answers={
            "masked": """
def masked_batch_norm(X, mask, eps):
    result = (X - X.mean(axis=(0, 1))) / np.sqrt(X.var(axis=(0, 1)) + eps)
    return result * mask[:, :, None]
"""
        },
        loses={"test-masked": "padding is counted"},
    ),
    Misconception(
        name="zeroed-padding-in-the-variance",
        why="Padding set to 0 drops out of a sum, but not once the mean is subtracted.",
        answers={
            "masked": """
def masked_batch_norm(X, mask, eps):
    real = mask[:, :, None]
    mean = (X * real).sum(axis=(0, 1)) / mask.sum()
    variance = ((X * real - mean) ** 2).sum(axis=(0, 1)) / mask.sum()
    return (X - mean) / np.sqrt(variance + eps) * real
"""
        },
        loses={"test-masked": "is counted in the variance"},
    ),
    Misconception(
        name="each-word-by-its-own-features",
        why="E-25: batch and layer normalisation are mixed up.",
        answers={
            "masked": """
def masked_batch_norm(X, mask, eps):
    centred = X - X.mean(axis=2, keepdims=True)
    result = centred / np.sqrt(X.var(axis=2, keepdims=True) + eps)
    return result * mask[:, :, None]
"""
        },
        loses={"test-masked": "masked_batch_norm"},
    ),
    Misconception(
        name="library-normalises-the-batch",
        why="The library's layer takes X[mask]. It is PyTorch.",
        answers={
            "masked": """
import torch
from course_lib.transformers.normalization import BatchNorm

def masked_batch_norm(X, mask, eps):
    result = np.zeros_like(X)
    layer = BatchNorm(X.shape[-1], eps).double()
    result[mask] = layer(torch.from_numpy(X[mask])).detach().numpy()
    return result
"""
        },
        loses={"test-masked": "PyTorch was called"},
    ),
)

MISCONCEPTIONS = (*BY_HAND, *RMS_BACKWARD, *STACK, *FIGURE, *MASKED)
