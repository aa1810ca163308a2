"""Searches of translation.decoding against enumeration, a plain beam search and the GRU model."""

import itertools
import math
from collections import namedtuple

import pytest
import torch
from decoding_models import BINARY, SOURCE, gru, random_table
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from course_lib.translation.decoding import (
    TableTranslator,
    beam_search,
    best_k,
    coverage_penalty,
    exhaustive_search,
    gnmt_penalty,
    no_penalty,
    power_penalty,
    reorder,
    sentence_log_probability,
    word_log_probabilities,
)
from course_lib.translation.sequence_to_sequence import (
    BOS,
    EOS,
    PAD,
    translate_greedily,
)

PENALTIES = [no_penalty, power_penalty(0.75), power_penalty(1), gnmt_penalty(0.6)]


def plain_beam_search(table, vocab, beam_size, max_length, penalty):
    """The same search for one sentence, in lists, and always to the end."""
    beam, finished = [((), 0.0)], []
    for length in range(1, max_length + 2):
        candidates = []
        for prefix, log_p in beam:
            row = table.get(" ".join(prefix), {"<eos>": 1.0})
            for word in vocab.tokens:
                p = row.get(word, 0)
                if p > 0 and (word == "<eos>" or length <= max_length):
                    candidates.append(((*prefix, word), log_p + math.log(p)))
        # Rounded, so that both programs see the same ties; sorted() keeps the order of equals.
        best = sorted(candidates, key=lambda c: -round(c[1], 9))[:beam_size]
        finished += [(c[:-1], log_p / penalty(length)) for c, log_p in best if c[-1] == "<eos>"]
        beam = [(c, log_p) for c, log_p in best if c[-1] != "<eos>"]
    return sorted(finished, key=lambda f: -round(f[1], 9))[:beam_size]


def words_of(model, hypothesis):
    return tuple(model.vocab.tokens[i] for i in hypothesis.tokens)


@given(
    rows=st.lists(st.lists(st.integers(0, 4), min_size=6, max_size=6), min_size=1, max_size=3),
    k=st.integers(1, 8),
)
def test_best_k_is_the_head_of_a_stable_sort(rows, k):
    scores = torch.tensor(rows, dtype=torch.float32).masked_fill(torch.tensor(rows) == 0, -math.inf)
    values, places = best_k(scores, k)
    expected = [sorted(range(6), key=lambda i: -row[i])[:k] for row in rows]
    assert places.tolist() == expected
    assert torch.equal(values, scores.gather(1, places))


def test_beam_size_vocab_is_not_exhaustive():
    model = TableTranslator(BINARY)
    found = {k: beam_search(model, model.sources, k, max_length=3)[0][0] for k in (1, 2, 4)}
    assert math.exp(found[2].log_probability) == pytest.approx(0.15)
    assert words_of(model, found[4]) == ("b", "b", "a")
    assert math.exp(found[4].log_probability) == pytest.approx(0.2)
    assert words_of(model, found[1]) == ("a", "a", "a")
    best = exhaustive_search(model, model.sources, 3)[0][0]
    assert (words_of(model, best), round(math.exp(best.log_probability), 9)) == (
        ("b", "b", "a"),
        0.2,
    )


@settings(max_examples=80)
@given(
    seed=st.integers(0, 10_000),
    size=st.integers(1, 3),
    depth=st.integers(1, 4),
    beam_size=st.integers(1, 6),
    max_length=st.integers(1, 6),
    penalty=st.sampled_from(PENALTIES),
)
def test_beam_search_equals_a_plain_one_that_never_stops_early(
    seed, size, depth, beam_size, max_length, penalty
):
    table = random_table(seed, "abc"[:size], depth)
    model = TableTranslator(table)
    found = beam_search(model, model.sources, beam_size, max_length, length_penalty=penalty)[0]
    expected = plain_beam_search(table, model.vocab, beam_size, max_length, penalty)
    assert [words_of(model, h) for h in found] == [words for words, _ in expected]
    assert [h.score for h in found] == pytest.approx([score for _, score in expected])


def chain(length):
    """Two short sentences, with .4 and .27, and one that goes on for long, with .33."""
    table = {"": {"<eos>": 0.4, "a": 0.6}, "a": {"<eos>": 0.45, "a": 0.55}}
    return table | {" ".join("a" * n): {"a": 1.0} for n in range(2, length)}


