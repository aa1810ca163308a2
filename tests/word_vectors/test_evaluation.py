"""The module word_vectors.evaluation against scikit-learn, SciPy and calculations by hand."""

import math
from itertools import permutations

import numpy as np
import pytest
import scipy.stats
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.decomposition import PCA
from sklearn.metrics.pairwise import cosine_similarity as sklearn_cosine
from sklearn.neighbors import NearestNeighbors

from course_lib.data import load_glove
from course_lib.data.analogies import load_analogies
from course_lib.word_vectors.evaluation import (
    association_test,
    average_ranks,
    cosine_similarity,
    leaning,
    mean_vectors,
    nearest_neighbours,
    principal_components,
    solve_analogies,
    spearman,
    unit,
)


def normal(*shape, seed=0, dtype=torch.float64):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


SEEDS = st.integers(0, 10_000)
# Few different values, so that many of them tie.
TIED = st.lists(st.integers(-3, 3), min_size=2, max_size=8).map(
    lambda values: torch.tensor(values, dtype=torch.float64)
)


# Cosine and neighbours


@given(seed=SEEDS, scale=st.sampled_from([1e-30, 1.0, 1e30]))
def test_cosine_equals_scikit_learn(seed, scale):
    a, b = normal(4, 3, seed=seed), normal(5, 3, seed=seed + 1)
    ours = cosine_similarity(scale * a.unsqueeze(1), b)
    torch.testing.assert_close(ours, torch.from_numpy(sklearn_cosine(a, b)))


@given(seed=SEEDS, d=st.integers(1, 6))
def test_cosine_stays_in_range_and_ignores_scale_and_rotation(seed, d):
    a, b = normal(6, d, seed=seed), normal(6, d, seed=seed + 1)
    Q = torch.linalg.qr(normal(d, d, seed=seed + 2)).Q
    cosines = cosine_similarity(a, b)
    assert cosines.abs().max() <= 1
    torch.testing.assert_close(cosine_similarity(7 * a, 0.1 * b), cosines)
    torch.testing.assert_close(cosine_similarity(a @ Q, b @ Q), cosines)
    torch.testing.assert_close(cosine_similarity(b, a), cosines)
    # Rounding would give 1.0000001 here and there.
    parallel = cosine_similarity(a.float(), 3 * a.float())
    assert 0.9999 < parallel.min() <= parallel.max() <= 1


def test_a_zero_vector_points_nowhere():
    zero = torch.zeros(3)
    assert unit(zero).tolist() == [0, 0, 0]
    assert cosine_similarity(zero, torch.ones(3)).item() == 0
    assert cosine_similarity(zero, zero).item() == 0


def test_extreme_lengths():
    for size in (1e-38, 5e37):
        a = torch.tensor([3.0, 4.0]) * size
        torch.testing.assert_close(unit(a), torch.tensor([0.6, 0.8]))
        torch.testing.assert_close(cosine_similarity(a, a), torch.tensor(1.0))
    half = torch.full((50,), 300.0, dtype=torch.float16)  # the sum of squares exceeds 65,504
    assert cosine_similarity(half, half).item() == pytest.approx(1, abs=2e-3)


@given(seed=SEEDS, k=st.integers(0, 9), excluded=st.sets(st.integers(0, 11), max_size=3))
def test_neighbours_equal_scikit_learn(seed, k, excluded):
    vectors, query = normal(12, 4, seed=seed), normal(4, seed=seed + 1)
    values, indices = nearest_neighbours(vectors, query, k, exclude=sorted(excluded))
    left = [i for i in range(12) if i not in excluded]
    peer = NearestNeighbors(metric="cosine", algorithm="brute").fit(vectors[left])
    distances, found = peer.kneighbors(query.unsqueeze(0), n_neighbors=max(k, 1))
    assert indices.tolist() == [left[i] for i in found[0][:k]]
    torch.testing.assert_close(values, torch.from_numpy(1 - distances[0][:k]))


