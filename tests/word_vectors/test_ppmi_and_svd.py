"""The PPMI and the truncated SVD of word_vectors.cooccurrence against scikit-learn and scipy."""

import math
import warnings

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg
import torch
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score
from torch.overrides import TorchFunctionMode

from course_lib.word_vectors.cooccurrence import count_cooccurrences, ppmi, truncated_svd

SIZES = st.integers(1, 6)


@st.composite
def count_matrices(draw):
    """Matrices of small counts with many zeros, in float32 or float64."""
    rows, columns = draw(SIZES), draw(SIZES)
    entries = st.sampled_from([0, 0, 0, 1, 2, 5, 100])
    values = draw(st.lists(entries, min_size=rows * columns, max_size=rows * columns))
    dtype = draw(st.sampled_from([torch.float32, torch.float64]))
    return torch.tensor(values, dtype=dtype).reshape(rows, columns)


@st.composite
def matrices(draw):
    """Matrices in float64, some of them without full rank."""
    rows, columns, inner = draw(st.integers(1, 8)), draw(st.integers(1, 8)), draw(SIZES)
    rng = torch.Generator().manual_seed(draw(st.integers(0, 99)))
    left = torch.randn(rows, inner, generator=rng, dtype=torch.float64)
    return left @ torch.randn(inner, columns, generator=rng, dtype=torch.float64)


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def pmi_by_hand(counts, smoothing):
    """Entry by entry, straight from the definition, with Python's floats."""
    X = counts.tolist()
    words = [sum(row) for row in X]
    contexts = [sum(column) ** smoothing if sum(column) else 0.0 for column in zip(*X, strict=True)]
    return [
        [
            math.log(x / sum(words) / (words[i] / sum(words) * contexts[j] / sum(contexts)))
            if x > 0
            else -math.inf
            for j, x in enumerate(row)
        ]
        for i, row in enumerate(X)
    ]


@given(counts=count_matrices(), smoothing=st.sampled_from([0.0, 0.5, 0.75, 1.0]))
def test_ppmi_equals_its_definition_entry_by_entry(counts, smoothing):
    expected = torch.tensor(pmi_by_hand(counts, smoothing), dtype=counts.dtype).clamp(min=0)
    actual = ppmi(counts.to_sparse(), smoothing=smoothing)
    torch.testing.assert_close(actual.to_dense(), expected, rtol=1e-5, atol=1e-5)


@given(counts=count_matrices().filter(lambda counts: counts.sum() > 0))
def test_the_mean_of_pmi_is_the_mutual_information_of_sklearn(counts):
    """PMI is PPMI of the counts where it is positive; what is cut off is added by hand."""
    positive = ppmi(counts.to_sparse()).to_dense().double()
    share = counts.double() / counts.sum()
    below = [[min(0.0, x) if x > -math.inf else 0.0 for x in row] for row in pmi_by_hand(counts, 1)]
    mean = (share * (positive + torch.tensor(below, dtype=torch.float64))).sum().item()
    expected = mutual_info_score(None, None, contingency=counts.double().numpy())
    assert mean == pytest.approx(expected, abs=1e-6)


def test_ppmi_by_hand():
    # Row and column sums 4 and 12, total 16: 4 * 16 / (4 * 12) = 4/3, and 8 * 16 / 144 < 1.
    X = torch.tensor([[0.0, 4.0], [4.0, 8.0]], dtype=torch.float64)
    half = math.log(4 / 3)
    assert ppmi(X.to_sparse()).to_dense().tolist() == [
        [0.0, pytest.approx(half)],
        [pytest.approx(half), 0.0],
    ]
    # Smoothing 1/2: column weights 2 and sqrt(12), total 2 + sqrt(12).
    total = 2 + math.sqrt(12)
    smoothed = ppmi(X.to_sparse(), smoothing=0.5).to_dense()
    assert smoothed[0, 1].item() == pytest.approx(math.log(4 * total / (4 * math.sqrt(12))))
    assert smoothed[1, 0] == 0  # 4 * total / (12 * 2) is below 1


@given(counts=count_matrices(), scale=st.sampled_from([0.5, 2.0, 1e6]))
def test_ppmi_does_not_depend_on_the_size_of_the_corpus(counts, scale):
    # A PMI of exactly zero may come out as 1e-8 after rounding.
    torch.testing.assert_close(
        ppmi((counts * scale).to_sparse()).to_dense(),
        ppmi(counts.to_sparse()).to_dense(),
        rtol=1e-5,
        atol=1e-5,
    )


