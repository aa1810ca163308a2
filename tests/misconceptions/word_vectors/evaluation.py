"""Wrong answers to the exercise on evaluating word vectors."""

from misconceptions import Misconception

RANKS = (
    Misconception(
        name="textbook-formula-despite-ties",
        why="1 - 6 sum(d²) / (n (n² - 1)) is the formula that is printed everywhere.",
        answers={
            "by-hand": "rho = 0.65",
            "spearman": """
def spearman(x, y):
    ranks = []
    for values in (x, y):
        smaller = (values[:, None] > values).sum(axis=1)
        equal = (values[:, None] == values).sum(axis=1)
        ranks.append(smaller + (equal + 1) / 2)
    d, n = ranks[0] - ranks[1], len(x)
    return 1 - 6 * np.sum(d**2) / (n * (n**2 - 1))
""",
        },
        loses={"test-by-hand": "without ties only", "test-spearman": "without ties only"},
    ),
    Misconception(
        name="ties-broken-by-place",
        why="argsort twice gives ranks in one line, and nobody looks at the equal values.",
        answers={
            "by-hand": "rho = 0.8",
            "spearman": """
def spearman(x, y):
    ranks = [values.argsort(kind="stable").argsort() for values in (x, y)]
    return np.corrcoef(*ranks)[0, 1]
""",
        },
        loses={"test-by-hand": "the tie was broken", "test-spearman": "by their place in the list"},
    ),
    Misconception(
        name="argsort-taken-for-ranks",
        why="argsort sounds like ranks, and for some lists it agrees.",
        answers={
            "spearman": """
def spearman(x, y):
    return np.corrcoef(x.argsort(kind="stable"), y.argsort(kind="stable"))[0, 1]
"""
        },
        loses={"test-spearman": "not their ranks"},
    ),
    Misconception(
        name="values-instead-of-ranks",
        why="The ordinary correlation is the one that is known.",
        answers={
            "by-hand": "rho = 0.7",
            "spearman": """
def spearman(x, y):
    return np.corrcoef(x, y)[0, 1]
""",
        },
        loses={
            "test-by-hand": "not of their ranks",
            "test-spearman": "Replace them by ranks first",
        },
    ),
    Misconception(
        name="ranks-as-in-sports",
        why="Two runners with equal times are both second.",
        answers={
            "spearman": """
def spearman(x, y):
    return np.corrcoef(*[(values[:, None] > values).sum(axis=1) for values in (x, y)])[0, 1]
"""
        },
        loses={"test-spearman": "share the lowest"},
    ),
    Misconception(
        name="ranks-counted-from-above",
        why="Counting the values that are at most as large gives a rank, too.",
        answers={
            "spearman": """
def spearman(x, y):
    return np.corrcoef(*[(values[:, None] >= values).sum(axis=1) for values in (x, y)])[0, 1]
"""
        },
        loses={"test-spearman": "share the highest"},
    ),
    Misconception(
        name="library-correlates",
        why="The course library holds a function of that name.",
        answers={
            "spearman": """
import torch
from course_lib.word_vectors.evaluation import spearman as of_the_library

def spearman(x, y):
    return of_the_library(torch.from_numpy(x), torch.from_numpy(y)).item()
"""
        },
        loses={"test-spearman": "PyTorch was called"},
    ),
)

