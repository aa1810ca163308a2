"""The module translation.bleu against sacrebleu, hand calculations and its properties."""

import math
from copy import deepcopy
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from course_lib.translation.bleu import (
    Precision,
    Statistics,
    bleu_from_statistics,
    brevity_penalty,
    closest_length,
    corpus_bleu,
    corpus_statistics,
    halving_bleu,
    largest_counts,
    modified_precision,
    ngram_counts,
    sentence_bleu,
    sentence_statistics,
    smoothed_precisions,
)

# Few words, so that n-grams repeat and match; lengths 0 and 1 are frequent.
SENTENCES = st.lists(st.sampled_from("abcd"), max_size=9)
PAIRS = st.tuples(SENTENCES, st.lists(SENTENCES, min_size=1, max_size=3))
CORPORA = st.lists(PAIRS, min_size=1, max_size=4).map(lambda pairs: tuple(zip(*pairs, strict=True)))
SMOOTHINGS = [
    ("none", None),
    ("floor", None),
    ("floor", 0.5),
    ("floor", 0),
    ("add-k", None),
    ("add-k", 0.3),
    ("add-k", 0),
    ("exp", None),
]
split = str.split
NOTES_1 = split("the cat the cat on the mat"), [split("the cat is on the mat")]
NOTES_2 = ["the"] * 6, [split("the cat is on the table")]


def streams(references):
    """Turn our lists (references of each sentence) into sacrebleu's (sentences of each stream)."""
    longest = max(map(len, references))
    padded = [
        [" ".join(r) for r in of_one] + [None] * (longest - len(of_one)) for of_one in references
    ]
    return [list(stream) for stream in zip(*padded, strict=True)]


def peer(candidates, references, **options):
    metric = BLEU(tokenize="none", force=True, **options)
    return metric.corpus_score([" ".join(c) for c in candidates], streams(references))


@pytest.mark.parametrize(("smoothing", "value"), SMOOTHINGS)
@given(corpus=CORPORA, max_order=st.integers(1, 5), effective_order=st.booleans())
def test_equal_to_sacrebleu(smoothing, value, corpus, max_order, effective_order):
    expected = peer(
        *corpus,
        smooth_method=smoothing,
        smooth_value=value,
        max_ngram_order=max_order,
        effective_order=effective_order,
    )
    score = corpus_bleu(*corpus, max_order, smoothing, value, effective_order)
    assert score == pytest.approx(expected.score / 100, abs=1e-9)
    statistics = corpus_statistics(*corpus, max_order)
    assert statistics.candidate_length == expected.sys_len
    assert statistics.reference_length == expected.ref_len


@given(corpus=CORPORA)
def test_the_counts_are_those_of_sacrebleu(corpus):
    # Without smoothing, and with a match: else sacrebleu returns before it has precisions.
    expected = peer(*corpus, smooth_method="none")
    statistics = corpus_statistics(*corpus)
    assert [p.matches for p in statistics.precisions] == expected.counts
    assert [p.total for p in statistics.precisions] == expected.totals
    penalty = brevity_penalty(statistics.candidate_length, statistics.reference_length)
    assert penalty == pytest.approx(expected.bp, abs=1e-12)


@given(pair=PAIRS, smoothing=st.sampled_from(SMOOTHINGS), effective_order=st.booleans())
def test_a_sentence_is_a_corpus_of_one(pair, smoothing, effective_order):
    candidate, references = pair
    options = {"smoothing": smoothing[0], "value": smoothing[1], "effective_order": effective_order}
    alone = sentence_bleu(candidate, references, **options)
    assert alone == corpus_bleu([candidate], [references], **options)


@given(corpus=CORPORA)
def test_the_counts_of_a_corpus_are_sums_over_its_sentences(corpus):
    each = [sentence_statistics(c, r) for c, r in zip(*corpus, strict=True)]
    total = corpus_statistics(*corpus)
    for order in range(4):
        assert total.precisions[order].matches == sum(s.precisions[order].matches for s in each)
        assert total.precisions[order].total == sum(s.precisions[order].total for s in each)
    assert total.candidate_length == sum(s.candidate_length for s in each)
    assert total.reference_length == sum(s.reference_length for s in each)


@given(corpus=CORPORA, smoothing=st.sampled_from(SMOOTHINGS), effective_order=st.booleans())
def test_scores_lie_between_0_and_1(corpus, smoothing, effective_order):
    score = corpus_bleu(
        *corpus, smoothing=smoothing[0], value=smoothing[1], effective_order=effective_order
    )
    assert 0 <= score <= 1
    assert math.isfinite(score)


@given(pair=PAIRS, n=st.integers(1, 5))
def test_more_references_never_lower_a_count(pair, n):
    candidate, references = pair
    alone = [modified_precision(candidate, [reference], n).matches for reference in references]
    together = modified_precision(candidate, references, n)
    assert max(alone) <= together.matches <= together.total == max(0, len(candidate) - n + 1)


