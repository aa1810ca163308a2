"""Wrong answers to the exercise on decoding."""

from misconceptions import Misconception

BY_HAND = (
    Misconception(
        name="greedy-forgets-the-end",
        why="The end is not a word, so it is not counted as a choice.",
        answers={"by-hand": "p_greedy = 0.5\np_best = 0.32"},
        loses={"test-by-hand": "its <eos> has a probability, too"},
    ),
    Misconception(
        name="greedy-is-best",
        why="The product of the largest factors looks like the largest product.",
        answers={"by-hand": "p_greedy = 0.2\np_best = 0.2"},
        loses={"test-by-hand": "Look behind b as well"},
    ),
    Misconception(
        name="length-without-eos",
        why="Two words are seen, and the end is not.",
        answers={"score": "score = np.log(0.32) / 2**0.75"},
        loses={"test-score": "L is 3"},
    ),
    Misconception(
        name="penalty-of-gnmt",
        why="Both penalties are called length normalisation, and both have an alpha.",
        answers={"score": "score = np.log(0.32) / (8 / 6) ** 0.75"},
        loses={"test-score": "GNMT's penalty"},
    ),
    Misconception(
        name="penalty-multiplies",
        why="A bonus for length is expected to be a factor above 1.",
        answers={"score": "score = np.log(0.32) * 3**0.75"},
        loses={"test-score": "divides log p"},
    ),
    Misconception(
        name="beam-of-the-vocabulary-is-exhaustive",
        why="A beam of 1 is greedy, so a beam of all words is taken for the other extreme.",
        answers={"safe-beam": "safe_beam = 3"},
        loses={"test-safe-beam": "keeps all prefixes of one word"},
    ),
    Misconception(
        name="room-for-all-sentences",
        why="Exhaustive search looks at all sentences, so the beam seems to need room for them.",
        answers={"safe-beam": "safe_beam = 81"},
        loses={"test-safe-beam": "more than needed"},
    ),
)

EXTENSIONS = (
    Misconception(
        name="prefix-and-word-swapped",
        why="divmod returns two numbers, and their order is guessed.",
        answers={
            "extensions": """
def best_extensions(log_p, step_log_p, k):
    total = log_p[:, None] + step_log_p
    places = np.argsort(-total, axis=None, kind="stable")[:k]
    words, prefixes = np.divmod(places, total.shape[1])
    return prefixes, words, total.ravel()[places]
"""
        },
        loses={"test-extensions": "the numbers are not"},
    ),
    Misconception(
        name="divided-by-the-beam",
        why="The flattened array holds beam times vocab numbers, and the wrong one divides.",
        answers={
            "extensions": """
def best_extensions(log_p, step_log_p, k):
    total = log_p[:, None] + step_log_p
    places = np.argsort(-total, axis=None, kind="stable")[:k]
    return places // len(log_p), places % total.shape[1], total.ravel()[places]
"""
        },
        loses={"test-extensions": "as many places as there are words"},
    ),
    Misconception(
        name="log-p-of-the-prefix-forgotten",
        why="The model's output looks like the score of the candidate.",
        answers={
            "extensions": """
def best_extensions(log_p, step_log_p, k):
    places = np.argsort(-step_log_p, axis=None, kind="stable")[:k]
    prefixes, words = np.divmod(places, step_log_p.shape[1])
    return prefixes, words, step_log_p.ravel()[places]
"""
        },
        loses={"test-extensions": "log p of the prefixes is missing"},
    ),
    Misconception(
        name="worst-first",
        why="argsort goes up, and the minus sign is forgotten.",
        answers={
            "extensions": """
def best_extensions(log_p, step_log_p, k):
    total = log_p[:, None] + step_log_p
    places = np.argsort(total, axis=None, kind="stable")[-k:]
    prefixes, words = np.divmod(places, total.shape[1])
    return prefixes, words, total.ravel()[places]
"""
        },
        loses={"test-extensions": "the best first"},
    ),
)