ANALOGIES = (
    Misconception(
        name="normalises-the-target-instead",
        why="A cosine divides by two lengths, and that of the target is missing.",
        answers={
            "wrong-line": "wrong_line = 3",
            "mended-answer": """
def mended_answer(X, a, b, c):
    X = X / np.linalg.norm(X, axis=0)
    target = X[b] - X[a] + X[c]
    scores = X @ target / np.linalg.norm(target)
    scores[[a, b, c]] = -np.inf
    return int(np.argmax(scores))
""",
        },
        loses={
            "test-wrong-line": "line 3 is right",
            "test-mended-answer": "each row has to get length 1",
        },
    ),
    Misconception(
        name="difference-turned-round",
        why="In 'king - man + woman' the order of the words is another one than in the question.",
        answers={
            "wrong-line": "wrong_line = 2",
            "mended-answer": """
def mended_answer(X, a, b, c):
    X = X / np.linalg.norm(X, axis=1, keepdims=True)
    scores = X @ (X[a] - X[b] + X[c])
    scores[[a, b, c]] = -np.inf
    return int(np.argmax(scores))
""",
        },
        loses={
            "test-wrong-line": "line 2 is right",
            "test-mended-answer": "wrong sign",
        },
    ),
    Misconception(
        name="no-rule-for-question-words",
        why="Setting scores to minus infinity looks like a trick.",
        answers={
            "wrong-line": "wrong_line = 4",
            "mended-answer": """
def mended_answer(X, a, b, c):
    X = X / np.linalg.norm(X, axis=1, keepdims=True)
    return int(np.argmax(X @ (X[b] - X[a] + X[c])))
""",
        },
        loses={
            "test-wrong-line": "line 4 is right",
            "test-mended-answer": "question word",
        },
    ),
    Misconception(
        name="no-normalisation-at-all",
        why="The faulty line is removed, and everything runs.",
        answers={
            "mended-answer": """
def mended_answer(X, a, b, c):
    scores = X @ (X[b] - X[a] + X[c])
    scores[[a, b, c]] = -np.inf
    return int(np.argmax(scores))
"""
        },
        loses={"test-mended-answer": "long vectors win"},
    ),
    Misconception(
        name="scales-its-argument",
        why="X /= ... saves memory.",
        answers={
            "mended-answer": """
def mended_answer(X, a, b, c):
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    scores = X @ (X[b] - X[a] + X[c])
    scores[[a, b, c]] = -np.inf
    return int(np.argmax(scores))
"""
        },
        loses={"test-mended-answer": "changes its argument"},
    ),
)

SENTENCES = (
    Misconception(
        name="padding-averaged-in",
        why="mean(axis=1) is the mean, and the mask seems to be for something else.",
        answers={
            "sentence-means": """
def sentence_means(E, ids, mask):
    return E[ids].mean(axis=1)
"""
        },
        loses={"test-sentence-means": "mask is not used"},
    ),
    Misconception(
        name="padding-counted",
        why="Zeros do not change a sum, so they seem not to change a mean.",
        answers={
            "sentence-means": """
def sentence_means(E, ids, mask):
    return (E[ids] * mask[:, :, None]).mean(axis=1)
"""
        },
        loses={"test-sentence-means": "not by T"},
    ),
    Misconception(
        name="empty-sentence-gives-nan",
        why="Sentences without words are not thought of.",
        answers={
            "sentence-means": """
def sentence_means(E, ids, mask):
    return (E[ids] * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
"""
        },
        loses={"test-sentence-means": "0/0"},
    ),
    Misconception(
        name="id-zero-taken-for-padding",
        why="In many programs id 0 is the padding.",
        answers={
            "sentence-means": """
def sentence_means(E, ids, mask):
    real = ids != 0
    total = (E[ids] * real[:, :, None]).sum(axis=1)
    return total / np.maximum(real.sum(axis=1, keepdims=True), 1)
"""
        },
        loses={"test-sentence-means": "id 0 was taken for padding"},
    ),
    Misconception(
        name="mean-forgotten-in-the-gradient",
        why="The gradient by m is taken for that by v.",
        answers={
            "word-gradient": """
def word_gradient(W, delta, c, T):
    return W.T @ delta
"""
        },
        loses={"test-word-gradient": "the factor c / T is missing"},
    ),
    Misconception(
        name="repeated-word-counted-once",
        why="The sum over the occurrences is overlooked.",
        answers={
            "word-gradient": """
def word_gradient(W, delta, c, T):
    return W.T @ delta / T
"""
        },
        loses={"test-word-gradient": "c times as much"},
    ),
)

