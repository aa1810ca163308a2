"""Wrong answers to the exercise on negative sampling."""

from misconceptions import Misconception

DRAWING = (
    Misconception(
        name="unigram-distribution",
        why="A word seems to be drawn as often as it occurs.",
        answers={
            "by-hand": "p_frequent = 256 / 273\nkeep = 0.2\np_pair = 0.5",
            "table": """
def cumulative_table(counts):
    ends = np.cumsum(counts)
    return np.rint(ends / ends[-1] * (2**31 - 1)).astype(np.int64)
""",
        },
        loses={
            "test-by-hand": "this is the unigram distribution",
            "test-table": "the exponent is missing",
        },
    ),
    Misconception(
        name="power-of-the-share-not-normalised",
        why="The formula U(w)^(3/4) is remembered without its Z.",
        answers={"by-hand": "p_frequent = (256 / 273) ** 0.75\nkeep = 0.2\np_pair = 0.5"},
        loses={"test-by-hand": "do not sum to 1"},
    ),
    Misconception(
        name="uniform-negatives",
        why="Drawn at random sounds like equally probable.",
        answers={"by-hand": "p_frequent = 1 / 3\nkeep = 0.2\np_pair = 0.5"},
        loses={"test-by-hand": "equally probable"},
    ),
    Misconception(
        name="drop-for-keep",
        why="The paper states the probability to discard a word.",
        answers={"by-hand": "p_frequent = 64 / 73\nkeep = 0.8\np_pair = 0.5"},
        loses={"test-by-hand": "the probability to drop it"},
    ),
    Misconception(
        name="subsampling-of-the-program",
        why="The formula in the code is taken for that of the paper.",
        answers={"by-hand": "p_frequent = 64 / 73\nkeep = 0.24\np_pair = 0.5"},
        loses={"test-by-hand": "the program and gensim"},
    ),
    Misconception(
        name="window-of-random-size-turned-round",
        why="A size up to 3 and a size from 3 up are easily swapped.",
        answers={"by-hand": "p_frequent = 64 / 73\nkeep = 0.2\np_pair = 0.75"},
        loses={"test-by-hand": "counts the sizes up to 3"},
    ),
    Misconception(
        name="negatives-are-non-context-words",
        why="Negative sounds like false.",
        answers={"may-be-drawn": 'may_be_drawn = {"whale"}'},
        loses={"test-may-be-drawn": "not guaranteed to be non-context words"},
    ),
    Misconception(
        name="true-word-as-its-own-negative",
        why="The formula draws from all words.",
        answers={"may-be-drawn": 'may_be_drawn = {"gold", "and", "silver", "coin", "whale"}'},
        loses={"test-may-be-drawn": "the true word of the pair"},
    ),
    Misconception(
        name="power-after-the-sum",
        why="The cumulative counts are at hand, and the power is taken last.",
        answers={
            "table": """
def cumulative_table(counts):
    ends = np.cumsum(counts) / counts.sum()
    return np.rint(ends**0.75 * (2**31 - 1)).astype(np.int64)
"""
        },
        loses={"test-table": "summed first"},
    ),
    Misconception(
        name="rounded-before-scaling",
        why="Whole numbers are asked for, so the shares are rounded.",
        answers={
            "table": """
def cumulative_table(counts):
    ends = np.cumsum(counts**0.75)
    return np.rint(ends / ends[-1]).astype(np.int64)
"""
        },
        loses={"test-table": "before you round"},
    ),
)