@pytest.mark.parametrize("penalty", PENALTIES)
def test_a_full_list_does_not_stop_a_search_that_can_still_improve_it(penalty):
    model = TableTranslator(chain(9))
    [found] = beam_search(model, model.sources, 2, 12, length_penalty=penalty)
    assert (4,) * 9 in [h.tokens for h in found]


@pytest.mark.parametrize("alpha", [0.75, 1])
def test_a_penalty_can_lift_a_prefix_over_a_list_that_is_far_ahead(alpha):
    table = {"": {"<eos>": 0.5, "a": 0.5}, "a": {"<eos>": 0.8, "a": 0.2}}
    table |= {" ".join("a" * n): {"a": 1.0} for n in range(2, 9)}
    penalty = power_penalty(alpha)
    # With one token more the prefix "a a" (.1) would score less than the list, with ten it wins.
    assert math.log(0.1) / penalty(3) < math.log(0.5) / penalty(1) < math.log(0.1) / penalty(10)
    model = TableTranslator(table)
    best = beam_search(model, model.sources, 2, 12, length_penalty=penalty)[0][0]
    assert len(best.tokens) == 9


def test_the_bound_reaches_to_the_longest_sentence():
    p = math.exp(-6.6)
    table = {"": {"<eos>": 0.5, "a": 0.5}, "a": {"<eos>": 1 - 2 * p, "a": 2 * p}}
    table |= {" ".join("a" * n): {"a": 1.0} for n in range(2, 9)}
    # It takes all ten tokens to enter the list, in which the empty sentence is second.
    assert math.log(p) / 9 < math.log(0.5) < math.log(p) / 10
    model = TableTranslator(table)
    [found] = beam_search(model, model.sources, 2, 9, length_penalty=power_penalty(1))
    assert [len(h.tokens) for h in found] == [1, 9]


def test_a_search_stops_when_nothing_can_improve_its_list():
    steps = []

    class Counting(TableTranslator):
        def step(self, tokens, state):
            steps.append(len(tokens))
            return super().step(tokens, state)

    model = Counting(chain(50))
    # After two steps the list holds .4 and .27, and the beam a prefix with .33: it goes on.
    beam_search(model, model.sources, 2, 60)
    assert len(steps) == 51
    steps.clear()
    # The one best is settled at the first step: .4 ends, and .6 is cut off by the beam of 1 ...
    model = Counting({"": {"<eos>": 0.6, "a": 0.4}} | {k: v for k, v in chain(50).items() if k})
    beam_search(model, model.sources, 1, 60)
    assert len(steps) == 1
    steps.clear()
    # ... and here the two best are settled when .48 and .208 are finished and .187 goes on.
    table = {"": {"<eos>": 0.48, "a": 0.52}, "a": {"<eos>": 0.4, "a": 0.6}}
    table |= {"a a": {"a": 0.6, "b": 0.4}} | {" ".join("a" * n): {"a": 1.0} for n in range(3, 50)}
    model = Counting(table)
    beam_search(model, model.sources, 2, 60)
    assert len(steps) == 3


@given(
    seed=st.integers(0, 10_000), max_length=st.integers(1, 3), penalty=st.sampled_from(PENALTIES)
)
def test_a_beam_as_wide_as_all_prefixes_is_exhaustive(seed, max_length, penalty):
    model = TableTranslator(random_table(seed, "ab", 4))
    every = exhaustive_search(model, model.sources, max_length, length_penalty=penalty)[0]
    found = beam_search(model, model.sources, 3**4, max_length, length_penalty=penalty)[0]
    assert [h.score for h in found] == pytest.approx([h.score for h in every])
    assert {h.tokens for h in found} == {h.tokens for h in every}


@given(seed=st.integers(0, 10_000))
def test_probabilities_of_all_sentences_sum_to_one(seed):
    model = TableTranslator(random_table(seed, "abc", 3))
    every = exhaustive_search(model, model.sources, 3)[0]
    assert sum(math.exp(h.log_probability) for h in every) == pytest.approx(1)
    assert [h.score for h in every] == sorted((h.score for h in every), reverse=True)