PERMUTATIONS = (
    Misconception(
        name="sample-deviation",
        why="Many programs divide by n - 1.",
        answers={
            "permutation-test": """
from itertools import combinations

def effect_size(x, y):
    return (x.mean() - y.mean()) / np.concatenate([x, y]).std(ddof=1)

def p_value(x, y):
    values, m = np.concatenate([x, y]), len(x)
    differences = [
        values[list(c)].mean() - np.delete(values, list(c)).mean()
        for c in combinations(range(len(values)), m)
    ]
    return np.mean(np.array(differences) > x.mean() - y.mean() + 1e-12)
"""
        },
        loses={"test-effect-size": "Divide by m + n", "test-p-value": "never 0"},
    ),
    Misconception(
        name="deviation-within-the-groups",
        why="Cohen's d, the effect size of most textbooks, divides by the pooled deviation.",
        answers={
            "permutation-test": """
from itertools import combinations

def effect_size(x, y):
    with np.errstate(divide="ignore"):
        return (x.mean() - y.mean()) / np.sqrt((x.var() + y.var()) / 2)

def p_value(x, y):
    values, m = np.concatenate([x, y]), len(x)
    chosen = [list(c) for c in combinations(range(len(values)), m)]
    means = [values[c].mean() - np.delete(values, c).mean() for c in chosen]
    return np.mean(np.array(means) >= x.mean() - y.mean() - 1e-12)
"""
        },
        loses={"test-effect-size": "Take all numbers together"},
    ),
    Misconception(
        name="one-group-and-two-sides",
        why="The deviation of the first group is at hand, and most p-values are two-sided.",
        answers={
            "permutation-test": """
from itertools import combinations

def effect_size(x, y):
    values = np.concatenate([x, y])
    return (x.mean() - y.mean()) / (x.std() if x.std() > 0 else values.std())

def p_value(x, y):
    values, m = np.concatenate([x, y]), len(x)
    differences = [
        values[list(c)].mean() - np.delete(values, list(c)).mean()
        for c in combinations(range(len(values)), m)
    ]
    return np.mean(np.abs(differences) >= abs(x.mean() - y.mean()) - 1e-12)
"""
        },
        loses={"test-effect-size": "that of one group", "test-p-value": "two-sided"},
    ),
)

FIGURE = (
    Misconception(
        name="highest-curve-is-the-answer",
        why="The answer is expected to have the largest cosine.",
        answers={"overtaking": 'curve = "a"\novertakes = 1'},
        loses={"test-curve": "king itself", "test-overtaking": "king is still nearer"},
    ),
    Misconception(
        name="rising-curve-is-the-answer",
        why="The walk leads to the answer, so its curve should start low and rise.",
        answers={"overtaking": 'curve = "c"\novertakes = 2.5'},
        loses={"test-curve": "starts lowest", "test-overtaking": "too late"},
    ),
)

