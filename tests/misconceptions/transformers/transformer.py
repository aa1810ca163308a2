"""Wrong answers to the exercise on the Transformer."""

from misconceptions import Misconception


def by_hand(parameters=1176, shape="[3, 2, 5, 7]", kept=7680):
    """The code of the answers to task 1, with one of them exchanged."""
    return {"by-hand": f"parameters = {parameters}\nshape = {shape}\nkept = {kept}"}


BY_HAND = (
    Misconception(
        name="decoder-layer-like-an-encoder-layer",
        why="The first layer that is taught has two sublayers, and the other looks like it.",
        answers=by_hand(parameters=288 + 552 + 32),
        loses={"test-parameters": "this is an encoder layer"},
    ),
    Misconception(
        name="biases-forgotten",
        why="The formulas 4 d² and 2 d d_ff count matrices only.",
        answers=by_hand(parameters=1024 + 48),
        loses={"test-parameters": "biases of the linear layers"},
    ),
    Misconception(
        name="cross-weights-source-by-target",
        why="The encoder comes first in every picture, so its length comes first, too.",
        answers=by_hand(shape="[3, 2, 7, 5]"),
        loses={"test-shape": "the target asks"},
    ),
    Misconception(
        name="cache-of-keys-only",
        why="The cache is said to avoid comparing again, and only keys are compared.",
        answers=by_hand(kept=3840),
        loses={"test-kept": "a key without its value"},
    ),
    Misconception(
        name="one-cache-for-all-layers",
        why="The words are the same in every layer; their vectors are not.",
        answers=by_hand(kept=1920),
        loses={"test-kept": "each layer has keys"},
    ),
)


def self_mask(order="(j <= i) | (j < prompt)", mask="order & (target != 0)[:, None, None, :]"):
    """The code of a self-attention mask, with one piece exchanged."""
    return {
        "self-mask": f"""
def self_mask(target, prompt):
    m = target.shape[1]
    i, j = np.arange(m)[:, None], np.arange(m)
    order = {order}
    return {mask}
"""
    }


def cross_mask(mask):
    """The code of a cross-attention mask."""
    return {"cross-mask": f"def cross_mask(source, target):\n    return {mask}"}


MASKS = (
    Misconception(
        name="mask-without-heads",
        why="A mask says which token sees which, and heads have nothing to do with that.",
        answers=self_mask(mask="order & (target != 0)[:, None, :]"),
        loses={"test-self-mask": "axis of the heads is missing"},
    ),
    Misconception(
        name="masks-joined-with-or",
        why="Code in which True means hidden joins with 'or', and the sign is copied.",
        answers=self_mask(mask="order | (target != 0)[:, None, None, :]"),
        loses={"test-self-mask": "word 1 sees only itself"},
    ),
    Misconception(
        name="padding-hidden-as-query",
        why="A pad should compute nothing, so its row looks like the one to blank.",
        answers=self_mask(mask="order & (target != 0)[:, None, :, None]"),
        loses={"test-self-mask": "hidden as queries"},
    ),
    Misconception(
        name="prompt-sees-everything",
        why="The condition is put on the query: prompt words may look ahead.",
        answers=self_mask(order="(j <= i) | (i < prompt)"),
        loses={"test-self-mask": "what the model has to write"},
    ),
    Misconception(
        name="prompt-forgotten",
        why="A decoder's mask is a triangle, and so it was here.",
        answers=self_mask(order="j <= i"),
        loses={"test-self-mask": "the prompt makes no difference"},
    ),
    Misconception(
        name="prompt-one-word-too-long",
        why="The places of the prompt are counted from 1, and a missing prompt is handled apart.",
        answers=self_mask(order="(j <= i) | ((j <= prompt) & (prompt > 0))"),
        loses={"test-self-mask": "the word behind the prompt counts as prompt"},
    ),
    Misconception(
        name="library-makes-the-mask",
        why="The course library has a causal mask; it knows no prompt, and it is PyTorch's.",
        answers={
            "self-mask": """
import torch
from course_lib.transformers.self_attention import causal_mask, key_mask

def self_mask(target, prompt):
    real = torch.from_numpy(target != 0)
    return (causal_mask(target.shape[1]) & key_mask(real)).numpy()
"""
        },
        loses={"test-self-mask": "PyTorch was called"},
    ),
    Misconception(
        name="cross-mask-of-the-target",
        why="The decoder works on the target, so its mask is at hand.",
        answers=cross_mask(
            "np.repeat((target != 0)[:, None, None, :], target.shape[1], axis=2)"
            " if target.shape == source.shape else"
            " np.repeat((source != 0)[:, None, None, :], target.shape[1], axis=2)"
        ),
        loses={"test-cross-mask": "hides the pads of the target"},
    ),
    Misconception(
        name="cross-mask-of-both",
        why="A pad of the target should not look at anything either.",
        answers=cross_mask("(target != 0)[:, None, :, None] & (source != 0)[:, None, None, :]"),
        loses={"test-cross-mask": "the pads of the target are hidden, too"},
    ),
    Misconception(
        name="cross-mask-transposed",
        why="The weights are believed to be [source, target].",
        answers=cross_mask("np.repeat((source != 0)[:, None, :, None], target.shape[1], axis=3)"),
        loses={"test-cross-mask": "the target asks"},
    ),
    Misconception(
        name="cross-attention-is-causal",
        why="Everything in a decoder seems to be masked against the future.",
        answers=cross_mask(
            "np.repeat((source != 0)[:, None, None, :], target.shape[1], axis=2)"
            " & np.tri(target.shape[1], source.shape[1], dtype=bool)"
        ),
        loses={"test-cross-mask": "no order between target and source"},
    ),
)


