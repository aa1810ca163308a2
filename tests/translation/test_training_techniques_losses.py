"""The module translation.training_techniques: guided attention and minimum risk."""

import itertools
import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.translation.training_techniques import (
    candidate_distribution,
    diagonal_penalty,
    guided_attention_loss,
    minimum_risk_loss,
)


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


# Guided attention


@given(T=st.integers(0, 9), N=st.integers(0, 9), width=st.floats(0.05, 3))
def test_penalty_equals_the_papers_formula(T, N, width):
    expected = [
        [1 - np.exp(-((n / N - t / T) ** 2) / (2 * width**2)) for n in range(N)] for t in range(T)
    ]
    actual = diagonal_penalty(T, N, width)
    np.testing.assert_allclose(actual, np.array(expected).reshape(T, N), atol=1e-12)
    assert ((actual >= 0) & (actual <= 1)).all()
    torch.testing.assert_close(actual.T, diagonal_penalty(N, T, width))


def attention_batch(seed, batch=3, target=5, source=4):
    rng = generator(seed)
    attention = torch.randn(batch, target, source, generator=rng, dtype=torch.float64)
    targets = torch.randint(1, target + 1, (batch,), generator=rng)
    sources = torch.randint(1, source + 1, (batch,), generator=rng)
    outside = torch.arange(source) >= sources.reshape(-1, 1, 1)
    return attention.masked_fill(outside, -math.inf).softmax(dim=-1), targets, sources


@given(seed=st.integers(0, 10**6), width=st.floats(0.1, 1))
def test_loss_is_a_mean_over_real_target_words(seed, width):
    attention, targets, sources = attention_batch(seed)
    total = 0.0
    for A, T, N in zip(attention.tolist(), targets.tolist(), sources.tolist(), strict=True):
        for t, n in itertools.product(range(T), range(N)):
            total += A[t][n] * (1 - math.exp(-((n / N - t / T) ** 2) / (2 * width**2)))
    actual = guided_attention_loss(attention, targets, sources, width)
    assert actual.item() == pytest.approx(total / targets.sum().item())
    assert 0 <= actual < 1


def test_padding_changes_nothing():
    attention, targets, sources = attention_batch(1)
    wider = torch.nn.functional.pad(attention, (0, 2, 0, 3), value=0.5)
    assert guided_attention_loss(wider, targets, sources) == pytest.approx(
        guided_attention_loss(attention, targets, sources).item()
    )


def test_gradient_goes_to_the_real_rows_and_down_the_penalty():
    attention, targets, sources = attention_batch(2)
    leaf = attention.clone().requires_grad_()
    guided_attention_loss(leaf, targets, sources).backward()
    for g, T, N in zip(leaf.grad, targets.tolist(), sources.tolist(), strict=True):
        expected = torch.zeros_like(g)
        expected[:T, :N] = diagonal_penalty(T, N) / targets.sum()
        torch.testing.assert_close(g, expected)


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.float64])
def test_guided_loss_keeps_the_dtype_and_its_arguments(dtype):
    attention, targets, sources = attention_batch(3)
    attention = attention.to(dtype)
    before = attention.clone()
    loss = guided_attention_loss(attention, targets, sources)
    assert loss.dtype == dtype
    assert loss.isfinite()
    assert torch.equal(attention, before)


def test_bad_guides_are_refused():
    attention, one = torch.ones(1, 2, 3), torch.tensor([1])
    with pytest.raises(ValueError, match="target_lengths goes from 3 to 3, expected 0 to 2"):
        guided_attention_loss(attention, torch.tensor([3]), one)
    with pytest.raises(ValueError, match="source_lengths goes from -1 to -1, expected 0 to 3"):
        guided_attention_loss(attention, one, torch.tensor([-1]))
    with pytest.raises(ValueError, match="target_lengths sums to 0, expected at least one"):
        guided_attention_loss(attention, torch.tensor([0]), one)
    with pytest.raises(ValueError, match="width is 0, expected a positive number"):
        diagonal_penalty(2, 2, 0)
    with pytest.raises(ValueError, match="source_length is -1, expected at least 0"):
        diagonal_penalty(2, -1)


# Minimum risk


def scores(seed, batch=3, candidates=4):
    rng = generator(seed)
    log_probs = -5 * torch.rand(batch, candidates, generator=rng, dtype=torch.float64)
    costs = torch.rand(batch, candidates, generator=rng, dtype=torch.float64)
    return log_probs, costs


@given(seed=st.integers(0, 10**6), sharpness=st.floats(0, 3))
def test_distribution_is_the_papers_power_of_probabilities(seed, sharpness):
    log_probs, _ = scores(seed)
    powers = np.exp(log_probs.numpy()) ** sharpness
    expected = powers / powers.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(candidate_distribution(log_probs, sharpness), expected)


