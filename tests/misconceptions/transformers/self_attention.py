"""Plausible wrong answers to the exercise on self-attention."""

from misconceptions import Misconception

BY_HAND = (
    Misconception(
        name="merged-matrix-grows-with-the-sentence",
        why="W_Q^T W_K looks like Q K^T, which has an entry for each pair of words.",
        answers={
            "by-hand": """
entries_of_factors = 128
entries_of_merged = 10 * 10
weight_of_key_2 = 3 / 4
output_of_position_2 = 5
"""
        },
        loses={"test-sizes": "this is the number of scores, n by n"},
    ),
    Misconception(
        name="parameters-for-each-word",
        why="Each word has a query and a key of its own, so it seems to have its own weights.",
        answers={
            "by-hand": """
entries_of_factors = 2 * 10 * 4
entries_of_merged = 4 * 4
weight_of_key_2 = 3 / 4
output_of_position_2 = 5
"""
        },
        loses={"test-sizes": "parameters do not know the length"},
    ),
    Misconception(
        name="mask-multiplies-the-score-by-hand",
        why="A mask of zeros and ones looks like a factor.",
        answers={
            "by-hand": """
entries_of_factors = 128
entries_of_merged = 256
weight_of_key_2 = 3 / 5
output_of_position_2 = 24
"""
        },
        loses={"test-row": "a hidden score was set to 0"},
    ),
    Misconception(
        name="future-not-hidden-by-hand",
        why="The scores are all there, so all of them are used.",
        answers={
            "by-hand": """
entries_of_factors = 128
entries_of_merged = 256
weight_of_key_2 = 3 / 8
output_of_position_2 = 52.5
"""
        },
        loses={"test-row": "key 3 still takes part"},
    ),
)


def _attend(name, why, body, message):
    """Make a wrong version of the layer."""
    code = "def attend(X, W_Q, W_K, W_V, hidden):\n    Q, K, V = X @ W_Q.T, X @ W_K.T, X @ W_V.T\n"
    lines = "\n".join("    " + line for line in body.strip().split("\n"))
    return Misconception(name, why, {"attend": code + lines}, {"test-attend": message})


_SOFTMAX = """
e = np.exp(scores - scores.max(axis=1, keepdims=True))
weights = e / e.sum(axis=1, keepdims=True)
return weights @ V, weights
"""

