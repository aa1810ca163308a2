"""Skip-gram with negative sampling against gensim, on the corpus of the lecture, on one thread."""

import csv
import importlib.util
from collections import Counter
from statistics import median

import torch
from torch import Tensor

from benchmarks.timing import seconds
from course_lib.data import Vocab
from course_lib.data.corpus import load_corpus
from course_lib.runtime import generator
from course_lib.word_vectors import negative_sampling as ns
from course_lib.word_vectors.evaluation import cosine_similarity, spearman

SEEDS, DIMENSION, EPOCHS, RATE, THRESHOLD = (0, 1, 2), 64, 3, 0.05, 1e-4


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


def wordsim(vectors: Tensor, ids: dict[str, int]) -> float:
    """Correlate cosines with the WordSim ratings of the pairs in the vocabulary."""
    from gensim.test.utils import datapath

    with open(datapath("wordsim353.tsv"), encoding="utf-8") as file:
        rows = [row for row in csv.reader(file, delimiter="\t") if not row[0].startswith("#")]
    rows = [(a.lower(), b.lower(), float(rating)) for a, b, rating, *_ in rows]
    rows = [row for row in rows if row[0] in ids and row[1] in ids]
    a, b = (vectors[[ids[row[side]] for row in rows]] for side in (0, 1))
    return spearman(cosine_similarity(a, b), torch.tensor([row[2] for row in rows])).item()


def run() -> dict[str, tuple[float, float, float]]:
    """Return the ratios of training time and of WordSim correlation, ours to gensim's."""
    if importlib.util.find_spec("gensim") is None:
        print("word2vec: gensim is not installed, nothing to compare with (pip install gensim)")
        return {}
    from gensim.models import Word2Vec

    documents = load_corpus()
    counter = Counter(word for document in documents for word in document)
    vocab = Vocab(counter, min_count=5)
    words = vocab.tokens[1:]
    ids = {word: i for i, word in enumerate(words)}
    counts = torch.tensor([float(counter[word]) for word in words])
    results: dict[str, list[Tensor]] = {"ours": [], "gensim": []}

    def peer(seed: int) -> Tensor:
        model = Word2Vec(
            documents,
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
        scores = [wordsim(results[name][-1], ids) for name in ("ours", "gensim")]
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
