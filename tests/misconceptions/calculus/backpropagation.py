"""Wrong answers to the exercise on backpropagation."""

from misconceptions import Misconception

BY_HAND = (
    Misconception(
        name="second-use-overwrites-the-first",
        why="One gradient for each circle seems enough, so the later share replaces the earlier.",
        answers={"by-hand": "ds_dx = 3\nds_dy = 3\nds_dz = 6"},
        loses={"test-by-hand": "The share that comes through the max gate is missing"},
    ),
    Misconception(
        name="product-keeps-its-inputs",
        why="A gate hands something back to each input, and its own value lies next to it.",
        answers={"by-hand": "ds_dx = 4\nds_dy = 5\nds_dz = 6"},
        loses={"test-by-hand": "the other one, not the input itself"},
    ),
    Misconception(
        name="max-hands-to-both",
        why="The add gate hands its gradient to both inputs, and max looks like it.",
        answers={"by-hand": "ds_dx = 3\nds_dy = 5\nds_dz = 8"},
        loses={"test-by-hand": "to the larger input only"},
    ),
    Misconception(
        name="separate-derivatives-are-wrong",
        why="The two ways are shown side by side, one of them crossed out as wrong.",
        answers={"work": 'from_scratch = 108\none_pass = 8\ncompare = "a"'},
        loses={"test-compare": "it is only slow"},
    ),
    Misconception(
        name="two-arrays-as-in-the-lecture",
        why="The formula k(k + 1) is taken over without its derivation.",
        answers={"work": 'from_scratch = 72\none_pass = 8\ncompare = "b"'},
        loses={"test-work": "Here there are three"},
    ),
    Misconception(
        name="one-pass-for-each-array",
        why="Each array has a gradient of its own, so each seems to need a passage of its own.",
        answers={"work": 'from_scratch = 108\none_pass = 24\ncompare = "b"'},
        loses={"test-work": "share one delta"},
    ),
)

GATE = (
    Misconception(
        name="method-without-self",
        why="The call gate.forward(x, y) shows two arguments only.",
        answers={
            "divide-gate": """
class DivideGate:
    def forward(x, y):
        self.x, self.y = x, y
        return x / y

    def backward(upstream):
        return upstream / self.y, -upstream * self.x / self.y**2
"""
        },
        loses={"test-divide-gate": "Is self the first parameter"},
    ),
    Misconception(
        name="local-without-upstream",
        why="The derivative of the gate is taken for the gradient.",
        answers={
            "divide-gate": """
class DivideGate:
    def forward(self, x, y):
        self.x, self.y = x, y
        return x / y

    def backward(self, upstream):
        return 1 / self.y, -self.x / self.y**2
"""
        },
        loses={"test-divide-gate": "Multiply it by the upstream gradient"},
    ),
    Misconception(
        name="quotient-rule-without-the-square",
        why="The minus sign of the quotient rule is remembered, and the square forgotten.",
        answers={
            "divide-gate": """
class DivideGate:
    def forward(self, x, y):
        self.x, self.y = x, y
        return x / y

    def backward(self, upstream):
        return upstream / self.y, -upstream * self.x / self.y
"""
        },
        loses={"test-divide-gate": "The square is missing"},
    ),
    Misconception(
        name="one-gradient-for-two-inputs",
        why="The numerator is the input that one thinks of, and the divisor looks like a constant.",
        answers={
            "divide-gate": """
class DivideGate:
    def forward(self, x, y):
        self.y = y
        return x / y

    def backward(self, upstream):
        return upstream / self.y
"""
        },
        loses={"test-divide-gate": "DivideGate.backward must return 2 arrays"},
    ),
)

