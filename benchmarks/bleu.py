"""BLEU and chrF of 10,000 sentences against sacrebleu, on one thread."""

import importlib.util

import torch

from benchmarks.timing import ratio
from course_lib.data import load_state_of_the_union, split_sentences, tokenize
from course_lib.runtime import generator
from course_lib.translation.bleu import chrf, corpus_bleu

SENTENCES, SHARE = 10_000, 0.3


def run() -> dict[str, tuple[float, float, float]]:
    """Return the ratios of our times to sacrebleu's; both get what they take, tokens or lines.

    The candidates are sentences of the State of the Union addresses, the references the same
    sentences after 30 of 100 words were replaced by words drawn from the text.
    """
    if importlib.util.find_spec("sacrebleu") is None:
        print("bleu: sacrebleu is not installed, nothing to compare with (pip install sacrebleu)")
        return {}
    from sacrebleu.metrics import BLEU, CHRF

    candidates: list[list[str]] = []
    for speech in load_state_of_the_union():
        candidates += [tokenize(sentence) for sentence in split_sentences(speech.text)]
    candidates = candidates[-SENTENCES:]
    words = [token for sentence in candidates for token in sentence]
    rng = generator(0)
    drawn = torch.randint(len(words), (len(words),), generator=rng).tolist()
    replaced = (torch.rand(len(words), generator=rng) < SHARE).tolist()
    choices = zip(words, drawn, replaced, strict=True)
    noisy = iter([words[other] if new else word for word, other, new in choices])
    references = [[[next(noisy) for _ in sentence]] for sentence in candidates]
    lines = [" ".join(sentence) for sentence in candidates]
    streams = [[" ".join(sentence) for [sentence] in references]]

    metric = BLEU(tokenize="none", force=True, smooth_method="none")
    gap = corpus_bleu(candidates, references) - metric.corpus_score(lines, streams).score / 100
    print(f"bleu: {len(words)} tokens; our score less sacrebleu's: {gap:.1e}")
    return {
        f"{SENTENCES} sentences": ratio(
            lambda: corpus_bleu(candidates, references),
            lambda: metric.corpus_score(lines, streams),
            rounds=7,
            calls=1,
        ),
        f"chrF, {SENTENCES // 10} sentences": ratio(
            lambda: chrf(candidates[::10], references[::10]),
            lambda: CHRF().corpus_score(lines[::10], [streams[0][::10]]),
            rounds=7,
            calls=1,
        ),
    }
