"""word_vectors.negative_sampling against PyTorch, SciPy, numbers by hand, and its properties."""

import math
from collections import Counter

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from course_lib.data import Vocab
from course_lib.word_vectors import word2vec
from course_lib.word_vectors.negative_sampling import (
    NegativeSampling,
    draw_negatives,
    dynamic_window_pairs,
    keep_probability,
    minibatches,
    negative_sampling_gradients,
    negative_sampling_loss,
    noise_distribution,
    subsample,
)

DOCUMENTS = st.lists(st.lists(st.integers(-1, 4), max_size=7), max_size=4)


def rng(seed=0):
    return torch.Generator().manual_seed(seed)


def matrices(words, dim, seed=0, dtype=torch.float64):
    return torch.randn(2, words, dim, generator=rng(seed), dtype=dtype).unbind()


def batch(words, pairs, number, seed=0):
    draw = rng(seed)
    centres, contexts = torch.randint(words, (2, pairs), generator=draw).unbind()
    return centres, contexts, torch.randint(words, (pairs, number), generator=draw)


def torch_loss(V, U, centres, contexts, negatives):
    """Binary cross-entropy of PyTorch over true words (1) and drawn words (0)."""
    words = torch.cat([contexts[:, None], negatives], dim=1)
    logits = (F.embedding(words, U) @ F.embedding(centres, V)[:, :, None]).squeeze(2)
    truth = torch.zeros_like(logits)
    truth[:, 0] = 1
    return F.binary_cross_entropy_with_logits(logits, truth, reduction="sum") / len(centres)


def chi_square(words, probabilities):
    """How surprising the drawn words are; words of probability 0 must not be among them."""
    counts = torch.bincount(words.flatten(), minlength=len(probabilities)).double()
    assert counts[probabilities == 0].sum() == 0
    expected = probabilities.double() / probabilities.double().sum() * counts.sum()
    some = probabilities > 0
    return stats.chisquare(counts[some], expected[some]).pvalue


# Objective and gradients


@given(
    words=st.integers(1, 5),
    pairs=st.integers(1, 9),
    number=st.integers(1, 6),
    seed=st.integers(0, 99),
)
def test_loss_and_gradients_equal_pytorch(words, pairs, number, seed):
    V, U = matrices(words, 3, seed)
    index = batch(words, pairs, number, seed)
    V.requires_grad_(), U.requires_grad_()
    expected = torch_loss(V, U, *index)
    expected.backward()
    with torch.no_grad():
        torch.testing.assert_close(negative_sampling_loss(V, U, *index), expected)
        dV, dU = negative_sampling_gradients(V, U, *index)
    torch.testing.assert_close(dV, V.grad)
    torch.testing.assert_close(dU, U.grad)


@pytest.mark.parametrize("number", [1, 5])
def test_zero_vectors_cost_log_two_for_each_question(number):
    zeros = torch.zeros(9, 4, dtype=torch.float64)
    loss = negative_sampling_loss(zeros, zeros, *batch(9, 3, number))
    assert loss.item() == pytest.approx((number + 1) * math.log(2))


def test_a_word_drawn_twice_pulls_twice():
    V, U = matrices(3, 2)
    word = torch.tensor([0])
    once = negative_sampling_gradients(V, U, word, word + 1, torch.tensor([[2]]))[1][2]
    twice = negative_sampling_gradients(V, U, word, word + 1, torch.tensor([[2, 2]]))[1][2]
    torch.testing.assert_close(twice, 2 * once)


def test_only_the_rows_of_the_pair_move():
    V, U = matrices(8, 2)
    dV, dU = negative_sampling_gradients(
        V, U, torch.tensor([1]), torch.tensor([4]), torch.tensor([[6, 7]])
    )
    assert dV.any(dim=1).nonzero().flatten().tolist() == [1]
    assert dU.any(dim=1).nonzero().flatten().tolist() == [4, 6, 7]


