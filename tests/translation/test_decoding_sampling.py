"""Sampling of translation.decoding against torch, scipy and exact probabilities."""

import math
from collections import Counter

import numpy as np
import pytest
import torch
from decoding_models import BINARY, SOURCE, gru, random_table
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from course_lib.translation.decoding import (
    TableTranslator,
    beam_search,
    exhaustive_search,
    next_word_distribution,
    nucleus_mask,
    sample,
    sentence_log_probability,
    top_k_mask,
)
from course_lib.translation.decoding.sampling import draw
from course_lib.translation.sequence_to_sequence import BOS, EOS, PAD


def rng(seed=0):
    return torch.Generator().manual_seed(seed)


def rows_of_logits():
    return st.lists(st.integers(-8, 8), min_size=2, max_size=7).map(
        lambda values: torch.tensor(values, dtype=torch.float64) / 2
    )


@given(logits=rows_of_logits(), temperature=st.floats(0.05, 20))
def test_temperature_equals_torch(logits, temperature):
    expected = torch.distributions.Categorical(logits=logits / temperature).probs
    actual = next_word_distribution(logits, temperature=temperature)
    torch.testing.assert_close(actual, expected)


@given(logits=rows_of_logits(), k=st.integers(1, 9))
def test_top_k_keeps_exactly_k_and_the_best(logits, k):
    p = logits.softmax(-1)
    mask = top_k_mask(p, k)
    assert mask.sum() == min(k, len(p))
    torch.testing.assert_close(p[mask].sum(), p.topk(min(k, len(p))).values.sum())
    # Among equals the smaller ids stay.
    for i in range(len(p)):
        for j in range(i):
            assert mask[j] or not mask[i] or p[i] > p[j]
    expected = torch.where(mask, p, 0) / p[mask].sum()
    torch.testing.assert_close(next_word_distribution(logits, top_k=k), expected)


@given(logits=rows_of_logits(), mass=st.floats(0.01, 1))
def test_nucleus_is_the_smallest_set_that_reaches_the_mass(logits, mass):
    p = logits.softmax(-1)
    mask = nucleus_mask(p, mass)
    order = sorted(range(len(p)), key=lambda i: (-p[i].item(), i))
    if mass < 1:
        size = 1
        while sum(p[order[:size]].tolist()) < mass - 1e-12 and size < len(p):
            size += 1
        # At a sum that equals the mass, rounding may decide for one word more.
        assert mask.sum().item() in {size, size + 1}
        if mask.sum() > size:
            assert sum(p[order[:size]].tolist()) == pytest.approx(mass, abs=1e-9)
    else:
        assert mask.all()
    assert mask[order[: int(mask.sum())]].all()


def test_nuclei_by_hand():
    p = torch.tensor([0.125, 0.5, 0.125, 0.25])
    assert [nucleus_mask(p, m).tolist() for m in (0.5, 0.51, 0.75, 0.8, 1)] == [
        [False, True, False, False],
        [False, True, False, True],
        [False, True, False, True],
        [True, True, False, True],
        [True, True, True, True],
    ]
    assert nucleus_mask(p, 1e-30).sum() == 1
    assert nucleus_mask(torch.full((4,), 0.25), 0.5).tolist() == [True, True, False, False]
    # In single precision the sum is 1 before the last word; nothing may be lost for it.
    tail = torch.tensor([1.0, 1e-12])
    assert nucleus_mask(tail, 1).all()


def test_truncation_goes_from_temperature_to_top_k_to_nucleus():
    logits = torch.tensor([0.4, 0.3, 0.2, 0.1], dtype=torch.float64).log()
    # Of the first three words, the first two have 7/9 of the mass.
    p = next_word_distribution(logits, top_k=3, top_p=0.75)
    torch.testing.assert_close(p, torch.tensor([4 / 7, 3 / 7, 0, 0], dtype=torch.float64))
    # Squared: 16, 9, 4, 1 of 30. The temperature comes first, and .6 is reached with two words.
    p = next_word_distribution(logits, temperature=0.5, top_p=0.6)
    torch.testing.assert_close(p, torch.tensor([16 / 25, 9 / 25, 0, 0], dtype=torch.float64))


