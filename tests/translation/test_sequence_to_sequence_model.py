"""The GRU translator: equal to PyTorch step by step, and blind to padding."""

import copy

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from course_lib.translation.sequence_to_sequence import (
    PAD,
    Decoder,
    Encoder,
    SequenceToSequence,
    make_batch,
    masked_cross_entropy,
    pad,
    source_lengths,
)

rows_of_ids = st.lists(st.lists(st.integers(4, 9), min_size=1, max_size=6), min_size=1, max_size=4)
KINDS = {
    "plain": {},
    "two layers": {"num_layers": 2},
    "both directions": {"bidirectional": True},
    "two layers, both directions": {"num_layers": 2, "bidirectional": True},
}


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def double_model(**options):
    return SequenceToSequence(10, 11, 5, 7, generator=generator(), **options).double().eval()


def double_encoder(**options):
    return double_model(**options).encoder


def gru_by_hand(gru, words, state):
    """Run one layer of nn.GRU with the equations of its documentation."""
    states = []
    for word in words:
        r_in, z_in, n_in = (gru.weight_ih_l0 @ word + gru.bias_ih_l0).chunk(3)
        r_h, z_h, n_h = (gru.weight_hh_l0 @ state + gru.bias_hh_l0).chunk(3)
        reset, update = torch.sigmoid(r_in + r_h), torch.sigmoid(z_in + z_h)
        new = torch.tanh(n_in + reset * n_h)
        state = (1 - update) * new + update * state
        states.append(state)
    return torch.stack(states)


def test_encoder_and_decoder_equal_the_gru_equations():
    model = double_model()
    for parameter in model.parameters():  # biases start at zero: make them count
        parameter.data += 0.1 * torch.randn(parameter.shape, generator=generator(1))
    source, target = torch.tensor([[4, 5, 6, 7]]), torch.tensor([[2, 8, 9]])
    encoder, decoder = model.encoder, model.decoder
    read = gru_by_hand(encoder.gru, encoder.embedding(source[0]), torch.zeros(7).double())
    outputs, last = encoder(source)
    torch.testing.assert_close(outputs[0], read)
    torch.testing.assert_close(last[0, 0], read[-1])
    written = gru_by_hand(decoder.gru, decoder.embedding(target[0]), read[-1])
    expected = written @ decoder.output.weight.T + decoder.output.bias
    torch.testing.assert_close(model(source, target)[0], expected)


def test_bidirectional_encoder_equals_two_encoders_and_a_linear_map():
    encoder = double_encoder(bidirectional=True)
    source = torch.tensor([[4, 5, 6]])
    outputs, last = encoder(source)
    ways = []
    for suffix, words in (("", source), ("_reverse", source.flip(1))):
        one = nn.GRU(5, 7, batch_first=True).double()
        weights = {
            name: getattr(encoder.gru, f"{name}{suffix}") for name, _ in one.named_parameters()
        }
        one.load_state_dict(weights)
        ways.append(one(encoder.embedding(words)))
    torch.testing.assert_close(outputs, torch.cat([ways[0][0], ways[1][0].flip(1)], dim=2))
    both = torch.cat([ways[0][1][0], ways[1][1][0]], dim=1)
    torch.testing.assert_close(last[:, 0], torch.tanh(encoder.bridge(both)))


def test_each_layer_of_a_bidirectional_encoder_has_its_own_summary():
    encoder = double_encoder(num_layers=2, bidirectional=True)
    source = torch.tensor([[4, 5, 6], [7, 8, 9]])
    _, last = encoder.gru(encoder.embedding(source))
    by_layer = last.view(2, 2, 2, 7)  # layers, directions, batch, hidden: as nn.GRU documents it
    for layer in range(2):
        expected = torch.tanh(encoder.bridge(torch.cat([*by_layer[layer]], dim=1)))
        torch.testing.assert_close(encoder(source)[1][:, layer], expected)