@pytest.mark.parametrize("penalty", PENALTIES)
def test_exhaustive_search_equals_enumeration_with_teacher_forcing(penalty):
    model = gru(vocab=6).double()
    found = exhaustive_search(model, SOURCE[:2], 3, length_penalty=penalty)
    words = [0, 4, 5]  # not <pad>, <bos>, <eos>
    sentences = [s for n in range(4) for s in itertools.product(words, repeat=n)]
    for row, hypotheses in zip(SOURCE[:2], found, strict=True):
        log_p = []
        for sentence in sentences:
            logits = model(row.unsqueeze(0), torch.tensor([[BOS, *sentence]]))
            losses = nn.functional.cross_entropy(
                logits[0], torch.tensor([*sentence, EOS]), reduction="sum"
            )
            log_p.append(-losses.item())
        scores = {s: p / penalty(len(s) + 1) for s, p in zip(sentences, log_p, strict=True)}
        assert [h.tokens for h in hypotheses] == sorted(scores, key=scores.get, reverse=True)
        assert [h.score for h in hypotheses] == pytest.approx(sorted(scores.values(), reverse=True))


@settings(max_examples=15)
@given(seed=st.integers(0, 200), penalty=st.sampled_from(PENALTIES))
def test_a_beam_of_one_is_greedy_search(seed, penalty):
    model = gru(seed)
    greedy = translate_greedily(model, SOURCE, 7)
    found = beam_search(model, SOURCE, 1, 7, length_penalty=penalty)
    assert [list(h.tokens) for [h] in found] == greedy


@settings(max_examples=15)
@given(seed=st.integers(0, 200), beam_size=st.integers(1, 6), penalty=st.sampled_from(PENALTIES))
def test_hypotheses_have_the_probability_of_teacher_forcing(seed, beam_size, penalty):
    model = gru(seed)
    found = beam_search(model, SOURCE, beam_size, 6, length_penalty=penalty)
    for row, hypotheses in zip(SOURCE, found, strict=True):
        sentences = [h.tokens for h in hypotheses]
        forced = sentence_log_probability(model, row.expand(len(sentences), -1), sentences)
        assert [h.log_probability for h in hypotheses] == pytest.approx(forced.tolist(), rel=1e-4)
        expected = [h.log_probability / penalty(len(h.tokens) + 1) for h in hypotheses]
        assert [h.score for h in hypotheses] == pytest.approx(expected)
        assert len(set(sentences)) == len(sentences) == beam_size
        assert {PAD, BOS, EOS}.isdisjoint(itertools.chain(*sentences))
        assert all(len(sentence) <= 6 for sentence in sentences)


@settings(max_examples=15)
@given(seed=st.integers(0, 200), beam_size=st.integers(1, 5))
def test_a_batch_gives_what_its_members_give_one_by_one(seed, beam_size):
    model = gru(seed).double()
    together = beam_search(model, SOURCE, beam_size, 8, length_penalty=power_penalty(0.75))
    for row, hypotheses in zip(SOURCE, together, strict=True):
        alone = row[row != PAD].unsqueeze(0)  # without its pads, too
        [own] = beam_search(model, alone, beam_size, 8, length_penalty=power_penalty(0.75))
        assert [h.tokens for h in own] == [h.tokens for h in hypotheses]
        assert [h.score for h in own] == pytest.approx([h.score for h in hypotheses])


def test_tables_in_a_batch_are_searched_separately():
    tables = [random_table(seed, "abc", 3) for seed in range(6)]
    model = TableTranslator(*tables)
    together = beam_search(model, model.sources, 3, 4)
    every = exhaustive_search(model, model.sources, 4)
    for i in range(6):
        assert beam_search(model, model.sources[i : i + 1], 3, 4) == together[i : i + 1]
        assert exhaustive_search(model, model.sources[i : i + 1], 4) == every[i : i + 1]


def test_teacher_forcing_of_a_table():
    model = TableTranslator(BINARY)
    p = sentence_log_probability(model, model.sources[[0, 0]], [[5, 5, 4], [4, 4, 4]]).exp()
    torch.testing.assert_close(p, torch.tensor([0.2, 0.125], dtype=torch.float64))


