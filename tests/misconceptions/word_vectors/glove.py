"""Wrong answers to the exercise on GloVe."""

from misconceptions import Misconception

BY_HAND = (
    Misconception(
        name="plain-counts",
        why="A window sounds like a frame in which all words count the same.",
        answers={"count": "count_war_peace = 3", "probability": "probability_peace = 3 / 6"},
        loses={"test-count": "count 1/d", "test-probability": "plain counts"},
    ),
    Misconception(
        name="window-crosses-documents",
        why="A corpus is often stored as one long text.",
        answers={"count": "count_war_peace = 2.5"},
        loses={"test-count": "crossed from the first document"},
    ),
    Misconception(
        name="joint-probability",
        why="P(i, j) is written with a comma in many notes.",
        answers={"probability": "probability_peace = 1.5 / 16"},
        loses={"test-probability": "conditional, not joint"},
    ),
    Misconception(
        name="weight-without-a-cap",
        why="A weight is taken for importance, and more seems to be more important.",
        answers={"weights": "weights = [0, 8 / 27, 2**0.75]"},
        loses={"test-weights": "the cap is missing"},
    ),
    Misconception(
        name="weight-without-a-power",
        why="With the power left out the function still goes from 0 to 1.",
        answers={"weights": "weights = [0, 16 / 81, 1]"},
        loses={"test-weights": "power 3/4 is missing"},
    ),
    Misconception(
        name="only-the-vectors-are-learned",
        why="The biases are thrown away at the end, and stand for log X_i in the derivation.",
        answers={"learned": "numbers_learned = 2 * 1000 * 20"},
        loses={"test-learned": "The biases are learned as well"},
    ),
    Misconception(
        name="one-vector-for-each-word",
        why="A word vector model is expected to have one vector for each word.",
        answers={"learned": "numbers_learned = 1000 * 20"},
        loses={"test-learned": "second vector"},
    ),
)

LINE_1 = (
    Misconception(
        name="logarithm-of-zero",
        why="The mask is put on at the end, when minus infinity is already there.",
        answers={
            "line-1": """
def line_1(W, b, X):
    return (W @ W.T + b[:, None] + b - np.log(X)) * (X > 0)
"""
        },
        loses={"test-line-1": "logarithm of an empty cell was taken"},
    ),
    Misconception(
        name="one-bias-in-a-cell",
        why="W W^T + b runs, and NumPy adds b to every row.",
        answers={
            "line-1": """
def line_1(W, b, X):
    return np.where(X > 0, W @ W.T + b - np.log(np.where(X > 0, X, 1)), 0)
"""
        },
        loses={"test-line-1": "each cell has two biases"},
    ),
    Misconception(
        name="empty-cells-keep-their-prediction",
        why="log 1 = 0 is put in for an empty cell, as if a count of 0 were a count of 1.",
        answers={
            "line-1": """
def line_1(W, b, X):
    return W @ W.T + b[:, None] + b - np.log(np.where(X > 0, X, 1))
"""
        },
        loses={"test-line-1": "an empty cell has no error"},
    ),
    Misconception(
        name="counts-without-logarithm",
        why="A co-occurrence matrix is to be factorised, so the counts themselves are fitted.",
        answers={
            "line-1": """
def line_1(W, b, X):
    return np.where(X > 0, W @ W.T + b[:, None] + b - X, 0)
"""
        },
        loses={"test-line-1": "Take their logarithm"},
    ),
)

LINE_2 = (
    Misconception(
        name="uncapped-weight",
        why="The case x >= x_max is forgotten, and small counts do not show it.",
        answers={
            "line-2": """
def line_2(R, X, x_max, alpha):
    return 2 * (X / x_max) ** alpha * R
"""
        },
        loses={"test-line-2": "not capped"},
    ),
    Misconception(
        name="factor-two-forgotten",
        why="Many losses have a factor 1/2 in front, and this one has none.",
        answers={
            "line-2": """
def line_2(R, X, x_max, alpha):
    return np.minimum(X / x_max, 1) ** alpha * R
"""
        },
        loses={"test-line-2": "factor 2"},
    ),
    Misconception(
        name="weight-squared-with-the-error",
        why="In code one weighs the errors first and squares them afterwards.",
        answers={
            "line-2": """
def line_2(R, X, x_max, alpha):
    f = np.minimum(X / x_max, 1) ** alpha
    return 2 * f * (f * R)
"""
        },
        loses={"test-line-2": "not squared with the error"},
    ),
    Misconception(
        name="x-max-fixed",
        why="100 and 3/4 are the famous values.",
        answers={
            "line-2": """
def line_2(R, X, x_max, alpha):
    return 2 * np.minimum(X / 100, 1) ** 0.75 * R
"""
        },
        loses={"test-line-2": "Use what the function is given"},
    ),
    Misconception(
        name="library-answers-line-2",
        why="The course library has the weight function.",
        answers={
            "line-2": """
import torch
from course_lib.word_vectors.glove import weighting

def line_2(R, X, x_max, alpha):
    return 2 * weighting(torch.tensor(X), x_max, alpha).numpy() * R
"""
        },
        loses={"test-line-2": "PyTorch was called"},
    ),
)