@pytest.mark.parametrize("options", KINDS.values(), ids=KINDS)
@given(rows=rows_of_ids, extra=st.integers(0, 4))
def test_encoder_state_ignores_padding(options, rows, extra):
    encoder = double_encoder(**options)
    batch = F.pad(pad(rows), (0, extra), value=PAD)
    outputs, last = encoder(batch)
    assert outputs.shape[:2] == batch.shape
    for row, words in enumerate(rows):
        alone, last_alone = encoder(torch.tensor([words]))
        torch.testing.assert_close(last[row], last_alone[0])
        torch.testing.assert_close(outputs[row, : len(words)], alone[0])
        assert outputs[row, len(words) :].abs().sum() == 0


@pytest.mark.parametrize("options", KINDS.values(), ids=KINDS)
@given(seed=st.integers(0, 9), extra=st.integers(1, 4))
def test_more_padding_changes_neither_loss_nor_gradient(options, seed, extra):
    rng = generator(seed)
    pairs = [
        (torch.randint(4, 10, (n,), generator=rng).tolist(), [5] * m)
        for n, m in ((3, 2), (1, 4), (5, 0))
    ]
    batch = make_batch(pairs)
    longer = [F.pad(part, (0, extra), value=PAD) for part in batch[:1] + batch[2:]]
    results = []
    for source, target_input, target_output in ((batch[0], *batch[2:]), longer):
        model = double_model(**options)
        loss = masked_cross_entropy(model(source, target_input), target_output)
        loss.backward()
        results.append((loss.detach(), [p.grad for p in model.parameters()]))
        assert model.encoder.embedding.weight.grad[PAD].abs().sum() == 0
        assert model.decoder.embedding.weight.grad[PAD].abs().sum() == 0
    torch.testing.assert_close(results[0], results[1])


@pytest.mark.parametrize("options", KINDS.values(), ids=KINDS)
@given(rows=rows_of_ids, steps=st.integers(1, 4), seed=st.integers(0, 9))
def test_step_by_step_equals_the_whole_sequence(options, rows, steps, seed):
    model = double_model(**options)
    target = torch.randint(0, 11, (len(rows), steps), generator=generator(seed))
    state = model.start(pad(rows))
    assert [part.shape[0] for part in state] == [len(rows)]
    logits = []
    for step in range(steps):
        scores, state = model.step(target[:, step], state)
        logits.append(scores)
    torch.testing.assert_close(torch.stack(logits, dim=1), model(pad(rows), target))


def test_the_rows_of_a_state_can_be_picked_and_repeated():
    model = double_model(num_layers=2)
    state = model.start(pad([[4, 5, 6], [7]]))
    index = torch.tensor([1, 0, 0])
    picked = tuple(part[index] for part in state)
    tokens = torch.tensor([5, 6, 7])
    logits, _ = model.step(tokens, picked)
    for row in range(3):
        alone, _ = model.step(
            tokens[row : row + 1], tuple(part[index[row], None] for part in state)
        )
        torch.testing.assert_close(logits[row], alone[0])


@pytest.mark.parametrize("training", [False, True])
def test_a_later_word_never_moves_an_earlier_score(training):
    model = double_model().train(training)
    source, target = torch.tensor([[4, 5]]), torch.tensor([[2, 5, 6, 7]])
    changed = torch.tensor([[2, 5, 6, 9]])
    torch.testing.assert_close(model(source, target)[:, :3], model(source, changed)[:, :3])
    assert not torch.allclose(model(source, target)[:, 3], model(source, changed)[:, 3])


def test_dropout_only_in_training():
    model = double_model(dropout=0.5, num_layers=2)
    source, target = torch.tensor([[4, 5, 6]]), torch.tensor([[2, 5]])
    assert torch.equal(model(source, target), model(source, target))
    model.train()
    assert not torch.allclose(model(source, target), model(source, target))
    assert not torch.allclose(model.encoder(source)[1], model.encoder(source)[1])
    state = torch.zeros(1, 2, 7).double()
    assert not torch.allclose(model.decoder(target, state)[0], model.decoder(target, state)[0])
    # With word vectors of zero and one layer, only the dropout before the output layer is left.
    decoder = double_model(dropout=0.5).decoder.train()
    decoder.embedding.weight.data.zero_()
    state = torch.ones(1, 1, 7).double()
    assert not torch.allclose(decoder(target, state)[0], decoder(target, state)[0])


