"""Plausible wrong answers to the exercise on questions about the Transformer."""

from misconceptions import Misconception


def _counts(name, why, loses, **wrong):
    """Enter wrong numbers among right ones."""
    right = {"bert_layer": 7_087_872, "bert_total": 109_482_240, "decoder_layer": 4_204_032}
    lines = [f"{key} = {value}" for key, value in (right | wrong).items()]
    return Misconception(name, why, {"counts": "\n".join(lines)}, loses)


COUNTS = (
    _counts(
        "heads-multiply-the-parameters",
        "Self-attention is said to be done twelve times.",
        {"test-bert-layer": "heads share the width"},
        bert_layer=12 * 4 * (768**2 + 768) + 4_722_432 + 4 * 768,
    ),
    _counts(
        "three-matrices-in-an-attention",
        "Queries, keys and values are remembered, the projection of the output is not.",
        {"test-bert-layer": "four matrices, not three"},
        bert_layer=7_087_872 - 768**2 - 768,
    ),
    _counts(
        "positions-are-no-parameters",
        "The positions of the paper's Transformer are fixed.",
        {"test-bert-total": "BERT learns them"},
        bert_total=109_482_240 - 512 * 768,
    ),
    _counts(
        "only-the-layers-count",
        "The tables are taken for data, not for parameters.",
        {"test-bert-total": "the tables are missing"},
        bert_total=109_482_240 - 31_036 * 768,
    ),
    _counts(
        "decoder-layer-like-encoder-layer",
        "Both are drawn as a box with an attention and a feed-forward network.",
        {"test-decoder-layer": "this is an encoder layer"},
        decoder_layer=3_152_384,
    ),
)

CACHE = (
    Misconception(
        name="keys-only",
        why="The scores need keys alone, and the values are forgotten.",
        answers={"cache": "cache_gib = 0.75\nshared_gib = 0.375"},
        loses={"test-cache": "these are the keys, or the values"},
    ),
    Misconception(
        name="queries-are-kept-too",
        why="Queries, keys and values are always named together.",
        answers={"cache": "cache_gib = 2.25\nshared_gib = 0.375"},
        loses={"test-cache": "queries are not kept"},
    ),
    Misconception(
        name="as-many-keys-as-queries",
        why="Each of the 16 heads of queries is given keys of its own.",
        answers={"cache": "cache_gib = 1.5\nshared_gib = 1.5"},
        loses={"test-shared": "they have no keys of their own"},
    ),
)

_PREFIX = """
def prefix_mask(n, prefix):
    mask = np.tril(np.ones((n, n), dtype=bool))
    mask[:prefix, :prefix] = True
    return mask
"""


def _masks(name, why, self_mask, cross_mask, message):
    """Make wrong masks of an encoder-decoder."""
    body = f"""
def decoder_masks(source, target, pad):
    n = target.shape[1]
    causal = np.tril(np.ones((n, n), dtype=bool))
    keys = (target != pad)[:, None, None, :]
    return {self_mask}, {cross_mask}
"""
    return Misconception(name, why, {"masks": body + _PREFIX}, {"test-masks": message})


_SOURCE = "(source != pad)[:, None, None, :]"

