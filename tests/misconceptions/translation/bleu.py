"""Wrong answers to the exercise on BLEU."""

from misconceptions import Misconception

BY_HAND = (
    Misconception(
        name="matches-not-clipped",
        why="A word that stands in a reference is right, however often it was said already.",
        answers={"matches": "matches = [8, 7, 5, 3]"},
        loses={"test-matches": "not clipped"},
    ),
    Misconception(
        name="limits-summed-over-references",
        why="Two references seem to allow twice as much.",
        answers={"matches": "matches = [8, 5, 3, 2]"},
        loses={"test-matches": "sum over both"},
    ),
    Misconception(
        name="one-word-too-many",
        why="Repeated words are easy to count twice, as in notes that give 5/8 in place of 5/7.",
        answers={"totals": "totals = [9, 8, 7, 6]"},
        loses={"test-totals": "has 8 words"},
    ),
    Misconception(
        name="every-order-divides-by-the-length",
        why="The denominator of the unigrams is remembered and used for all orders.",
        answers={"totals": "totals = [8, 8, 8, 8]"},
        loses={"test-totals": "fewer long n-grams"},
    ),
    Misconception(
        name="shortest-reference",
        why="The candidate is longer than one reference, so there seems to be nothing to punish.",
        answers={"penalty": "penalty = 1"},
        loses={"test-penalty": "closest to 8 is 9"},
    ),
    Misconception(
        name="penalty-upside-down",
        why="Exp(1 - r/c) is remembered without which letter stands above.",
        answers={"penalty": "penalty = 8 / 9"},
        loses={"test-penalty": "without the exponential"},
    ),
    Misconception(
        name="halving-weights",
        why="A textbook prints p_n to the power 1/2^n under the name of BLEU.",
        answers={
            "score": """
p = [6 / 8, 4 / 7, 3 / 6, 2 / 5]
score = math.exp(-1 / 8) * math.prod(p[n] ** 0.5 ** (n + 1) for n in range(4))
"""
        },
        loses={"test-score": "weights 1/2, 1/4"},
    ),
    Misconception(
        name="arithmetic-mean",
        why="A mean is usually a sum divided by a number.",
        answers={"score": "score = math.exp(-1 / 8) * (6 / 8 + 4 / 7 + 3 / 6 + 2 / 5) / 4"},
        loses={"test-score": "geometric, not arithmetic"},
    ),
)

OWN_BLEU = (
    Misconception(
        name="library-counts",
        why="The library has a function that counts clipped matches.",
        answers={
            "counts": """
from course_lib.translation.bleu import modified_precision as clipped_counts
"""
        },
        loses={"test-counts": "case are kept apart"},
    ),
    Misconception(
        name="counts-add-the-references",
        why="`update` adds counters, and looks like the way to join them.",
        answers={
            "counts": """
def clipped_counts(candidate, references, n):
    def count(tokens):
        lower = [token.lower() for token in tokens]
        return Counter(tuple(lower[i : i + n]) for i in range(len(lower) - n + 1))

    counts, limits = count(candidate), Counter()
    for reference in references:
        limits.update(count(reference))
    return sum(min(k, limits[gram]) for gram, k in counts.items()), sum(counts.values())
"""
        },
        loses={"test-counts": "sum over them"},
    ),
    Misconception(
        name="last-ngram-missing",
        why="A range stops before its bound, and one forgets to add the one.",
        answers={
            "counts": """
def clipped_counts(candidate, references, n):
    def count(tokens):
        lower = [token.lower() for token in tokens] + [""] * (n == 1)
        return Counter(tuple(lower[i : i + n]) for i in range(len(lower) - n))

    counts, limits = count(candidate), Counter()
    for reference in references:
        limits |= count(reference)
    return sum(min(k, limits[gram]) for gram, k in counts.items()), sum(counts.values())
"""
        },
        loses={"test-counts": "expected 1 of 2 bigrams"},
    ),
    Misconception(
        name="library-score",
        why="The library computes BLEU from counts.",
        answers={
            "weighted": """
from course_lib.translation.bleu import Precision, Statistics, bleu_from_statistics

def weighted_score(matches, totals, c, r, weights):
    precisions = tuple(map(Precision, matches, totals))
    return bleu_from_statistics(Statistics(precisions, c, r))
"""
        },
        loses={"test-weighted": "weights are not used"},
    ),
    Misconception(
        name="zero-order-skipped",
        why="The logarithm of 0 does not exist, so the term is left out.",
        answers={
            "weighted": """
def weighted_score(matches, totals, c, r, weights):
    if not any(matches):
        return 0.0
    logs = [w * math.log(m / t) for m, t, w in zip(matches, totals, weights) if m > 0]
    return math.exp(min(0, 1 - r / c) + sum(logs))
"""
        },
        loses={"test-weighted": "was skipped"},
    ),
    Misconception(
        name="score-is-minus-infinity",
        why="The logarithm of 0 is minus infinity, and the exponential after it is forgotten.",
        answers={
            "weighted": """
def weighted_score(matches, totals, c, r, weights):
    used = [(m, t, w) for m, t, w in zip(matches, totals, weights) if w > 0]
    if any(m == 0 for m, _, _ in used):
        return -math.inf
    return math.exp(min(0, 1 - r / c) + sum(w * math.log(m / t) for m, t, w in used))
"""
        },
        loses={"test-weighted": "minus infinity is the logarithm"},
    ),
    Misconception(
        name="bonus-for-length",
        why="Exp(1 - r/c) is used without its condition.",
        answers={
            "weighted": """
def weighted_score(matches, totals, c, r, weights):
    used = [(m, t, w) for m, t, w in zip(matches, totals, weights) if w > 0]
    if any(m == 0 for m, _, _ in used):
        return 0.0
    return math.exp(1 - r / c + sum(w * math.log(m / t) for m, t, w in used))
"""
        },
        loses={"test-weighted": "no bonus"},
    ),
    Misconception(
        name="mean-of-sentence-scores",
        why="Nearly every other score is a mean over examples.",
        answers={
            "corpus": """
def corpus_score(sentences, weights):
    def score(matches, totals, c, r):
        if 0 in matches:
            return 0.0
        logs = np.log(np.array(matches) / np.array(totals))
        return math.exp(min(0, 1 - r / c) + np.array(weights) @ logs)

    return np.mean([score(*sentence) for sentence in sentences])
"""
        },
        loses={"test-corpus": "mean of the sentence scores"},
    ),
    Misconception(
        name="corpus-bonus-for-length",
        why="The sums are shorter than the references in the example, so the case is forgotten.",
        answers={
            "corpus": """
def corpus_score(sentences, weights):
    matches, totals, c, r = (np.sum(column, axis=0) for column in zip(*sentences))
    product = math.prod((m / t) ** w for m, t, w in zip(matches, totals, weights) if w)
    return math.exp(1 - r / c) * product
"""
        },
        loses={"test-corpus": "gets no bonus"},
    ),
    Misconception(
        name="library-corpus",
        why="The library computes BLEU from summed counts.",
        answers={
            "corpus": """
from course_lib.translation.bleu import Precision, Statistics, bleu_from_statistics

def corpus_score(sentences, weights):
    matches, totals, c, r = zip(*sentences)
    sums = zip(np.sum(matches, axis=0).tolist(), np.sum(totals, axis=0).tolist())
    precisions = tuple(Precision(m, t) for m, t in sums)
    return bleu_from_statistics(Statistics(precisions, sum(c), sum(r)))
"""
        },
        loses={"test-corpus": "weights are not used"},
    ),
)

