"""Wrong answers to the exercise on Jacobians."""

from misconceptions import Misconception

SIGMOID_LAYER = (
    Misconception(
        name="layer-jacobian-transposed",
        why="Books that use the denominator layout print the transpose.",
        answers={
            "sigmoid-layer": """
def sigmoid_layer_jacobian(W, b, x):
    s = 1 / (1 + np.exp(-(W @ x + b)))
    return W.T * (s * (1 - s))
"""
        },
        loses={"test-sigmoid-layer": "transpose (denominator layout)"},
    ),
    Misconception(
        name="sigmoid-slope-from-z",
        why="The slope s(1 - s) is remembered, and z is put in for the second s.",
        answers={
            "sigmoid-layer": """
def sigmoid_layer_jacobian(W, b, x):
    z = W @ x + b
    s = 1 / (1 + np.exp(-z))
    return (s * (1 - z))[:, None] * W
"""
        },
        loses={"test-sigmoid-layer": "s(1 - s), not s(1 - z)"},
    ),
    Misconception(
        name="chain-rule-stops-at-z",
        why="The elementwise part is the one with a formula to look up.",
        answers={
            "sigmoid-layer": """
def sigmoid_layer_jacobian(W, b, x):
    s = 1 / (1 + np.exp(-(W @ x + b)))
    return np.diag(s * (1 - s))
"""
        },
        loses={"test-sigmoid-layer": "the sigmoid alone"},
    ),
    Misconception(
        name="sigmoid-forgotten",
        why="The Jacobian of W x + b is W, and the sigmoid seems to change only the output.",
        answers={
            "sigmoid-layer": """
def sigmoid_layer_jacobian(W, b, x):
    return W
"""
        },
        loses={"test-sigmoid-layer": "without its sigmoid"},
    ),
    Misconception(
        name="columns-scaled-instead-of-rows",
        why="W * slope looks right, but NumPy lines the vector up with the columns.",
        answers={
            "sigmoid-layer": """
def sigmoid_layer_jacobian(W, b, x):
    s = 1 / (1 + np.exp(-(W @ x + b)))
    return W * (s * (1 - s))
"""
        },
        loses={"test-sigmoid-layer": "shapes do not fit"},
    ),
    Misconception(
        name="bias-forgotten",
        why="The bias drops out of the derivative of W x + b, so it seems to drop out everywhere.",
        answers={
            "sigmoid-layer": """
def sigmoid_layer_jacobian(W, b, x):
    s = 1 / (1 + np.exp(-(W @ x)))
    return (s * (1 - s))[:, None] * W
"""
        },
        loses={"test-sigmoid-layer": "the bias is missing"},
    ),
    Misconception(
        name="fitted-to-the-visible-test",
        why="The visible test has slope 1/4, and a constant passes it.",
        answers={
            "sigmoid-layer": """
def sigmoid_layer_jacobian(W, b, x):
    return W / 4
"""
        },
        loses={"test-sigmoid-layer": "1/4 at z = 0 only"},
    ),
    Misconception(
        name="autograd-answers",
        why="PyTorch gives the Jacobian in one call, with nothing derived.",
        answers={
            "sigmoid-layer": """
import torch

def sigmoid_layer_jacobian(W, b, x):
    W, b, x = (torch.tensor(a) for a in (W, b, x))
    return torch.autograd.functional.jacobian(lambda t: torch.sigmoid(W @ t + b), x).numpy()
"""
        },
        loses={"test-sigmoid-layer": "PyTorch was called"},
    ),
    Misconception(
        name="difference-quotients-answer",
        why="Difference quotients come close to any Jacobian, with nothing derived.",
        answers={
            "sigmoid-layer": """
def sigmoid_layer_jacobian(W, b, x):
    f = lambda t: 1 / (1 + np.exp(-(W @ t + b)))
    step = 1e-5
    columns = [(f(x + step * e) - f(x - step * e)) / (2 * step) for e in np.eye(len(x))]
    return np.stack(columns, axis=1)
"""
        },
        loses={"test-sigmoid-layer": "nearly right"},
    ),
)