MASKS = (
    _masks(
        "masks-combined-with-or",
        "A position is hidden if it is padding or in the future: the word or becomes the sign |.",
        "causal | keys",
        _SOURCE,
        "OR shows what either of the masks shows",
    ),
    _masks(
        "true-means-hidden",
        "nn.MultiheadAttention has it this way round.",
        "~(causal & keys)",
        f"~{_SOURCE}",
        "your mask marks what is hidden",
    ),
    _masks(
        "upper-triangle",
        "The mask is remembered as an upper triangle.",
        "causal.T & keys",
        _SOURCE,
        "this triangle shows the future",
    ),
    _masks(
        "padding-forgotten-in-the-decoder",
        "Pads stand at the end, where the causal mask seems to hide them anyway.",
        "np.repeat(causal[None, None], len(target), axis=0)",
        _SOURCE,
        "the future is hidden, but the pads are not",
    ),
    _masks(
        "padding-hidden-as-query",
        "A pad should not look at anything.",
        "causal & (target != pad)[:, None, :, None]",
        _SOURCE,
        "the pads are hidden as queries",
    ),
    _masks(
        "cross-attention-masked-by-the-target",
        "It stands in the decoder, so it is given the decoder's mask.",
        "causal & keys",
        "keys",
        "the keys are the source's",
    ),
    Misconception(
        name="library-gives-the-masks",
        why="The course library holds both masks, in PyTorch.",
        answers={
            "masks": """
import torch
from course_lib.transformers.self_attention import causal_mask, key_mask

def decoder_masks(source, target, pad):
    self_mask = causal_mask(target.shape[1]) & key_mask(torch.tensor(target != pad))
    return self_mask.numpy(), key_mask(torch.tensor(source != pad)).numpy()
"""
            + _PREFIX
        },
        loses={"test-masks": "PyTorch was called"},
    ),
    Misconception(
        name="prefix-sees-the-answer",
        why="The rows of the prefix are filled instead of its block.",
        answers={
            "masks": """
def decoder_masks(source, target, pad):
    n = target.shape[1]
    causal = np.tril(np.ones((n, n), dtype=bool))
    return causal & (target != pad)[:, None, None, :], (source != pad)[:, None, None, :]

def prefix_mask(n, prefix):
    mask = np.tril(np.ones((n, n), dtype=bool))
    mask[:prefix] = True
    return mask
"""
        },
        loses={"test-prefix": "the question sees the answer"},
    ),
)


def _sentence(name, why, letter, number, message):
    """Take a right sentence of one answer for the wrong one."""
    numbers = {"A": 2, "B": 3, "C": 1, "D": 2, "E": 3} | {letter: number}
    answers = {"sentences": f"wrong_sentence = {numbers}"}
    return Misconception(name, why, answers, {f"test-{letter.lower()}": message})


SENTENCES = (
    _sentence(
        "size-grows-with-the-dimension",
        "Variance and size are confused, so that sentence 2 looks right and 1 wrong.",
        "A",
        1,
        "Each of the d_k products has mean 0 and variance 1",
    ),
    _sentence(
        "attention-done-eight-times",
        "Eight heads are taken for eight layers, and then a head cannot see the whole vector.",
        "B",
        1,
        "it sees all d entries",
    ),
    _sentence(
        "norm-against-saturation",
        "The story is told of batch normalisation and the sigmoid.",
        "C",
        3,
        "It keeps no running averages",
    ),
    _sentence(
        "writes-in-parallel",
        "Within one pass queries do not depend on each other.",
        "D",
        1,
        "This is teacher forcing",
    ),
    _sentence(
        "positions-are-learned-in-each-layer",
        "BERT learns its positions, and rotary positions act in each layer.",
        "E",
        1,
        "the codes are added",
    ),
)

JOIN = (
    Misconception(
        name="sums-of-different-maxima",
        why="Sums of exponentials look as if they could simply be added.",
        answers={
            "join": """
def join(m_1, z_1, o_1, m_2, z_2, o_2):
    z = z_1 + z_2
    return np.maximum(m_1, m_2), z, (z_1 * o_1 + z_2 * o_2) / z
"""
        },
        loses={"test-join": "the sums belong to different maxima"},
    ),
    Misconception(
        name="back-to-plain-exponentials",
        why="Undoing the shift makes the sums comparable, and small scores survive it.",
        answers={
            "join": """
def join(m_1, z_1, o_1, m_2, z_2, o_2):
    part_1, part_2 = np.exp(m_1) * z_1, np.exp(m_2) * z_2
    z, m = part_1 + part_2, np.maximum(m_1, m_2)
    return m, z / np.exp(m), (part_1 * o_1 + part_2 * o_2) / z
"""
        },
        loses={"test-join": "overflows for large scores"},
    ),
)