def test_large_scores_neither_overflow_nor_vanish():
    V, U = torch.tensor([[1000.0], [0.0]]), torch.tensor([[-1.0], [1.0]])
    pair = torch.tensor([0]), torch.tensor([0]), torch.tensor([[1]])
    assert negative_sampling_loss(V, U, *pair) == 2000
    assert negative_sampling_gradients(V, U, *pair)[0].tolist() == [[2.0], [0.0]]
    assert negative_sampling_loss(-V, U, *pair) == 0


def test_arguments_stay_as_they_are_and_types_carry_over():
    V, U = matrices(4, 3, dtype=torch.float32)
    index = batch(4, 5, 2)
    copies = [x.clone() for x in (V, U, *index)]
    parts = negative_sampling_loss(V, U, *index), *negative_sampling_gradients(V, U, *index)
    assert {part.dtype for part in parts} == {torch.float32}
    assert all(torch.equal(x, copy) for x, copy in zip((V, U, *index), copies, strict=True))


def test_meta_tensors_have_shapes():
    V, U, *index = (x.to("meta") for x in (*matrices(4, 3), *batch(4, 5, 2)))
    assert negative_sampling_loss(V, U, *index).shape == ()
    assert [g.shape for g in negative_sampling_gradients(V, U, *index)] == [(4, 3), (4, 3)]


@pytest.mark.parametrize("function", [negative_sampling_loss, negative_sampling_gradients])
def test_bad_pairs_are_refused(function):
    V, U = matrices(3, 2)
    good, none = torch.tensor([0]), torch.zeros(0, dtype=torch.int64)
    with pytest.raises(ValueError, match="negatives goes from 3 to 3, expected 0 to 2"):
        function(V, U, good, good, torch.tensor([[3]]))
    with pytest.raises(ValueError, match="contexts goes from -1 to -1"):
        function(V, U, good, torch.tensor([-1]), torch.tensor([[0]]))
    with pytest.raises(ValueError, match="centres is empty"):
        function(V, U, none, none, torch.zeros(0, 2, dtype=torch.int64))
    with pytest.raises(ValueError, match="negatives is empty"):
        function(V, U, good, good, torch.zeros(1, 0, dtype=torch.int64))


# The noise distribution


def test_noise_by_hand():
    u = torch.tensor([0.9, 0.09, 0.01], dtype=torch.float64)
    noise = noise_distribution(u)
    assert [round(p, 4) for p in noise.tolist()] == [0.8250, 0.1467, 0.0282]
    # 16 and 81 are fourth powers: 8 and 27 are their powers 3/4.
    eighths = noise_distribution(torch.tensor([1.0, 16.0, 81.0], dtype=torch.float64))
    torch.testing.assert_close(eighths, torch.tensor([1.0, 8.0, 27.0], dtype=torch.float64) / 36)


def test_vocabulary_noise_and_subsampling_as_gensim_makes_them():
    # What gensim 4.4 holds after Word2Vec([text], min_count=2, sample=0.01): the words in order,
    # cum_table, and sample_int / 2**32, which is min(1, sqrt(t / f) + t / f).
    text = ["rare"] + ["ahab"] * 2 + ["the"] * 81 + ["sea"] * 5 + ["whale"] * 16
    counter = Counter(text)
    words = Vocab(counter, min_count=2).tokens[1:]
    assert words == ("the", "whale", "sea", "ahab")
    counts = torch.tensor([float(counter[word]) for word in words], dtype=torch.float64)
    table = noise_distribution(counts).cumsum(0) * (2**31 - 1)
    assert table.round().long().tolist() == [1448628166, 1877851326, 2057250593, 2147483647]
    keep = keep_probability(counts, 0.01)
    of_program = (keep + keep**2).clamp_max(1).tolist()
    assert of_program == pytest.approx([0.126151051, 0.319950975, 0.664070170, 1], abs=1e-8)


