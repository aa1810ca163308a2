"""Wrong answers to the exercise on attention."""

from misconceptions import Misconception

BY_HAND = (
    Misconception(
        name="plain-mean-of-the-values",
        why="Pooling was met before attention, and the scores are overlooked.",
        answers={"context": "context = 8"},
        loses={"test-context": "this is the plain mean"},
    ),
    Misconception(
        name="scores-divided-by-their-sum",
        why="Dividing by the sum makes weights, and the exponential is forgotten.",
        answers={"context": "context = 16 * np.log(5) / np.log(10)"},
        loses={"test-context": "Take e to the scores first"},
    ),
    Misconception(
        name="masked-weight-dropped-without-dividing-again",
        why="The weights are known from 1a, and one of them is left out.",
        answers={"masked-context": "masked_context = 1"},
        loses={"test-masked-context": "have to sum to 1 again"},
    ),
    Misconception(
        name="masked-score-set-to-zero",
        why="Zero looks like nothing, and e to the 0 is forgotten.",
        answers={"masked-context": "masked_context = 6"},
        loses={"test-masked-context": "which is 1"},
    ),
    Misconception(
        name="kernel-taken-for-a-distance",
        why="The kernel is said to express the distance between the query and a key.",
        answers={
            "weight-ratio": "weight_ratio = np.exp(-2)",
            "leave-one-out": """
def leave_one_out(x, y, w):
    distance = np.abs(x[:, None] - x)
    return distance / distance.sum(axis=1, keepdims=True) @ y
""",
        },
        loses={
            "test-weight-ratio": "likeness, not distance",
            "test-leave-one-out": "the farthest point counts most",
        },
    ),
    Misconception(
        name="scale-outside-the-square",
        why="The scale is read as a factor of the whole score.",
        answers={"weight-ratio": "weight_ratio = np.exp(1)"},
        loses={"test-weight-ratio": "inside the square"},
    ),
    Misconception(
        name="reduced-rank-has-the-same-effect",
        why="The two thin matrices replace the big one, so they are taken for its equal.",
        answers={"parameters": "parameters = [1500, 1500, 1620]"},
        loses={"test-parameters": "not the big one written differently"},
    ),
    Misconception(
        name="additive-score-without-v",
        why="The two matrices are large, and the vector at the end is overlooked.",
        answers={"parameters": "parameters = [1500, 320, 1600]"},
        loses={"test-parameters": "the vector v"},
    ),
)

