"""The module translation.attention: weights, kernels and scores against known libraries."""

import itertools
import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics.pairwise import rbf_kernel
from torch import nn

from course_lib.translation.attention import (
    AdditiveScore,
    MultiplicativeScore,
    NadarayaWatson,
    ReducedRankScore,
    count_aligned,
    dot_product_score,
    gaussian_kernel,
    gaussian_score,
    masked_softmax,
    nadaraya_watson,
)

INF = float("inf")


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def normal(*shape, seed=0, dtype=torch.float64):
    return torch.randn(*shape, generator=generator(seed), dtype=dtype)


shapes = st.tuples(
    st.lists(st.integers(0, 3), max_size=2), st.integers(0, 4), st.integers(0, 5)
).map(lambda parts: (*parts[0], *parts[1:]))


# The softmax with a mask


def attend(inputs, mask):
    return masked_softmax(dot_product_score(*inputs[:2]), mask)


@given(shape=shapes, seed=st.integers(0, 99), share=st.sampled_from([0.0, 0.5, 1.0]))
def test_masked_softmax_equals_torchs_attention(shape, seed, share):
    keys = shape[-1]
    query = 3 * normal(*shape[:-1], 4, seed=seed)
    key, value = (
        normal(*shape[:-2], keys, 4, seed=seed + 1),
        normal(*shape[:-2], keys, 2, seed=seed),
    )
    mask = torch.rand(shape, generator=generator(seed)) < share
    inputs = [part.clone().requires_grad_() for part in (query, key, value)]
    weights = attend(inputs, mask)
    ours = weights @ inputs[2]
    assert weights.shape == shape
    # Rows sum to 1, or to 0 where no key is allowed.
    torch.testing.assert_close(weights.sum(-1), mask.any(-1).to(weights))
    assert (weights[~mask] == 0).all()
    gradients = torch.autograd.grad(ours.square().sum(), inputs)
    assert all(part.isfinite().all() for part in gradients)
    if 0 in shape:  # PyTorch's kernel is not defined for these
        return
    theirs = [part.clone().requires_grad_() for part in (query, key, value)]
    expected = F.scaled_dot_product_attention(*theirs, attn_mask=mask, scale=1.0)
    torch.testing.assert_close(ours, expected.reshape(ours.shape))
    torch.testing.assert_close(gradients, torch.autograd.grad(expected.square().sum(), theirs))


def test_a_row_without_keys_is_zero_and_so_is_its_gradient():
    scores = normal(2, 3).requires_grad_()
    mask = torch.tensor([[True, True, False], [False, False, False]])
    weights = masked_softmax(scores, mask)
    assert weights[1].tolist() == [0.0, 0.0, 0.0]
    weights[:, 0].sum().log().backward()
    assert scores.grad.isfinite().all()
    assert scores.grad[1].abs().sum() == 0
    assert scores.grad[0, 2] == 0
    assert scores.grad[0, 0] != 0


def test_minus_infinity_in_the_scores_counts_as_a_mask():
    scores = torch.tensor([[1.0, -INF], [-INF, -INF]], requires_grad=True)
    weights = masked_softmax(scores)
    assert weights.tolist() == [[1.0, 0.0], [0.0, 0.0]]
    weights.sum().backward()
    assert scores.grad.isfinite().all()


@pytest.mark.parametrize("hidden", [INF, -INF, math.nan, 1e30])
def test_what_stands_at_a_masked_key_makes_no_difference(hidden):
    mask = torch.tensor([True, True, False])
    scores = torch.tensor([[1.0, 2.0, hidden]], requires_grad=True)
    weights = masked_softmax(scores, mask)
    torch.testing.assert_close(weights[0, :2], torch.softmax(torch.tensor([1.0, 2.0]), dim=0))
    weights[0, 0].backward()
    assert scores.grad.isfinite().all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_large_scores_in_every_precision(dtype):
    scores = torch.tensor([[1000.0, 0.0, 60000.0], [-200.0, -200.0, 0.0]], dtype=dtype)
    weights = masked_softmax(scores, torch.tensor([True, True, False]))
    assert weights.dtype == dtype
    assert weights.tolist() == [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]


