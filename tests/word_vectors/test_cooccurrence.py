"""The counts of the module word_vectors.cooccurrence against a hand count and scikit-learn."""

import copy
import warnings

import numpy as np
import pytest
import scipy.linalg
import torch
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from course_lib.word_vectors.cooccurrence import count_cooccurrences

VOCAB = 5
DOCUMENTS = st.lists(st.lists(st.integers(0, VOCAB - 1), max_size=12), max_size=5)
WINDOWS = st.integers(1, 15)
THREE_SENTENCES = ["I like deep learning .", "I like NLP .", "I enjoy flying ."]


def encode(sentences):
    words = list(dict.fromkeys(word for sentence in sentences for word in sentence.split()))
    return words, [[words.index(word) for word in sentence.split()] for sentence in sentences]


def with_sklearn(documents, **options):
    """Documents by terms, counted by scikit-learn; the ids are written as words."""
    options = {"lowercase": False, "token_pattern": r"\d+", **options}
    vectorizer = CountVectorizer(**options)
    return vectorizer.fit_transform([" ".join(map(str, document)) for document in documents])


def test_three_sentences_by_hand():
    words, ids = encode(THREE_SENTENCES)
    assert words == ["I", "like", "deep", "learning", ".", "NLP", "enjoy", "flying"]
    by_hand = torch.tensor(
        [
            [0, 2, 0, 0, 0, 0, 1, 0],
            [2, 0, 1, 0, 0, 1, 0, 0],
            [0, 1, 0, 1, 0, 0, 0, 0],
            [0, 0, 1, 0, 1, 0, 0, 0],
            [0, 0, 0, 1, 0, 1, 0, 1],
            [0, 1, 0, 0, 1, 0, 0, 0],
            [1, 0, 0, 0, 0, 0, 0, 1],
            [0, 0, 0, 0, 1, 0, 1, 0],
        ],
        dtype=torch.float64,
    )
    assert torch.equal(count_cooccurrences(ids, 8, window=1).to_dense(), by_hand)


def test_a_palindrome_counts_each_pair_and_not_only_whether_it_occurs():
    a, b, c = 0, 1, 2
    X = count_cooccurrences([[a, b, c, b, a]], 3, window=1).to_dense()
    assert X[b, a] == X[a, b] == X[b, c] == X[c, b] == 2
    assert X[a, c] == X[a, a] == X[b, b] == 0


@pytest.mark.parametrize(
    ("window", "by_distance", "row_of_I"),
    [
        (1, False, [0.0, 2.0, 0.0, 0.0]),
        (2, False, [0.0, 2.0, 1.0, 1.0]),
        (2, True, [0.0, 2.0, 0.5, 0.5]),
        (99, False, [0.0, 2.0, 1.0, 1.0]),
    ],
)
def test_windows_and_distances_by_hand(window, by_distance, row_of_I):
    words, ids = encode(["I like A", "I like B"])
    X = count_cooccurrences(ids, 4, window, by_distance=by_distance).to_dense()
    assert words == ["I", "like", "A", "B"]
    assert X[0].tolist() == row_of_I


def test_a_word_beside_itself_counts_in_both_directions():
    assert count_cooccurrences([[0, 0]], 1, window=1).to_dense().tolist() == [[2.0]]
    assert count_cooccurrences([[0, 0, 0]], 1, window=2).to_dense().tolist() == [[6.0]]


@given(documents=DOCUMENTS.filter(lambda documents: any(len(d) > 1 for d in documents)))
def test_window_one_is_the_bigrams_of_sklearn(documents):
    vocabulary = {f"{i} {j}": i * VOCAB + j for i in range(VOCAB) for j in range(VOCAB)}
    bigrams = with_sklearn(documents, ngram_range=(2, 2), vocabulary=vocabulary)
    right = np.asarray(bigrams.sum(axis=0)).reshape(VOCAB, VOCAB)
    X = count_cooccurrences(documents, VOCAB, window=1).to_dense().numpy()
    np.testing.assert_array_equal(X, right + right.T)


@given(documents=DOCUMENTS.filter(lambda documents: any(documents)))
def test_an_endless_window_counts_all_pairs_of_a_document(documents):
    B = with_sklearn(documents, vocabulary=[str(i) for i in range(VOCAB)]).toarray()
    X = count_cooccurrences(documents, VOCAB, window=99).to_dense().numpy()
    np.testing.assert_array_equal(X, B.T @ B - np.diag(B.sum(axis=0)))


@given(documents=DOCUMENTS, window=WINDOWS, by_distance=st.booleans())
def test_any_window_is_a_band_between_one_hot_matrices(documents, window, by_distance):
    expected = np.zeros((VOCAB, VOCAB))
    for document in filter(None, documents):
        distance = np.arange(len(document), dtype=float)
        inside = (distance >= 1) & (distance <= window)
        weights = np.where(inside, 1 / np.maximum(distance, 1) if by_distance else 1.0, 0.0)
        one_hot = np.eye(VOCAB)[document]
        expected += one_hot.T @ scipy.linalg.toeplitz(weights) @ one_hot
    X = count_cooccurrences(documents, VOCAB, window, by_distance=by_distance)
    np.testing.assert_allclose(X.to_dense().numpy(), expected, rtol=1e-12)


@given(documents=DOCUMENTS, window=WINDOWS)
def test_documents_stay_apart(documents, window):
    alone = [count_cooccurrences([document], VOCAB, window).to_dense() for document in documents]
    together = count_cooccurrences(documents, VOCAB, window).to_dense()
    assert torch.equal(together, sum(alone, torch.zeros(VOCAB, VOCAB, dtype=torch.float64)))


@given(documents=DOCUMENTS, window=WINDOWS, by_distance=st.booleans())
def test_the_result_is_symmetric_sparse_and_reads_the_same_backwards(
    documents, window, by_distance
):
    before = copy.deepcopy(documents)
    X = count_cooccurrences(documents, VOCAB, window, by_distance=by_distance)
    assert documents == before
    assert X.is_sparse
    assert X.is_coalesced()
    assert X.dtype == torch.float64
    assert (X.values() > 0).all()
    assert torch.equal(X.to_dense(), X.to_dense().T)
    reversed_documents = [document[::-1] for document in documents]
    mirrored = count_cooccurrences(reversed_documents, VOCAB, window, by_distance=by_distance)
    assert torch.equal(X.to_dense(), mirrored.to_dense())


@given(documents=DOCUMENTS, window=WINDOWS)
def test_all_entries_together_count_each_pair_of_positions_twice(documents, window):
    pairs = sum(max(0, len(d) - gap) for d in documents for gap in range(1, window + 1))
    assert count_cooccurrences(documents, VOCAB, window).values().sum() == 2 * pairs


@pytest.mark.parametrize("documents", [[], [[]], [[], []], [[1]], [[0], [1], [2]]])
def test_nothing_to_count_gives_an_empty_matrix(documents):
    X = count_cooccurrences(documents, 3, window=2)
    assert X.shape == (3, 3)
    assert X._nnz() == 0
    assert not X.to_dense().any()


def test_nothing_is_printed_on_the_error_stream():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        count_cooccurrences([[0, 1, 2]], 3, window=2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0]], 0, 1), "vocab_size is 0, expected at least 1"),
        (([[0]], 1, 0), "window is 0, expected at least 1"),
        (([[0, 3]], 3, 1), "documents: expected ids from 0 to 2, got 3"),
        (([[0], [-1]], 3, 1), "documents: expected ids from 0 to 2, got -1"),
        (([[2**70]], 3, 1), "documents: expected lists of word ids, but .*too big"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        count_cooccurrences(*arguments)
