"""The vendored GloVe vectors, their script, and the word lists that go with them."""

import json
import lzma
from collections import Counter
from importlib import resources

import pytest
import torch

from course_lib.data import load_glove, load_similar_pairs
from course_lib.data.analogies import KINDS, load_analogies
from tools.extract_glove import NAME, WORDS, to_record


@pytest.fixture(scope="module")
def glove():
    return load_glove()


def test_shape_and_type(glove):
    words, vectors = glove
    assert len(words) == len(set(words)) == WORDS == 20_000
    assert vectors.shape == (20_000, 50)
    assert vectors.dtype == torch.float32
    assert vectors.isfinite().all()
    assert (vectors.norm(dim=1) > 1).all()


def test_words_are_lower_case_and_frequent_ones_come_first(glove):
    words, _ = glove
    assert words[:10] == ["the", ",", ".", "of", "to", "and", "in", "a", '"', "'s"]
    assert all(word == word.strip() and word == word.lower() and word for word in words)


def test_the_first_vector_is_the_published_one(glove):
    # The line "the" of glove.6B.50d.txt begins with these numbers.
    published = torch.tensor([0.418, 0.24968, -0.41242, 0.1217, 0.34527, -0.044457])
    torch.testing.assert_close(glove[1][0, :6], published, rtol=2**-11, atol=0)


def test_the_script_writes_what_the_loader_reads(glove):
    file = resources.files("course_lib.data").joinpath(NAME)
    lines = lzma.decompress(file.read_bytes()).decode("utf-8").split("\n")[:-1]
    for line, word, vector in zip(lines, *glove, strict=True):
        assert to_record(word, vector.numpy()) == json.loads(line)


def test_each_call_gives_a_new_tensor(glove):
    words, vectors = load_glove()
    vectors.zero_()
    words.clear()
    assert load_glove()[1].abs().sum() > 0


def test_analogies(glove):
    known = set(glove[0])
    questions = load_analogies()
    assert Counter(q.kind for q in questions) == dict.fromkeys(KINDS, 25)
    for q in questions:
        assert len({q.a, q.b, q.c, q.d}) == 4, q
        assert {q.a, q.b, q.c, q.d} <= known, q
    # Each pair is asked from once and asked for once.
    pairs = Counter((q.a, q.b) for q in questions)
    assert pairs == Counter((q.c, q.d) for q in questions)
    assert set(pairs.values()) == {1}


def test_similar_pairs(glove):
    known = set(glove[0])
    pairs = load_similar_pairs()
    assert len({frozenset((p.first, p.second)) for p in pairs}) == 40
    scores = [p.score for p in pairs]
    assert scores == sorted(scores, reverse=True)
    assert (scores[0], scores[-1]) == (10, 0)
    assert all({p.first, p.second} <= known for p in pairs)