@given(sentence=SENTENCES)
def test_a_copy_of_a_reference_scores_1(sentence):
    assume(sentence)
    assert sentence_bleu(sentence, [["x"], sentence], effective_order=True) == pytest.approx(1)


@given(sentence=SENTENCES, n=st.integers(1, 5))
def test_ngrams_by_a_loop(sentence, n):
    runs = [tuple(sentence[i : i + n]) for i in range(len(sentence) - n + 1)]
    counts = ngram_counts(sentence, n)
    assert dict(counts) == {run: runs.count(run) for run in runs}
    assert counts.total() == len(runs)


def test_the_first_example_of_the_notes():
    candidate, references = NOTES_1
    assert len(candidate) == 7
    counts = [modified_precision(candidate, references, n) for n in (1, 2, 3, 4)]
    assert counts == [(5, 7), (3, 6), (1, 5), (0, 4)]
    assert [Fraction(*pair) for pair in counts[:2]] == [Fraction(5, 7), Fraction(1, 2)]
    assert sentence_bleu(candidate, references) == 0
    assert sentence_bleu(candidate, references, max_order=2) == pytest.approx(math.sqrt(5 / 14))
    assert sentence_bleu(candidate, references, max_order=3) == pytest.approx((1 / 14) ** (1 / 3))
    assert sentence_bleu(candidate, references, smoothing="exp") == pytest.approx(
        (5 / 7 * 1 / 2 * 1 / 5 * 1 / 8) ** 0.25
    )


def test_the_second_example_of_the_notes():
    candidate, references = NOTES_2
    counts = [modified_precision(candidate, references, n) for n in (1, 2, 3, 4)]
    assert counts == [(2, 6), (0, 5), (0, 4), (0, 3)]
    assert sentence_bleu(candidate, references) == 0
    assert sentence_bleu(candidate, references, smoothing="exp") == pytest.approx(
        (1 / 3 * 1 / 10 * 1 / 16 * 1 / 24) ** 0.25
    )


def test_clipping_takes_the_maximum_of_the_references_and_not_their_sum():
    references = [split("the cat is on the mat"), split("there is a cat on the mat")]
    # Papineni and others (2002), example 2 of section 2.1.
    assert modified_precision(["the"] * 7, references, 1) == (2, 7)
    assert largest_counts(references, 1)[("the",)] == 2


def test_the_first_example_of_papineni():
    # Section 2.1: modified unigram precisions 17/18 and 8/14, bigrams 10/17 and 1/13.
    references = [
        "it is a guide to action that ensures that the military will forever heed party commands",
        "it is the guiding principle which guarantees the military forces always being under the "
        "command of the party",
        "it is the practical guide for the army always to heed the directions of the party",
    ]
    references = [reference.split() for reference in references]
    first = split(
        "it is a guide to action which ensures that the military always obeys the commands of "
        "the party"
    )
    second = split(
        "it is to insure the troops forever hearing the activity guidebook that party direct"
    )
    assert [modified_precision(first, references, n) for n in (1, 2)] == [(17, 18), (10, 17)]
    assert [modified_precision(second, references, n) for n in (1, 2)] == [(8, 14), (1, 13)]


def test_with_several_references_bigrams_may_match_more_often_than_words():
    references = [list(pair) for pair in product("abc", repeat=2)]
    counts = [modified_precision(list("aabbccacba"), references, n) for n in (1, 2, 3)]
    assert counts == [(6, 10), (9, 9), (0, 8)]


def test_brevity_penalty_by_hand():
    assert brevity_penalty(3, 6) == pytest.approx(0.36787944117)
    assert brevity_penalty(1, 6) == pytest.approx(math.exp(-5))
    assert brevity_penalty(6, 6) == brevity_penalty(7, 6) == brevity_penalty(0, 0) == 1
    assert brevity_penalty(0, 3) == 0


@given(c=st.integers(0, 50), r=st.integers(0, 50))
def test_the_penalty_grows_with_the_candidate_up_to_1(c, r):
    assert 0 <= brevity_penalty(c, r) <= brevity_penalty(c + 1, r) <= 1
    assert (brevity_penalty(c, r) == 1) == (c >= r)


def test_the_closest_length_and_of_two_the_shorter():
    assert closest_length(6, [9, 7, 5]) == 5
    assert closest_length(6, [5, 7, 9]) == 5
    assert closest_length(6, [9, 8]) == 8


def test_corpus_bleu_is_not_the_mean_of_sentences():
    candidates = [split("the cat sat on the mat"), split("a dog ran")]
    references = [[split("the cat sat on a mat")], [split("a dog ran home today")]]
    mean = sum(map(sentence_bleu, candidates, references)) / 2
    assert corpus_bleu(candidates, references) == pytest.approx(0.4780, abs=5e-5)
    assert mean == pytest.approx(0.2686, abs=5e-5)