@given(
    rows=st.lists(st.integers(1, 9), min_size=1), columns=st.lists(st.integers(1, 9), min_size=1)
)
def test_independent_words_have_no_association(rows, columns):
    counts = torch.outer(torch.tensor(rows).double(), torch.tensor(columns).double())
    assert ppmi(counts.to_sparse()).to_dense().max() < 1e-12


def test_smoothing_lowers_the_association_with_a_rare_context_and_raises_it_with_a_frequent_one():
    counts = torch.tensor([[2.0, 10.0], [0.0, 30.0]], dtype=torch.float64).to_sparse()
    plain, smoothed = ppmi(counts).to_dense(), ppmi(counts, smoothing=0.75).to_dense()
    assert 0 < smoothed[0, 0] < plain[0, 0]
    assert smoothed[1, 1] > plain[1, 1] > 0


def test_ppmi_keeps_type_and_argument_and_holds_only_entries_above_zero():
    counts = torch.sparse_coo_tensor(
        [[0, 0, 1, 1], [1, 1, 0, 1]], [1.0, 3.0, 4.0, 0.0], (2, 3), check_invariants=True
    )
    before = counts.to_dense()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = ppmi(counts)
    assert torch.equal(counts.to_dense(), before)
    assert result.is_coalesced()
    assert result.dtype == torch.float32
    assert result.shape == (2, 3)
    assert (result.values() > 0).all()
    # The two entries at [0, 1] are one count of 4; the stored zero is no count.
    torch.testing.assert_close(result.to_dense()[:, :2], torch.eye(2).flip(0) * math.log(2))


def test_ppmi_of_huge_and_tiny_counts_is_finite():
    counts = torch.tensor([[1e30, 0.0], [0.0, 1e-30]]).to_sparse()
    diagonal = ppmi(counts).to_dense().diagonal()
    assert diagonal[0] == 0
    assert diagonal[1].item() == pytest.approx(60 * math.log(10), rel=1e-5)


class NoLogarithmOfZero(TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), kwargs=None):
        if function in (torch.log, torch.Tensor.log):
            assert (args[0] > 0).all()
        return function(*args, **(kwargs or {}))


@pytest.mark.parametrize("smoothing", [0, 0.75, 1])
def test_the_logarithm_of_zero_is_never_taken(smoothing):
    stored_zeros = torch.sparse_coo_tensor(
        [[0, 0, 1], [0, 1, 2]], [2.0, 0.0, 0.0], (3, 3), check_invariants=True
    )
    with pytest.raises(AssertionError), NoLogarithmOfZero():
        torch.zeros(1).log()
    with NoLogarithmOfZero():
        ppmi(stored_zeros, smoothing=smoothing)
        ppmi(count_cooccurrences([], 3, window=1), smoothing=smoothing)


def test_ppmi_of_nothing_is_nothing():
    empty = count_cooccurrences([], 3, window=1)
    assert ppmi(empty)._nnz() == 0
    assert ppmi(empty, smoothing=0)._nnz() == 0


@pytest.mark.parametrize(
    ("counts", "smoothing", "message"),
    [
        (torch.eye(2), 1, "counts is torch.strided, expected a sparse matrix"),
        (-torch.eye(2).to_sparse(), 1, "counts holds a negative or infinite number"),
        (torch.full((2, 2), math.inf).to_sparse(), 1, "counts holds a negative or infinite number"),
        ((torch.eye(2) * math.nan).to_sparse(), 1, "counts holds a negative or infinite number"),
        (torch.eye(2).to_sparse(), 1.5, "smoothing is 1.5, expected a number from 0 to 1"),
        (torch.eye(2).to_sparse(), -1, "smoothing is -1, expected a number from 0 to 1"),
    ],
)
def test_ppmi_names_bad_input(counts, smoothing, message):
    with pytest.raises(ValueError, match=message):
        ppmi(counts, smoothing=smoothing)


@given(matrix=matrices(), data=st.data(), sparse=st.booleans())
def test_svd_of_a_small_matrix_equals_numpy(matrix, data, sparse):
    rank = data.draw(st.integers(1, min(matrix.shape)))
    U, S, V = truncated_svd(
        matrix.to_sparse() if sparse else matrix, rank, generator=seeded(data.draw(SIZES))
    )
    expected = np.linalg.svd(matrix.numpy(), compute_uv=False)
    np.testing.assert_allclose(S.numpy(), expected[:rank], atol=1e-10 * max(1, expected[0]))
    identity = torch.eye(rank, dtype=torch.float64)
    torch.testing.assert_close(U.T @ U, identity)
    torch.testing.assert_close(V.T @ V, identity)
    torch.testing.assert_close(matrix @ V, U * S, rtol=0, atol=1e-9 * max(1, expected[0]))
    error = torch.linalg.norm(matrix - (U * S) @ V.T).item()
    assert error == pytest.approx(math.sqrt((expected[rank:] ** 2).sum()), abs=1e-7)


