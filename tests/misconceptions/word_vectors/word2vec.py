"""Wrong answers to the exercise on word2vec."""

from misconceptions import Misconception

WINDOWS = (
    Misconception(
        name="cbow-and-skip-gram-swapped",
        why="Both use the same windows, and the names do not shout which side is predicted.",
        answers={
            "num-examples": "skipgram_examples = 7\ncbow_examples = 16",
            "triples": """
def skipgram_triples(words, m):
    return [
        (words[t + j], words[t], j)
        for t in range(len(words))
        for j in range(-m, m + 1)
        if j != 0 and 0 <= t + j < len(words)
    ]
""",
        },
        loses={
            "test-num-examples": "CBOW takes the context words together",
            "test-triples": "Skip-gram predicts from the centre word",
        },
    ),
    Misconception(
        name="every-window-is-full",
        why="2m context words are the rule, and the ends of a document are forgotten.",
        answers={"num-examples": "skipgram_examples = 28\ncbow_examples = 7"},
        loses={"test-num-examples": "full windows only"},
    ),
    Misconception(
        name="windows-cross-documents",
        why="A corpus looks like one long text.",
        answers={"num-examples": "skipgram_examples = 22\ncbow_examples = 7"},
        loses={"test-num-examples": "from one document into the other"},
    ),
    Misconception(
        name="offset-taken-for-the-window-size",
        why="If j is the size of the window, the product has no other offsets.",
        answers={
            "triples": """
def skipgram_triples(words, m):
    return [
        (words[t], words[t + j], j)
        for t in range(len(words))
        for j in (-m, m)
        if 0 <= t + j < len(words)
    ]
"""
        },
        loses={"test-triples": "only the offsets -m and m"},
    ),
    Misconception(
        name="text-bent-into-a-ring",
        why="A negative index is no error in Python.",
        answers={
            "triples": """
def skipgram_triples(words, m):
    triples = []
    for t in range(len(words)):
        for j in range(-m, m + 1):
            try:
                if j != 0:
                    triples.append((words[t], words[t + j], j))
            except IndexError:
                pass
    return triples if len(words) > 2 else [(words[0], words[1], 1), (words[1], words[0], -1)]
"""
        },
        loses={"test-triples": "words[-1] is its last one"},
    ),
    Misconception(
        name="centre-predicts-itself",
        why="The offset 0 lies between -m and m.",
        answers={
            "triples": """
def skipgram_triples(words, m):
    return [
        (words[t], words[t + j], j)
        for t in range(len(words))
        for j in range(-m, m + 1)
        if 0 <= t + j < len(words)
    ]
"""
        },
        loses={"test-triples": "a centre word does not predict itself"},
    ),
    Misconception(
        name="library-gives-the-pairs",
        why="The course library lists the pairs, without offsets and in PyTorch.",
        answers={
            "triples": """
from course_lib.word_vectors import word2vec

def skipgram_triples(words, m):
    centres, contexts = word2vec.skipgram_pairs([list(range(len(words)))], m)
    return [
        (words[c], words[o], o - c)
        for c, o in zip(centres.tolist(), contexts.tolist())
    ]
"""
        },
        loses={"test-triples": "PyTorch was called"},
    ),
)