LOOP = (
    Misconception(
        name="gradient-assigned-in-place-of-added",
        why="A name that is used once, as in most small examples, does not show the difference.",
        answers={
            "loop": """
def gradients_of(tape, values):
    gradients = dict.fromkeys(values, 0.0)
    gradients[tape[-1][0]] = 1.0
    for result, operation, inputs in reversed(tape):
        if operation == "add":
            local = [1.0, 1.0]
        elif operation == "mul":
            local = [values[inputs[1]], values[inputs[0]]]
        else:
            local = [values[result]]
        for name, slope in zip(inputs, local):
            gradients[name] = gradients[result] * slope
    return gradients
"""
        },
        loses={"test-loop": "add, do not assign"},
    ),
    Misconception(
        name="tape-read-forwards",
        why="The tape is in topological order, and that is said to be the right one.",
        answers={
            "loop": """
def gradients_of(tape, values):
    gradients = dict.fromkeys(values, 0.0)
    gradients[tape[-1][0]] = 1.0
    for result, operation, inputs in tape:
        if operation == "add":
            local = [1.0, 1.0]
        elif operation == "mul":
            local = [values[inputs[1]], values[inputs[0]]]
        else:
            local = [values[result]]
        for name, slope in zip(inputs, local):
            gradients[name] += gradients[result] * slope
    return gradients
"""
        },
        loses={"test-loop": "Was the tape read forwards"},
    ),
    Misconception(
        name="local-derivatives-handed-on",
        why="With the upstream gradient 1 of a short tape it makes no difference.",
        answers={
            "loop": """
def gradients_of(tape, values):
    gradients = dict.fromkeys(values, 0.0)
    gradients[tape[-1][0]] = 1.0
    for result, operation, inputs in reversed(tape):
        if operation == "add":
            local = [1.0, 1.0]
        elif operation == "mul":
            local = [values[inputs[1]], values[inputs[0]]]
        else:
            local = [values[result]]
        for name, slope in zip(inputs, local):
            if gradients[result] != 0:
                gradients[name] += slope
    return gradients
"""
        },
        loses={"test-loop": "the upstream gradient is missing"},
    ),
    Misconception(
        name="backward-moves-the-values",
        why="The backward pass is believed to be where the learning happens.",
        answers={
            "loop": """
def gradients_of(tape, values):
    gradients = dict.fromkeys(values, 0.0)
    gradients[tape[-1][0]] = 1.0
    for result, operation, inputs in reversed(tape):
        if operation == "add":
            local = [1.0, 1.0]
        elif operation == "mul":
            local = [values[inputs[1]], values[inputs[0]]]
        else:
            local = [values[result]]
        for name, slope in zip(inputs, local):
            gradients[name] += gradients[result] * slope
    for name in values:
        values[name] -= 0.1 * gradients[name]
    return gradients
"""
        },
        loses={"test-loop": "it moves no parameter"},
    ),
)

NORMALISATION = (
    Misconception(
        name="broadcast-not-summed",
        why="The product with C has the shape of C, and it is left at that.",
        answers={
            "line-1": """
def line_1(G, C):
    return G * C
"""
        },
        loses={"test-line-1": "add up the gradients of all its copies"},
    ),
    Misconception(
        name="copies-averaged-instead-of-added",
        why="The normalisation is full of means, so this sum becomes one, too.",
        answers={
            "line-1": """
def line_1(G, C):
    return (G * C).mean(axis=1, keepdims=True)
"""
        },
        loses={"test-line-1": "This is their mean"},
    ),
    Misconception(
        name="exponent-kept",
        why="The exponent is written in front and not lowered.",
        answers={
            "line-2": """
def line_2(g_r, v, eps):
    return -0.5 * g_r * (v + eps) ** -0.5
"""
        },
        loses={"test-line-2": "from -1/2 to -3/2"},
    ),
    Misconception(
        name="variance-taken-for-a-constant",
        why="The variance is one number for a whole row, so it looks like a constant.",
        answers={
            "line-3": """
def line_3(G, r, g_v, C):
    return G * r
"""
        },
        loses={"test-line-3": "The share that comes from v is missing"},
    ),
    Misconception(
        name="mean-taken-for-a-sum-in-the-variance",
        why="Each square stands in the variance with weight one at first sight.",
        answers={
            "line-3": """
def line_3(G, r, g_v, C):
    return G * r + g_v * 2 * C
"""
        },
        loses={"test-line-3": "the factor 1/d of the mean is missing"},
    ),
    Misconception(
        name="rows-counted-for-columns",
        why="len(C) is the nearest number at hand, and it counts the rows.",
        answers={
            "line-3": """
def line_3(G, r, g_v, C):
    return G * r + g_v * 2 * C / len(C)
"""
        },
        loses={"test-line-3": "d is the number of columns"},
    ),
    Misconception(
        name="mean-taken-for-a-constant",
        why="Subtracting a number does not change a slope, and the mean looks like a number.",
        answers={
            "line-4": """
def line_4(g_C):
    return g_C
"""
        },
        loses={"test-line-4": "the mean depends on it, too"},
    ),
    Misconception(
        name="mean-over-the-wrong-axis",
        why="A mean over the batch is met more often than one over the features.",
        answers={
            "line-4": """
def line_4(g_C):
    return g_C - g_C.mean(axis=0)
"""
        },
        loses={"test-line-4": "Each row has its own mean"},
    ),
)

LOOKUP = (
    Misconception(
        name="blames-the-transpose",
        why="Transposes are the usual suspects, and g.T is the only one here.",
        answers={
            "wrong-line": "wrong_line = 2",
            "mended-lookup": """
def mended_backward(table, ids, W, g):
    return lookup_backward(table, ids, W, g)
""",
        },
        loses={
            "test-wrong-line": "line 2 is right",
            "test-mended-lookup": "The others were overwritten",
        },
    ),
    Misconception(
        name="loop-that-assigns",
        why="The trouble is seen in NumPy's indexing, and the loop keeps the assignment.",
        answers={
            "mended-lookup": """
def mended_backward(table, ids, W, g):
    gradient_table = np.zeros_like(table)
    for place, number in enumerate(ids):
        gradient_table[number] = g[place] @ W
    return gradient_table, g.T @ table[ids]
"""
        },
        loses={"test-mended-lookup": "The others were overwritten"},
    ),
)