PIPELINE = (
    Misconception(
        name="windows-cross-documents",
        why="One long list of words is easier to walk through.",
        answers={
            "count": """
def count(documents, V, window):
    X = np.zeros((V, V))
    text = [word for document in documents for word in document]
    for s, i in enumerate(text):
        for t in range(max(0, s - window), min(len(text), s + window + 1)):
            if t != s:
                X[i, text[t]] += 1
    return X
"""
        },
        loses={"test-count": "cross from one document"},
    ),
    Misconception(
        name="window-wraps-round",
        why="A position before the beginning is an index that Python accepts.",
        answers={
            "count": """
def count(documents, V, window):
    X = np.zeros((V, V))
    for document in documents:
        for s, i in enumerate(document):
            for t in range(s - window, min(len(document), s + window + 1)):
                if t != s:
                    X[i, document[t]] += 1
    return X
"""
        },
        loses={"test-count": "counts from the end"},
    ),
    Misconception(
        name="meetings-instead-of-counts",
        why="Assignment instead of addition.",
        answers={
            "count": """
def count(documents, V, window):
    X = np.zeros((V, V))
    for document in documents:
        for s, i in enumerate(document):
            for t in range(max(0, s - window), min(len(document), s + window + 1)):
                if t != s:
                    X[i, document[t]] = 1
    return X
"""
        },
        loses={"test-count": "zeros and ones"},
    ),
    Misconception(
        name="weighed-by-distance",
        why="GloVe does so.",
        answers={
            "count": """
def count(documents, V, window):
    X = np.zeros((V, V))
    for document in documents:
        for s, i in enumerate(document):
            for t in range(max(0, s - window), min(len(document), s + window + 1)):
                if t != s:
                    X[i, document[t]] += 1 / abs(s - t)
    return X
"""
        },
        loses={"test-count": "weighed by 1/distance"},
    ),
    Misconception(
        name="svd-of-the-raw-counts",
        why="The first lecture on counts compresses the counts themselves.",
        answers={
            "compress": """
def compress(X, k):
    U, S, _ = np.linalg.svd(X)
    return U[:, :k] * np.sqrt(S[:k])
"""
        },
        loses={"test-compress": "Take the PPMI first"},
    ),
    Misconception(
        name="negative-associations-kept",
        why="PMI is remembered without its first P.",
        answers={
            "compress": """
def compress(X, k):
    sums = X.sum(axis=1)
    ratio = np.where(X > 0, X * X.sum() / np.outer(sums, sums), 1)
    U, S, _ = np.linalg.svd(np.log(ratio))
    return U[:, :k] * np.sqrt(S[:k])
"""
        },
        loses={"test-compress": "negative associations"},
    ),
    Misconception(
        name="step-instead-of-gradient",
        why="What is added to v in a step is remembered, and that is minus the gradient.",
        answers={
            "negative-gradient": """
def negative_gradient(v, u_o, U_noise):
    def sigmoid(z):
        return 1 / (1 + np.exp(-z))

    return (1 - sigmoid(u_o @ v)) * u_o - sigmoid(U_noise @ v) @ U_noise
"""
        },
        loses={"test-negative-gradient": "the sign is turned round"},
    ),
    Misconception(
        name="noise-words-averaged",
        why="The noise words stand for an expectation.",
        answers={
            "negative-gradient": """
def negative_gradient(v, u_o, U_noise):
    def sigmoid(z):
        return 1 / (1 + np.exp(-z))

    return (sigmoid(u_o @ v) - 1) * u_o + sigmoid(U_noise @ v) @ U_noise / len(U_noise)
"""
        },
        loses={"test-negative-gradient": "averaged"},
    ),
    Misconception(
        name="glove-weight-without-cap",
        why="(x / x_max)^(3/4) is the formula; the cap stands in the second line.",
        answers={
            "glove-loss": """
def glove_loss(X, W, C, b, c, x_max):
    i, j = np.nonzero(X)
    x = X[i, j]
    error = (W[i] * C[j]).sum(axis=1) + b[i] + c[j] - np.log(x)
    return np.sum((x / x_max) ** 0.75 * error**2)
"""
        },
        loses={"test-glove-loss": "not capped"},
    ),
    Misconception(
        name="glove-loss-unweighted",
        why="Least squares is least squares.",
        answers={
            "glove-loss": """
def glove_loss(X, W, C, b, c, x_max):
    i, j = np.nonzero(X)
    error = (W[i] * C[j]).sum(axis=1) + b[i] + c[j] - np.log(X[i, j])
    return np.sum(error**2)
"""
        },
        loses={"test-glove-loss": "the weights are missing"},
    ),
    Misconception(
        name="half-of-the-glove-loss",
        why="A factor 1/2 saves the 2 in the gradient; the authors' own program has it.",
        answers={
            "glove-loss": """
def glove_loss(X, W, C, b, c, x_max):
    i, j = np.nonzero(X)
    error = (W[i] * C[j]).sum(axis=1) + b[i] + c[j] - np.log(X[i, j])
    return 0.5 * np.sum(np.minimum(1, (X[i, j] / x_max) ** 0.75) * error**2)
"""
        },
        loses={"test-glove-loss": "no factor 1/2"},
    ),
    Misconception(
        name="own-nearest-neighbour",
        why="argmax over all words finds the word itself, and the result looks perfect.",
        answers={
            "judge": """
def judge(vectors, classes):
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.mean(classes[(units @ units.T).argmax(axis=1)] == classes)
"""
        },
        loses={"test-judge": "its own nearest neighbour"},
    ),
    Misconception(
        name="dot-product-neighbours",
        why="The product is the numerator of the cosine.",
        answers={
            "judge": """
def judge(vectors, classes):
    products = vectors @ vectors.T
    np.fill_diagonal(products, -np.inf)
    return np.mean(classes[products.argmax(axis=1)] == classes)
"""
        },
        loses={"test-judge": "dot products"},
    ),
)

MISCONCEPTIONS = (*RANKS, *ANALOGIES, *SENTENCES, *PERMUTATIONS, *FIGURE, *PIPELINE)