def test_more_hypotheses_than_there_are_sentences():
    model = TableTranslator({"": {"a": 0.7, "<eos>": 0.3}})
    [found] = beam_search(model, model.sources, 50, 3)
    assert [h.tokens for h in found] == [(4,), ()]
    # Of no words at most is only <eos>, and of one word at most everything.
    assert [h.tokens for h in exhaustive_search(model, model.sources, 0)[0]] == [()]


def test_an_impossible_sentence_is_never_returned():
    model = TableTranslator({"": {"a": 1.0}, "a": {"a": 1.0}})
    assert beam_search(model, model.sources, 3, max_length=1) == [[]]
    assert exhaustive_search(model, model.sources, 1) == [[]]
    assert [h.tokens for h in beam_search(model, model.sources, 3, max_length=2)[0]] == [(4, 4)]


def test_a_long_sentence_does_not_underflow():
    table = {" ".join("a" * n): {"a": 0.1, "b": 0.9} for n in range(400)}
    model = TableTranslator(table)
    [found] = exhaustive_search(model, model.sources, 400)
    longest = {h.tokens: h.log_probability for h in found}[(4,) * 400]
    assert longest == pytest.approx(400 * math.log(0.1))


def test_empty_batch():
    model = TableTranslator(BINARY)
    assert beam_search(model, model.sources[:0], 2, 3) == []
    assert exhaustive_search(model, model.sources[:0], 3) == []


def test_nothing_is_changed():
    model, source = gru().train(), SOURCE.clone()
    weights = {name: value.clone() for name, value in model.state_dict().items()}
    beam_search(model, source, 3, 4)
    sentence_log_probability(model, source, [[4]] * 4)
    assert torch.equal(source, SOURCE)
    assert model.training
    assert all(torch.equal(weights[name], value) for name, value in model.state_dict().items())


def test_reorder_keeps_a_named_tuple():
    Pair = namedtuple("Pair", "left right")
    state = Pair(torch.tensor([1, 2]), torch.tensor([[3], [4]]))
    again = reorder(state, torch.tensor([1, 1, 0]))
    assert isinstance(again, Pair)
    assert again.left.tolist() == [2, 2, 1]
    assert again.right.tolist() == [[4], [4], [3]]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_log_probabilities_are_at_least_single_precision(dtype):
    logits = torch.tensor([[0.0, 9.0, 9.0, 1.0, 1000.0]], dtype=dtype)
    log_p = word_log_probabilities(logits)
    assert log_p.dtype == torch.promote_types(dtype, torch.float32)
    assert log_p[0, [PAD, BOS]].tolist() == [-math.inf, -math.inf]
    assert log_p[0, 4].item() == 0
    assert logits[0, PAD] == 9
    assert word_log_probabilities(logits.to("meta")).is_meta
    leaf = torch.randn(5, dtype=torch.float64, requires_grad=True)
    word_log_probabilities(leaf)[3].backward()
    torch.testing.assert_close(leaf.grad, torch.eye(5, dtype=leaf.dtype)[3] - leaf.softmax(0))


def test_penalties_by_hand():
    assert [power_penalty(0.75)(n) for n in (1, 16, 81)] == pytest.approx([1, 8, 27])
    assert [gnmt_penalty(0.5)(n) for n in (1, 19, 49)] == pytest.approx([1, 2, 3])
    assert [p(7) for p in (no_penalty, power_penalty(0), gnmt_penalty(0))] == [1, 1, 1]
    attention = torch.tensor([[0.5, 0.25, 0.25], [1.0, 0.0, 0.0]])
    mask = torch.tensor([True, True, False])
    assert coverage_penalty(attention, mask).item() == pytest.approx(math.log(0.25))
    assert coverage_penalty(torch.eye(3), torch.ones(3, dtype=torch.bool)).item() == 0


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.float64])
def test_a_word_without_any_attention_counts_a_finite_number(dtype):
    attention = torch.zeros(2, 3, 4, dtype=dtype, requires_grad=True)
    penalty = coverage_penalty(attention, torch.ones(2, 4, dtype=torch.bool))
    assert penalty.dtype == dtype
    assert penalty.isfinite().all()
    penalty.sum().backward()
    assert attention.grad.isfinite().all()
    meta = coverage_penalty(attention.to("meta"), torch.ones(2, 4, dtype=torch.bool, device="meta"))
    assert meta.is_meta