def step(keep="[:, -w:]", scale="np.sqrt(keys.shape[-1])", attended="keys, values"):
    """The code of a step with a cache, with one piece exchanged."""
    return {
        "step": f"""
def step(x, keys, values, WQ, WK, WV, w):
    old_keys, old_values = keys, values
    all_keys = np.concatenate([keys, (x @ WK.T)[:, None]], axis=1)
    all_values = np.concatenate([values, (x @ WV.T)[:, None]], axis=1)
    keys, values = all_keys{keep}, all_values{keep}
    k, v = {attended}
    scores = (x @ WQ.T)[:, None] @ k.swapaxes(-1, -2) / {scale}
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True, initial=-1e300))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return (weights @ v)[:, 0], keys, values
"""
    }


STEP = (
    Misconception(
        name="library-takes-the-step",
        why="The library's decoder layer has a step with a cache; it is PyTorch's, and keeps all.",
        answers={
            "step": """
import torch
from course_lib.transformers.transformer import DecoderLayer

def step(x, keys, values, WQ, WK, WV, w):
    layer = DecoderLayer(x.shape[1], num_heads=1, d_ff=4).double()
    past = torch.from_numpy(keys)[:, None], torch.from_numpy(values)[:, None]
    y, (k, v) = layer.step(torch.from_numpy(x)[:, None], past, past, None, None)
    return y[:, 0].numpy(), k[:, 0].numpy(), v[:, 0].numpy()
"""
        },
        loses={"test-cache": "PyTorch was called", "test-output": "PyTorch was called"},
    ),
    Misconception(
        name="attends-before-it-appends",
        why="The cache holds the past, and the new word asks the past.",
        answers=step(attended="old_keys, old_values"),
        loses={"test-output": "the only value there is"},
    ),
    Misconception(
        name="newest-dropped",
        why="[:w] is the usual way to keep w of something.",
        answers=step(keep="[:, :w]"),
        loses={"test-cache": "the newest is dropped", "test-output": "mask of width w"},
    ),
    Misconception(
        name="cache-never-forgets",
        why="In the lecture the cache grows with each word.",
        answers=step(keep=""),
        loses={"test-cache": "more than w", "test-output": "mask of width w"},
    ),
    Misconception(
        name="cut-after-attending",
        why="The cache is tidied at the end, when the work is done.",
        answers=step(attended="all_keys, all_values"),
        loses={"test-output": "one position too many"},
    ),
    Misconception(
        name="root-of-the-wrong-width",
        why="d_k and d_v are equal in most models.",
        answers=step(scale="np.sqrt(values.shape[-1])"),
        loses={"test-output": "divided by the root of d_v"},
    ),
    Misconception(
        name="no-scale",
        why="The step looks like a mere look-up, and the division is forgotten.",
        answers=step(scale="1"),
        loses={"test-output": "not divided by the root"},
    ),
)

FAULTS = (
    Misconception(
        name="codes-on-the-first-axis-are-right",
        why="Positions come first in codes and in older code, and the shapes fit.",
        answers={"faults": 'lines = [2, 6, 7]\nfinds_line_3 = "b"'},
        loses={"test-lines": "line 3 again"},
    ),
    Misconception(
        name="unchained-loop-is-right",
        why="A loop over layers looks like a chain of layers.",
        answers={"faults": 'lines = [3, 4, 7]\nfinds_line_3 = "b"'},
        loses={"test-lines": "line 6 again"},
    ),
    Misconception(
        name="gradients-find-everything",
        why="The gradient test finds the unchained loop, and it is taken for a test of all.",
        answers={"faults": 'lines = [3, 6, 7]\nfinds_line_3 = "a"'},
        loses={"test-finds": "This finds line 6"},
    ),
)

FIGURE = (
    Misconception(
        name="square-mask-is-cross",
        why="The rectangle and the square differ by one row only.",
        answers={"read-figure": 'cross = "c"\nsource_tokens = 3'},
        loses={"test-cross": "this one is square"},
    ),
    Misconception(
        name="pads-are-tokens",
        why="All columns are counted.",
        answers={"read-figure": 'cross = "b"\nsource_tokens = 5'},
        loses={"test-source-tokens": "Pads are columns"},
    ),
)


def lines(one="n * (n + 1) * (2 * n + 1) / 6", two="n * (n + 1) / 2", three="(2 * n + 1) / 3"):
    """The code of the three lines, with one of them exchanged."""
    return {
        "lines": f"""
def line_1(n):
    return {one}

def line_2(n):
    return {two}

def line_3(n):
    return {three}
"""
    }


LINES = (
    Misconception(
        name="last-step-only",
        why="The attention of a sentence costs n², and the steps before are forgotten.",
        answers=lines(one="n**2"),
        loses={"test-line-1": "the last step alone"},
    ),
    Misconception(
        name="one-score-a-step",
        why="With a cache each step handles one position, so it seems to cost one.",
        answers=lines(two="n"),
        loses={"test-line-2": "The new query meets all t keys"},
    ),
    Misconception(
        name="saving-of-positions",
        why="The lecture's factor, half the length, is remembered.",
        answers=lines(three="(n + 1) / 2"),
        loses={"test-line-3": "saved in positions"},
    ),
)

MISCONCEPTIONS = (*BY_HAND, *MASKS, *STEP, *FAULTS, *FIGURE, *LINES)