@given(seed=st.integers(0, 10**6), sharpness=st.floats(0, 3))
def test_gradient_is_that_of_the_derivation(seed, sharpness):
    """The derivative by log-probability k is alpha Q_k (cost_k - risk), over the batch size."""
    log_probs, costs = scores(seed)
    leaf = log_probs.clone().requires_grad_()
    loss = minimum_risk_loss(leaf, costs, sharpness)
    loss.backward()
    q = candidate_distribution(log_probs, sharpness)
    risk = (q * costs).sum(dim=1, keepdim=True)
    torch.testing.assert_close(loss.detach(), risk.mean())
    torch.testing.assert_close(leaf.grad, sharpness * q * (costs - risk) / 3)


@given(seed=st.integers(0, 10**6), shift=st.floats(-10, 10))
def test_a_baseline_moves_the_risk_and_not_the_gradient(seed, shift):
    log_probs, costs = scores(seed)
    gradients = []
    for c in (costs, costs + shift):
        leaf = log_probs.clone().requires_grad_()
        minimum_risk_loss(leaf, c).backward()
        gradients.append(leaf.grad)
    torch.testing.assert_close(*gradients)


def test_over_all_sentences_it_is_the_true_risk():
    """All 3 ** 2 sentences of a toy: the same gradient as from the expectation itself."""
    rng = generator(0)
    logits = torch.randn(2, 3, generator=rng, dtype=torch.float64, requires_grad=True)
    sentences = list(itertools.product(range(3), repeat=2))
    costs = torch.rand(1, 9, generator=rng, dtype=torch.float64)
    log_p = logits.log_softmax(dim=1)
    log_probs = torch.stack([log_p[0, a] + log_p[1, b] for a, b in sentences]).unsqueeze(0)
    (ours,) = torch.autograd.grad(minimum_risk_loss(log_probs, costs), logits)
    p = logits.softmax(dim=1)
    risk = sum(p[0, a] * p[1, b] * c for (a, b), c in zip(sentences, costs[0], strict=True))
    (expected,) = torch.autograd.grad(risk, logits)
    torch.testing.assert_close(ours, expected)


def test_masked_candidates_count_nowhere():
    log_probs, costs = scores(5)
    mask = torch.tensor([[True, True, False, False], [False] * 4, [True] * 4])
    spoiled = torch.where(mask, costs, math.nan)
    leaf = torch.where(mask, log_probs, -math.inf).requires_grad_()
    loss = minimum_risk_loss(leaf, spoiled, 0.5, mask)
    alone = [
        minimum_risk_loss(log_probs[:1, :2], costs[:1, :2], 0.5),
        minimum_risk_loss(log_probs[2:], costs[2:], 0.5),
    ]
    torch.testing.assert_close(loss, sum(alone) / 2)
    loss.backward()
    assert leaf.grad.isfinite().all()
    assert (leaf.grad[~mask] == 0).all()
    assert candidate_distribution(log_probs, 1.0, mask)[1].tolist() == [0] * 4


def test_one_candidate_teaches_nothing():
    log_probs = torch.tensor([[-3.0]], requires_grad=True)
    minimum_risk_loss(log_probs, torch.tensor([[0.7]])).backward()
    assert log_probs.grad.tolist() == [[0.0]]


def test_very_improbable_candidates():
    log_probs = torch.tensor([[-2000.0, -2001.0]])
    q = candidate_distribution(log_probs)
    torch.testing.assert_close(
        q, torch.tensor([[1.0, 0.0]]) + 0.2689 * torch.tensor([[-1, 1]]), atol=1e-4, rtol=0
    )


def test_costs_get_no_gradient_and_stay():
    log_probs, costs = scores(6)
    leaf = costs.clone().requires_grad_()
    assert not minimum_risk_loss(log_probs, leaf).requires_grad
    assert torch.equal(leaf, costs)


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.float64])
def test_risk_keeps_the_dtype(dtype):
    log_probs, costs = scores(7)
    assert minimum_risk_loss(log_probs.to(dtype), costs.to(dtype)).dtype == dtype


def test_losses_run_on_the_meta_device():
    log_probs = torch.empty(2, 3, device="meta")
    mask = torch.empty(2, 3, device="meta", dtype=torch.bool)
    assert minimum_risk_loss(log_probs, log_probs, 1.0, mask).is_meta


def test_bad_risks_are_refused():
    log_probs, costs = scores(8)
    for sharpness in (-1, math.inf, math.nan):
        with pytest.raises(ValueError, match=f"sharpness is {sharpness}, expected a number"):
            minimum_risk_loss(log_probs, costs, sharpness)
    with pytest.raises(ValueError, match="mask leaves no candidate, expected at least one"):
        minimum_risk_loss(log_probs, costs, 1.0, torch.zeros(3, 4, dtype=torch.bool))
    with pytest.raises(ValueError, match="mask leaves no candidate"):
        minimum_risk_loss(log_probs[:0], costs[:0])