CENTRING = (
    Misconception(
        name="jacobian-taken-for-its-determinant",
        why="Both are called the Jacobian, and a change of variables uses the determinant.",
        answers={
            "centring": """
def centring_jacobian(x):
    n = len(x)
    return np.linalg.det(np.eye(n) - np.ones((n, n)) / n)
"""
        },
        loses={"test-centring": "determinant"},
    ),
    Misconception(
        name="mean-taken-for-a-sum",
        why="Every x_j stands in the mean with weight one at first sight; the 1/n is forgotten.",
        answers={
            "centring": """
def centring_jacobian(x):
    n = len(x)
    return np.eye(n) - np.ones((n, n))
"""
        },
        loses={"test-centring": "the factor 1/n is missing"},
    ),
    Misconception(
        name="mean-taken-for-a-constant",
        why="The mean is one number for the whole vector, so it looks like a constant.",
        answers={
            "centring": """
def centring_jacobian(x):
    return np.eye(len(x))
"""
        },
        loses={"test-centring": "no constant"},
    ),
    Misconception(
        name="centring-acts-on-each-entry-alone",
        why="Subtraction is elementwise, so the Jacobian is expected to be diagonal.",
        answers={
            "centring": """
def centring_jacobian(x):
    n = len(x)
    return np.eye(n) * (1 - 1 / n)
"""
        },
        loses={"test-centring": "off the diagonal are missing"},
    ),
)

WRONG_TRANSPOSE = (
    Misconception(
        name="blames-the-right-transpose",
        why="W2 stands without a transpose in the forward pass, so W2.T looks suspicious.",
        answers={
            "wrong-line": "wrong_line = 4",
            "mended-backward": """
def mended_backward(W1, W2, x, y):
    h = np.tanh(W1 @ x)
    e = W2 @ h - y
    gradient_W2 = np.outer(e, h)
    gradient_z = (W2 @ e) * (1 - h**2)
    return np.outer(x, gradient_z), gradient_W2, W1.T @ gradient_z
""",
        },
        loses={
            "test-wrong-line": "line 4 is right. h[j] acts through column j",
            "test-mended-backward": "gradient_W1[0, 0] does not say",
        },
    ),
    Misconception(
        name="copied-without-mending",
        why="All shapes fit and nothing crashes, so nothing seems wrong.",
        answers={
            "mended-backward": """
def mended_backward(W1, W2, x, y):
    return backward(W1, W2, x, y)
"""
        },
        loses={"test-mended-backward": "gradient_W1: this is the transpose"},
    ),
    Misconception(
        name="both-outer-products-turned",
        why="The two lines look alike, so both are turned round.",
        answers={
            "wrong-line": "wrong_line = 3",
            "mended-backward": """
def mended_backward(W1, W2, x, y):
    h = np.tanh(W1 @ x)
    e = W2 @ h - y
    gradient_z = (W2.T @ e) * (1 - h**2)
    return np.outer(gradient_z, x), np.outer(h, e), W1.T @ gradient_z
""",
        },
        loses={
            "test-wrong-line": "line 3 is right",
            "test-mended-backward": "gradient_W2: it was right before",
        },
    ),
    Misconception(
        name="transpose-dropped-on-the-way-to-x",
        why="W1 stands without a transpose in the forward pass, so W1.T looks suspicious.",
        answers={
            "wrong-line": "wrong_line = 7",
            "mended-backward": """
def mended_backward(W1, W2, x, y):
    h = np.tanh(W1 @ x)
    e = W2 @ h - y
    gradient_z = (W2.T @ e) * (1 - h**2)
    return np.outer(gradient_z, x), np.outer(e, h), W1 @ gradient_z
""",
        },
        loses={
            "test-wrong-line": "line 7 is right",
            "test-mended-backward": "gradient_x: it was right before",
        },
    ),
)

