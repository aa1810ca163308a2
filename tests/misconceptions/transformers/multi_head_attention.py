"""Wrong answers to the exercise on multi-head attention."""

from misconceptions import Misconception

BY_HAND = (
    Misconception(
        name="dot-product-grows-with-the-dimension",
        why="The sum has d_k terms, so it seems d_k times as large as one of them.",
        answers={"by-hand": "standard_deviation = 150\nparameters = 720\nposition = 126"},
        loses={"test-deviation": "in proportion to d_k"},
    ),
    Misconception(
        name="variance-taken-for-the-size",
        why="The variance is what the derivation computes, and the root is forgotten.",
        answers={"by-hand": "standard_deviation = 900\nparameters = 720\nposition = 126"},
        loses={"test-deviation": "this is the variance"},
    ),
    Misconception(
        name="variance-one-out-of-habit",
        why="The formula with the root of d_k is remembered without its assumption.",
        answers={"by-hand": "standard_deviation = 5\nparameters = 720\nposition = 126"},
        loses={"test-deviation": "for entries of variance 1"},
    ),
    Misconception(
        name="heads-are-whole-attentions",
        why="Three heads look like three self-attentions, one beside the other.",
        answers={"by-hand": "standard_deviation = 30\nparameters = 1728\nposition = 126"},
        loses={"test-parameters": "three whole attentions"},
    ),
    Misconception(
        name="only-three-matrices-are-trained",
        why="Attention is introduced with W_Q, W_K and W_V, and one head needs no more.",
        answers={"by-hand": "standard_deviation = 30\nparameters = 540\nposition = 126"},
        loses={"test-parameters": "the output projection is missing"},
    ),
    Misconception(
        name="head-size-must-be-d-over-h",
        why="Programs insist on d = h * d_k, so the formula 4 d^2 seems to hold always.",
        answers={"by-hand": "standard_deviation = 30\nparameters = 576\nposition = 126"},
        loses={"test-parameters": "holds if the head size is d / h"},
    ),
    Misconception(
        name="transpose-moves-numbers",
        why="The shape has changed, so the memory is expected to have changed with it.",
        answers={"by-hand": "standard_deviation = 30\nparameters = 720\nposition = 114"},
        loses={"test-position": "Nothing was copied"},
    ),
)

INTERLEAVED = (
    Misconception(
        name="heads-in-blocks",
        why="The lecture's order is taken, and the shape is the same.",
        answers={
            "interleaved": """
def query_heads(X, W, num_heads):
    B, n, _ = X.shape
    return (X @ W.T).reshape(B, n, num_heads, -1).transpose(0, 2, 1, 3)
"""
        },
        loses={"test-interleaved": "These rows are interleaved"},
    ),
    Misconception(
        name="reshape-without-transpose",
        why="The wanted shape is given to reshape at once, and nothing complains.",
        answers={
            "interleaved": """
def query_heads(X, W, num_heads):
    B, n, _ = X.shape
    return (X @ W.T).reshape(B, num_heads, n, -1)
"""
        },
        loses={"test-interleaved": "scrambled tokens"},
    ),
    Misconception(
        name="heads-not-moved",
        why="Splitting the axis looks like all that is to be done.",
        answers={
            "interleaved": """
def query_heads(X, W, num_heads):
    B, n, _ = X.shape
    return (X @ W.T).reshape(B, n, -1, num_heads)
"""
        },
        loses={"test-interleaved": "The axes are batch, head, token, channel"},
    ),
    Misconception(
        name="library-splits-the-heads",
        why="The course library holds a function for it, in another order and in PyTorch.",
        answers={
            "interleaved": """
import torch
from course_lib.transformers.multi_head_attention import split_heads

def query_heads(X, W, num_heads):
    return split_heads(torch.from_numpy(X @ W.T), num_heads).numpy()
"""
        },
        loses={"test-interleaved": "PyTorch was called"},
    ),
)


def multi_query(
    divisor="np.sqrt(Q.shape[-1])",
    mask="real[:, None, None, :]",
    after="",
    heads="(weights @ V[:, None]).transpose(0, 2, 1, 3)",
    axis=-1,
    shift="scores.max(axis=-1, keepdims=True)",
):
    """The code of an attention with shared keys, with one piece exchanged."""
    return f"""
def multi_query_attention(Q, K, V, real):
    B, h, n, d_k = Q.shape
    scores = Q @ K[:, None].swapaxes(-1, -2) / {divisor}
    scores = np.where({mask}, scores, -np.inf)
    weights = np.exp(scores - {shift})
    weights = weights / weights.sum(axis={axis}, keepdims=True)
    {after}
    return ({heads}).reshape(B, n, -1)
"""


