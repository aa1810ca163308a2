"""The vendored GloVe vectors on gensim's test lists, and 3CosAdd against gensim's.

The lists (WordSim-353, SimLex-999 and 19,544 analogy questions) come with the package gensim and
without a licence, so they are read from there and not stored here: ``pip install gensim`` into
the environment of ``make bench``.
"""

import importlib.util
from pathlib import Path

import torch

from benchmarks.timing import ratio
from course_lib.data import load_glove
from course_lib.word_vectors.evaluation import cosine_similarity, solve_analogies, spearman

FEW = 100  # questions in a round of the timing


def run() -> dict[str, tuple[float, float, float]]:
    """Print the results on the lists and return the ratio of our time to gensim's.

    Returns:
        Nothing but a printed line if gensim is not installed.
    """
    if importlib.util.find_spec("gensim") is None:
        print(
            "word_similarity: gensim is not installed, so its lists are not there (pip install it)"
        )
        return {}
    from gensim.models import KeyedVectors
    from gensim.test.utils import datapath

    words, vectors = load_glove()
    row = {word: i for i, word in enumerate(words)}
    for name in ("wordsim353.tsv", "simlex999.txt"):
        rho, known, total = rank_correlation(Path(datapath(name)), vectors, row)
        print(f"word_similarity: {name}: rank correlation {rho:.3f} on {known} of {total} pairs")

    lines = Path(datapath("questions-words.txt")).read_text(encoding="utf-8").lower().splitlines()
    asked = [line.split() for line in lines if line and not line.startswith(":")]
    known = [[row[w] for w in q] for q in asked if all(w in row for w in q)]
    questions = torch.tensor(known)
    answers = torch.cat([solve_analogies(vectors, q) for q in questions[:, :3].split(1000)])
    right = (answers == questions[:, 3]).double().mean().item()
    print(f"word_similarity: {right:.3f} of {len(known)} analogies of {len(asked)} right")

    peer = KeyedVectors(vectors.shape[1])
    peer.add_vectors(words, vectors.numpy())
    peer.fill_norms()
    few = questions[:FEW, :3]
    texts = [[words[i] for i in q] for q in few.tolist()]

    def by_gensim() -> list[str]:
        return [peer.most_similar(positive=[b, c], negative=[a], topn=1)[0][0] for a, b, c in texts]

    agree = [words[i] for i in solve_analogies(vectors, few)] == by_gensim()
    print(
        f"word_similarity: gensim gives {'the same' if agree else 'OTHER'} answers to {FEW} of them"
    )
    return {
        f"{FEW} analogies": ratio(
            lambda: solve_analogies(vectors, few), by_gensim, rounds=5, calls=1
        )
    }


def rank_correlation(
    path: Path, vectors: torch.Tensor, row: dict[str, int]
) -> tuple[float, int, int]:
    """Return the rank correlation on a list, how many pairs are known, and how many there are."""
    lines = path.read_text(encoding="utf-8").lower().splitlines()
    pairs = [line.split("\t") for line in lines if line and not line.startswith("#")]
    known = [(row[a], row[b], float(score)) for a, b, score in pairs if a in row and b in row]
    first, second, scores = zip(*known, strict=True)
    cosines = cosine_similarity(vectors[list(first)], vectors[list(second)])
    return spearman(cosines, torch.tensor(scores)).item(), len(known), len(pairs)