def test_a_mask_broadcasts_and_nothing_is_changed():
    scores, mask = normal(2, 3, 4, 5), torch.tensor([True, False, True, True, False])
    before = scores.clone()
    full = masked_softmax(scores, mask.expand(2, 3, 4, 5))
    assert torch.equal(masked_softmax(scores, mask), full)
    assert torch.equal(masked_softmax(scores, mask.reshape(1, 1, 1, 5)), full)
    assert torch.equal(scores, before)
    assert torch.equal(masked_softmax(scores), torch.softmax(scores, dim=-1))


@pytest.mark.parametrize(
    ("scores", "mask", "message"),
    [
        (torch.zeros(2, 2).long(), None, "scores has dtype torch.int64, expected a floating"),
        (torch.zeros(2), None, r"scores has shape \[2\], expected queries and keys"),
        (torch.zeros(2, 2), torch.ones(2, 2), "mask has dtype torch.float32, expected torch.bool"),
        (torch.zeros(2, 2), torch.ones(3).bool(), r"mask has shape \[3\], expected .* \[2, 2\]"),
        (torch.zeros(2, 2), torch.ones(4, 2, 2).bool(), r"mask has shape \[4, 2, 2\]"),
    ],
)
def test_bad_scores_and_masks_are_refused(scores, mask, message):
    # Without the type checks that tests switch on: a reader has none.
    function = getattr(masked_softmax, "__wrapped__", masked_softmax)
    with pytest.raises(ValueError, match=message):
        function(scores, mask)


# Kernels


@given(
    sizes=st.tuples(st.integers(1, 4), st.integers(1, 5), st.integers(1, 3)),
    scale=st.floats(0.1, 3.0),
    seed=st.integers(0, 99),
)
def test_nadaraya_watson_equals_the_quotient_of_kernels(sizes, scale, seed):
    queries, keys, features = sizes
    query, key = normal(queries, features, seed=seed), normal(keys, features, seed=seed + 1)
    value = normal(keys, 2, seed=seed + 2)
    kernel = torch.from_numpy(rbf_kernel(query.numpy(), key.numpy(), gamma=scale**2 / 2))
    expected = kernel @ value / kernel.sum(dim=1, keepdim=True)
    torch.testing.assert_close(nadaraya_watson(query, key, value, scale), expected)


def test_nadaraya_watson_by_hand():
    key = torch.tensor([[0.0], [1.0], [4.0]])
    weights = masked_softmax(gaussian_score(torch.tensor([[1.2]]), key))
    expected = torch.tensor([[0.3274, 0.6593, 0.0133]])
    torch.testing.assert_close(weights, expected, atol=5e-5, rtol=0)
    kernel = gaussian_kernel(torch.tensor(1.2) - key[:, 0])
    torch.testing.assert_close(weights[0], kernel / kernel.sum())


def test_the_kernel_is_a_density():
    grid = torch.linspace(-9, 9, 2001, dtype=torch.float64)
    torch.testing.assert_close(torch.trapezoid(gaussian_kernel(grid), grid).item(), 1.0)


def test_points_of_different_sizes_are_refused():
    function = getattr(gaussian_score, "__wrapped__", gaussian_score)
    with pytest.raises(ValueError, match="key has points of 3 features, expected 1 as in query"):
        function(normal(2, 1), normal(4, 3))


def test_limits_of_the_scale():
    key, value = normal(6, 1), normal(6, 1, seed=1)
    query = normal(3, 1, seed=2)
    torch.testing.assert_close(
        nadaraya_watson(query, key, value, 0), value.mean().expand(3, 1), check_device=False
    )
    nearest = (query - key.T).abs().argmin(dim=1)
    torch.testing.assert_close(nadaraya_watson(query, key, value, 1e4), value[nearest])


def test_far_from_all_keys_the_nearest_one_decides():
    key, value = torch.tensor([[0.0], [1.0]]), torch.tensor([[3.0], [5.0]])
    assert nadaraya_watson(torch.tensor([[1e4], [-1e4]]), key, value).tolist() == [[5.0], [3.0]]
    assert gaussian_kernel(torch.tensor(1e4)) == 0  # the quotient would be 0 / 0