@given(counts=st.lists(st.integers(0, 10**9), min_size=1, max_size=8).filter(any))
def test_noise_lies_between_uniform_and_unigram(counts):
    counts = torch.tensor(counts, dtype=torch.float64)
    noise = noise_distribution(counts)
    assert noise.sum().item() == pytest.approx(1)
    torch.testing.assert_close(noise_distribution(counts, 1.0), counts / counts.sum())
    some = (counts > 0).double()
    torch.testing.assert_close(noise_distribution(counts, 0.0), some / some.sum())
    torch.testing.assert_close(noise_distribution(1000 * counts), noise)
    frequent = counts.argmax()
    assert 1 / some.sum() - 1e-12 <= noise[frequent] <= counts[frequent] / counts.sum() + 1e-12


def test_a_word_that_never_occurs_is_never_drawn():
    assert noise_distribution(torch.tensor([0.0, 5.0]), 0.0).tolist() == [0, 1]
    assert noise_distribution(torch.tensor([1e300, 0.0], dtype=torch.float64), 2.0)[0] == 1


@pytest.mark.parametrize("counts", [[], [0.0, 0.0], [-1.0, 2.0], [math.inf, 1.0], [math.nan]])
def test_counts_without_a_distribution_are_refused(counts):
    with pytest.raises(ValueError, match="counts"):
        noise_distribution(torch.tensor(counts))
    with pytest.raises(ValueError, match="noise"):
        draw_negatives(torch.tensor(counts), 3, rng())


def test_a_negative_exponent_is_refused():
    with pytest.raises(ValueError, match=r"exponent is -1\.0"):
        noise_distribution(torch.ones(2), -1.0)


# Drawing


def test_draws_follow_the_distribution():
    noise = noise_distribution(torch.tensor([50.0, 0.0, 3.0, 1.0, 700.0, 0.0]))
    assert chi_square(draw_negatives(noise, 100_000, rng()), noise) > 0.001


def test_the_smallest_random_number_draws_no_word_of_probability_zero(monkeypatch):
    monkeypatch.setattr(torch, "rand", lambda *size, **_: torch.zeros(*size, dtype=torch.float64))
    assert draw_negatives(torch.tensor([0.0, 1.0, 1.0]), 1, rng()).tolist() == [1]


@pytest.mark.parametrize("own", [0, 1, 2, 4, 5])
def test_draws_leave_out_the_own_context_only(own):
    noise = torch.tensor([0.1, 0.0, 0.4, 0.2, 0.3, 0.0])
    words = draw_negatives(noise, 20_000, rng(own), contexts=torch.tensor([own, own]))
    assert words.shape == (2, 20_000)
    rest = noise.clone()
    rest[own] = 0
    assert chi_square(words, rest) > 0.001


@given(
    weights=st.lists(st.sampled_from([0.0, 1e-30, 1.0, 1e30]), min_size=2, max_size=6),
    seed=st.integers(0, 99),
)
def test_draws_are_words_with_weight_and_never_the_own_context(weights, seed):
    noise = torch.tensor(weights, dtype=torch.float64)
    contexts = torch.arange(len(weights))
    if (noise > 0).sum() < 2:
        with pytest.raises(ValueError, match=r"no negative to draw|no positive entry"):
            draw_negatives(noise, 4, rng(seed), contexts)
        return
    words = draw_negatives(noise, 4, rng(seed), contexts)
    assert (noise[words] > 0).all()
    assert not (words == contexts[:, None]).any()


def test_an_exhausted_support_raises():
    only = torch.tensor([0.0, 1.0, 0.0])
    with pytest.raises(ValueError, match="word 1 only"):
        draw_negatives(only, 2, rng(), contexts=torch.tensor([0, 1]))
    assert draw_negatives(only, 2, rng(), contexts=torch.tensor([0])).tolist() == [[1, 1]]


def test_other_words_of_the_window_may_be_drawn():
    # "a b c": around b stand a and c; as a negative for the pair (b, a), c is allowed.
    words = draw_negatives(torch.ones(3), 50, rng(), contexts=torch.tensor([0]))
    assert 2 in words


def test_nothing_drawn_and_bad_numbers():
    noise = torch.ones(3)
    assert draw_negatives(noise, 0, rng()).shape == (0,)
    none = torch.zeros(0, dtype=torch.int64)
    assert draw_negatives(noise, 5, rng(), none).shape == (0, 5)
    with pytest.raises(ValueError, match="number is -1"):
        draw_negatives(noise, -1, rng())
    with pytest.raises(ValueError, match="contexts goes from 3 to 3"):
        draw_negatives(noise, 1, rng(), torch.tensor([3]))