def test_extreme_logits_and_temperatures():
    assert next_word_distribution(torch.tensor([1000.0, 0.0])).tolist() == [1, 0]
    assert next_word_distribution(
        torch.tensor([2.0, 1.0, -math.inf]), temperature=1e-300
    ).tolist() == [1, 0, 0]
    assert next_word_distribution(torch.tensor([2.0, 2.0, 1.0]), temperature=1e-30).tolist() == [
        0.5,
        0.5,
        0,
    ]
    flat = next_word_distribution(torch.tensor([5.0, 1.0, -math.inf]), temperature=1e30)
    torch.testing.assert_close(flat, torch.tensor([0.5, 0.5, 0.0]))
    assert next_word_distribution(torch.tensor([3.0]), top_k=1, top_p=0.1).tolist() == [1]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_types_devices_and_batches(dtype):
    logits = torch.randn(2, 3, 8, generator=rng()).to(dtype)
    before = logits.clone()
    options = {"temperature": 0.7, "top_k": 5, "top_p": 0.8}
    p = next_word_distribution(logits, **options)
    assert torch.equal(logits, before)
    assert p.dtype == torch.promote_types(dtype, torch.float32)
    torch.testing.assert_close(p.sum(-1), torch.ones(2, 3, dtype=p.dtype))
    assert ((p > 0).sum(-1) >= 1).all()
    for i in range(2):
        for j in range(3):
            assert torch.equal(next_word_distribution(logits[i, j], **options), p[i, j])
    assert next_word_distribution(logits.to("meta"), **options).is_meta
    assert next_word_distribution(logits[:0], **options).shape == (0, 3, 8)


@given(seed=st.integers(0, 1000), zeros=st.integers(0, 6))
def test_draw_inverts_the_distribution_function(seed, zeros):
    generator = np.random.default_rng(seed)
    p = generator.random(8) + 0.01
    p[generator.permutation(8)[:zeros]] = 0
    p /= p.sum()
    u = generator.random(50)
    drawn = draw(torch.tensor(p).expand(50, -1), torch.tensor(u)).tolist()
    assert drawn == np.searchsorted(np.cumsum(p), u * np.cumsum(p)[-1], side="right").tolist()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_draw_never_takes_an_impossible_word(dtype):
    p = torch.tensor([[0.0, 0.1, 0.0, 0.2, 0.7, 0.0]], dtype=dtype).expand(4, -1)
    ends = torch.tensor([0.0, 0.1, 0.3, 1 - 2**-53], dtype=torch.float64)
    assert set(draw(p, ends).tolist()) <= {1, 3, 4}
    assert draw(p, ends)[[0, 3]].tolist() == [1, 4]


@pytest.mark.parametrize(
    "options",
    [{}, {"temperature": 0.5}, {"temperature": 2.0}, {"top_k": 2}, {"top_p": 0.55}],
    ids=str,
)
def test_frequencies_match_the_probabilities(options):
    table = {
        "": {"a": 0.5, "b": 0.3, "<eos>": 0.2},
        "a": {"a": 0.1, "b": 0.6, "<eos>": 0.3},
        "b": {"a": 0.25, "b": 0.25, "<eos>": 0.5},
    }

    def changed(row):
        """The row after the options, in plain Python."""
        p = {word: x ** (1 / options.get("temperature", 1)) for word, x in row.items()}
        p = {word: x / sum(p.values()) for word, x in p.items()}
        order = sorted(p, key=lambda word: (-p[word], ["<eos>", "a", "b"].index(word)))
        if "top_k" in options:
            order = order[: options["top_k"]]
        if "top_p" in options:
            sums = np.cumsum([p[word] for word in order])
            order = order[: int((sums < options["top_p"] - 1e-12).sum()) + 1]
        return {word: p[word] / sum(p[w] for w in order) for word in order}

    changed_model = TableTranslator({prefix: changed(row) for prefix, row in table.items()})
    every = exhaustive_search(changed_model, changed_model.sources, 2)[0]
    exact = {h.tokens: math.exp(h.log_probability) for h in every}
    model = TableTranslator(table)
    drawn = sample(model, model.sources.expand(20_000, 1), 2, generator=rng(1), **options)
    counts = Counter(h.tokens for h in drawn)
    assert set(counts) == set(exact)
    assert (
        chisquare([counts[tokens] for tokens in exact], [20_000 * p for p in exact.values()]).pvalue
        > 0.01
    )