LINES_3_AND_4 = (
    Misconception(
        name="only-the-row",
        why="This is the gradient of GloVe with two vectors, copied from the lecture.",
        answers={
            "line-3": """
def line_3(E, W):
    return E @ W
""",
            "line-4": """
def line_4(E):
    return E.sum(axis=1)
""",
        },
        loses={"test-line-3": "the column is missing", "test-line-4": "the column is missing"},
    ),
    Misconception(
        name="twice-the-row",
        why="Counts are symmetric in the lecture, so row and column seem to be the same.",
        answers={
            "line-3": """
def line_3(E, W):
    return 2 * E @ W
""",
            "line-4": """
def line_4(E):
    return 2 * E.sum(axis=1)
""",
        },
        loses={"test-line-3": "symmetric E only", "test-line-4": "symmetric E only"},
    ),
    Misconception(
        name="diagonal-counted-once",
        why="The cell (i, i) seems to be counted twice by mistake.",
        answers={
            "line-3": """
def line_3(E, W):
    return (E + E.T - np.diag(np.diag(E))) @ W
"""
        },
        loses={"test-line-3": "holds w_i twice"},
    ),
    Misconception(
        name="gradient-transposed",
        why="W^T E looks like the formula for a gradient by a matrix.",
        answers={
            "line-3": """
def line_3(E, W):
    return W.T @ (E + E.T)
"""
        },
        loses={"test-line-3": "transpose"},
    ),
)

STEP = (
    Misconception(
        name="adagrad-line-suspected",
        why="The root of a sum of squares is the unusual line, so it draws the suspicion.",
        answers={"wrong-line": "wrong_line = 7"},
        loses={"test-wrong-line": "root of the sum of squares"},
    ),
    Misconception(
        name="repeated-rows-overwritten",
        why="+= on an indexed array looks as if it added one after the other.",
        answers={"mended-step": "mended_step = batch_step"},
        loses={"test-mended-step": "only the last one counts"},
    ),
    Misconception(
        name="squares-of-the-parts",
        why="Each cell is taken for a step of its own, as in the original program.",
        answers={
            "mended-step": """
def mended_step(W, C, b, c, squares, rows, columns, counts, rate):
    weights = np.minimum(counts / 100, 1) ** 0.75
    errors = (W[rows] * C[columns]).sum(axis=1) + b[rows] + c[columns] - np.log(counts)
    parts = (2 * weights * errors)[:, None] * C[columns]
    gradient, squares = np.zeros_like(W), squares.copy()
    np.add.at(gradient, rows, parts)
    np.add.at(squares, rows, parts**2)
    return W - rate * gradient / (np.sqrt(squares) + 1e-10), squares
"""
        },
        loses={"test-mended-step": "Add the parts first, then square"},
    ),
    Misconception(
        name="mean-over-repeated-rows",
        why="Batches are usually averaged.",
        answers={
            "mended-step": """
def mended_step(W, C, b, c, squares, rows, columns, counts, rate):
    weights = np.minimum(counts / 100, 1) ** 0.75
    errors = (W[rows] * C[columns]).sum(axis=1) + b[rows] + c[columns] - np.log(counts)
    gradient = np.zeros_like(W)
    np.add.at(gradient, rows, (2 * weights * errors)[:, None] * C[columns])
    gradient /= np.maximum(np.bincount(rows, minlength=len(W)), 1)[:, None]
    squares = squares + gradient**2
    return W - rate * gradient / (np.sqrt(squares) + 1e-10), squares
"""
        },
        loses={"test-mended-step": "takes the mean over the cells"},
    ),
)

OPTIONAL = (
    Misconception(
        name="most-probable-probe",
        why="A word that often stands near i seems to say most about i.",
        answers={"reading": 'telling = "b"\nratio_c = 0.01'},
        loses={"test-telling": "just as frequent near j"},
    ),
    Misconception(
        name="ratio-upside-down",
        why="The upper number of a figure is divided by the one across.",
        answers={"reading": 'telling = "a"\nratio_c = 100'},
        loses={"test-ratio": "i stands in the numerator"},
    ),
    Misconception(
        name="F-taken-for-a-dot-product",
        why="The finished equation shows a dot product, so F seems to be linear.",
        answers={"functional": "F_minus_2 = -16 / 3\nF_half = 4 / 3"},
        loses={"test-functional": "a mere dot product"},
    ),
    Misconception(
        name="F-always-with-base-e",
        why="GloVe takes F = exp, and the base looks like part of the proof.",
        answers={"functional": "F_minus_2 = np.exp(-2)\nF_half = np.exp(0.5)"},
        loses={"test-functional": "fixes the base"},
    ),
    Misconception(
        name="regression-without-weights",
        why="np.linalg.lstsq is one call, and it has no argument for weights.",
        answers={
            "new-word": """
def new_word(C, c, x, x_max):
    seen = x > 0
    Z = np.column_stack([C[seen], np.ones(seen.sum())])
    theta = np.linalg.lstsq(Z, np.log(x[seen]) - c[seen], rcond=None)[0]
    return theta[:-1], theta[-1]
"""
        },
        loses={"test-new-word": "the weights are missing"},
    ),
    Misconception(
        name="rows-multiplied-by-the-weight",
        why="lstsq with weighted rows needs their roots, since it squares them.",
        answers={
            "new-word": """
def new_word(C, c, x, x_max):
    seen = x > 0
    f = np.minimum(x[seen] / x_max, 1) ** 0.75
    Z = np.column_stack([C[seen], np.ones(seen.sum())])
    y = np.log(x[seen]) - c[seen]
    theta = np.linalg.lstsq(f[:, None] * Z, f * y, rcond=None)[0]
    return theta[:-1], theta[-1]
"""
        },
        loses={"test-new-word": "the weight counts twice"},
    ),
)

MISCONCEPTIONS = (*BY_HAND, *LINE_1, *LINE_2, *LINES_3_AND_4, *STEP, *OPTIONAL)