_STEP = """
def step(token, weights, cache, num_heads):
    def layer_norm(x, gain, bias):
        return gain * (x - x.mean()) / np.sqrt(x.var() + 1e-5) + bias

    E = weights["E"]
    d = E.shape[1]
    d_k = d // num_heads
    t = len(cache[0][0])
    omega = 10000.0 ** (-np.arange(0, d, 2) / d)
    position = np.stack([np.sin(t * omega), np.cos(t * omega)], axis=1).reshape(d)
    x = np.sqrt(d) * E[token] + position
    longer = []
    for layer, (K, V) in zip(weights["layers"], cache, strict=True):
        h = layer_norm(x, layer["g_1"], layer["b_1"])
        K = np.concatenate([K, [layer["W_K"] @ h]])
        V = np.concatenate([V, [layer["W_V"] @ h]])
        longer.append((K, V))
        q = (layer["W_Q"] @ h).reshape(num_heads, d_k)
        scores = np.einsum("hc,thc->ht", q, K.reshape(t + 1, num_heads, d_k)) / np.sqrt(d_k)
        a = np.exp(scores - scores.max(axis=1, keepdims=True))
        a /= a.sum(axis=1, keepdims=True)
        mixed = np.einsum("ht,thc->hc", a, V.reshape(t + 1, num_heads, d_k)).reshape(d)
        x = x + layer["W_O"] @ mixed
        h = layer_norm(x, layer["g_2"], layer["b_2"])
        x = x + layer["W_2"] @ np.maximum(0, layer["W_1"] @ h)
    return E @ layer_norm(x, weights["g"], weights["b"]), longer
"""


def _step(name, why, right, wrong, message):
    """Change one place of the right step."""
    if right not in _STEP:
        raise ValueError(f"right is {right!r}, expected a piece of the step")
    return Misconception(name, why, {"step": _STEP.replace(right, wrong)}, {"test-step": message})


STEP = (
    _step(
        "last-norm-forgotten",
        "In pre-norm each sublayer has its norm, and the listing looks complete.",
        'E @ layer_norm(x, weights["g"], weights["b"])',
        "E @ x",
        "the last norm is missing",
    ),
    _step(
        "embedding-not-scaled",
        "The factor stands in one line of the paper.",
        "np.sqrt(d) * E[token]",
        "E[token]",
        "not multiplied by the root of d",
    ),
    _step(
        "every-token-at-position-0",
        "A step gets one token, so it seems to be the first of its text.",
        "t * omega",
        "0 * omega",
        "every token gets position 0",
    ),
    _step(
        "every-entry-its-own-frequency",
        "The exponent is read as the number of the entry over d.",
        "np.cos(t * omega)",
        "np.cos(t * omega * 10000.0 ** (-1 / d))",
        "have one frequency",
    ),
    _step(
        "scores-not-scaled",
        "The scale is forgotten in a formula that works without it.",
        " / np.sqrt(d_k)",
        "",
        "not divided by the root of d_k",
    ),
    _step(
        "one-softmax-for-all-heads",
        "The heads stand side by side, and one dot product of the whole vectors is simpler.",
        "d_k = d // num_heads",
        "num_heads, d_k = 1, d",
        "Each head has a softmax of its own",
    ),
    _step(
        "attends-before-it-appends",
        "The cache holds the past, and the newest position seems to be no part of it.",
        "q = (layer",
        "K, V = K[:-1], V[:-1]\n        q = (layer",
        "step raises a ValueError",
    ),
    _step(
        "cache-changed-in-place",
        "The list that was given is filled, as the cache inside an object would be.",
        "longer.append((K, V))",
        "cache[len(longer)] = (K, V)\n        longer.append((K, V))",
        "the cache that was given is changed",
    ),
)

MISCONCEPTIONS = (*COUNTS, *CACHE, *MASKS, *SENTENCES, *JOIN, *STEP)