LIKELIHOOD = (
    Misconception(
        name="a-sigmoid-for-each-word",
        why="Each context word looks like a yes-or-no question of its own.",
        answers={"by-hand": "p_in = 4 / 5\nlikelihood = 4 / 5 * 3 / 4\nlargest = 1 / 4"},
        loses={"test-by-hand": "this is a sigmoid"},
    ),
    Misconception(
        name="two-words-with-0.8-and-0.9",
        why="Each of two probabilities is below 1, and that they share one unit is overlooked.",
        answers={"by-hand": "p_in = 0.4\nlikelihood = 0.12\nlargest = 0.8 * 0.9"},
        loses={"test-by-hand": "they sum to 1.7"},
    ),
    Misconception(
        name="both-words-certain",
        why="A probability can be 1, so two can.",
        answers={"by-hand": "p_in = 0.4\nlikelihood = 0.12\nlargest = 1"},
        loses={"test-by-hand": "both words cannot be certain"},
    ),
    Misconception(
        name="probabilities-of-a-window-added",
        why="The probability of one word or the other is a sum.",
        answers={"by-hand": "p_in = 0.4\nlikelihood = 0.7\nlargest = 1 / 4"},
        loses={"test-by-hand": "this is the sum"},
    ),
    Misconception(
        name="softmax-over-the-window",
        why="Only the words of the window are in sight.",
        answers={"by-hand": "p_in = 4 / 7\nlikelihood = 12 / 49\nlargest = 1 / 4"},
        loses={"test-by-hand": "the whole vocabulary"},
    ),
    Misconception(
        name="logarithm-of-the-product",
        why="The logarithm is taken to make the number smaller, so it is taken last.",
        answers={
            "log-likelihood": """
def log_likelihood(P, centres, contexts):
    return np.log(P[centres, contexts].prod())
"""
        },
        loses={"test-log-likelihood": "is 0 in a computer"},
    ),
    Misconception(
        name="mean-for-the-sum",
        why="The loss is a mean.",
        answers={
            "log-likelihood": """
def log_likelihood(P, centres, contexts):
    return np.log(P[centres, contexts]).mean()
"""
        },
        loses={"test-log-likelihood": "this is the mean"},
    ),
    Misconception(
        name="loss-for-the-log-likelihood",
        why="The minus sign of the loss is written from habit.",
        answers={
            "log-likelihood": """
def log_likelihood(P, centres, contexts):
    return -np.log(P[centres, contexts]).sum()
"""
        },
        loses={"test-log-likelihood": "negative log-likelihood"},
    ),
    Misconception(
        name="bits-for-nats",
        why="Information is often counted in bits.",
        answers={
            "log-likelihood": """
def log_likelihood(P, centres, contexts):
    return np.log2(P[centres, contexts]).sum()
"""
        },
        loses={"test-log-likelihood": "logarithm to base 2"},
    ),
    Misconception(
        name="distribution-read-by-column",
        why="P(o | c) names o first.",
        answers={
            "log-likelihood": """
def log_likelihood(P, centres, contexts):
    return np.log(P[contexts, centres]).sum()
"""
        },
        loses={"test-log-likelihood": "row c of P is P(. | c)"},
    ),
    Misconception(
        name="repeated-pairs-counted-once",
        why="A set of pairs looks like the same thing as a list of them.",
        answers={
            "log-likelihood": """
def log_likelihood(P, centres, contexts):
    return sum(np.log(P[pair]) for pair in set(zip(centres.tolist(), contexts.tolist())))
"""
        },
        loses={"test-log-likelihood": "a pair that occurs twice counts twice"},
    ),
)