def test_smoothing_by_hand():
    precisions = [Precision(2, 5), Precision(0, 4), Precision(1, 3), Precision(0, 2)]
    assert smoothed_precisions(precisions) == [2 / 5, 0, 1 / 3, 0]
    assert smoothed_precisions(precisions, "floor") == [2 / 5, 0.1 / 4, 1 / 3, 0.1 / 2]
    assert smoothed_precisions(precisions, "add-k") == [2 / 5, 1 / 5, 2 / 4, 1 / 3]
    assert smoothed_precisions(precisions, "exp") == [2 / 5, 1 / 8, 1 / 3, 1 / 8]
    assert smoothed_precisions([Precision(1, 1), Precision(0, 0)], "exp") == [1, None]
    assert smoothed_precisions([Precision(1, 1), Precision(0, 0)], "add-k") == [1, 1]


def test_orders_longer_than_the_sentence():
    short = ["good", "morning"]
    assert sentence_bleu(short, [short]) == 0
    assert sentence_bleu(short, [short], effective_order=True) == 1


def test_empty_sentences():
    assert sentence_bleu([], [["a"]], smoothing="exp", effective_order=True) == 0
    assert sentence_bleu(["a"], [[]], smoothing="exp", effective_order=True) == 0
    assert sentence_bleu([], [[]]) == 0
    assert corpus_bleu([[], list("abcd")], [[["a"]], [list("abcd")]]) == pytest.approx(
        math.exp(1 - 5 / 4)
    )


def test_the_variant_whose_weights_halve():
    candidate, (reference,) = NOTES_1
    assert halving_bleu(candidate, reference, 2) == pytest.approx((5 / 7) ** 0.5 * 0.5**0.25)
    precisions = [
        modified_precision(split("a b b c d"), [split("a b c d e f")], n) for n in range(1, 5)
    ]
    assert precisions == [(4, 5), (3, 4), (1, 3), (0, 2)]
    # Dive into Deep Learning prints these two translations with 0.658 and 0.447.
    printed = halving_bleu(split("il est riche ."), split("il est calme ."), 2)
    assert printed == pytest.approx(0.658, abs=5e-4)
    printed = halving_bleu(split("je suis en retard ?"), split("je suis chez moi ."), 2)
    assert printed == pytest.approx(0.447, abs=5e-4)
    assert halving_bleu([], ["a"], 2) == 0
    assert halving_bleu(["a"], ["a"], 3) == 1


def test_no_argument_is_changed():
    candidates, references = [list("abab")], [[list("ab"), list("bab")]]
    before = deepcopy((candidates, references))
    corpus_bleu(candidates, references, smoothing="add-k")
    assert (candidates, references) == before
    statistics = Statistics((Precision(1, 2), Precision(0, 1)), 2, 2)
    bleu_from_statistics(statistics, "add-k")
    assert statistics == Statistics((Precision(1, 2), Precision(0, 1)), 2, 2)


def test_tuples_and_lists_are_alike():
    pair = list("abcde"), list("abcd")
    as_tuples = [tuple(sentence) for sentence in pair]
    assert sentence_bleu(pair[0], [pair[1]]) == sentence_bleu(as_tuples[0], (as_tuples[1],))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ngram_counts(["a"], 0), "n is 0, expected at least 1"),
        (lambda: ngram_counts("the cat", 1), "tokens is the string 'the cat', expected a sequence"),
        (lambda: largest_counts([], 1), "references is empty, expected at least one reference"),
        (lambda: sentence_bleu(["a"], ["a b", "b"]), "expected a list of sequences of tokens"),
        (lambda: sentence_bleu(["a"], "a b"), "expected a list of sequences of tokens"),
        (lambda: sentence_bleu(["a"], [["a"]], max_order=0), "max_order is 0, expected at least 1"),
        (lambda: corpus_bleu([], []), "candidates is empty, expected at least one"),
        (
            lambda: corpus_bleu([["a"]], [[["a"]]] * 2),
            "references has 2 lists of .* expected 1, one",
        ),
        (lambda: corpus_bleu([["a"]], [["a"]]), "expected a list of sequences of tokens"),
        (lambda: closest_length(1, []), "reference_lengths is empty"),
        (lambda: brevity_penalty(-1, 2), "candidate_length is -1, expected at least 0"),
        (lambda: brevity_penalty(1, -2), "reference_length is -2, expected at least 0"),
        (lambda: halving_bleu(["a"], ["a"], 0), "max_order is 0, expected at least 1"),
        (
            lambda: sentence_bleu(["a"], [["a"]], smoothing="laplace"),
            "smoothing is 'laplace', expected one of none, floor, add-k, exp",
        ),
        (
            lambda: sentence_bleu(["a"], [["a"]], smoothing="exp", value=1),
            "value is 1, expected none: 'exp' takes no number",
        ),
        (
            lambda: smoothed_precisions([Precision(1, 1)], "floor", -1),
            "value is -1, expected a finite",
        ),
        (
            lambda: smoothed_precisions([Precision(1, 1)], "add-k", math.nan),
            "value is nan, expected a finite",
        ),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