FIND_THE_ERROR = (
    Misconception(
        name="orders-suspected",
        why="The 5 in range(1, 5) looks like a fifth order.",
        answers={"wrong-line": "wrong_line = 1"},
        loses={"test-wrong-line": "the orders are 1, 2, 3, 4"},
    ),
    Misconception(
        name="slice-mended-instead",
        why="The slice and the range both hold an n, and the slice is mended.",
        answers={
            "mended": """
def mended_gleu(candidate, reference):
    def pot(tokens):
        grams = Counter()
        for n in range(1, 5):
            for i in range(len(tokens) - n):
                grams[tuple(tokens[i : i + n])] += 1
        return grams

    c, r = pot(candidate), pot(reference)
    m = sum(min(count, r[gram]) for gram, count in c.items())
    t = max(sum(c.values()), sum(r.values()))
    return m / t if t else 0.0
"""
        },
        loses={"test-mended": "still missing"},
    ),
    Misconception(
        name="library-sentence-bleu",
        why="The library has a score for single sentences.",
        answers={
            "mended": """
from course_lib.translation.bleu import sentence_bleu

def mended_gleu(candidate, reference):
    return sentence_bleu(candidate, [reference], smoothing="exp", effective_order=True)
"""
        },
        loses={"test-mended": "this is BLEU"},
    ),
    Misconception(
        name="clipping-lost-in-mending",
        why="The function is written anew, and the clipping is forgotten.",
        answers={
            "mended": """
def mended_gleu(candidate, reference):
    def pot(tokens):
        return [tuple(tokens[i : i + n]) for n in range(1, 5) for i in range(len(tokens) - n + 1)]

    c, r = pot(candidate), pot(reference)
    return sum(gram in r for gram in c) / max(len(c), len(r), 1)
"""
        },
        loses={"test-mended": "not clipped any more"},
    ),
)

RECALL = (
    Misconception(
        name="denominator-held-constant",
        why="Only the P above is seen, and the P below is not.",
        answers={
            "line-1": """
def line_1(P, R, beta):
    return (1 + beta**2) * R / (beta**2 * P + R)
"""
        },
        loses={"test-line-1": "expected 1/2"},
    ),
    Misconception(
        name="roles-exchanged",
        why="It is not checked with which letter beta stands.",
        answers={
            "line-1": """
def line_1(P, R, beta):
    return (1 + beta**2) * beta**2 * P**2 / (beta**2 * P + R) ** 2
"""
        },
        loses={"test-line-1": "derivative by R"},
    ),
    Misconception(
        name="letters-only-exchanged",
        why="F looks symmetric in P and R, so line 2 is line 1 with the letters changed.",
        answers={
            "line-2": """
def line_2(P, R, beta):
    return (1 + beta**2) * P**2 / (beta**2 * P + R) ** 2
"""
        },
        loses={"test-line-2": "factor beta squared is missing"},
    ),
    Misconception(
        name="recall-beta-times",
        why="Beta is often introduced as the importance of recall, without the square.",
        answers={
            "line-3": """
def line_3(beta):
    return beta
"""
        },
        loses={"test-line-3": "beta enters squared"},
    ),
)

FIGURE = (
    Misconception(
        name="flattest-line",
        why="The system whose precisions differ least seems to be the one without order.",
        answers={"reading": 'system = "c"\nbleu_of_b = 0.23'},
        loses={"test-system": "the flattest"},
    ),
    Misconception(
        name="mean-of-the-heights",
        why="The four heights are averaged, although the axis is logarithmic.",
        answers={"reading": 'system = "a"\nbleu_of_b = 0.3'},
        loses={"test-reading": "arithmetic mean"},
    ),
)

MISCONCEPTIONS = (*BY_HAND, *OWN_BLEU, *FIND_THE_ERROR, *RECALL, *FIGURE)
