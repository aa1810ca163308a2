"""Wrong answers to the exercise on co-occurrence."""

from misconceptions import Misconception

BY_HAND = (
    Misconception(
        name="documents-read-as-one-text",
        why="A corpus is often stored as one long list of words.",
        answers={
            "by-hand": "red_wine = 3\nred_red = 2\nsum_wine = 7\np_red_given_wine = 4 / 7",
        },
        loses={"test-entries": "read as one text", "test-row-sum": "read as one text"},
    ),
    Misconception(
        name="whether-instead-of-how-often",
        why="A matrix of zeros and ones also shows who stands near whom.",
        answers={
            "by-hand": "red_wine = 1\nred_red = 2\nsum_wine = 3\np_red_given_wine = 4 / 7",
        },
        loses={"test-entries": "count how often", "test-row-sum": "equal words count again"},
    ),
    Misconception(
        name="word-beside-itself-counted-once",
        why="The pair is looked at from one of its two ends only.",
        answers={
            "by-hand": "red_wine = 2\nred_red = 1\nsum_wine = 4\np_red_given_wine = 4 / 7",
        },
        loses={"test-entries": "each of the two sees the other"},
    ),
    Misconception(
        name="plain-counts-in-place-of-weighted-ones",
        why="The notes' example has plain counts; GloVe's own counts weigh a pair by 1/distance.",
        answers={
            "by-hand": "red_wine = 2\nred_red = 2\nsum_wine = 4\np_red_given_wine = 1 / 2",
        },
        loses={"test-conditional": "plain counts"},
    ),
    Misconception(
        name="condition-turned-round",
        why="X is symmetric, so P seems to be symmetric as well.",
        answers={
            "by-hand": "red_wine = 2\nred_red = 2\nsum_wine = 4\np_red_given_wine = 2 / 3",
        },
        loses={"test-conditional": "P(wine | red)"},
    ),
    Misconception(
        name="joint-probability",
        why="P(i, j) is written for P(j | i), and read as a joint probability.",
        answers={
            "by-hand": "red_wine = 2\nred_red = 2\nsum_wine = 4\np_red_given_wine = 0.2",
        },
        loses={"test-conditional": "a joint probability"},
    ),
)

TWO_SIDED = (
    Misconception(
        name="zeros-and-ones",
        why="X[i, j] = 1 is written where X[i, j] += 1 is meant.",
        answers={
            "two-sided": """
def two_sided_counts(documents, vocab_size, left, right):
    X = np.zeros((vocab_size, vocab_size))
    for document in documents:
        for t, i in enumerate(document):
            for s in range(max(0, t - left), min(len(document), t + right + 1)):
                if s != t:
                    X[i, document[s]] = 1
    return X
"""
        },
        loses={"test-two-sided": "only zeros and ones"},
    ),
    Misconception(
        name="windows-across-documents",
        why="One long list of words needs one loop less.",
        answers={
            "two-sided": """
def two_sided_counts(documents, vocab_size, left, right):
    X = np.zeros((vocab_size, vocab_size))
    text = [i for document in documents for i in document]
    for t, i in enumerate(text):
        for s in range(max(0, t - left), min(len(text), t + right + 1)):
            if s != t:
                X[i, text[s]] += 1
    return X
"""
        },
        loses={"test-two-sided": "No window leaves"},
    ),
    Misconception(
        name="last-position-left-out",
        why="range(a, b) ends before b.",
        answers={
            "two-sided": """
def two_sided_counts(documents, vocab_size, left, right):
    X = np.zeros((vocab_size, vocab_size))
    for document in documents:
        for t, i in enumerate(document):
            for s in range(max(0, t - left), min(len(document), t + right)):
                if s != t:
                    X[i, document[s]] += 1
    return X
"""
        },
        loses={"test-two-sided": "range stops early"},
    ),
    Misconception(
        name="window-wraps-round",
        why="A position before the beginning is an index that Python accepts.",
        answers={
            "two-sided": """
def two_sided_counts(documents, vocab_size, left, right):
    X = np.zeros((vocab_size, vocab_size))
    for document in documents:
        for t, i in enumerate(document):
            for s in range(t - left, min(len(document), t + right + 1)):
                if s != t:
                    X[i, document[s]] += 1
    return X
"""
        },
        loses={"test-two-sided": "counts from the end of the document"},
    ),
    Misconception(
        name="word-in-its-own-window",
        why="The centre stands between the two sides, and is not taken out.",
        answers={
            "two-sided": """
def two_sided_counts(documents, vocab_size, left, right):
    X = np.zeros((vocab_size, vocab_size))
    for document in documents:
        for t, i in enumerate(document):
            for s in range(max(0, t - left), min(len(document), t + right + 1)):
                X[i, document[s]] += 1
    return X
"""
        },
        loses={"test-two-sided": "not in its own window"},
    ),
    Misconception(
        name="library-counts-both-sides",
        why="The course library has a counter, with one window for both sides and in PyTorch.",
        answers={
            "two-sided": """
from course_lib.word_vectors.cooccurrence import count_cooccurrences

def two_sided_counts(documents, vocab_size, left, right):
    return count_cooccurrences(documents, vocab_size, max(left, right)).to_dense().numpy()
"""
        },
        loses={"test-two-sided": "PyTorch was called"},
    ),
)

