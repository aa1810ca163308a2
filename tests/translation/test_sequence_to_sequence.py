"""The module translation.sequence_to_sequence: batches, loss, greedy translation, training."""

import math
from collections import Counter

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.nn.utils.rnn import pad_sequence

from course_lib.data import load_grammar
from course_lib.translation.sequence_to_sequence import (
    BOS,
    EOS,
    PAD,
    SequenceToSequence,
    Translator,
    build_vocab,
    draw_parameters,
    encode_pairs,
    exact_match,
    iterate_batches,
    make_batch,
    masked_cross_entropy,
    pad,
    padding_mask,
    take_step,
    train,
    train_epoch,
    translate_greedily,
)

ids = st.integers(4, 9)
sentences = st.lists(ids, min_size=1, max_size=6)
id_pairs = st.lists(st.tuples(sentences, st.lists(ids, max_size=6)), min_size=1, max_size=9)


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def small_model(seed=0, **options):
    return SequenceToSequence(10, 11, 5, 7, generator=generator(seed), **options)


# Batches


def test_special_tokens_have_the_promised_ids():
    vocab = build_vocab([["b", "a"], ["b"]])
    assert vocab.tokens == ("<unk>", "<pad>", "<bos>", "<eos>", "b", "a")
    assert vocab.encode(["<pad>", "<bos>", "<eos>"]) == [PAD, BOS, EOS] == [1, 2, 3]
    assert build_vocab([["b", "a"], ["b"]], min_count=2).encode(["b", "a"]) == [4, 0]
    assert len(build_vocab([])) == 4


def test_a_string_is_not_taken_for_a_sentence():
    with pytest.raises(ValueError, match=r"sentences: .* got one string 'hola'"):
        build_vocab(["hola"])


@given(rows=st.lists(st.lists(ids, max_size=5), max_size=5))
def test_pad_equals_torch(rows):
    padded = pad(rows)
    assert padded.dtype == torch.int64
    assert padded.shape == (len(rows), max(map(len, rows), default=0))
    if rows:
        tensors = [torch.tensor(row, dtype=torch.int64) for row in rows]
        assert torch.equal(padded, pad_sequence(tensors, batch_first=True, padding_value=PAD))
    assert [
        row[mask].tolist() for row, mask in zip(padded, padding_mask(padded), strict=True)
    ] == rows


@given(pairs=id_pairs)
def test_teacher_forcing_shift(pairs):
    batch = make_batch(pairs)
    assert batch.source_lengths.tolist() == [len(source) for source, _ in pairs]
    for row, (source, target) in enumerate(pairs):
        n = len(target) + 1
        assert batch.source[row, : len(source)].tolist() == source
        assert batch.target_input[row, :n].tolist() == [BOS, *target]
        assert batch.target_output[row, :n].tolist() == [*target, EOS]
        # Input and output are one sequence, shifted by a step.
        whole = [BOS, *target, EOS]
        assert batch.target_input[row, :n].tolist() == whole[:-1]
        assert batch.target_output[row, :n].tolist() == whole[1:]
        assert (batch.target_input[row, n:] == PAD).all()
        assert (batch.target_output[row, n:] == PAD).all()
    assert torch.equal(padding_mask(batch.target_input), padding_mask(batch.target_output))


@given(pairs=id_pairs, batch_size=st.integers(1, 5), seed=st.integers(0, 3))
def test_an_epoch_holds_each_pair_once(pairs, batch_size, seed):
    before = repr(pairs)
    batches = list(iterate_batches(pairs, batch_size, generator(seed)))
    assert sum(len(batch.source) == batch_size for batch in batches) == len(pairs) // batch_size
    found = Counter()
    for batch in batches:
        for row in range(len(batch.source)):
            source = batch.source[row][: batch.source_lengths[row]].tolist()
            target = batch.target_output[row]
            found[tuple(source), tuple(target[padding_mask(target[None])[0]][:-1].tolist())] += 1
    assert found == Counter((tuple(source), tuple(target)) for source, target in pairs)
    assert repr(pairs) == before


def test_batches_are_of_similar_length_and_in_random_order():
    pairs = [([4] * n, [5] * n) for n in range(1, 33)] * 4
    first, again, other = (
        [batch.source_lengths.tolist() for batch in iterate_batches(pairs, 8, generator(seed))]
        for seed in (0, 0, 1)
    )
    assert first == again != other
    assert max(max(lengths) - min(lengths) for lengths in first) <= 2
    assert [lengths[0] for lengths in first] != sorted(lengths[0] for lengths in first)
    # The source decides, and among equal sources the target.
    pairs = [([4] * n, [5] * m) for n in (1, 2) for m in (1, 2)] * 4
    for batch in iterate_batches(pairs, 4, generator()):
        assert padding_mask(batch.source).all()
        assert padding_mask(batch.target_input).all()