def test_a_batch_gives_what_its_members_give():
    query, key, value = normal(3, 2, 1), normal(3, 4, 1, seed=1), normal(3, 4, 2, seed=2)
    whole = nadaraya_watson(query, key, value, 0.7)
    for row in range(3):
        torch.testing.assert_close(
            whole[row], nadaraya_watson(query[row], key[row], value[row], 0.7)
        )


def test_the_learned_scale_has_the_right_gradient():
    query, key, value = normal(3, 1), normal(5, 1, seed=1), normal(5, 1, seed=2)
    model = NadarayaWatson(scale=0.8).double()
    assert torch.equal(model(query, key, value), nadaraya_watson(query, key, value, model.scale))
    model(query, key, value).sum().backward()
    h = 1e-6
    up, down = (nadaraya_watson(query, key, value, 0.8 + step).sum() for step in (h, -h))
    torch.testing.assert_close(model.scale.grad, (up - down) / (2 * h), atol=1e-6, rtol=0)


def test_a_point_that_is_masked_does_not_see_itself():
    key, value = torch.tensor([[0.0], [1.0], [3.0]]), torch.tensor([[1.0], [2.0], [7.0]])
    others = ~torch.eye(3, dtype=torch.bool)
    estimates = nadaraya_watson(key, key, value, 100.0, mask=others)
    assert estimates.tolist() == [[2.0], [1.0], [2.0]]
    alone = nadaraya_watson(key[:1], key[:1], value[:1], mask=others[:1, :1])
    assert alone.tolist() == [[0.0]]


# Scores

SCORES = {
    "multiplicative": lambda **rng: MultiplicativeScore(3, 5, **rng),
    "reduced": lambda **rng: ReducedRankScore(3, 5, 2, **rng),
    "additive": lambda **rng: AdditiveScore(3, 5, 4, **rng),
}


def test_the_dot_product_equals_torchs_attention():
    query, key = normal(2, 4, 3), normal(2, 5, 3, seed=1)
    value = torch.eye(5, dtype=torch.float64).expand(2, 5, 5)
    expected = F.scaled_dot_product_attention(query, key, value, scale=1.0)
    torch.testing.assert_close(masked_softmax(dot_product_score(query, key)), expected)


def test_the_multiplicative_score_equals_torchs_bilinear():
    score = MultiplicativeScore(3, 5, generator=generator()).double()
    oracle = nn.Bilinear(3, 5, 1, bias=False).double()
    oracle.weight.data = score.weight.data[None]
    query, key = normal(2, 4, 3), normal(2, 6, 5, seed=1)
    pairs = (
        query[:, :, None].expand(2, 4, 6, 3).contiguous(),
        key[:, None].expand(2, 4, 6, 5).contiguous(),
    )
    torch.testing.assert_close(score(query, key), oracle(*pairs).squeeze(-1))


def test_a_multiplicative_score_with_the_identity_is_the_dot_product():
    score = MultiplicativeScore(4, 4).double()
    score.weight.data = torch.eye(4, dtype=torch.float64)
    query, key = normal(2, 4), normal(3, 4, seed=1)
    torch.testing.assert_close(score(query, key), dot_product_score(query, key))


@pytest.mark.parametrize("rank", [1, 2, 3, 7])
def test_a_reduced_rank_score_is_a_multiplicative_one_of_low_rank(rank):
    score = ReducedRankScore(5, 4, rank, generator=generator()).double()
    weight = score.query_weight.T @ score.key_weight
    assert torch.linalg.matrix_rank(weight) == min(rank, 4)
    full = MultiplicativeScore(5, 4).double()
    full.weight.data = weight.data
    query, key = normal(2, 3, 5), normal(2, 6, 4, seed=1)
    torch.testing.assert_close(score(query, key), full(query, key))


def test_reduced_rank_parameters():
    full, reduced = MultiplicativeScore(100, 100), ReducedRankScore(100, 100, 10)
    assert sum(p.numel() for p in full.parameters()) == 10_000
    assert sum(p.numel() for p in reduced.parameters()) == 2_000