def test_equal_neighbours_come_in_the_order_of_the_rows():
    vectors = torch.tensor([[0.0, 1.0]] + [[1.0, 0.0]] * 40)
    _, indices = nearest_neighbours(vectors, torch.tensor([2.0, 0.0]), k=40)
    assert indices.tolist() == list(range(1, 41))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 4}, "k is 4, expected 0 to 3"),
        ({"k": -1}, "k is -1"),
        ({"k": 3, "exclude": [0, 0]}, "k is 3, expected 0 to 2"),
        ({"k": 1, "exclude": [3]}, r"exclude is \[3\], expected numbers of rows from 0 to 2"),
        ({"k": 1, "exclude": [-1]}, r"exclude is \[-1\]"),
    ],
)
def test_bad_neighbours_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        nearest_neighbours(torch.eye(3), torch.ones(3), **options)


def test_bad_vectors_are_refused():
    with pytest.raises(ValueError, match=r"vectors has shape \[2, 0\], expected at least one"):
        unit(torch.empty(2, 0))


# Analogies


def by_loops(vectors, a, b, c, exclude):
    """3CosAdd as its definition reads: the cosine with b - a + c, word by word."""
    units = [row / row.norm() for row in vectors]
    target = units[b] - units[a] + units[c]
    best, best_cosine = None, -math.inf
    for x, row in enumerate(units):
        if exclude and x in (a, b, c):
            continue
        cosine = float(row @ target / target.norm())
        if cosine > best_cosine:
            best, best_cosine = x, cosine
    return best


@pytest.mark.parametrize("exclude", [True, False])
@given(seed=SEEDS)
def test_analogies_equal_the_definition(exclude, seed):
    vectors = normal(15, 5, seed=seed) * torch.arange(1, 16, dtype=torch.float64).unsqueeze(1)
    rng = torch.Generator().manual_seed(seed)
    questions = torch.stack([torch.randperm(15, generator=rng)[:3] for _ in range(4)])
    answers = solve_analogies(vectors, questions, exclude_question_words=exclude)
    assert answers.tolist() == [by_loops(vectors, *q, exclude) for q in questions.tolist()]


def test_an_exact_parallelogram_needs_no_exclusion():
    # Unit vectors a, b, c, d with b - a = d - c = 2 sin(0.3) e1.
    def at(angle, height):
        x, y = math.sin(angle), math.cos(angle)
        return [x, y * math.cos(height), y * math.sin(height)]

    vectors = torch.tensor([at(-0.3, 0.0), at(0.3, 0.0), at(-0.3, 1.0), at(0.3, 1.0)])
    questions = torch.tensor([[0, 1, 2]])
    for exclude in (True, False):
        answers = solve_analogies(vectors, questions, exclude_question_words=exclude)
        assert answers.tolist() == [3]


@pytest.fixture(scope="module")
def glove():
    return load_glove()


def test_analogies_in_real_vectors(glove):
    words, vectors = glove
    row = {word: i for i, word in enumerate(words)}
    questions = load_analogies()
    rows = torch.tensor([[row[q.a], row[q.b], row[q.c]] for q in questions])
    found = [words[i] for i in solve_analogies(vectors, rows)]
    assert sum(answer == q.d for answer, q in zip(found, questions, strict=True)) == 83
    peer = vectors.numpy() / np.linalg.norm(vectors.numpy(), axis=1, keepdims=True)
    for q, answer in zip(questions[:10], found[:10], strict=True):
        target = peer[row[q.b]] - peer[row[q.a]] + peer[row[q.c]]
        order = sklearn_cosine(target[None], peer)[0].argsort()[::-1]
        assert answer == next(words[i] for i in order if words[i] not in (q.a, q.b, q.c))


@pytest.mark.parametrize(
    ("vectors", "questions", "message"),
    [
        (torch.eye(4), [[0, 1, 4]], "questions goes from 0 to 4, expected 0 to 3"),
        (torch.eye(4), [[-1, 1, 2]], "questions goes from -1 to 2"),
        (torch.eye(3), [[0, 1, 2]], "vectors has 3 rows, expected a word besides"),
    ],
)
def test_bad_questions_are_refused(vectors, questions, message):
    with pytest.raises(ValueError, match=message):
        solve_analogies(vectors, torch.tensor(questions))


def test_no_questions():
    assert solve_analogies(torch.eye(4), torch.empty(0, 3, dtype=torch.int64)).tolist() == []