MULTI_QUERY = (
    Misconception(
        name="scores-not-divided",
        why="Without the division everything runs, and small sizes hide the difference.",
        answers={"multi-query": multi_query(divisor="1")},
        loses={"test-multi-query": "not divided by the root"},
    ),
    Misconception(
        name="scores-divided-by-d-k",
        why="The dot product is believed to grow in proportion to the dimension.",
        answers={"multi-query": multi_query(divisor="d_k")},
        loses={"test-multi-query": "divided by d_k. Their typical size is its root"},
    ),
    Misconception(
        name="divided-by-the-model-size",
        why="The d under the root is taken for that of the model.",
        answers={"multi-query": multi_query(divisor="np.sqrt(h * d_k)")},
        loses={"test-multi-query": "h times d_k"},
    ),
    Misconception(
        name="softmax-over-the-queries",
        why="The wrong one of two axes of equal length goes unnoticed.",
        answers={
            "multi-query": multi_query(axis=-2, shift="scores.max(axis=-2, keepdims=True)").replace(
                "scores = np.where(real[:, None, None, :], scores, -np.inf)",
                "scores = np.where(real[:, None, None, :], scores, -1e9)",
            )
        },
        loses={
            "test-multi-query": "runs over the queries",
            "test-padding": "the softmax runs over the queries",
        },
    ),
    Misconception(
        name="heads-merged-without-transpose",
        why="The numbers are all there, and the shape is right.",
        answers={"multi-query": multi_query(heads="weights @ V[:, None]")},
        loses={
            "test-multi-query": "in the order of memory",
        },
    ),
    Misconception(
        name="mask-without-the-axis-of-the-heads",
        why="With one head the mask needs no such axis. The sentences meet the heads.",
        answers={
            "multi-query": multi_query(
                mask="np.broadcast_to(real[:, None, :], (len(real), n, real.shape[1]))[None]"
                " if len(real) == h else real[:, None, None, :]"
            )
        },
        loses={"test-padding": "alone and without its padding"},
    ),
    Misconception(
        name="true-means-blocked",
        why="PyTorch's modules read a padding mask so.",
        answers={"multi-query": multi_query(mask="~real[:, None, None, :] | real.all()")},
        loses={"test-padding": "True means real"},
    ),
    Misconception(
        name="padding-scored-zero",
        why="A score of 0 looks like no attention, but e^0 is 1.",
        answers={
            "multi-query": multi_query().replace("scores, -np.inf)", "scores, 0.0)"),
        },
        loses={"test-padding": "for e^0 is 1"},
    ),
    Misconception(
        name="no-shift-by-the-maximum",
        why="The formula of the softmax has no maximum in it.",
        answers={"multi-query": multi_query(shift="0")},
        loses={"test-multi-query": "some intermediate number overflows"},
    ),
    Misconception(
        name="library-attends",
        why="The course library holds scaled dot-product attention, in PyTorch.",
        answers={
            "multi-query": """
import torch
from course_lib.transformers.multi_head_attention import scaled_dot_product_attention

def multi_query_attention(Q, K, V, real):
    B, h, n, d_k = Q.shape
    parts = (torch.from_numpy(a) for a in (Q, K[:, None], V[:, None], real[:, None, None]))
    return scaled_dot_product_attention(*parts)[0].numpy().swapaxes(1, 2).reshape(B, n, -1)
"""
        },
        loses={"test-multi-query": "PyTorch was called", "test-padding": "PyTorch was called"},
    ),
)

MENDED = """
def mended_attention(X, WQ, WK, WV, WO, h, mask):
    B, n, d = X.shape
    d_k = d // h
    Q = (X @ WQ.T).reshape(B, n, h, d_k).transpose(0, 2, 1, 3)
    K = (X @ WK.T).reshape(B, n, h, d_k).transpose(0, 2, 1, 3)
    V = (X @ WV.T).{values}
    S = Q @ K.swapaxes(-1, -2) / np.sqrt(d_k)
    S = np.where({mask}, S, -np.inf)
    P = np.exp(S - S.max(axis=-1, keepdims=True))
    P = P / P.sum(axis=-1, keepdims=True)
    return (P @ V).transpose(0, 2, 1, 3).reshape(B, n, d) @ WO.T
"""
CUT = "reshape(B, n, h, d_k).transpose(0, 2, 1, 3)"