def test_bahdanau_is_additive():
    score = AdditiveScore(3, 5, 4, generator=generator()).double()
    query, key = normal(1, 3), normal(1, 5, seed=1)
    by_hand = score.output_weight[0] @ torch.tanh(
        score.key_weight @ key[0] + score.query_weight @ query[0]
    )
    torch.testing.assert_close(score(query, key)[0, 0], by_hand)
    bound = score.output_weight.abs().sum()
    assert score(1e6 * query, 1e6 * key).abs() <= bound + 1e-9
    with pytest.raises(ValueError, match="key has vectors of size 5, expected 3 as in query"):
        getattr(dot_product_score, "__wrapped__", dot_product_score)(query, key)


def test_the_additive_score_is_a_network_on_query_and_key_together():
    score = AdditiveScore(3, 5, 4, generator=generator()).double()
    network = nn.Sequential(
        nn.Linear(8, 4, bias=False), nn.Tanh(), nn.Linear(4, 1, bias=False)
    ).double()
    network[0].weight.data = torch.cat([score.query_weight.data, score.key_weight.data], dim=1)
    network[2].weight.data = score.output_weight.data
    query, key = normal(4, 3), normal(6, 5, seed=1)
    pairs = torch.cat([query[:, None].expand(4, 6, 3), key[None].expand(4, 6, 5)], dim=-1)
    torch.testing.assert_close(score(query, key), network(pairs).squeeze(-1))


@pytest.mark.parametrize("name", SCORES)
@settings(max_examples=15)
@given(
    batch=st.lists(st.integers(0, 3), max_size=2), queries=st.integers(0, 3), seed=st.integers(0, 9)
)
def test_a_batch_of_scores_equals_its_pairs(name, batch, queries, seed):
    score = SCORES[name](generator=generator(seed)).double()
    query, key = normal(*batch, queries, 3, seed=seed), normal(*batch, 2, 5, seed=seed + 1)
    scores = score(query, key)
    assert scores.shape == (*batch, queries, 2)
    for *place, i, j in itertools.product(*map(range, scores.shape)):
        pair = query[(*place, slice(i, i + 1))], key[(*place, slice(j, j + 1))]
        torch.testing.assert_close(scores[(*place, i, j)], score(*pair)[0, 0])


@pytest.mark.parametrize("name", SCORES)
def test_scores_draw_from_their_generator_alone(name):
    torch.manual_seed(1)
    first = SCORES[name](generator=generator()).state_dict()
    torch.manual_seed(2)
    again = SCORES[name](generator=generator()).state_dict()
    assert all(torch.equal(value, again[key]) for key, value in first.items())
    assert all(value.abs().sum() > 0 for value in first.values())


@pytest.mark.parametrize("name", SCORES)
def test_scores_on_the_meta_device(name):
    score = SCORES[name]().to("meta")
    query, key = torch.zeros(2, 4, 3, device="meta"), torch.zeros(2, 6, 5, device="meta")
    mask = torch.ones(2, 1, 6, dtype=torch.bool, device="meta")
    weights = masked_softmax(score(query, key), mask)
    assert weights.shape == (2, 4, 6)
    assert weights.device.type == "meta"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: MultiplicativeScore(0, 2), "query_size is 0, expected at least 1"),
        (lambda: MultiplicativeScore(2, 0), "key_size is 0, expected at least 1"),
        (lambda: ReducedRankScore(2, 2, 0), "rank is 0, expected at least 1"),
        (lambda: AdditiveScore(2, 2, 0), "hidden_size is 0, expected at least 1"),
    ],
)
def test_bad_sizes_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# Alignments


def test_count_aligned():
    weights = torch.tensor([[0.1, 0.7, 0.2], [0.5, 0.5, 0.0]])
    assert count_aligned(weights, [(1, 0), (0, 1)]) == (2, 2)  # of equal weights, the first
    # Two target words may look at one source word: a link belongs to a row, not to a column.
    assert count_aligned(torch.tensor([[0.1, 0.7, 0.2], [0.1, 0.9, 0.0]]), [(1, 0), (1, 1)]) == (
        2,
        2,
    )
    assert count_aligned(weights, [(0, 0), (1, 1)]) == (0, 2)
    assert count_aligned(weights, []) == (0, 0)
    for link in [(3, 0), (0, 2), (-1, 0)]:
        with pytest.raises(ValueError, match=r"links holds .* expected below \(3, 2\)"):
            count_aligned(weights, [link])