NETWORK = (
    Misconception(
        name="target-minus-prediction",
        why="The error is often written as target minus prediction.",
        answers={
            "line-1": """
def line_1(p, y):
    return np.eye(len(p))[y] - p
"""
        },
        loses={"test-line-1": "entry y must be negative"},
    ),
    Misconception(
        name="class-number-subtracted",
        why="The formula reads p - y, and NumPy subtracts the number y from every entry.",
        answers={
            "line-1": """
def line_1(p, y):
    return p - y
"""
        },
        loses={"test-line-1": "Take 1 from entry y"},
    ),
    Misconception(
        name="gradient-by-the-probabilities",
        why="The derivative of the logarithm is done, and the softmax is overlooked.",
        answers={
            "line-1": """
def line_1(p, y):
    return -np.eye(len(p))[y] / p
"""
        },
        loses={"test-line-1": "gradient by p"},
    ),
    Misconception(
        name="only-the-right-class-counts",
        why="The loss names the right class only.",
        answers={
            "line-1": """
def line_1(p, y):
    delta = np.zeros(len(p))
    delta[y] = p[y] - 1
    return delta
"""
        },
        loses={"test-line-1": "entries of p are missing"},
    ),
    Misconception(
        name="library-gives-the-gradient",
        why="The course library holds a function of that name. It expects logits and PyTorch.",
        answers={
            "line-1": """
import torch
from course_lib.calculus.jacobians import cross_entropy_gradient

def line_1(p, y):
    return cross_entropy_gradient(torch.from_numpy(p), torch.tensor(y)).numpy()
"""
        },
        loses={"test-line-1": "PyTorch was called"},
    ),
    Misconception(
        name="outer-product-transposed",
        why="x delta^T and delta x^T hold the same numbers.",
        answers={
            "line-2": """
def line_2(delta_2, h):
    return np.outer(h, delta_2)
""",
            "line-5": """
def line_5(delta_1, x):
    return np.outer(x, delta_1), delta_1
""",
        },
        loses={
            "test-line-2": "W2 has a row for each class",
            "test-line-5": "W1 has a row for each unit",
        },
    ),
    Misconception(
        name="inner-instead-of-outer-product",
        why="A row times a column is the product that one meets most often.",
        answers={
            "line-2": """
def line_2(delta_2, h):
    return delta_2 @ h
"""
        },
        loses={"test-line-2": "shapes do not fit"},
    ),
    Misconception(
        name="weights-without-transpose",
        why="The gradient is sent through the layer as if it were an input.",
        answers={
            "line-3": """
def line_3(W2, delta_2):
    return W2 @ delta_2
"""
        },
        loses={"test-line-3": "a transpose is missing"},
    ),
    Misconception(
        name="parts-averaged-instead-of-added",
        why="Means over a batch are so common that any sum over an axis becomes one.",
        answers={
            "line-2": """
def line_2(delta_2, h):
    return np.outer(delta_2, h) / len(delta_2)
""",
            "line-3": """
def line_3(W2, delta_2):
    return np.mean(W2 * delta_2[:, None], axis=0)
""",
        },
        loses={
            "test-line-2": "Nothing is averaged",
            "test-line-3": "their mean, not their sum",
        },
    ),
    Misconception(
        name="slope-of-tanh-without-the-square",
        why="The sigmoid's slope s(1 - s) is carried over.",
        answers={
            "line-4": """
def line_4(g_h, z1):
    return g_h * (1 - np.tanh(z1))
"""
        },
        loses={"test-line-4": "The square is missing"},
    ),
    Misconception(
        name="slope-of-tanh-at-the-wrong-place",
        why="1 - h**2 is remembered, and z1 is the variable at hand.",
        answers={
            "line-4": """
def line_4(g_h, z1):
    return g_h * (1 - z1**2)
"""
        },
        loses={"test-line-4": "in place of its tanh"},
    ),
    Misconception(
        name="activation-skipped-on-the-way-back",
        why="The activation has no parameters, so it seems to have no part in the gradient.",
        answers={
            "line-4": """
def line_4(g_h, z1):
    return g_h
"""
        },
        loses={"test-line-4": "slope of tanh is missing"},
    ),
    Misconception(
        name="nothing-from-above",
        why="The local derivative is taken for the gradient.",
        answers={
            "line-4": """
def line_4(g_h, z1):
    return 1 - np.tanh(z1) ** 2
""",
            "line-5": """
def line_5(delta_1, x):
    return np.outer(delta_1, x), np.ones(len(delta_1))
""",
        },
        loses={
            "test-line-4": "the slope of tanh alone",
            "test-line-5": "1 is the slope of z1 by b1",
        },
    ),
    Misconception(
        name="bias-gradient-added-up",
        why="Over a batch the bias gradient is a sum, and the sum is taken over the wrong axis.",
        answers={
            "line-5": """
def line_5(delta_1, x):
    return np.outer(delta_1, x), delta_1.sum()
"""
        },
        loses={"test-line-5": "nothing is added up"},
    ),
)