LAYER = (
    _attend(
        "mask-multiplies-the-scores",
        "A mask of zeros and ones looks like a factor.",
        "scores = Q @ K.T / np.sqrt(len(W_K)) * ~hidden" + _SOFTMAX,
        "a hidden score was set to 0",
    ),
    _attend(
        "mask-convention-turned-round",
        "In the lecture True means visible.",
        """
scores = Q @ K.T / np.sqrt(len(W_K))
e = np.where(hidden, np.exp(scores - scores.max(axis=1, keepdims=True)), 0.0)
sums = e.sum(axis=1, keepdims=True)
weights = e / np.where(sums == 0, 1.0, sums)
return weights @ V, weights
""",
        "your mask shows exactly what it should hide",
    ),
    _attend(
        "empty-row-becomes-nan",
        "Without an empty row the plain softmax is right.",
        "scores = np.where(hidden, -np.inf, Q @ K.T / np.sqrt(len(W_K)))" + _SOFTMAX,
        "without any visible key are nan",
    ),
    _attend(
        "large-negative-number-for-minus-infinity",
        "A large negative number avoids nan, and in other rows it does no harm.",
        "scores = np.where(hidden, -1e9, Q @ K.T / np.sqrt(len(W_K)))" + _SOFTMAX,
        "must get zero weights, not a row that sums to 1",
    ),
    _attend(
        "divided-by-d-k",
        "The scale is remembered without its root.",
        "scores = np.where(hidden, -np.inf, Q @ K.T / len(W_K))" + _SOFTMAX,
        "the scores are divided by d_k and not by its root",
    ),
    _attend(
        "divided-by-the-root-of-d",
        "d and d_k are the same in a model with one head.",
        "scores = np.where(hidden, -np.inf, Q @ K.T / np.sqrt(X.shape[1]))" + _SOFTMAX,
        "the root of d and not of d_k",
    ),
    _attend(
        "softmax-over-the-queries",
        "np.sum(axis=0) is the first axis that comes to mind.",
        """
scores = np.where(hidden, -np.inf, Q @ K.T / np.sqrt(len(W_K)))
e = np.exp(scores - scores.max(axis=0, keepdims=True))
weights = e / e.sum(axis=0, keepdims=True)
return weights @ V, weights
""",
        "the softmax runs over the queries",
    ),
    _attend(
        "exponential-without-a-shift",
        "The formula of the softmax holds no shift, and small scores need none.",
        """
e = np.where(hidden, 0.0, np.exp(Q @ K.T / np.sqrt(len(W_K))))
sums = e.sum(axis=1, keepdims=True)
weights = e / np.where(sums == 0, 1.0, sums)
return weights @ V, weights
""",
        "large scores overflow",
    ),
    _attend(
        "largest-score-of-all-keys",
        "The maximum cancels, so any maximum seems to do, that of hidden keys as well.",
        """
scores = Q @ K.T / np.sqrt(len(W_K))
e = np.where(hidden, 0.0, np.exp(scores - scores.max(axis=1, keepdims=True)))
sums = e.sum(axis=1, keepdims=True)
weights = e / np.where(sums == 0, 1.0, sums)
return weights @ V, weights
""",
        "the visible ones underflow next to it",
    ),
    Misconception(
        name="library-gives-the-layer",
        why="The course library holds the layer, in PyTorch and with the other convention.",
        answers={
            "attend": """
import torch
from course_lib.transformers.self_attention import SelfAttention

def attend(X, W_Q, W_K, W_V, hidden):
    rng = torch.Generator().manual_seed(0)
    layer = SelfAttention(X.shape[1], d_k=len(W_Q), d_v=len(W_V), generator=rng).double()
    layer.load_state_dict({
        "query_weight": torch.tensor(W_Q),
        "key_weight": torch.tensor(W_K),
        "value_weight": torch.tensor(W_V),
    })
    output, weights = layer(torch.tensor(X)[None], ~torch.tensor(hidden))
    return output[0].detach().numpy(), weights[0].detach().numpy()
"""
        },
        loses={"test-attend": "PyTorch was called"},
    ),
)

BACKWARD = (
    Misconception(
        name="values-get-the-forward-product",
        why="O = A V is turned into A G, with G in the place of V.",
        answers={"line-1": "def line_1(A, G):\n    return (A @ G[: A.shape[1]])[: A.shape[1]]"},
        loses={"test-line-1": "this is the way forward again"},
    ),
    Misconception(
        name="gradient-of-the-weights-transposed",
        why="V G^T and G V^T hold the same numbers.",
        answers={"line-2": "def line_2(V, G):\n    return V @ G.T"},
        loses={"test-line-2": "This is the transpose"},
    ),
    Misconception(
        name="softmax-taken-for-elementwise",
        why="p(1 - p) is the derivative of the sigmoid, and the softmax looks like one.",
        answers={"line-3": "def line_3(A, G_A):\n    return A * (1 - A) * G_A"},
        loses={"test-line-3": "the diagonal of the Jacobian only"},
    ),
    Misconception(
        name="softmax-over-the-whole-matrix",
        why="The vector formula is applied to the matrix as it stands.",
        answers={"line-3": "def line_3(A, G_A):\n    return A * (G_A - (A * G_A).sum() / len(A))"},
        loses={"test-line-3": "the vector-Jacobian product of the softmax, row by row"},
    ),
    Misconception(
        name="scale-forgotten-on-the-way-back",
        why="The scale is a constant, and constants are easily dropped in a derivative.",
        answers={"line-4": "def line_4(Q, K, G_S):\n    return G_S @ K, G_S.T @ Q"},
        loses={"test-line-4": "the factor 1 / sqrt(d_k) of the scores is missing"},
    ),
)