def test_equal_lengths_meet_in_changing_company():
    pairs = [([4 + i], [4]) for i in range(6)]
    companies = set()
    for seed in range(20):
        for batch in iterate_batches(pairs, 2, generator(seed)):
            companies.add(tuple(sorted(batch.source[:, 0].tolist())))
    assert len(companies) > 10  # of 15


def test_no_pairs_give_no_batches():
    assert list(iterate_batches([], 3, generator())) == []


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: make_batch([]), "pairs_of_ids is empty"),
        (lambda: make_batch([([4], [5]), ([], [5])]), r"pairs_of_ids\[1\] has an empty source"),
        (lambda: list(iterate_batches([([4], [5])], 0, generator())), "batch_size is 0, expected"),
    ],
)
def test_bad_batches_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# The loss


@given(
    lengths=st.lists(st.integers(0, 5), min_size=1, max_size=5).filter(any),
    seed=st.integers(0, 99),
    dtype=st.sampled_from([torch.float32, torch.float64]),
)
def test_loss_is_the_mean_over_all_real_tokens(lengths, seed, dtype):
    rng = generator(seed)
    logits = 5 * torch.randn(len(lengths), max(lengths) + 2, 9, generator=rng, dtype=dtype)
    target = torch.full(logits.shape[:2], PAD)
    total = []
    for row, length in enumerate(lengths):
        target[row, :length] = torch.randint(2, 9, (length,), generator=rng)
        for step in range(length):
            total.append(F.cross_entropy(logits[row, step], target[row, step]))
    torch.testing.assert_close(masked_cross_entropy(logits, target), torch.stack(total).mean())


def test_what_stands_at_a_pad_changes_neither_loss_nor_gradient():
    target = torch.tensor([[5, 3, PAD, PAD], [4, 6, 7, 3]])
    logits = torch.randn(2, 4, 8, generator=generator())
    wild = logits.clone()
    wild[0, 2:] = torch.tensor([1e9, -1e9, *[0.0] * 6])
    results = []
    for values in (logits, wild):
        leaf = values.clone().requires_grad_()
        loss = masked_cross_entropy(leaf, target)
        loss.backward()
        results.append((loss.detach(), leaf.grad))
    assert torch.equal(results[0][0], results[1][0])
    assert torch.equal(results[0][1], results[1][1])
    assert results[0][1][0, 2:].abs().max() == 0
    longer = torch.cat([logits, torch.zeros(2, 3, 8)], dim=1), F.pad(target, (0, 3), value=PAD)
    torch.testing.assert_close(masked_cross_entropy(*longer), results[0][0])


def test_large_logits_and_half_precision():
    target = torch.tensor([[4, 5, PAD]])
    logits = torch.zeros(1, 3, 8)
    logits[0, :, 6] = 1000.0
    torch.testing.assert_close(masked_cross_entropy(logits, target), torch.tensor(1000.0))
    half = masked_cross_entropy(torch.zeros(1, 3, 8, dtype=torch.float16), target)
    assert half.dtype == torch.float16
    assert abs(half.item() - math.log(8)) < 2e-3


def test_bad_targets_are_refused():
    logits = torch.zeros(1, 2, 8)
    with pytest.raises(ValueError, match="nothing but pads"):
        masked_cross_entropy(logits, torch.full((1, 2), PAD))
    for wrong in (8, -1):
        with pytest.raises(ValueError, match=f"target goes from .*{wrong}.*expected 0 to 7"):
            masked_cross_entropy(logits, torch.tensor([[5, wrong]]))


# Greedy translation and the metric


class Script(nn.Module):
    """A translator that says, for the source [n, ...], the words n, n - 1, ..., 4 and ends."""

    def start(self, source):
        return (source[:, :1],)

    def step(self, tokens, state):
        (left,) = state
        nxt = torch.where(left[:, 0] >= 4, left[:, 0], EOS)
        return F.one_hot(nxt, 12).double(), (left - 1,)


def test_greedy_takes_the_best_word_and_stops_at_the_end_of_each_sentence():
    source = torch.tensor([[6, 9], [3, PAD], [9, 4], [4, 4]])
    assert translate_greedily(Script(), source, 10) == [
        [6, 5, 4],
        [],
        [9, 8, 7, 6, 5, 4],
        [4],
    ]
    assert translate_greedily(Script(), source, 2) == [[6, 5], [], [9, 8], [4]]