class Attentive(TableTranslator):
    """Writing a, it looks at the first source word, writing b at the second, <eos> at a pad."""

    def attention(self, source, target_input):
        outputs = nn.functional.pad(target_input[:, 1:], (0, 1), value=6)
        return 0.1 + 0.7 * nn.functional.one_hot(outputs - 4, 3).double()


def test_coverage_prefers_the_translation_that_leaves_nothing_out():
    model = Attentive({"": {"a": 0.6, "b": 0.4}, "a": {"b": 0.4, "<eos>": 0.6}})
    source = torch.tensor([[4, 5, PAD]])
    [without] = beam_search(model, source, 3, 2)
    assert [words_of(model, h) for h in without] == [("b",), ("a",), ("a", "b")]
    [found] = beam_search(model, source, 3, 2, coverage_weight=0.5)
    # The word that is looked at gets .8 + .1, the other one .1 + .1; a b covers both.
    gap = 0.5 * math.log(0.9 * 0.2)
    expected = {("a", "b"): math.log(0.24), ("b",): math.log(0.4) + gap}
    expected["a",] = math.log(0.36) + gap
    assert [words_of(model, h) for h in found] == list(expected)
    assert [h.score for h in found] == pytest.approx(list(expected.values()))


def test_coverage_in_a_batch_looks_at_the_own_source():
    model = Attentive({"": {"<eos>": 1.0}}, {"": {"a": 1.0}, "a": {"b": 0.4, "<eos>": 0.6}})
    source = torch.tensor([[4, PAD, PAD], [5, 4, 4]])  # the first search ends before the second
    together = beam_search(model, source, 2, 3, coverage_weight=0.5)
    alone = [beam_search(model, row[None], 2, 3, coverage_weight=0.5)[0] for row in source]
    assert together == alone


def test_bad_arguments_are_refused():
    model = TableTranslator(BINARY)
    source = model.sources
    with pytest.raises(ValueError, match="beam_size is 0, expected at least 1"):
        beam_search(model, source, 0, 3)
    with pytest.raises(ValueError, match="max_length is 0, expected at least 1"):
        beam_search(model, source, 2, 0)
    with pytest.raises(ValueError, match="coverage_weight is -1"):
        beam_search(model, source, 2, 3, coverage_weight=-1)
    with pytest.raises(ValueError, match="expected 0 for a model without attention"):
        beam_search(model, source, 2, 3, coverage_weight=0.2)
    with pytest.raises(ValueError, match="max_length is -1, expected at least 0"):
        exhaustive_search(model, source, -1)
    with pytest.raises(ValueError, match=r"alpha is -0\.5, expected a number of at least 0"):
        power_penalty(-0.5)
    with pytest.raises(ValueError, match="alpha is nan"):
        gnmt_penalty(math.nan)
    with pytest.raises(ValueError, match="sentences has 2 entries, expected 1"):
        sentence_log_probability(model, source, [[4], [5]])
    with pytest.raises(ValueError, match=r"sentences\[0\] is \[4, 3\], expected words only"):
        sentence_log_probability(model, source, [[4, EOS]])


def test_too_large_a_search_is_refused(monkeypatch):
    monkeypatch.setattr("course_lib.translation.decoding.exhaustive.LIMIT", 100)
    with pytest.raises(ValueError, match="at most 100 prefixes; there are 125 with 3 words"):
        exhaustive_search(gru(vocab=8), SOURCE[:1], 5)


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ([], "tables is empty"),
        ([{"": {"a": 0.5}}], "the probabilities after '' are {'a': 0.5}"),
        ([{"": {"a": 1.5, "b": -0.5}}], "expected numbers of at least 0 that sum to 1"),
        ([{"": {"a": 1.0}, "b": {"a": 1.0}}], "the prefix 'b' is impossible"),
        ([{"": {"a": 1.0}, "a a": {"a": 1.0}}], "the prefix 'a a' is impossible"),
        ([{"a": {"a": 1.0}}], "no entry for ''"),
    ],
)
def test_bad_tables_are_refused(tables, message):
    with pytest.raises(ValueError, match=message):
        TableTranslator(*tables)