SEARCH = (
    Misconception(
        name="stops-at-the-first-sentence",
        why="Something has ended, so the search seems to be over.",
        answers={
            "search": """
def search(next_log_p, k, min_words, max_words):
    beam = [((), 0.0)]
    while True:
        candidates = []
        for prefix, log_p in beam:
            step = np.array(next_log_p(prefix), dtype=float)
            if len(prefix) < min_words:
                step[0] = -np.inf
            if len(prefix) == max_words:
                step[1:] = -np.inf
            candidates += [((*prefix, w), log_p + x) for w, x in enumerate(step) if x > -np.inf]
        kept = sorted(candidates, key=lambda c: -c[1])[:k]
        finished = [(c[:-1], log_p / len(c)) for c, log_p in kept if c[-1] == 0]
        if finished:
            return max(finished, key=lambda f: f[1])
        beam = kept
"""
        },
        loses={"test-search": "stops at the first finished sentence"},
    ),
    Misconception(
        name="ranked-by-log-p",
        why="log p chose the beam, so it seems to choose the sentence as well.",
        answers={
            "search": """
def search(next_log_p, k, min_words, max_words):
    beam, finished = [((), 0.0)], []
    while beam:
        candidates = []
        for prefix, log_p in beam:
            step = np.array(next_log_p(prefix), dtype=float)
            if len(prefix) < min_words:
                step[0] = -np.inf
            if len(prefix) == max_words:
                step[1:] = -np.inf
            candidates += [((*prefix, w), log_p + x) for w, x in enumerate(step) if x > -np.inf]
        kept = sorted(candidates, key=lambda c: -c[1])[:k]
        finished += [(c[:-1], log_p) for c, log_p in kept if c[-1] == 0]
        beam = [(c, log_p) for c, log_p in kept if c[-1] != 0]
    return max(finished, key=lambda f: f[1])
"""
        },
        loses={"test-search": "ranked by log p itself"},
    ),
    Misconception(
        name="mean-over-words-only",
        why="The sentence that is returned has no <eos>, so its length is the number of words.",
        answers={
            "search": """
def search(next_log_p, k, min_words, max_words):
    beam, finished = [((), 0.0)], []
    while beam:
        candidates = []
        for prefix, log_p in beam:
            step = np.array(next_log_p(prefix), dtype=float)
            if len(prefix) < min_words:
                step[0] = -np.inf
            if len(prefix) == max_words:
                step[1:] = -np.inf
            candidates += [((*prefix, w), log_p + x) for w, x in enumerate(step) if x > -np.inf]
        kept = sorted(candidates, key=lambda c: -c[1])[:k]
        finished += [(c[:-1], log_p / max(1, len(c) - 1)) for c, log_p in kept if c[-1] == 0]
        beam = [(c, log_p) for c, log_p in kept if c[-1] != 0]
    return max(finished, key=lambda f: f[1])
"""
        },
        loses={"test-search": "number of words plus 1"},
    ),
    Misconception(
        name="library-searches",
        why="The course library holds a beam search, for PyTorch models and without min_words.",
        answers={
            "search": """
import torch
from course_lib.translation.decoding import beam_search

def search(next_log_p, k, min_words, max_words):
    class Model:
        def start(self, source):
            self.prefixes = [()]
            return (torch.zeros(1, 1),)

        def step(self, tokens, state):
            rows = torch.tensor(np.stack([next_log_p(()) for _ in tokens]))
            return rows, (torch.zeros(len(tokens), 1),)

    found = beam_search(Model(), torch.tensor([[4]]), k, max_words)[0][0]
    return found.tokens, found.score
"""
        },
        loses={"test-search": "PyTorch was called"},
    ),
)

BUG = (
    Misconception(
        name="blames-log-p",
        why="The wrong numbers are those of log p, so its line looks wrong.",
        answers={"stale": 'stale = "log_p"'},
        loses={"test-stale": "picked by the kept places"},
    ),
    Misconception(
        name="copied-without-mending",
        why="All shapes fit and nothing crashes, so nothing seems wrong.",
        answers={
            "mended-search": """
def mended_search(model, k, num_words):
    return faulty_search(model, k, num_words)
"""
        },
        loses={"test-mended-search": "nothing has changed"},
    ),
    Misconception(
        name="state-picked-by-words",
        why="tokens has the right length and holds whole numbers, so it works as an index.",
        answers={
            "mended-search": """
def mended_search(model, k, num_words):
    sentences, log_p, tokens = [()], np.zeros(1), np.array([5])
    state = model.start()
    for _ in range(num_words):
        step_log_p, state = model.step(tokens, state)
        total = log_p[:, None] + step_log_p
        places = np.argsort(-total, axis=None, kind="stable")[:k]
        prefixes, tokens = np.divmod(places, total.shape[1])
        sentences = [(*sentences[b], int(w)) for b, w in zip(prefixes, tokens)]
        log_p = total.ravel()[places]
        state = state[tokens % len(state)]
    return sentences, log_p
"""
        },
        loses={"test-mended-search": "Which rows of the state"},
    ),
)

NUCLEUS = (
    Misconception(
        name="nucleus-below-the-mass",
        why="The words are kept while their sum is at most the mass, as one fills a budget.",
        answers={
            "nucleus": """
def nucleus(p, mass):
    order = np.argsort(-p, kind="stable")
    keep = order[np.cumsum(p[order]) <= mass + 1e-12]
    q = np.zeros_like(p)
    q[keep] = p[keep]
    return q / q.sum()
"""
        },
        loses={"test-nucleus": "the mass is not reached"},
    ),
    Misconception(
        name="nucleus-not-normalised",
        why="The others are set to 0, and the rest is left as it was.",
        answers={
            "nucleus": """
def nucleus(p, mass):
    order = np.argsort(-p, kind="stable")
    before = np.cumsum(p[order]) - p[order]
    q = np.zeros_like(p)
    q[order[before < mass]] = p[order[before < mass]]
    return q
"""
        },
        loses={"test-nucleus": "sum to 1 again"},
    ),
    Misconception(
        name="nucleus-unsorted",
        why="Probabilities from a model look like a list that can be cut off.",
        answers={
            "nucleus": """
def nucleus(p, mass):
    q = np.where(np.cumsum(p) - p < mass, p, 0)
    return q / q.sum()
"""
        },
        loses={"test-nucleus": "from the most probable one on"},
    ),
)

TEMPERATURE = (
    Misconception(
        name="temperature-multiplies",
        why="Something hotter is expected to have larger scores.",
        answers={
            "line-1": """
def line_1(z, tau):
    weights = np.exp((z - z.max()) * tau)
    return weights / weights.sum()
"""
        },
        loses={"test-line-1": "divides the scores"},
    ),
    Misconception(
        name="sign-of-the-inner-derivative",
        why="The derivative of 1/tau is remembered without its sign.",
        answers={
            "line-2": """
def line_2(z, q, tau):
    return q * (z - q @ z) / tau**2
"""
        },
        loses={"test-line-2": "the sign is wrong"},
    ),
    Misconception(
        name="one-temperature-too-few",
        why="The 1/tau in log q is overlooked.",
        answers={
            "line-3": """
def line_3(z, q, tau):
    return (q @ z**2 - (q @ z) ** 2) / tau**2
"""
        },
        loses={"test-line-3": "comes from log q"},
    ),
)

MISCONCEPTIONS = (*BY_HAND, *EXTENSIONS, *SEARCH, *BUG, *NUCLEUS, *TEMPERATURE)