GRADIENTS = (
    Misconception(
        name="no-comparison-with-the-truth",
        why="The loss shows one probability only, that of the observed word.",
        answers={
            "line-1": """
def line_1(p, o):
    delta = np.zeros(len(p))
    delta[o] = p[o] - 1
    return delta
"""
        },
        loses={"test-line-1": "The whole prediction is compared with the truth"},
    ),
    Misconception(
        name="truth-minus-prediction",
        why="An error is often written as target minus prediction.",
        answers={
            "line-1": """
def line_1(p, o):
    return np.eye(len(p))[o] - p
"""
        },
        loses={"test-line-1": "entry o must be negative"},
    ),
    Misconception(
        name="softmax-left-out",
        why="The derivative of the logarithm is done, and the softmax is overlooked.",
        answers={
            "line-1": """
def line_1(p, o):
    return -np.eye(len(p))[o] / p
"""
        },
        loses={"test-line-1": "gradient by p"},
    ),
    Misconception(
        name="parts-averaged-over-the-words",
        why="A mean over an axis is as easy to type as a sum.",
        answers={
            "line-2": """
def line_2(U, delta):
    return (U * delta[:, None]).mean(axis=0)
"""
        },
        loses={"test-line-2": "This is their mean"},
    ),
    Misconception(
        name="table-without-transpose",
        why="The scores are U v, so U is applied once more.",
        answers={
            "line-2": """
def line_2(U, delta):
    return U @ delta
"""
        },
        loses={"test-line-2": "a transpose is missing"},
    ),
    Misconception(
        name="only-the-observed-vector-moves",
        why="The pair names one context word, so only its vector seems to be touched.",
        answers={
            "line-3": """
def line_3(delta, v):
    gradient = np.zeros((len(delta), len(v)))
    o = delta.argmin()  # the only negative entry
    gradient[o] = delta[o] * v
    return gradient
"""
        },
        loses={"test-line-3": "the vectors of all words move"},
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
        name="observed-minus-expected",
        why="The step goes from expected to observed, and the gradient is taken for the step.",
        answers={
            "line-4": """
def line_4(U, p, o):
    return U[o] - p @ U
"""
        },
        loses={"test-line-4": "the sign is wrong"},
    ),
    Misconception(
        name="plain-mean-expected",
        why="What one expects seems to be the mean of all vectors.",
        answers={
            "line-4": """
def line_4(U, p, o):
    return p.sum() * U[p > 0].mean(axis=0) - U[o]
"""
        },
        loses={"test-line-4": "the mean is not weighted"},
    ),
    Misconception(
        name="most-probable-word-expected",
        why="The word that one expects is the most probable one.",
        answers={
            "line-4": """
def line_4(U, p, o):
    return U[p.argmax()] - U[o]
"""
        },
        loses={"test-line-4": "the most probable vector is not the expected one"},
    ),
    Misconception(
        name="expected-vector-forgotten",
        why="The loss seems to hold the observed word only.",
        answers={
            "line-4": """
def line_4(U, p, o):
    return -U[o]
"""
        },
        loses={"test-line-4": "the expected vector is missing"},
    ),
    Misconception(
        name="duplicate-centres-overwrite",
        why="gradient[centres] = rows looks like an assignment for each pair.",
        answers={
            "line-5": """
def line_5(shape, centres, rows):
    gradient = np.zeros(shape)
    gradient[centres] += rows
    return gradient
"""
        },
        loses={"test-line-5": "keeps only its last row"},
    ),
    Misconception(
        name="duplicate-centres-averaged",
        why="Each word is to make one step, so its rows are averaged.",
        answers={
            "line-5": """
def line_5(shape, centres, rows):
    gradient = np.zeros(shape)
    for c in set(centres.tolist()):
        gradient[c] = rows[centres == c].mean(axis=0)
    return gradient
"""
        },
        loses={"test-line-5": "the rows of a word are averaged"},
    ),
    Misconception(
        name="library-gives-the-gradients",
        why="The course library holds both gradients, in PyTorch.",
        answers={
            "line-3": """
import torch
from course_lib.word_vectors.word2vec import skipgram_gradients

def line_3(delta, v):
    V, U = torch.from_numpy(v[None]), torch.zeros(len(delta), len(v))
    return skipgram_gradients(V, U, torch.tensor([0]), torch.tensor([0]))[1].numpy()
"""
        },
        loses={"test-line-3": "PyTorch was called"},
    ),
)