@given(matrix=matrices(), data=st.data())
def test_no_other_matrix_of_that_rank_comes_closer(matrix, data):
    rank = data.draw(st.integers(1, min(matrix.shape)))
    U, S, V = truncated_svd(matrix, rank, generator=seeded())
    best = torch.linalg.norm(matrix - (U * S) @ V.T)
    rng = seeded(data.draw(SIZES))
    for scale in (1e-3, 0.1, 1.0):
        left = U * S + scale * torch.randn(U.shape, generator=rng, dtype=torch.float64)
        # For a given left factor, least squares finds the right factor that comes closest.
        right = torch.linalg.lstsq(left, matrix, driver="gelsd").solution
        assert torch.linalg.norm(matrix - left @ right) >= best - 1e-9


def test_svd_of_a_large_sparse_matrix_equals_scipy():
    matrix = scipy.sparse.random(400, 300, density=0.05, random_state=1, format="csr")
    matrix = matrix @ scipy.sparse.diags(0.97 ** np.arange(300))
    _, expected, right = scipy.sparse.linalg.svds(matrix, k=8)
    order = np.argsort(-expected)
    tensor = torch.from_numpy(matrix.toarray()).to_sparse()
    U, S, V = truncated_svd(tensor, 8, generator=seeded(), iterations=25)
    np.testing.assert_allclose(S.numpy(), expected[order], rtol=1e-9)
    cosines = (torch.from_numpy(right[order].copy()) * V.T).sum(dim=1).abs()
    torch.testing.assert_close(cosines, torch.ones(8, dtype=torch.float64))
    torch.testing.assert_close(torch.sparse.mm(tensor, V), U * S, rtol=0, atol=1e-6)


def test_signs_do_not_depend_on_the_start():
    matrix = torch.randn(9, 7, generator=seeded(5), dtype=torch.float64)
    results = [truncated_svd(matrix, 3, generator=seeded(seed)) for seed in range(8)]
    for U, _, V in results:
        torch.testing.assert_close(U, results[0][0])
        torch.testing.assert_close(V, results[0][2])
        assert (U.gather(0, U.abs().argmax(dim=0, keepdim=True)) > 0).all()


def test_of_entries_with_the_same_size_the_first_is_positive():
    """The second singular vector is (1, -1) / sqrt 2, and rounding decides which is larger."""
    matrix, expected = torch.tensor([[2.0, 1.0], [1.0, 2.0]]), torch.tensor([1.0, -1.0])
    for seed in range(30):
        U, _, V = truncated_svd(matrix, 2, generator=seeded(seed))
        torch.testing.assert_close(U[:, 1], expected / math.sqrt(2))
        torch.testing.assert_close(V[:, 1], expected / math.sqrt(2))


def test_equal_singular_values_and_a_zero_matrix():
    U, S, V = truncated_svd(torch.eye(4), 4, generator=seeded())
    torch.testing.assert_close(S, torch.ones(4))
    torch.testing.assert_close((U * S) @ V.T, torch.eye(4))
    U, S, V = truncated_svd(torch.zeros(3, 5), 2, generator=seeded())
    assert torch.equal(S, torch.zeros(2))
    torch.testing.assert_close(U.T @ U, torch.eye(2))
    torch.testing.assert_close(V.T @ V, torch.eye(2))


def test_svd_changes_neither_matrix_nor_global_random_numbers():
    matrix = torch.randn(6, 5, generator=seeded())
    before, state = matrix.clone(), torch.get_rng_state()
    U, _, _ = truncated_svd(matrix, 2, generator=seeded())
    assert torch.equal(matrix, before)
    assert torch.equal(torch.get_rng_state(), state)
    assert U.dtype == torch.float32
    assert torch.equal(truncated_svd(matrix, 2, generator=seeded())[0], U)


def test_svd_runs_where_the_matrix_is():
    matrix = torch.empty(30, 25, device="meta")
    U, S, V = truncated_svd(matrix, 2, generator=seeded())
    assert {t.device.type for t in (U, S, V)} == {"meta"}
    assert [list(t.shape) for t in (U, S, V)] == [[30, 2], [2], [25, 2]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rank": 0}, "rank is 0, expected 1 to 2"),
        ({"rank": 3}, "rank is 3, expected 1 to 2"),
        ({"rank": 1, "iterations": 0}, "iterations is 0, expected at least 1"),
    ],
)
def test_svd_names_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        truncated_svd(torch.ones(2, 3), generator=seeded(), **arguments)