def test_greedy_stops_when_all_sentences_have_ended():
    class Restless(Script):
        """End the sentences in turn, and go on with other words afterwards."""

        steps = 0

        def step(self, tokens, state):
            self.steps += 1
            words = torch.full_like(tokens, 4)
            words[self.steps - 1 : self.steps] = EOS
            return F.one_hot(words, 12).double(), state

    model = Restless()
    source = torch.full((3, 1), 5)
    assert translate_greedily(model, source, 9) == [[], [4], [4, 4]]
    assert model.steps == 3


def test_greedy_equals_a_search_that_recomputes_the_whole_prefix():
    model = small_model(seed=1).eval()
    for parameter in model.parameters():
        parameter.data *= 3  # a model with opinions: sentences differ, and some of them end
    source = pad([[4, 5, 6], [7], [8, 9], [5, 5, 5, 5], [9], [4, 8]])
    expected = []
    for row in source:
        words = row[padding_mask(row[None])[0]][None]
        prefix = [BOS]
        while len(prefix) <= 8 and prefix[-1] != EOS:
            prefix.append(model(words, torch.tensor([prefix]))[0, -1].argmax().item())
        expected.append([word for word in prefix[1:] if word != EOS])
    assert translate_greedily(model, source, 8) == expected
    assert len({len(words) for words in expected}) > 1


def test_greedy_keeps_mode_and_builds_no_graph():
    model = small_model().train()
    translate_greedily(model, torch.tensor([[4, 5]]), 3)
    assert model.training
    assert all(parameter.grad is None for parameter in model.parameters())
    assert translate_greedily(model, torch.empty(0, 3, dtype=torch.int64), 3) == []
    with pytest.raises(ValueError, match="max_length is 0"):
        translate_greedily(model, torch.tensor([[4]]), 0)


def test_exact_match_by_hand():
    assert exact_match([[1, 2], [3], []], [(1, 2), (3, 4), ()]) == 2 / 3
    assert exact_match([["a"]], [["b"]]) == 0.0
    with pytest.raises(ValueError, match="candidates is empty"):
        exact_match([], [])
    with pytest.raises(ValueError, match="references has 1 entries, expected 2"):
        exact_match([[1], [2]], [[1]])


# Training


def test_training_learns_to_copy_and_to_reverse():
    rng = generator(5)
    words = [torch.randint(4, 10, (n,), generator=rng).tolist() for n in (1, 2, 3) * 30]
    for seed, change in enumerate((lambda s: s, lambda s: s[::-1])):
        pairs = [(source, change(source)) for source in words]
        model = SequenceToSequence(10, 10, 16, 24, generator=generator(seed))
        history = train(
            model, pairs, epochs=15, batch_size=8, learning_rate=0.02, generator=generator(seed)
        )
        assert len(history) == 15
        assert history[-1] < 0.3 < 1.5 < history[0]
        assert not model.training
        right = translate_greedily(model, pad([source for source, _ in pairs]), 5)
        assert exact_match(right, [target for _, target in pairs]) > 0.9


def test_history_is_weighted_by_words_and_not_by_batches():
    # Two batches, one of a short and one of a long sentence. Hardly moving, the model gives the
    # same losses as before training.
    pairs = [([4], [5]), ([4, 5, 6, 7], [5, 6, 7, 8, 9])]
    model = small_model()
    both = make_batch(pairs)
    with torch.no_grad():
        expected = masked_cross_entropy(model(both.source, both.target_input), both.target_output)
    (mean,) = train(model, pairs, epochs=1, batch_size=1, learning_rate=1e-9, generator=generator())
    assert abs(mean - expected.item()) < 1e-6


def test_training_is_repeatable_and_leaves_the_pairs_alone():
    pairs = [([4, 5], [6]), ([7], [8, 9]), ([5], [5])]
    before, results = repr(pairs), []
    for _ in range(2):
        model = small_model()
        train(model, pairs, epochs=2, batch_size=2, learning_rate=0.1, generator=generator())
        results.append(model.state_dict())
    assert all(torch.equal(value, results[1][name]) for name, value in results[0].items())
    assert repr(pairs) == before


def test_training_is_adam_on_clipped_gradients():
    # The first step of Adam does not see how long the gradient is, the next ones do.
    pairs = [([4, 5], [6, 7])]
    model, other = small_model(), small_model()
    for each in (model, other):
        each.decoder.output.weight.data *= 30
    train(model, pairs, epochs=3, batch_size=1, learning_rate=0.2, generator=generator())
    optimizer = torch.optim.Adam(other.parameters(), lr=0.2)
    batch, norms = make_batch(pairs), []
    for _ in range(3):
        optimizer.zero_grad()
        logits = other(batch.source, batch.target_input)
        masked_cross_entropy(logits, batch.target_output).backward()
        norms.append(nn.utils.clip_grad_norm_(other.parameters(), 1.0).item())
        optimizer.step()
    assert min(norms) > 1
    for name, value in other.state_dict().items():
        torch.testing.assert_close(model.state_dict()[name], value)