LEAKY_MASK = (
    Misconception(
        name="blames-the-triangle",
        why="The future mask is remembered as a triangle of zeros.",
        answers={
            "wrong-line": "wrong_line = 3",
            "mended": """
def mended_weights(scores, ids, pad=0):
    n = len(ids)
    padding = np.broadcast_to(ids == pad, (n, n))
    future = np.tril(np.ones((n, n), dtype=bool), k=-1)
    hidden = padding & future
    scores = np.where(hidden, -np.inf, scores)
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    return exponentials / exponentials.sum(axis=1, keepdims=True)
""",
        },
        loses={"test-wrong-line": "Above the diagonal j > i", "test-mended": "mended_weights"},
    ),
    Misconception(
        name="masks-combined-with-and",
        why="The padding and the future are hidden: the word and becomes the sign &.",
        answers={
            "mended": """
def mended_weights(scores, ids, pad=0):
    n = len(ids)
    hidden = (ids == pad) & np.triu(np.ones((n, n), dtype=bool), k=1)
    e = np.where(hidden, 0.0, np.exp(scores - scores.max(axis=1, keepdims=True)))
    return e / e.sum(axis=1, keepdims=True)
"""
        },
        loses={"test-mended": "the future still leaks"},
    ),
    Misconception(
        name="mask-of-the-encoder-in-the-decoder",
        why="Padding is hidden everywhere, and the future is forgotten.",
        answers={
            "mended": """
def mended_weights(scores, ids, pad=0):
    e = np.where(ids == pad, 0.0, np.exp(scores - scores.max(axis=1, keepdims=True)))
    return e / e.sum(axis=1, keepdims=True)
"""
        },
        loses={"test-mended": "the padding is hidden, but the future is not"},
    ),
)

POSITIONS = (
    Misconception(
        name="degrees",
        why="A pocket calculator starts in degrees.",
        answers={"dot-product": "dot_product = np.cos(np.deg2rad(100)) + np.cos(np.deg2rad(1))"},
        loses={"test-dot-product": "the angles are in radians"},
    ),
    Misconception(
        name="library-gives-the-matrix",
        why="The course library holds the rotation, in PyTorch and for interleaved codes.",
        answers={
            "turn": """
from course_lib.transformers.self_attention import shift_matrix

def turn(k, frequencies):
    return shift_matrix(k, 2 * len(frequencies)).numpy()
"""
        },
        loses={"test-turn": "PyTorch was called"},
    ),
    Misconception(
        name="interleaved-layout",
        why="The paper's layout is the one that is remembered.",
        answers={
            "turn": """
def turn(k, frequencies):
    R = np.zeros((2 * len(frequencies), 2 * len(frequencies)))
    for i, w in enumerate(frequencies):
        c, s = np.cos(k * w), np.sin(k * w)
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, s], [-s, c]]
    return R
"""
        },
        loses={"test-turn": "this is for interleaved codes"},
    ),
    Misconception(
        name="turned-the-wrong-way",
        why="The usual rotation matrix has its minus sign at the top right.",
        answers={
            "turn": """
def turn(k, frequencies):
    C, S = np.diag(np.cos(k * frequencies)), np.diag(np.sin(k * frequencies))
    return np.block([[C, -S], [S, C]])
"""
        },
        loses={"test-turn": "this turns the wrong way"},
    ),
)

COSTS = (
    Misconception(
        name="attention-is-the-cheapest",
        why="Little waiting is taken for little work, and n = d for the crossing.",
        answers={"costs": 'line_of_attention = "a"\ncrossing = 64'},
        loses={
            "test-line": "few steps that wait, not little work",
            "test-crossing": "n = d is where the quadratic part alone",
        },
    ),
)

MISCONCEPTIONS = (*BY_HAND, *LAYER, *BACKWARD, *LEAKY_MASK, *POSITIONS, *COSTS)