def test_wrong_probabilities_would_be_noticed():
    model = TableTranslator({"": {"a": 0.5, "b": 0.5}})
    drawn = sample(model, model.sources.expand(20_000, 1), 1, generator=rng())
    share = sum(h.tokens == (4,) for h in drawn)
    assert chisquare([share, 20_000 - share], [10_400, 9_600]).pvalue < 1e-6


@settings(max_examples=15)
@given(seed=st.integers(0, 100))
def test_a_batch_gives_what_its_members_give_one_after_the_other(seed):
    model = gru(seed).double()
    options = {"temperature": 1.3, "top_k": 6, "top_p": 0.95}
    together = sample(model, SOURCE, 6, generator=rng(seed), **options)
    one_generator = rng(seed)
    for row, hypothesis in zip(SOURCE, together, strict=True):
        alone = row[row != PAD].unsqueeze(0)
        [own] = sample(model, alone, 6, generator=one_generator, **options)
        assert own.tokens == hypothesis.tokens
        assert own.log_probability == pytest.approx(hypothesis.log_probability)
    assert sample(model, SOURCE, 6, generator=rng(seed), **options) == together


@settings(max_examples=15)
@given(seed=st.integers(0, 100), temperature=st.sampled_from([0.5, 1.0, 3.0]))
def test_samples_have_the_probability_of_teacher_forcing(seed, temperature):
    model = gru(seed)
    found = sample(model, SOURCE, 5, generator=rng(seed), temperature=temperature)
    sentences = [h.tokens for h in found]
    forced = sentence_log_probability(model, SOURCE, sentences)
    assert [h.log_probability for h in found] == pytest.approx(forced.tolist(), rel=1e-4)
    assert [h.score for h in found] == [h.log_probability for h in found]
    assert all({PAD, BOS, EOS}.isdisjoint(s) and len(s) <= 5 for s in sentences)


@pytest.mark.parametrize("options", [{"top_k": 1}, {"top_p": 1e-9}, {"temperature": 1e-9}], ids=str)
def test_the_limits_are_greedy_search(options):
    model = gru(3)
    drawn = sample(model, SOURCE, 6, generator=rng(), **options)
    greedy = beam_search(model, SOURCE, 1, 6)
    assert [h.tokens for h in drawn] == [h.tokens for [h] in greedy]


def test_seeds_differ_and_the_global_generator_stays_untouched():
    model = TableTranslator(random_table(5, "abc", 4))
    source = model.sources.expand(50, 1)
    before = torch.get_rng_state()
    assert sample(model, source, 4, generator=rng(0)) != sample(model, source, 4, generator=rng(1))
    assert torch.equal(before, torch.get_rng_state())


def test_a_sentence_that_does_not_end_is_ended_and_empty_batches_pass():
    model = TableTranslator(BINARY)
    [cut] = sample(model, model.sources, 1, generator=rng())
    assert len(cut.tokens) == 1
    assert cut.log_probability == -math.inf  # <eos> is impossible there
    assert sample(model, model.sources[:0], 3, generator=rng()) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"temperature": 0}, "temperature is 0, expected a positive number"),
        ({"temperature": -1.0}, r"temperature is -1\.0"),
        ({"temperature": math.inf}, "temperature is inf"),
        ({"temperature": math.nan}, "temperature is nan"),
        ({"top_k": 0}, "top_k is 0, expected at least 1"),
        ({"top_p": 0.0}, r"top_p is 0\.0, expected a number above 0 and at most 1"),
        ({"top_p": 1.01}, r"top_p is 1\.01"),
        ({"top_p": math.nan}, "top_p is nan"),
        ({"max_length": 0}, "max_length is 0, expected at least 1"),
    ],
)
def test_bad_arguments_are_refused(options, message):
    model = TableTranslator(BINARY)
    with pytest.raises(ValueError, match=message):
        sample(model, model.sources, generator=rng(), **{"max_length": 3, **options})