# Rank correlation


@given(values=TIED)
def test_ranks_equal_scipy(values):
    ranks = average_ranks(values)
    assert ranks.tolist() == scipy.stats.rankdata(values).tolist()
    assert ranks.sum() == len(values) * (len(values) + 1) / 2


@given(x=TIED, y=TIED)
def test_spearman_equals_scipy(x, y):
    n = min(len(x), len(y))
    x, y = x[:n], y[:n]
    assume(x.min() < x.max() and y.min() < y.max())
    expected = scipy.stats.spearmanr(x, y).statistic
    assert spearman(x, y).item() == pytest.approx(expected, abs=1e-12)
    # An increasing map changes nothing, a decreasing one the sign.
    assert spearman(x.exp(), y) == spearman(x, y)
    assert spearman(-x, y).item() == pytest.approx(-expected, abs=1e-12)


def test_spearman_of_many_lists_is_each_on_its_own():
    x, y = normal(3, 1, 7), normal(2, 7, seed=1)
    expected = [[scipy.stats.spearmanr(x[i, 0], y[j]).statistic for j in (0, 1)] for i in range(3)]
    torch.testing.assert_close(spearman(x, y), torch.tensor(expected, dtype=torch.float64))


def test_spearman_by_hand():
    # Ranks 1, 2.5, 2.5, 4 and 1, 2, 3, 4: covariance 4.5, lengths √4.5 and √5.
    x, y = torch.tensor([1.0, 2.0, 2.0, 3.0]), torch.tensor([1.0, 2.0, 3.0, 4.0])
    torch.testing.assert_close(spearman(x, y), torch.tensor(math.sqrt(0.9)))


def test_spearman_of_many_values_in_half_precision():
    # float16 ends at 65,504, and has no 1024.5.
    rng = torch.Generator().manual_seed(0)
    x, noise = torch.randint(0, 300, (2, 40_000), generator=rng).half()
    y = x + noise
    expected = scipy.stats.spearmanr(x.double(), y.double()).statistic
    assert spearman(x, y) == torch.tensor(expected).half()


def test_the_variance_over_all_orders_is_one_over_n_minus_one():
    orders = torch.tensor(list(permutations(range(5))), dtype=torch.float64)
    rho = spearman(orders, torch.arange(5.0, dtype=torch.float64))
    assert rho.mean().item() == pytest.approx(0, abs=1e-12)
    assert rho.var(correction=0).item() == pytest.approx(1 / 4)


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([1.0], [1.0], r"x has shape \[1\], expected at least two values"),
        ([1.0, 2.0], [3.0, 3.0], "y holds a list of equal values"),
        ([1.0, 2.0], [3.0, math.nan], "NaN"),
    ],
)
def test_bad_lists_are_refused(x, y, message):
    with pytest.raises(ValueError, match=message):
        spearman(torch.tensor(x), torch.tensor(y))


# Principal components


@given(seed=SEEDS, n=st.integers(4, 9), d=st.integers(3, 6))
def test_principal_components_equal_scikit_learn(seed, n, d):
    vectors = normal(n, d, seed=seed) @ torch.diag(2.0 ** torch.arange(d, dtype=torch.float64)) + 5
    pca = principal_components(vectors, k=2)
    peer = PCA(n_components=2, svd_solver="full").fit(vectors)
    torch.testing.assert_close(pca.variances, torch.from_numpy(peer.explained_variance_))
    torch.testing.assert_close(
        pca.variances / pca.total_variance, torch.from_numpy(peer.explained_variance_ratio_)
    )
    # The sign of a direction is a matter of convention, and scikit-learn's is another.
    theirs = torch.from_numpy(peer.components_)
    signs = (pca.directions * theirs).sum(dim=1, keepdim=True).sign()
    torch.testing.assert_close(pca.directions * signs, theirs)
    coordinates = torch.from_numpy(peer.transform(vectors))
    torch.testing.assert_close(pca.project(vectors) * signs.T, coordinates)
    largest = pca.directions.gather(1, pca.directions.abs().argmax(dim=1, keepdim=True))
    assert (largest > 0).all()