GRADIENTS = (
    Misconception(
        name="softmax-over-the-drawn-words",
        why="The words of the list look like the classes of a small softmax.",
        answers={
            "line-1": """
def line_1(x, y):
    return np.exp(x) / np.exp(x).sum() - y
"""
        },
        loses={"test-line-1": "this is a softmax"},
    ),
    Misconception(
        name="negatives-pulled-like-the-true-word",
        why="The inner minus sign is lost, and all words get the slope of the true one.",
        answers={
            "line-1": """
def line_1(x, y):
    return 1 / (1 + np.exp(-x)) - 1
""",
            "pair-loss": """
def pair_loss(v, u_o, negatives):
    return np.logaddexp(0, -(u_o @ v)) + np.logaddexp(0, -(negatives @ v)).sum()
""",
        },
        loses={
            "test-line-1": "The inner minus sign is lost",
            "test-pair-loss": "the minus sign inside the sigmoid",
        },
    ),
    Misconception(
        name="truth-minus-prediction",
        why="An error is often written as target minus prediction.",
        answers={
            "line-1": """
def line_1(x, y):
    return y - 1 / (1 + np.exp(-x))
"""
        },
        loses={"test-line-1": "must be negative"},
    ),
    Misconception(
        name="decisions-averaged",
        why="A loss is a mean, so the parts are averaged.",
        answers={
            "line-2": """
def line_2(R, delta):
    return R.T @ delta / len(delta)
"""
        },
        loses={"test-line-2": "This is their mean"},
    ),
    Misconception(
        name="negatives-do-not-move-the-centre",
        why="The centre vector seems to learn from its true neighbour.",
        answers={
            "line-2": """
def line_2(R, delta):
    return delta[0] * R[0]
"""
        },
        loses={"test-line-2": "The negatives push, too"},
    ),
    Misconception(
        name="outer-product-transposed",
        why="v delta^T and delta v^T hold the same numbers.",
        answers={
            "line-3": """
def line_3(delta, v):
    return np.outer(v, delta)
"""
        },
        loses={"test-line-3": "This is the transpose"},
    ),
    Misconception(
        name="duplicate-negatives-overwrite",
        why="gradient[words] += rows looks like an addition for each word.",
        answers={
            "line-4": """
def line_4(shape, words, rows):
    gradient = np.zeros(shape)
    gradient[words] += rows
    return gradient
"""
        },
        loses={"test-line-4": "keeps only its last row"},
    ),
    Misconception(
        name="duplicate-negatives-averaged",
        why="Each word is to make one step, so its rows are averaged.",
        answers={
            "line-4": """
def line_4(shape, words, rows):
    gradient = np.zeros(shape)
    for word in set(words.tolist()):
        gradient[word] = rows[words == word].mean(axis=0)
    return gradient
"""
        },
        loses={"test-line-4": "are averaged"},
    ),
    Misconception(
        name="uniform-expectation",
        why="A mean over the words is taken for the mean over the distribution.",
        answers={
            "line-5": """
def line_5(U, v, P, K):
    return K * (U / (1 + np.exp(-U @ v))[:, None]).mean(axis=0)
"""
        },
        loses={"test-line-5": "weigh with P"},
    ),
    Misconception(
        name="expectation-inside-the-sigmoid",
        why="The mean is moved inside a function that is not linear.",
        answers={
            "line-5": """
def line_5(U, v, P, K):
    mean = P @ U
    return K / (1 + np.exp(-mean @ v)) * mean
"""
        },
        loses={"test-line-5": "takes the mean vector first"},
    ),
    Misconception(
        name="pytorch-adds-the-rows",
        why="index_add of the lecture does the same.",
        answers={
            "line-4": """
import torch

def line_4(shape, words, rows):
    gradient = torch.zeros(shape, dtype=torch.float64)
    return gradient.index_add(0, torch.from_numpy(words), torch.from_numpy(rows)).numpy()
"""
        },
        loses={"test-line-4": "PyTorch was called"},
    ),
)