CBOW = (
    Misconception(
        name="blames-the-gradient-of-the-inputs",
        why="The two divisions differ, and the longer line looks more suspicious.",
        answers={
            "wrong-line": "wrong_line = 9",
            "mended-cbow": """
def mended_cbow_backward(V, U, context, target):
    words = context[context >= 0]
    mean = V[words].sum(axis=0) / len(context)
    z = U @ mean
    p = np.exp(z - z.max()) / np.exp(z - z.max()).sum()
    delta = p - np.eye(len(p))[target]
    gradient_V = np.zeros_like(V)
    np.add.at(gradient_V, words, U.T @ delta / len(context))
    return -np.log(p[target]), gradient_V, np.outer(delta, mean)
""",
        },
        loses={
            "test-wrong-line": "line 9 is right",
            "test-mended-cbow": "empty places are counted in the mean",
        },
    ),
    Misconception(
        name="pads-looked-up",
        why="-1 is a valid index, so nothing seems to have to be left out.",
        answers={
            "wrong-line": "wrong_line = 1",
            "mended-cbow": """
def mended_cbow_backward(V, U, context, target):
    mean = V[context].mean(axis=0)
    z = U @ mean
    p = np.exp(z - z.max()) / np.exp(z - z.max()).sum()
    delta = p - np.eye(len(p))[target]
    gradient_V = np.zeros_like(V)
    np.add.at(gradient_V, context, U.T @ delta / len(context))
    return -np.log(p[target]), gradient_V, np.outer(delta, mean)
""",
        },
        loses={
            "test-wrong-line": "It leaves out the empty places",
            "test-mended-cbow": "taken for the last word of the vocabulary",
        },
    ),
    Misconception(
        name="repeated-context-word-counted-once",
        why="gradient_V[words] += ... looks like np.add.at.",
        answers={
            "mended-cbow": """
def mended_cbow_backward(V, U, context, target):
    words = context[context >= 0]
    mean = V[words].mean(axis=0)
    z = U @ mean
    p = np.exp(z - z.max()) / np.exp(z - z.max()).sum()
    delta = p - np.eye(len(p))[target]
    gradient_V = np.zeros_like(V)
    gradient_V[words] += U.T @ delta / len(words)
    return -np.log(p[target]), gradient_V, np.outer(delta, mean)
""",
        },
        loses={"test-mended-cbow": "gets its share twice"},
    ),
)

PICTURE = (
    Misconception(
        name="neighbours-taken-for-similar",
        why="Near in the text and near in the vector space are both called near.",
        answers={"reading": 'most_similar = "we"\nmost_probable = "pour"'},
        loses={
            "test-most-similar": "need not be similar",
            "test-most-probable": "never next to it",
        },
    ),
)

ONE_TABLE = (
    Misconception(
        name="centre-role-forgotten",
        why="The table is differentiated as in U v, with v held fixed.",
        answers={
            "one-table": """
def one_table_gradient(E, c, o):
    p = np.exp(E @ E[c]) / np.exp(E @ E[c]).sum()
    return np.outer(p - np.eye(len(E))[o], E[c])
"""
        },
        loses={"test-one-table": "part of the centre vector is missing"},
    ),
    Misconception(
        name="context-role-forgotten",
        why="The gradient by the centre vector is put into its row, and that seems to be all.",
        answers={
            "one-table": """
def one_table_gradient(E, c, o):
    p = np.exp(E @ E[c]) / np.exp(E @ E[c]).sum()
    gradient = np.zeros_like(E)
    gradient[c] = E.T @ (p - np.eye(len(E))[o])
    return gradient
"""
        },
        loses={"test-one-table": "part of the context vectors is missing"},
    ),
    Misconception(
        name="one-role-overwrites-the-other",
        why="Row c is assigned instead of added to.",
        answers={
            "one-table": """
def one_table_gradient(E, c, o):
    p = np.exp(E @ E[c]) / np.exp(E @ E[c]).sum()
    delta = p - np.eye(len(E))[o]
    gradient = np.outer(delta, E[c])
    gradient[c] = E.T @ delta
    return gradient
"""
        },
        loses={"test-one-table": "here one overwrites the other"},
    ),
)

MISCONCEPTIONS = (*WINDOWS, *LIKELIHOOD, *GRADIENTS, *CBOW, *PICTURE, *ONE_TABLE)