@pytest.mark.parametrize(("length", "expected"), [(0.5, 0.5), (1.0, 1.0), (10.0, 1.0)])
def test_a_step_scales_the_whole_gradient_and_forgets_the_one_before(length, expected):
    # Two parameters in two groups: their gradients are one vector, of the given length.
    one, two = nn.Parameter(torch.zeros(2)), nn.Parameter(torch.zeros(()))
    one.grad, two.grad = torch.full((2,), 9.0), torch.tensor(9.0)
    optimizer = torch.optim.SGD([{"params": [one]}, {"params": [two], "lr": 0.2}], lr=0.1)
    take_step(optimizer, length * (one @ torch.tensor([2.0, 3.0]) + 6 * two) / 7)
    torch.testing.assert_close(one.detach(), -0.1 * expected * torch.tensor([2.0, 3.0]) / 7)
    torch.testing.assert_close(two.detach(), torch.tensor(-0.2 * expected * 6 / 7))


def test_the_scheduler_moves_after_each_batch():
    model = small_model()
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda done: 0.5**done)
    rates = []

    def loss(logits, target):
        rates.extend(scheduler.get_last_lr())
        return masked_cross_entropy(logits, target)

    batches = [make_batch([([4], [5])])] * 3
    train_epoch(model, batches, optimizer, loss, scheduler)
    assert [*rates, *scheduler.get_last_lr()] == [1.0, 0.5, 0.25, 0.125]


def test_an_epoch_is_read_in_training_mode_and_needs_a_batch():
    model = small_model(dropout=0.5).eval()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    batches = [make_batch([([4, 5], [5, 6])])]
    losses = {train_epoch(model, batches, optimizer, masked_cross_entropy) for _ in range(5)}
    assert len(losses) == 5  # dropout is on
    with pytest.raises(ValueError, match="batches is empty"):
        train_epoch(model, iter([]), optimizer, masked_cross_entropy)


def test_another_loss_can_be_trained():
    calls = []

    def loss(logits, target):
        calls.append(logits.shape)
        return masked_cross_entropy(logits, target)

    settings = {"epochs": 2, "batch_size": 1, "learning_rate": 0.1, "generator": generator()}
    train(small_model(), [([4], [5])], loss=loss, **settings)
    assert calls == [(1, 2, 11)] * 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pairs": []}, "pairs is empty"),
        ({"epochs": -1}, "epochs is -1"),
        ({"learning_rate": 0.0}, "learning_rate is 0.0"),
        ({"learning_rate": math.nan}, "learning_rate is nan"),
        ({"batch_size": 0}, "batch_size is 0"),
    ],
)
def test_bad_training_arguments_are_refused(change, message):
    arguments = {"pairs": [([4], [5])], "epochs": 1, "batch_size": 1, "learning_rate": 0.1}
    with pytest.raises(ValueError, match=message):
        train(small_model(), generator=generator(), **(arguments | change))


# Starting values and the interface


def test_starting_values():
    model = small_model()
    for name, parameter in model.named_parameters():
        if parameter.ndim == 1:
            assert parameter.abs().max() == 0, name
        else:
            bound = math.sqrt(6 / sum(parameter.shape))
            assert parameter.abs().max() <= bound
            assert parameter.detach().std() == pytest.approx(bound / math.sqrt(3), rel=0.25)
    other = small_model(seed=1)
    assert not torch.equal(model.encoder.gru.weight_hh_l0, other.encoder.gru.weight_hh_l0)
    norm = nn.LayerNorm(3)
    draw_parameters(norm, generator())
    assert norm.weight.tolist() == [1, 1, 1]


def test_the_model_is_a_translator():
    assert isinstance(small_model(), Translator)
    assert not isinstance(nn.Linear(2, 2), Translator)


def test_a_grammar_sentence_goes_through_the_whole_chain():
    pairs = load_grammar("es").train[:20]
    source_vocab = build_vocab(pair.source for pair in pairs)
    target_vocab = build_vocab(pair.target for pair in pairs)
    encoded = encode_pairs(pairs, source_vocab, target_vocab)
    for (source, target), pair in zip(encoded, pairs, strict=True):
        assert tuple(source_vocab.decode(source)) == pair.source
        assert tuple(target_vocab.decode(target)) == pair.target