COUNTING = (
    Misconception(
        name="denominator-over-the-corpus",
        why="Both numbers are large, and the vocabulary is taken from the corpus.",
        answers={
            "counting": "softmax_terms = 10**6\nsigmoids = 6\nsgd_steps = 1000\nbatch_steps = 32"
        },
        loses={"test-counting": "over the vocabulary, not over the corpus"},
    ),
    Misconception(
        name="sgd-takes-32-examples",
        why="Programs call every kind of mini-batch training SGD.",
        answers={
            "counting": "softmax_terms = 10**4\nsigmoids = 6\nsgd_steps = 32\nbatch_steps = 32"
        },
        loses={"test-counting": "a mini-batch"},
    ),
    Misconception(
        name="true-word-not-counted",
        why="K negatives are drawn, and the true word is forgotten.",
        answers={
            "counting": "softmax_terms = 10**4\nsigmoids = 5\nsgd_steps = 1000\nbatch_steps = 32"
        },
        loses={"test-counting": "the true context word needs one"},
    ),
    Misconception(
        name="last-batch-dropped",
        why="1000 // 32 is 31.",
        answers={
            "counting": "softmax_terms = 10**4\nsigmoids = 6\nsgd_steps = 1000\nbatch_steps = 31"
        },
        loses={"test-counting": "the last, smaller batch"},
    ),
    Misconception(
        name="logarithm-of-a-rounded-zero",
        why="The formula is typed as it stands.",
        answers={
            "pair-loss": """
def pair_loss(v, u_o, negatives):
    def sigma(x):
        return 1 / (1 + np.exp(-x))

    return -np.log(sigma(u_o @ v)) - np.log(sigma(-(negatives @ v))).sum()
"""
        },
        loses={"test-pair-loss": "inf"},
    ),
    Misconception(
        name="library-gives-the-loss",
        why="The course library holds this loss, in PyTorch.",
        answers={
            "pair-loss": """
import torch
from course_lib.word_vectors.negative_sampling import negative_sampling_loss

def pair_loss(v, u_o, negatives):
    U = torch.from_numpy(np.vstack([u_o, negatives]))
    V = torch.from_numpy(v) + torch.zeros_like(U)
    first, others = torch.tensor([0]), torch.arange(1, len(U))[None]
    return negative_sampling_loss(V, U, first, first, others).item()
"""
        },
        loses={"test-pair-loss": "PyTorch was called"},
    ),
    Misconception(
        name="negatives-averaged",
        why="K draws look like an estimate of a mean.",
        answers={
            "pair-loss": """
def pair_loss(v, u_o, negatives):
    return np.logaddexp(0, -(u_o @ v)) + np.logaddexp(0, negatives @ v).mean()
"""
        },
        loses={"test-pair-loss": "the negatives are averaged"},
    ),
)

BUG = (
    Misconception(
        name="lines-swapped",
        why="The step of the centre goes first, and then U sees the new centre.",
        answers={
            "wrong-line": "wrong_line = 4",
            "mended-step": """
def mended_step(V, U, c, words, rate):
    V, U = V.copy(), U.copy()
    delta = 1 / (1 + np.exp(-U[words] @ V[c])) - (np.arange(len(words)) == 0)
    V[c] -= rate * delta @ U[words]
    np.add.at(U, words, -rate * np.outer(delta, V[c]))
    return V, U
""",
        },
        loses={
            "test-wrong-line": "line 4 is right",
            "test-mended-step": "Swapping the two lines moves the bug",
        },
    ),
    Misconception(
        name="repeated-negative-moves-once",
        why="U[words] -= ... looks like np.add.at.",
        answers={
            "mended-step": """
def mended_step(V, U, c, words, rate):
    delta = 1 / (1 + np.exp(-U[words] @ V[c])) - (np.arange(len(words)) == 0)
    new_V, new_U = V.copy(), U.copy()
    new_V[c] -= rate * delta @ U[words]
    new_U[words] -= rate * np.outer(delta, V[c])
    return new_V, new_U
"""
        },
        loses={"test-mended-step": "drawn twice moves once only"},
    ),
    Misconception(
        name="step-up-the-gradient",
        why="The gradient is taken for the direction of the step.",
        answers={
            "mended-step": """
def mended_step(V, U, c, words, rate):
    delta = 1 / (1 + np.exp(-U[words] @ V[c])) - (np.arange(len(words)) == 0)
    new_V, new_U = V.copy(), U.copy()
    new_V[c] += rate * delta @ U[words]
    np.add.at(new_U, words, rate * np.outer(delta, V[c]))
    return new_V, new_U
"""
        },
        loses={"test-mended-step": "goes along the gradient"},
    ),
)

PICTURE = (
    Misconception(
        name="steepest-line-is-three-quarters",
        why="The exponent seems to make the line steeper.",
        answers={"reading": 'three_quarters = "A"\nmost_rare = "B"'},
        loses={"test-reading": "the exponent 1"},
    ),
    Misconception(
        name="rare-words-read-at-the-left",
        why="The highest point of the picture is taken.",
        answers={"reading": 'three_quarters = "C"\nmost_rare = "A"'},
        loses={"test-reading": "Look at the right end"},
    ),
)

MISCONCEPTIONS = (*DRAWING, *GRADIENTS, *COUNTING, *BUG, *PICTURE)
