"""Skip-gram with negative sampling against gensim, on the corpus of the lecture, on one thread."""

import importlib.util
from collections import Counter
from pathlib import Path
from statistics import median

import torch
from torch import Tensor

from benchmarks.timing import seconds
from benchmarks.word_similarity import rank_correlation
from course_lib.data import Vocab, load_corpus
from course_lib.runtime import generator
from course_lib.word_vectors import negative_sampling as ns

SEEDS, DIMENSION, EPOCHS, RATE, THRESHOLD = (0, 1, 2), 64, 3, 0.05, 1e-4
LONGEST = 10_000  # gensim ignores what follows after so many words of a document


def train(documents: list[list[str]], vocab: Vocab, counts: Tensor, seed: int) -> Tensor:
    """Train with our library and return the centre vectors, in the order of the vocabulary."""
    ranked = [[i - 1 for i in vocab.encode(document)] for document in documents]
    keep = ns.keep_probability(counts, THRESHOLD)
    rng = generator(seed)
    model = ns.NegativeSampling(ns.noise_distribution(counts), DIMENSION, rng)
    for epoch in range(EPOCHS):
        pairs = ns.dynamic_window_pairs(ns.subsample(ranked, keep, rng), 5, rng)
        rates = (RATE * (1 - epoch / EPOCHS), RATE * (1 - (epoch + 1) / EPOCHS) + 1e-4)
        model.epoch(pairs, rng, rates)
    return model.input_vectors


def run() -> dict[str, tuple[float, float, float]]:
    """Return the ratios of training time and of WordSim correlation, ours to gensim's."""
    if importlib.util.find_spec("gensim") is None:
        print("word2vec: gensim is not installed, nothing to compare with (pip install gensim)")
        return {}
    from gensim.models import Word2Vec
    from gensim.test.utils import datapath

    wordsim = Path(datapath("wordsim353.tsv"))
    documents = load_corpus()
    counter = Counter(word for document in documents for word in document)
    vocab = Vocab(counter, min_count=5)
    words = vocab.tokens[1:]
    ids = {word: i for i, word in enumerate(words)}
    counts = torch.tensor([float(counter[word]) for word in words])
    results: dict[str, list[Tensor]] = {"ours": [], "gensim": []}

    pieces = [d[i : i + LONGEST] for d in documents for i in range(0, len(d), LONGEST)]

    def peer(seed: int) -> Tensor:
        model = Word2Vec(
            pieces,
            sg=1,
            vector_size=DIMENSION,
            window=5,
            min_count=5,
            negative=5,
            sample=THRESHOLD,
            alpha=RATE,
            epochs=EPOCHS,
            workers=1,
            seed=seed + 1,
        )
        return torch.from_numpy(model.wv[list(words)])

    time, quality = [], []
    for seed in SEEDS:
        ours = seconds(lambda s=seed: results["ours"].append(train(documents, vocab, counts, s)), 1)
        theirs = seconds(lambda s=seed: results["gensim"].append(peer(s)), 1)
        scores = [rank_correlation(wordsim, results[n][-1], ids)[0] for n in ("ours", "gensim")]
        print(
            f"word2vec, seed {seed}: {ours:.0f} s and {theirs:.0f} s, WordSim {scores[0]:.3f} "
            f"and {scores[1]:.3f} (ours, gensim)"
        )
        time.append(ours / theirs)
        quality.append(scores[0] / scores[1])
    return {
        "seconds": (min(time), median(time), max(time)),
        "WordSim correlation": (min(quality), median(quality), max(quality)),
    }