PPMI = (
    Misconception(
        name="expected-count-without-total",
        why="The product of the sums looks finished.",
        answers={
            "line-1": """
def expected_counts(X):
    return np.outer(X.sum(axis=1), X.sum(axis=0))
"""
        },
        loses={"test-line-1": "divide by N"},
    ),
    Misconception(
        name="probabilities-not-counts",
        why="Independence is a statement about probabilities.",
        answers={
            "line-1": """
def expected_counts(X):
    return np.outer(X.sum(axis=1), X.sum(axis=0)) / X.sum() ** 2
"""
        },
        loses={"test-line-1": "Multiply by N"},
    ),
    Misconception(
        name="power-of-the-sum",
        why="The power and the sum seem to change places freely.",
        answers={
            "line-2": """
def smoothed_contexts(X, alpha):
    return (X.sum(axis=0) / X.sum()) ** alpha
"""
        },
        loses={"test-line-2": "Divide by the sum of the powers"},
    ),
    Misconception(
        name="contexts-taken-from-rows",
        why="For a symmetric matrix rows and columns have the same sums.",
        answers={
            "line-2": """
def smoothed_contexts(X, alpha):
    weights = X.sum(axis=1) ** alpha
    return weights / weights.sum()
"""
        },
        loses={"test-line-2": "A context is a column"},
    ),
    Misconception(
        name="logarithm-of-zero",
        why="np.maximum turns the minus infinity into 0 afterwards, so the numbers are right.",
        answers={
            "line-3": """
def smoothed_ppmi(X, alpha):
    weights = X.sum(axis=0) ** alpha
    ratio = X / (X.sum(axis=1, keepdims=True) * weights / weights.sum())
    return np.maximum(0, np.log(ratio))
"""
        },
        loses={"test-line-3": "takes the logarithm of zero"},
    ),
    Misconception(
        name="negative-entries-kept",
        why="PMI is computed, and its positive part forgotten.",
        answers={
            "line-3": """
def smoothed_ppmi(X, alpha):
    weights = X.sum(axis=0) ** alpha
    ratio = X / (X.sum(axis=1, keepdims=True) * weights / weights.sum())
    result = np.zeros(X.shape)
    result[X > 0] = np.log(ratio[X > 0])
    return result
"""
        },
        loses={"test-line-3": "negative entries are still there"},
    ),
    Misconception(
        name="words-smoothed-too",
        why="Words and contexts look alike, so both get the power.",
        answers={
            "line-3": """
def smoothed_ppmi(X, alpha):
    words, contexts = X.sum(axis=1) ** alpha, X.sum(axis=0) ** alpha
    expected = np.outer(words / words.sum(), contexts / contexts.sum())
    ratio = X / X.sum() / expected
    result = np.zeros(X.shape)
    result[X > 0] = np.maximum(0, np.log(ratio[X > 0]))
    return result
"""
        },
        loses={"test-line-3": "words are smoothed as well"},
    ),
    Misconception(
        name="logarithm-of-base-two",
        why="Information is often measured in bits.",
        answers={
            "line-3": """
def smoothed_ppmi(X, alpha):
    weights = X.sum(axis=0) ** alpha
    ratio = X / (X.sum(axis=1, keepdims=True) * weights / weights.sum())
    result = np.zeros(X.shape)
    result[X > 0] = np.maximum(0, np.log2(ratio[X > 0]))
    return result
"""
        },
        loses={"test-line-3": "natural one"},
    ),
)

SVD = (
    Misconception(
        name="rows-of-u-kept",
        why="V comes transposed, so U is believed to be transposed as well.",
        answers={
            "wrong-line": "wrong_line = 4",
            "mended-vectors": """
def mended_vectors(A, k):
    U, S, Vt = np.linalg.svd(A, full_matrices=False)
    return U.T[:, :k] * S[:k]
""",
        },
        loses={
            "test-wrong-line": "Broadcasting multiplies column i",
            "test-mended-vectors": "these are rows of U",
        },
    ),
    Misconception(
        name="contexts-taken-for-words",
        why="NumPy hands out V transposed, so its first rows are ready to use.",
        answers={
            "mended-vectors": """
def mended_vectors(A, k):
    _, S, Vt = np.linalg.svd(A, full_matrices=False)
    return Vt[:k].T * S[:k]
"""
        },
        loses={"test-mended-vectors": "vectors of the contexts"},
    ),
    Misconception(
        name="singular-values-left-out",
        why="The columns of U have everything about the directions.",
        answers={
            "mended-vectors": """
def mended_vectors(A, k):
    return np.linalg.svd(A, full_matrices=False)[0][:, :k]
"""
        },
        loses={"test-mended-vectors": "singular values are missing"},
    ),
    Misconception(
        name="squared-error-taken-for-the-error",
        why="The figure shows shares of the squared norm, and one half is looked up directly.",
        answers={"smallest-rank": "smallest_rank = 2"},
        loses={"test-smallest-rank": "half of the squared norm is missing"},
    ),
)

MISCONCEPTIONS = (*BY_HAND, *TWO_SIDED, *PPMI, *SVD)