FAULTY = (
    Misconception(
        name="blames-the-softmax",
        why="The subtraction of the maximum stands in no formula of the softmax.",
        answers={"wrong-lines": "wrong_lines = {3, 6}"},
        loses={"test-wrong-lines": "line 6 is right"},
    ),
    Misconception(
        name="blames-the-merge",
        why="The transpose of line 8 seems to undo what lines 1 and 2 have done with care.",
        answers={"wrong-lines": "wrong_lines = {5, 8}"},
        loses={"test-wrong-lines": "line 8 is right"},
    ),
    Misconception(
        name="mask-left-without-the-axis-of-the-heads",
        why="The shapes fit when there are as many sentences as heads.",
        answers={"mended": MENDED.format(values=CUT, mask="mask")},
        loses={"test-mended": "the mask still meets the heads"},
    ),
    Misconception(
        name="values-left-in-the-order-of-memory",
        why="The shape of the values is right, and so nothing seems wrong.",
        answers={"mended": MENDED.format(values="reshape(B, h, n, d_k)", mask="mask[:, None]")},
        loses={"test-mended": "in the order of memory"},
    ),
    Misconception(
        name="copied-without-mending",
        why="Nothing crashes, so nothing seems wrong.",
        answers={
            "mended": """
def mended_attention(X, WQ, WK, WV, WO, h, mask):
    return attention(X, WQ, WK, WV, WO, h, mask)
"""
        },
        loses={"test-mended": "both faults are still there"},
    ),
)

GRADIENT = (
    Misconception(
        name="values-transposed",
        why="The forward pass uses the transpose of V, and it is kept.",
        answers={"line-1": "def line_1(V, g):\n    return V.T @ g if len(V) == len(g) else V @ g"},
        loses={"test-line-1": "V transposed"},
    ),
    Misconception(
        name="softmax-taken-for-elementwise",
        why="p(1 - p) is the derivative of the sigmoid, and the softmax looks like one.",
        answers={"line-2": "def line_2(p, gradient_p):\n    return p * (1 - p) * gradient_p"},
        loses={"test-line-2": "Every score moves every weight"},
    ),
    Misconception(
        name="scale-forgotten-on-the-way-back",
        why="The division seems to be done with after the forward pass.",
        answers={
            "line-3": "def line_3(K, delta):\n    return K.T @ delta",
            "line-4": "def line_4(q, delta):\n    return np.outer(delta, q)",
        },
        loses={
            "test-line-3": "belongs to the gradient, too",
            "test-line-4": "belongs to the gradient, too",
        },
    ),
    Misconception(
        name="scale-by-the-number-of-keys",
        why="Both sizes of K are at hand, and len(K) is the shorter word.",
        answers={"line-3": "def line_3(K, delta):\n    return K.T @ delta / np.sqrt(len(K))"},
        loses={"test-line-3": "not the number of keys"},
    ),
    Misconception(
        name="outer-product-transposed",
        why="q delta^T and delta q^T hold the same numbers.",
        answers={
            "line-4": "def line_4(q, delta):\n    return np.outer(q, delta) / np.sqrt(len(q))"
        },
        loses={"test-line-4": "This is the transpose"},
    ),
)

FIGURE = (
    Misconception(
        name="more-division-is-safer",
        why="The smallest scores saturate least, so the strongest division seems the best.",
        answers={"read-figure": 'curve = "b"\nlength = 16'},
        loses={"test-curve": "falls like a power of d"},
    ),
    Misconception(
        name="longest-vectors-have-the-largest-gradient",
        why="The scores are largest there, and the gradient is expected to follow them.",
        answers={"read-figure": 'curve = "a"\nlength = 1024'},
        loses={"test-length": "The scores are largest there"},
    ),
)

MISCONCEPTIONS = (*BY_HAND, *INTERLEAVED, *MULTI_QUERY, *FAULTY, *GRADIENT, *FIGURE)