FIGURE = (
    Misconception(
        name="smaller-steps-are-better",
        why="A derivative is the limit of small steps.",
        answers={"best-step": 'curve = "c"\nhalf_precision_step = 2**-10'},
        loses={
            "test-curve": "float32 has only seven",
            "test-step": "a smaller step is not better",
        },
    ),
    Misconception(
        name="square-root-of-epsilon",
        why="The rule for the one-sided slope is the better known one.",
        answers={"best-step": 'curve = "a"\nhalf_precision_step = 2 * 2**-5'},
        loses={"test-curve": "a one-sided slope", "test-step": "step of the one-sided slope"},
    ),
)

TIED = """
def loss_and_gradients(W, b, X, y):
    H = np.tanh(X @ W.T + b)
    Z = H @ W
    Z = Z - Z.max(axis=1, keepdims=True)
    log_P = Z - np.log(np.exp(Z).sum(axis=1, keepdims=True))
    rows = np.arange(len(y))
    delta_2 = np.exp(log_P)
    delta_2[rows, y] -= 1
    delta_2 /= len(y)
    delta_1 = (delta_2 @ W.T) * (1 - H**2)
    gradient_W = H.T @ delta_2 + delta_1.T @ X
    return -log_P[rows, y].mean(), gradient_W, delta_1.sum(axis=0)
"""

WHOLE_PART = (
    Misconception(
        name="only-the-last-use-counts",
        why="The gradient of an output layer is well known, and W is the output layer.",
        answers={"tied": TIED.replace("H.T @ delta_2 + delta_1.T @ X", "H.T @ delta_2")},
        loses={"test-tied-gradients": "The share of the first layer is missing"},
    ),
    Misconception(
        name="shares-averaged",
        why="One matrix in two places seems to get the mean of what the two places want.",
        answers={
            "tied": TIED.replace(
                "H.T @ delta_2 + delta_1.T @ X", "(H.T @ delta_2 + delta_1.T @ X) / 2"
            )
        },
        loses={"test-tied-gradients": "the shares are added, not averaged"},
    ),
    Misconception(
        name="sum-instead-of-mean",
        why="The matrix products sum over the bags, and the mean of the loss is forgotten.",
        answers={"tied": TIED.replace("    delta_2 /= len(y)\n", "")},
        loses={"test-tied-gradients": "divide by N"},
    ),
    Misconception(
        name="loss-summed",
        why="A loss over several bags is added up, as in the likelihood of all data.",
        answers={"tied": TIED.replace("log_P[rows, y].mean()", "log_P[rows, y].sum()")},
        loses={"test-tied-loss": "a mean over the bags, not a sum"},
    ),
    Misconception(
        name="scores-not-shifted",
        why="The formula of the softmax holds no shift, and small scores need none.",
        answers={"tied": TIED.replace("    Z = Z - Z.max(axis=1, keepdims=True)\n", "")},
        loses={
            "test-tied-loss": "some intermediate number overflows",
            "test-tied-pure": "Subtract the maximum first",
        },
    ),
    Misconception(
        name="learning-inside-the-backward-pass",
        why="Backward is believed to be the step in which the parameters change.",
        answers={
            "tied": TIED.replace(
                "    return -log_P", "    W -= 0.1 * gradient_W\n    return -log_P"
            )
        },
        loses={"test-tied-pure": "no step of learning"},
    ),
    Misconception(
        name="engine-of-the-library",
        why="The course library holds an engine that gives every gradient, with nothing derived.",
        answers={
            "tied": """
import torch
from course_lib.calculus.backpropagation import Node, cross_entropy, tanh, transpose

def loss_and_gradients(W, b, X, y):
    W, b = (Node(torch.from_numpy(a), requires_grad=True) for a in (W, b))
    H = tanh(torch.from_numpy(X) @ transpose(W, 0, 1) + b)
    loss = cross_entropy(H @ W, torch.from_numpy(y))
    loss.backward()
    return loss.data.item(), W.grad.numpy(), b.grad.numpy()
"""
        },
        loses={
            "test-tied-loss": "PyTorch was called",
            "test-tied-gradients": "PyTorch was called",
            "test-tied-pure": "PyTorch was called",
        },
    ),
)

MISCONCEPTIONS = (
    *BY_HAND,
    *GATE,
    *LOOP,
    *NORMALISATION,
    *LOOKUP,
    *FIGURE,
    *WHOLE_PART,
)