def test_the_summary_is_all_that_the_decoder_gets():
    model = double_model()
    (summary,) = model.start(torch.tensor([[4, 5, 6]]))
    assert summary.shape == (1, 1, 7)
    logits, _ = model.decoder(torch.tensor([[2, 5]]), summary)
    torch.testing.assert_close(logits, model(torch.tensor([[4, 5, 6]]), torch.tensor([[2, 5]])))


@pytest.mark.parametrize("options", KINDS.values(), ids=KINDS)
def test_the_global_generator_is_not_needed(options):
    torch.manual_seed(1)
    first = SequenceToSequence(6, 6, 3, 4, generator=generator(), **options).state_dict()
    torch.manual_seed(2)
    again = SequenceToSequence(6, 6, 3, 4, generator=generator(), **options).state_dict()
    assert all(torch.equal(value, again[name]) for name, value in first.items())


def test_saved_and_loaded_it_is_the_same_model():
    model, other = double_model(bidirectional=True), double_model(bidirectional=True)
    for parameter in other.parameters():
        parameter.data.zero_()
    other.load_state_dict(copy.deepcopy(model.state_dict()))
    source, target = torch.tensor([[4, 5]]), torch.tensor([[2, 5]])
    assert torch.equal(model(source, target), other(source, target))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_dtype_is_kept(dtype):
    model = double_model().to(dtype)
    logits, (hidden,) = model.step(torch.tensor([2]), model.start(torch.tensor([[4, 1]])))
    assert logits.dtype == hidden.dtype == dtype


def test_everything_stays_on_the_decoder_s_device():
    # A tensor made on the CPU on the way would clash with the meta device. (The encoder needs the
    # lengths of the sentences, and a meta tensor has no values.)
    decoder = Decoder(11, 5, 7, num_layers=2).to("meta")
    target = torch.ones(3, 4, dtype=torch.int64, device="meta")
    logits, last = decoder(target, torch.zeros(3, 2, 7, device="meta"))
    loss = masked_cross_entropy(logits, target)
    loss.backward()
    assert logits.shape == (3, 4, 11)
    assert last.shape == (3, 2, 7)
    assert loss.is_meta


def test_source_lengths():
    assert source_lengths(pad([[4], [5, 6, 0], [7, 8]])).tolist() == [1, 3, 2]
    with pytest.raises(ValueError, match="source holds no word in row 1"):
        source_lengths(torch.tensor([[4, 5], [PAD, PAD]]))
    with pytest.raises(ValueError, match="source holds no word in row 0"):
        source_lengths(torch.empty(2, 0, dtype=torch.int64))
    with pytest.raises(ValueError, match="a word behind a pad"):
        source_lengths(torch.tensor([[4, PAD, 5]]))


@pytest.mark.parametrize("position", range(5))
def test_sizes_below_one_are_refused(position):
    names = [
        "source_vocab_size",
        "target_vocab_size",
        "embedding_size",
        "hidden_size",
        "num_layers",
    ]
    sizes = [2] * 5
    sizes[position] = 0
    with pytest.raises(ValueError, match=f"{names[position]} is 0, expected at least 1"):
        SequenceToSequence(*sizes)


def test_parameter_counts_by_hand():
    def count(module):
        return sum(parameter.numel() for parameter in module.parameters())

    gru = 3 * (7 * 5 + 7 * 7 + 7 + 7)
    assert count(Encoder(10, 5, 7)) == 10 * 5 + gru
    assert count(Decoder(11, 5, 7)) == 11 * 5 + gru + 7 * 11 + 11
    assert count(Encoder(10, 5, 7, bidirectional=True)) == 10 * 5 + 2 * gru + 14 * 7 + 7