WAY_BACK = (
    Misconception(
        name="padded-data-need-no-mask",
        why="Filling up short sentences is taken for the padding mask.",
        answers={
            "line-1": """
def line_1(H, s, mask):
    e = H @ s
    weights = np.exp(e - e.max())
    return weights / weights.sum()
"""
        },
        loses={"test-line-1": "the padding is read"},
    ),
    Misconception(
        name="mask-multiplies-the-scores",
        why="Multiplying by a mask of zeros and ones is how other layers mask.",
        answers={
            "line-1": """
def line_1(H, s, mask):
    e = (H @ s) * mask
    weights = np.exp(e - e.max())
    return weights / weights.sum()
"""
        },
        loses={"test-line-1": "a score of 0 is no mask"},
    ),
    Misconception(
        name="mask-after-the-softmax",
        why="The weights of pads become zero, which is what was asked for.",
        answers={
            "line-1": """
def line_1(H, s, mask):
    e = H @ s
    weights = np.exp(e - e.max())
    return weights / weights.sum() * mask
""",
            "mended-attention": """
def mended_attention(Q, K, V, mask):
    scores = Q @ K.T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = weights / weights.sum(axis=1, keepdims=True) * mask
    return weights @ V
""",
        },
        loses={
            "test-line-1": "Mask before the softmax",
            "test-mended-attention": "no longer sum to 1",
        },
    ),
    Misconception(
        name="mask-is-minus-a-billion",
        why="Many programs use a large negative number for minus infinity.",
        answers={
            "line-1": """
def line_1(H, s, mask):
    e = np.where(mask, H @ s, -1e9)
    weights = np.exp(e - e.max())
    return weights / weights.sum()
""",
            "mended-attention": """
def mended_attention(Q, K, V, mask):
    scores = np.where(mask, Q @ K.T, -1e9)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True) @ V
""",
        },
        loses={
            "test-line-1": "a number such as -1e9",
            "test-mended-attention": "a number such as -1e9",
        },
    ),
    Misconception(
        name="empty-row-not-thought-of",
        why="Every sentence has a word, so every query seems to have a key.",
        answers={
            "line-1": """
def line_1(H, s, mask):
    e = np.where(mask, H @ s, -np.inf)
    weights = np.exp(e - e.max())
    return weights / weights.sum()
"""
        },
        loses={"test-line-1": "holds inf or nan"},
    ),
    Misconception(
        name="library-gives-the-weights",
        why="The course library holds this very function. It expects PyTorch.",
        answers={
            "line-1": """
import torch
from course_lib.translation.attention import masked_softmax

def line_1(H, s, mask):
    return masked_softmax(torch.tensor(H @ s)[None], torch.tensor(mask))[0].numpy()
""",
            "mended-attention": """
import torch
from course_lib.translation.attention import masked_softmax

def mended_attention(Q, K, V, mask):
    return masked_softmax(torch.tensor(Q @ K.T), torch.tensor(mask)).numpy() @ V
""",
            "leave-one-out": """
import torch
from course_lib.translation.attention import nadaraya_watson

def leave_one_out(x, y, w):
    x, y = torch.tensor(x)[:, None], torch.tensor(y)[:, None]
    return nadaraya_watson(x, x, y, w, ~torch.eye(len(x), dtype=torch.bool))[:, 0].numpy()
""",
        },
        loses={
            "test-line-1": "PyTorch was called",
            "test-mended-attention": "PyTorch was called",
            "test-leave-one-out": "PyTorch was called",
        },
    ),
    Misconception(
        name="values-taken-by-columns",
        why="c is V transposed times alpha, so the transpose seems to belong here, too.",
        answers={
            "line-2": """
def line_2(V, g):
    return V.T @ g
"""
        },
        loses={"test-line-2": "shapes do not fit"},
    ),
    Misconception(
        name="softmax-taken-for-elementwise",
        why="p(1 - p) is the derivative of the sigmoid, and the softmax looks like one.",
        answers={
            "line-3": """
def line_3(alpha, g_alpha):
    return alpha * (1 - alpha) * g_alpha
"""
        },
        loses={"test-line-3": "every score moves every weight"},
    ),
    Misconception(
        name="mean-of-the-gradient-unweighted",
        why="Something is subtracted so that the sum is zero, and a plain mean comes to mind.",
        answers={
            "line-3": """
def line_3(alpha, g_alpha):
    return alpha * (g_alpha - g_alpha.mean())
"""
        },
        loses={"test-line-3": "Its weights are alpha"},
    ),
    Misconception(
        name="outer-product-turned",
        why="s g and g s hold the same numbers.",
        answers={
            "line-4": """
def line_4(g_e, H, s):
    return H.T @ g_e, np.outer(s, g_e)
"""
        },
        loses={"test-line-4": "H has a row for each key"},
    ),
    Misconception(
        name="every-value-gets-the-whole-gradient",
        why="c is a sum, and the derivative of a sum by a term is 1.",
        answers={
            "line-5": """
def line_5(alpha, g):
    return np.tile(g, (len(alpha), 1))
"""
        },
        loses={"test-line-5": "the weights are missing"},
    ),
)

READS_PADDING = (
    Misconception(
        name="blames-the-subtraction",
        why="Subtracting the maximum changes every score, so it looks suspicious.",
        answers={"wrong-line": "wrong_line = 3"},
        loses={"test-wrong-line": "line 3 is right"},
    ),
    Misconception(
        name="copied-without-mending",
        why="The function runs, and with full sentences it is right.",
        answers={
            "mended-attention": """
def mended_attention(Q, K, V, mask):
    scores = np.where(mask, Q @ K.T, 0)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True) @ V
"""
        },
        loses={"test-mended-attention": "nothing has changed"},
    ),
)

MAPS = (
    Misconception(
        name="maps-read-along-columns",
        why="In most tables one reads the header first and then goes down.",
        answers={"map-letters": 'no_tanh, no_mask, diagonal = "C", "A", "B"'},
        loses={
            "test-no-tanh": "each row is a query",
            "test-no-mask": "the columns of the pads",
            "test-diagonal": "read along a row",
        },
    ),
)

OTHERS = (
    Misconception(
        name="point-sees-itself",
        why="The estimate at a known point looks like any other estimate.",
        answers={
            "leave-one-out": """
def leave_one_out(x, y, w):
    weights = np.exp(-(((x[:, None] - x) * w) ** 2) / 2)
    return weights / weights.sum(axis=1, keepdims=True) @ y
"""
        },
        loses={"test-leave-one-out": "each point still sees itself"},
    ),
    Misconception(
        name="kernels-divided-without-shift",
        why="The formula holds a quotient of kernels, and small scales need nothing else.",
        answers={
            "leave-one-out": """
def leave_one_out(x, y, w):
    weights = np.exp(-(((x[:, None] - x) * w) ** 2) / 2) * (1 - np.eye(len(x)))
    return weights / weights.sum(axis=1, keepdims=True) @ y
"""
        },
        loses={"test-leave-one-out": "holds inf or nan"},
    ),
)

MISCONCEPTIONS = (*BY_HAND, *WAY_BACK, *READS_PADDING, *MAPS, *OTHERS)