@given(seed=SEEDS)
def test_no_direction_has_more_variance_than_the_first(seed):
    vectors = normal(8, 4, seed=seed)
    pca = principal_components(vectors, k=4)
    others = unit(normal(200, 4, seed=seed + 1))
    assert (vectors @ others.T).var(dim=0).max() <= pca.variances[0] + 1e-12
    torch.testing.assert_close(pca.variances.sum(), pca.total_variance)
    torch.testing.assert_close(pca.directions @ pca.directions.T, torch.eye(4).double())


def test_of_entries_with_the_same_size_the_first_is_positive():
    """All vectors lie along (1, -1), and rounding decides which entry is larger."""
    expected = torch.tensor([[1.0, -1.0]]) / math.sqrt(2)
    for seed in range(30):
        vectors = normal(6, 1, seed=seed, dtype=torch.float32) * torch.tensor([1.0, -1.0])
        torch.testing.assert_close(principal_components(vectors, k=1).directions, expected)


def test_fewer_vectors_than_entries():
    pca = principal_components(torch.tensor([[0.0, 0.0, 1.0], [0.0, 0.0, 5.0]]), k=2)
    torch.testing.assert_close(pca.variances, torch.tensor([8.0, 0.0]))
    torch.testing.assert_close(pca.directions[0], torch.tensor([0.0, 0.0, 1.0]))


@pytest.mark.parametrize(
    ("shape", "k", "message"),
    [((1, 3), 1, "vectors has 1 rows"), ((4, 3), 4, "k is 4"), ((4, 3), 0, "k is 0")],
)
def test_bad_components_are_refused(shape, k, message):
    with pytest.raises(ValueError, match=message):
        principal_components(torch.ones(shape), k)


# Sentences


@given(
    sentences=st.lists(st.lists(st.integers(0, 5), max_size=6), max_size=5),
    seed=SEEDS,
)
def test_means_equal_embedding_bag(sentences, seed):
    vectors = normal(6, 3, seed=seed)
    ours = mean_vectors(vectors, sentences)
    assert ours.shape == (len(sentences), 3)
    words = torch.tensor([word for s in sentences for word in s], dtype=torch.int64)
    offsets = torch.tensor([0, *np.cumsum([len(s) for s in sentences])][:-1], dtype=torch.int64)
    if sentences and len(words):
        bag = torch.nn.functional.embedding_bag(words, vectors, offsets, mode="mean")
        torch.testing.assert_close(ours, bag)


def test_a_sentence_gives_the_same_alone_and_in_a_batch():
    vectors = normal(6, 3)
    sentences = [[0, 5, 5], [], [2]]
    alone = torch.cat([mean_vectors(vectors, [sentence]) for sentence in sentences])
    assert torch.equal(mean_vectors(vectors, sentences), alone)
    assert mean_vectors(vectors, []).shape == (0, 3)
    assert mean_vectors(vectors, [[]]).tolist() == [[0, 0, 0]]


@pytest.mark.parametrize("word", [-1, 3])
def test_bad_sentences_are_refused(word):
    with pytest.raises(ValueError, match=r"sentences goes from .* expected 0 to 2"):
        mean_vectors(torch.eye(3), [[0], [word]])


# Bias


def difference_of_means(x, y, axis=-1):
    return np.mean(x, axis=axis) - np.mean(y, axis=axis)


@given(seed=SEEDS, m=st.integers(1, 5), n=st.integers(2, 5))
def test_p_value_equals_scipys_exact_test(seed, m, n):
    x, y = normal(m, seed=seed) + 0.5, normal(n, seed=seed + 1)
    test = association_test(x, y)
    # SciPy wants two words in a group; a group of one is counted by hand.
    if m > 1:
        peer = scipy.stats.permutation_test(
            (x.numpy(), y.numpy()), difference_of_means, alternative="greater", n_resamples=np.inf
        )
        assert test.p_value == pytest.approx(peer.pvalue, abs=1e-12)
    else:
        assert test.p_value == pytest.approx((1 + (y >= x).sum().item()) / (n + 1))
    pooled = np.concatenate([x, y]).std()
    assert test.effect_size == pytest.approx(difference_of_means(x.numpy(), y.numpy()) / pooled)