SOFTMAX = (
    Misconception(
        name="sign-dropped-by-hand",
        why="The entries off the diagonal are remembered as products of two probabilities.",
        answers={"by-hand": "entry_33 = 15 / 64\nentry_23 = 10 / 64"},
        loses={"test-by-hand": "the sign is wrong"},
    ),
    Misconception(
        name="normalising-sum-taken-for-a-constant",
        why="Then e^z over a constant is its own derivative.",
        answers={"by-hand": "entry_33 = 5 / 8\nentry_23 = -10 / 64"},
        loses={"test-by-hand": "the probability itself"},
    ),
    Misconception(
        name="sign-dropped-in-code",
        why="Only the diagonal is remembered with its minus sign.",
        answers={
            "temperature": """
def tempered_jacobian(z, T):
    p = np.exp((z - z.max()) / T)
    p /= p.sum()
    J = np.outer(p, p)
    np.fill_diagonal(J, p * (1 - p))
    return J / T
"""
        },
        loses={"test-temperature": "entry (i, j) is -p[i] p[j]"},
    ),
    Misconception(
        name="softmax-taken-for-elementwise",
        why="p(1 - p) is the derivative of the sigmoid, and the softmax looks like one.",
        answers={
            "temperature": """
def tempered_jacobian(z, T):
    p = np.exp((z - z.max()) / T)
    p /= p.sum()
    return np.diag(p * (1 - p)) / T
"""
        },
        loses={"test-temperature": "every logit moves every probability"},
    ),
    Misconception(
        name="inner-derivative-forgotten",
        why="The temperature is seen inside the softmax, where it has done its work already.",
        answers={
            "temperature": """
def tempered_jacobian(z, T):
    p = np.exp((z - z.max()) / T)
    p /= p.sum()
    return np.diag(p) - np.outer(p, p)
"""
        },
        loses={"test-temperature": "the chain rule is not finished"},
    ),
    Misconception(
        name="logits-not-shifted",
        why="The formula of the softmax holds no shift, and small logits need none.",
        answers={
            "temperature": """
def tempered_jacobian(z, T):
    p = np.exp(z / T)
    p /= p.sum()
    return (np.diag(p) - np.outer(p, p)) / T
"""
        },
        loses={"test-temperature": "overflows"},
    ),
    Misconception(
        name="library-gives-the-softmax-jacobian",
        why="The course library holds the softmax Jacobian, without a temperature and in PyTorch.",
        answers={
            "temperature": """
import torch
from course_lib.calculus.jacobians import softmax_jacobian

def tempered_jacobian(z, T):
    return softmax_jacobian(torch.from_numpy(z / T)).numpy()
"""
        },
        loses={"test-temperature": "PyTorch was called"},
    ),
)

SATURATION = (
    Misconception(
        name="softmax-saturates-because-its-gradients-sum-to-zero",
        why="The sum is 0 when the softmax saturates, but it is 0 at every other point, too.",
        answers={"saturation": 'curve = "c"\nscale = 0'},
        loses={
            "test-curve": "also where gradients flow well",
            "test-scale": "does not make them small",
        },
    ),
    Misconception(
        name="saturation-read-off-the-probability",
        why="One-hot probabilities and a small Jacobian come together, so they are mixed up.",
        answers={"saturation": 'curve = "a"\nscale = 2'},
        loses={"test-curve": "a property of J", "test-scale": "too early"},
    ),
)

BATCH = (
    Misconception(
        name="sum-instead-of-mean",
        why="A matrix product sums over the batch, and the mean of the loss is forgotten.",
        answers={
            "batch": """
def batch_gradients(X, P, Y):
    return (P - Y).T @ X, (P - Y).sum(axis=0)
"""
        },
        loses={"test-batch": "The loss is a mean: divide by B"},
    ),
    Misconception(
        name="mean-over-all-entries",
        why="np.mean divides by the number of all entries.",
        answers={
            "batch": """
def batch_gradients(X, P, Y):
    deltas = (P - Y) / P.size
    return deltas.T @ X, deltas.sum(axis=0)
"""
        },
        loses={"test-batch": "divided by the number of classes as well"},
    ),
    Misconception(
        name="batch-product-transposed",
        why="With examples in rows the forward pass is X W^T, and the transposes get mixed up.",
        answers={
            "batch": """
def batch_gradients(X, P, Y):
    deltas = (P - Y) / len(X)
    return X.T @ deltas, deltas.sum(axis=0)
"""
        },
        loses={"test-batch": "W has a row for each class"},
    ),
)

MISCONCEPTIONS = (
    *SIGMOID_LAYER,
    *CENTRING,
    *WRONG_TRANSPOSE,
    *NETWORK,
    *SOFTMAX,
    *SATURATION,
    *BATCH,
)