# The text


def test_keep_probability_by_hand():
    # f = 0.04 and t = 0.01: the root of a quarter. Below t every occurrence is kept.
    keep = keep_probability(torch.tensor([4.0, 95.5, 0.5, 0.0], dtype=torch.float64), 0.01)
    assert keep.tolist() == pytest.approx([0.5, math.sqrt(0.01 / 0.955), 1.0, 1.0])


@given(counts=st.lists(st.integers(0, 10**8), min_size=1, max_size=8).filter(any))
def test_subsampling_keeps_the_order_of_frequencies(counts):
    counts = torch.tensor(counts, dtype=torch.float64)
    keep = keep_probability(counts, 1e-3)
    assert ((keep > 0) & (keep <= 1)).all()
    order = counts.argsort()
    assert (keep[order].diff() <= 0).all()
    assert ((keep * counts)[order].diff() >= -1e-6).all()


def test_subsample_keeps_the_right_share():
    documents = [[0] * 4000, [1] * 4000, [2] * 50]
    parts = subsample(documents, torch.tensor([0.25, 0.0, 1.0]), rng())
    assert abs(len(parts[0]) - 1000) < 5 * math.sqrt(4000 * 0.25 * 0.75)
    assert parts[1:] == [[], documents[2]]


@given(documents=DOCUMENTS, seed=st.integers(0, 99))
def test_subsample_leaves_known_words_in_order(documents, seed):
    copy = [list(document) for document in documents]
    everything = subsample(documents, torch.ones(5), rng(seed))
    assert everything == [[w for w in document if w >= 0] for document in documents]
    assert not any(subsample(documents, torch.zeros(5), rng(seed)))
    for part, document in zip(
        subsample(documents, torch.full((5,), 0.5), rng(seed)), documents, strict=True
    ):
        rest = iter(document)
        assert all(word in rest for word in part)  # a subsequence
    assert documents == copy


def test_bad_texts_are_refused():
    with pytest.raises(ValueError, match=r"keep goes from 0\.0 to 1\.5"):
        subsample([[0]], torch.tensor([0.0, 1.5]), rng())
    with pytest.raises(ValueError, match="documents holds 2"):
        subsample([[2]], torch.ones(2), rng())
    with pytest.raises(ValueError, match=r"threshold is 0\.0"):
        keep_probability(torch.ones(2), 0.0)
    with pytest.raises(ValueError, match="window is 0"):
        dynamic_window_pairs([[1, 2]], 0, rng())


@given(documents=DOCUMENTS, window=st.integers(1, 5), seed=st.integers(0, 99))
def test_dynamic_windows_lie_between_one_and_the_full_window(documents, window, seed):
    def counter(pairs):
        return Counter(zip(*(part.tolist() for part in pairs), strict=True))

    pairs = counter(dynamic_window_pairs(documents, window, rng(seed)))
    assert counter(word2vec.skipgram_pairs(documents, 1)) <= pairs
    assert pairs <= counter(word2vec.skipgram_pairs(documents, window))


def test_dynamic_windows_thin_out_with_the_distance():
    # Every document: word 0, then words 1, 2, 3 at the distances 1, 2, 3.
    centres, contexts = dynamic_window_pairs([[0, 1, 2, 3]] * 6000, 3, rng())
    seen = torch.bincount(contexts[centres == 0], minlength=4).tolist()
    assert seen[1] == 6000
    for distance, share in [(2, 2 / 3), (3, 1 / 3)]:
        assert abs(seen[distance] - 6000 * share) < 5 * math.sqrt(6000 * share * (1 - share))


def test_both_sides_of_a_dynamic_window_have_one_size():
    centres, contexts = dynamic_window_pairs([list(range(300))], 5, rng())
    offsets = contexts - centres
    for centre in range(5, 295):
        seen = offsets[centres == centre].tolist()
        assert seen == [-j for j in reversed(seen)]


