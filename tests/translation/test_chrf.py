"""chrF against sacrebleu, hand calculations and its properties."""

from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import CHRF

from course_lib.translation.bleu import chrf

# Short words of few letters; empty sentences, and words that only one side has.
SENTENCES = st.lists(st.text("ab", min_size=1, max_size=4), max_size=5)
PAIRS = st.tuples(SENTENCES, st.lists(SENTENCES, min_size=1, max_size=3))
CORPORA = st.lists(PAIRS, min_size=1, max_size=4).map(lambda pairs: tuple(zip(*pairs, strict=True)))


def peer(candidates, references, **options):
    longest = max(map(len, references))
    padded = [
        [" ".join(r) for r in of_one] + [None] * (longest - len(of_one)) for of_one in references
    ]
    streams = [list(stream) for stream in zip(*padded, strict=True)]
    return CHRF(**options).corpus_score([" ".join(c) for c in candidates], streams).score / 100


@given(corpus=CORPORA, max_order=st.integers(1, 6), beta=st.sampled_from([1, 2, 3]))
def test_equal_to_sacrebleu(corpus, max_order, beta):
    expected = peer(*corpus, char_order=max_order, beta=beta)
    assert chrf(*corpus, max_order, beta) == pytest.approx(expected, abs=1e-9)


@given(words=st.lists(st.text("áéñü¿字", min_size=1, max_size=4), min_size=1, max_size=5))
def test_letters_beyond_ascii(words):
    other = [*words[:-1], "ñ"]
    assert chrf([words], [[other]]) == pytest.approx(peer([words], [[other]]), abs=1e-9)
    assert chrf([words], [[words]]) == pytest.approx(1)


def test_by_hand():
    # Letters of "cats": 3 of 4, pairs 2 of 3, triples 1 of 2 are in "cat", which has nothing else.
    precision, recall = (3 / 4 + 2 / 3 + 1 / 2) / 3, 1
    expected = 5 * precision * recall / (4 * precision + recall)
    assert chrf([["cats"]], [[["cat"]]]) == pytest.approx(expected) == pytest.approx(115 / 128)


def test_spaces_do_not_count():
    assert chrf([["no", "where"]], [[["now", "here"]]]) == pytest.approx(1)


@given(corpus=CORPORA)
def test_scores_lie_between_0_and_1_and_arguments_stay(corpus):
    before = deepcopy(corpus)
    assert 0 <= chrf(*corpus) <= 1 + 1e-12
    assert corpus == before


@given(candidate=SENTENCES, references=st.lists(SENTENCES, min_size=1, max_size=3))
def test_a_sentence_gets_its_best_reference(candidate, references):
    alone = [chrf([candidate], [[reference]]) for reference in references]
    assert chrf([candidate], [references]) == max(alone)


def test_nothing_in_common_and_nothing_at_all():
    assert chrf([["abc"]], [[["xyz"]]]) == 0
    assert chrf([[]], [[["a"]]]) == chrf([["a"]], [[[]]]) == chrf([[]], [[[]]]) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: chrf([], []), "candidates is empty, expected at least one"),
        (lambda: chrf([["a"]], []), "references has 0 lists of references, expected 1"),
        (lambda: chrf([["a"]], [[]]), "a list in references is empty"),
        (lambda: chrf(["the cat"], [[["a"]]]), "tokens is the string 'the cat', expected"),
        (lambda: chrf([["a"]], [["a"]]), "tokens is the string 'a', expected"),
        (lambda: chrf([["a"]], [[["a"]]], max_order=0), "max_order is 0, expected at least 1"),
        (lambda: chrf([["a"]], [[["a"]]], beta=0), "beta is 0, expected a positive number"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