@given(seed=SEEDS, n=st.integers(1, 5))
def test_effect_size_stays_between_minus_two_and_two(seed, n):
    x, y = normal(n, seed=seed) + 3, normal(n, seed=seed + 1)
    there, back = association_test(x, y), association_test(y, x)
    assert abs(there.effect_size) <= 2 + 1e-12
    assert there.effect_size == pytest.approx(-back.effect_size)
    assert there.p_value + back.p_value > 1  # the split at hand counts on both sides


def test_equal_leanings_tie():
    # All splits of 0.1, 0.1, 0.1, 0.3 with 0.3 on the first side tie: 3 of 6.
    test = association_test(torch.tensor([0.1, 0.3]), torch.tensor([0.1, 0.1]))
    assert test.p_value == 0.5


def test_many_words_are_split_at_random():
    x, y = normal(30) + 1.5, normal(30, seed=1)
    tests = [association_test(x, y, torch.Generator().manual_seed(seed)) for seed in (0, 0, 1)]
    assert tests[0] == tests[1]
    assert 0 < tests[0].p_value < 0.001
    # No random split comes near, and the one at hand still counts.
    far = association_test(x + 20, y, torch.Generator().manual_seed(0))
    assert far.p_value == 1 / 50_001
    null = association_test(x - 1.5, y, torch.Generator().manual_seed(2))
    peer = scipy.stats.ttest_ind(x - 1.5, y, alternative="greater").pvalue
    assert null.p_value == pytest.approx(peer, abs=0.02)
    with pytest.raises(ValueError, match="generator is None"):
        association_test(x, y)


def test_leaning_by_hand():
    words = torch.tensor([[3.0, 0.0], [0.0, -1.0], [1.0, 1.0]])
    first, second = torch.tensor([[1.0, 0.0], [0.0, 2.0]]), torch.tensor([[-3.0, 0.0]])
    half = math.sqrt(0.5)
    expected = torch.tensor([0.5 + 1, -0.5 - 0, half + half])
    torch.testing.assert_close(leaning(words, first, second), expected)


def test_bad_groups_are_refused():
    some, none = torch.tensor([0.1, 0.2]), torch.empty(0)
    with pytest.raises(ValueError, match="y is empty"):
        association_test(some, none)
    with pytest.raises(ValueError, match="hold one value only"):
        association_test(torch.ones(2), torch.ones(2))
    with pytest.raises(ValueError, match="second is empty"):
        leaning(torch.eye(2), torch.eye(2), torch.empty(0, 2))


# All of them


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_dtype_is_kept_and_no_argument_changed(dtype):
    vectors, query = normal(5, 3, dtype=dtype), normal(3, seed=1, dtype=dtype)
    before = vectors.clone(), query.clone()
    pca = principal_components(vectors, k=2)
    results = [
        unit(vectors),
        cosine_similarity(vectors, query),
        nearest_neighbours(vectors, query, k=2, exclude=[1])[0],
        average_ranks(vectors),
        spearman(vectors, query),
        pca.project(vectors),
        pca.variances,
        mean_vectors(vectors, [[0, 1]]),
        leaning(vectors, vectors[:2], vectors[2:]),
    ]
    solve_analogies(vectors, torch.tensor([[0, 1, 2]]))
    association_test(vectors[:, 0], query)
    assert all(result.dtype == dtype for result in results)
    assert torch.equal(vectors, before[0])
    assert torch.equal(query, before[1])


def test_everything_with_tensors_runs_on_the_meta_device():
    vectors, query = torch.empty(5, 3, device="meta"), torch.empty(3, device="meta")
    results = [
        unit(vectors),
        cosine_similarity(vectors, query),
        *nearest_neighbours(vectors, query, k=2, exclude=[1]),
        solve_analogies(vectors, torch.empty(2, 3, dtype=torch.int64, device="meta")),
        average_ranks(vectors),
        spearman(vectors, query),
        *principal_components(vectors, k=2),
        mean_vectors(vectors, [[0, 1], []]),
        leaning(vectors, vectors, vectors),
    ]
    assert all(result.is_meta for result in results)