# Mini-batches


def test_the_order_is_random():
    def order(seed):
        return torch.cat(list(minibatches(50, 8, rng(seed))))

    assert torch.equal(order(1), order(1))
    assert not torch.equal(order(1), order(2))
    first = torch.stack([next(minibatches(4, 1, rng(seed)))[0] for seed in range(2000)])
    assert chi_square(first, torch.ones(4)) > 0.001


@given(number=st.integers(0, 30), size=st.integers(1, 40), seed=st.integers(0, 99))
def test_each_example_belongs_to_one_batch(number, size, seed):
    batches = list(minibatches(number, size, rng(seed)))
    assert sorted(i for part in batches for i in part.tolist()) == list(range(number))
    assert all(len(part) == size for part in batches[:-1])
    assert all(1 <= len(part) <= size for part in batches)


def test_the_mean_of_the_batch_gradients_is_the_full_gradient():
    X = torch.randn(64, 3, generator=rng(1), dtype=torch.float64)
    y, w = X.sum(dim=1) ** 2, torch.zeros(3, dtype=torch.float64)

    def gradient(chosen):
        return 2 * X[chosen].T @ (X[chosen] @ w - y[chosen]) / len(chosen)

    parts = torch.stack([gradient(part) for part in minibatches(64, 16, rng())])
    full = gradient(torch.arange(64))
    torch.testing.assert_close(parts.mean(dim=0), full)
    assert not torch.allclose(parts[0], full)


def test_bad_batches_are_refused():
    with pytest.raises(ValueError, match="size is 0"):
        minibatches(3, 0, rng())
    with pytest.raises(ValueError, match="number is -1"):
        minibatches(-1, 2, rng())


# Training


def model_with(V, U, noise=None):
    model = NegativeSampling(torch.ones(len(V)) if noise is None else noise, V.shape[1], rng())
    model.input_vectors, model.output_vectors = V.clone(), U.clone()
    return model


@given(seed=st.integers(0, 99), pool=st.integers(1, 6), number=st.integers(1, 4))
def test_a_step_follows_autograd_with_shared_negatives(seed, pool, number):
    V, U = matrices(5, 3, seed)
    centres, contexts, _ = batch(5, 7, 1, seed)
    shared = torch.randint(5, (pool,), generator=rng(seed))
    model = model_with(V, U)
    model.step(centres, contexts, shared, number, 0.1)
    V.requires_grad_(), U.requires_grad_()
    v = V[centres]
    loss = -F.logsigmoid((U[contexts] * v).sum(dim=1)).sum()
    loss = loss - number / pool * F.logsigmoid(-v @ U[shared].T).sum()
    loss.backward()
    torch.testing.assert_close(model.input_vectors, (V - 0.1 * V.grad).detach())
    torch.testing.assert_close(model.output_vectors, (U - 0.1 * U.grad).detach())


def test_shared_negatives_have_the_same_mean_gradient():
    # All pools of two words, each with its probability, against all single negatives.
    V, U = matrices(3, 2)
    noise = torch.tensor([0.5, 0.3, 0.2], dtype=torch.float64)
    centres, contexts = torch.tensor([0, 2]), torch.tensor([1, 1])
    shared, own = torch.zeros_like(V), torch.zeros_like(V)
    for a in range(3):
        column = torch.full((2, 1), a)
        own += noise[a] * 2 * negative_sampling_gradients(V, U, centres, contexts, column)[1]
        for b in range(3):
            model = model_with(V, U)
            model.step(centres, contexts, torch.tensor([a, b]), 1, 1.0)
            shared += noise[a] * noise[b] * (U - model.output_vectors)
    torch.testing.assert_close(shared, own)


def test_training_reaches_the_pmi_minus_log_k():
    # With free vectors, the best score is log P(c, o) / (P(c) P(o)) - log K (Levy and Goldberg).
    counts = torch.tensor([[4.0, 12.0, 8.0], [12.0, 2.0, 6.0], [8.0, 6.0, 10.0]])
    pairs = [(c, o) for c in range(3) for o in range(3) for _ in range(int(counts[c, o]))]
    pairs = torch.tensor(pairs * 20).T
    noise = counts.sum(dim=0) / counts.sum()
    model = NegativeSampling(noise, 6, rng())
    draw = rng(1)
    for rates in [(0.02, 0.02), (0.02, 0.001), (0.001, 0.0001)]:
        for _ in range(25):
            model.epoch(tuple(pairs), draw, rates, number=2, batch=64, pool=64)
    pmi = (counts / counts.sum() / noise / noise[:, None]).log()
    scores = model.input_vectors @ model.output_vectors.T
    assert (scores - (pmi - math.log(2))).abs().max() < 0.1


def test_an_epoch_uses_each_pair_once_with_falling_rates_and_new_negatives():
    steps = []

    class Recorder(NegativeSampling):
        def step(self, centres, contexts, negatives, number, learning_rate):
            steps.append((centres, contexts, negatives, number, learning_rate))

    noise = torch.tensor([0.5, 0.0, 0.2, 0.3])
    pairs = torch.arange(10), 10 + torch.arange(10)
    Recorder(noise, 2, rng()).epoch(pairs, rng(), (0.3, 0.0), number=7, batch=4, pool=2000)
    centres, contexts, negatives, numbers, rates = zip(*steps, strict=True)
    assert [len(part) for part in centres] == [4, 4, 2]
    assert sorted(torch.cat(centres).tolist()) == list(range(10))
    assert torch.equal(torch.cat(contexts), torch.cat(centres) + 10)
    assert numbers == (7, 7, 7)
    assert rates == pytest.approx((0.3, 0.2, 0.1))
    assert not torch.equal(negatives[0], negatives[1])
    for pool in negatives:
        assert pool.shape == (2000,)
        assert chi_square(pool, noise) > 0.001


def test_first_vectors_are_those_of_word2vec():
    model = NegativeSampling(torch.ones(1000), 8, rng())
    # Uniform between -1 / (2 d) and 1 / (2 d) for d = 8, and zero.
    entries = model.input_vectors.flatten()
    assert stats.kstest(entries.numpy(), stats.uniform(-1 / 16, 1 / 8).cdf).pvalue > 0.001
    assert not model.output_vectors.any()


def test_training_is_repeatable_and_depends_on_the_seed():
    pairs = torch.randint(9, (2, 200), generator=rng()).unbind()

    def trained(seed):
        draw = rng(seed)
        model = NegativeSampling(torch.ones(9), 4, draw)
        model.epoch(pairs, draw, (0.025, 0.0001), batch=32)
        return model.input_vectors

    assert torch.equal(trained(1), trained(1))
    assert not torch.equal(trained(1), trained(2))


def test_no_pairs_leave_the_vectors():
    model = NegativeSampling(torch.ones(3), 2, rng())
    before = model.input_vectors.clone()
    none = torch.zeros(0, dtype=torch.int64)
    model.epoch((none, none), rng(), (0.1, 0.0))
    assert torch.equal(model.input_vectors, before)


def test_bad_settings_are_refused():
    with pytest.raises(ValueError, match="dimension is 0"):
        NegativeSampling(torch.ones(2), 0, rng())
    pair = torch.tensor([0]), torch.tensor([1])
    for name in ("number", "batch", "pool"):
        with pytest.raises(ValueError, match=f"{name} is 0"):
            NegativeSampling(torch.ones(2), 2, rng()).epoch(pair, rng(), (0.1, 0.0), **{name: 0})
    for rates in [(0.0, 0.0), (0.1, -0.1), (math.nan, 0.0)]:
        with pytest.raises(ValueError, match=r"rates is \("):
            NegativeSampling(torch.ones(2), 2, rng()).epoch(pair, rng(), rates)
    none = torch.zeros(0, dtype=torch.int64)
    with pytest.raises(ValueError, match="negatives is empty"):
        NegativeSampling(torch.ones(2), 2, rng()).step(*pair, none, 5, 0.1)
