"""The translator with attention: its equations, its interface, and that it learns to align."""

import copy

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.translation.attention import (
    AdditiveScore,
    AttentionTranslator,
    MultiplicativeScore,
    ReducedRankScore,
    count_aligned,
)
from course_lib.translation.sequence_to_sequence import (
    PAD,
    Translator,
    exact_match,
    make_batch,
    masked_cross_entropy,
    pad,
    padding_mask,
    train,
    translate_greedily,
)

rows_of_ids = st.lists(st.lists(st.integers(4, 9), min_size=1, max_size=6), min_size=1, max_size=4)
KINDS = {
    "additive": {},
    "two layers": {"num_layers": 2},
    "multiplicative": {"score": lambda: MultiplicativeScore(7, 14)},
    "reduced rank": {"score": lambda: ReducedRankScore(7, 14, 3)},
}


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def small_model(seed=0, score=None, **options):
    score = score() if score else None
    return AttentionTranslator(10, 11, 5, 7, score=score, generator=generator(seed), **options)


def double_model(**options):
    return small_model(**options).double().eval()


def targets(rows, steps, seed=0):
    return torch.randint(0, 11, (len(rows), steps), generator=generator(seed))


def test_one_step_equals_the_equations_of_the_paper():
    model = double_model()
    for parameter in model.parameters():  # biases start at zero: make them count
        parameter.data += 0.1 * torch.randn(parameter.shape, generator=generator(1))
    source = torch.tensor([[4, 5, 6]])
    memory, hidden = model.encoder(source)
    h, s = memory[0], hidden[0, 0]
    score, gru = model.decoder.score, model.decoder.gru
    e = torch.stack(
        [
            score.output_weight[0] @ torch.tanh(score.key_weight @ x + score.query_weight @ s)
            for x in h
        ]
    )
    alpha = e.exp() / e.exp().sum()
    context = sum(a * x for a, x in zip(alpha, h, strict=True))
    seen = torch.cat([model.embedding.weight[2], context])
    r_in, z_in, n_in = (gru.weight_ih_l0 @ seen + gru.bias_ih_l0).chunk(3)
    r_h, z_h, n_h = (gru.weight_hh_l0 @ s + gru.bias_hh_l0).chunk(3)
    update = torch.sigmoid(z_in + z_h)
    new = torch.tanh(n_in + torch.sigmoid(r_in + r_h) * n_h)
    state = (1 - update) * new + update * s
    logits = model.output.weight @ torch.cat([state, context]) + model.output.bias
    target = torch.tensor([[2]])
    torch.testing.assert_close(model(source, target)[0, 0], logits)
    torch.testing.assert_close(model.attention(source, target)[0, 0], alpha)


def test_it_is_a_translator():
    assert isinstance(small_model(), Translator)


@pytest.mark.parametrize("options", KINDS.values(), ids=KINDS)
@settings(max_examples=15)
@given(rows=rows_of_ids, steps=st.integers(1, 4), seed=st.integers(0, 9))
def test_step_by_step_equals_the_whole_sequence(options, rows, steps, seed):
    model, target = double_model(**options), targets(rows, steps, seed)
    state = model.start(pad(rows))
    logits = []
    for step in range(steps):
        assert all(part.shape[0] == len(rows) for part in state)
        scores, state = model.step(target[:, step], state)
        logits.append(scores)
    torch.testing.assert_close(torch.stack(logits, dim=1), model(pad(rows), target))


@pytest.mark.parametrize("options", KINDS.values(), ids=KINDS)
@settings(max_examples=15)
@given(rows=rows_of_ids, extra=st.integers(0, 3), steps=st.integers(1, 3))
def test_a_batch_gives_what_its_members_give(options, rows, extra, steps):
    model, target = double_model(**options), targets(rows, steps)
    batch = F.pad(pad(rows), (0, extra), value=PAD)
    logits, weights = model(batch, target), model.attention(batch, target)
    torch.testing.assert_close(weights.sum(-1), torch.ones(len(rows), steps).double())
    assert weights[~padding_mask(batch).unsqueeze(1).expand_as(weights)].abs().sum() == 0
    for row, words in enumerate(rows):
        alone = torch.tensor([words]), target[row : row + 1]
        torch.testing.assert_close(logits[row], model(*alone)[0])
        torch.testing.assert_close(weights[row, :, : len(words)], model.attention(*alone)[0])


@settings(max_examples=10)
@given(seed=st.integers(0, 5), extra=st.integers(1, 3))
def test_more_padding_changes_neither_loss_nor_gradient(seed, extra):
    rng = generator(seed)
    pairs = [
        (torch.randint(4, 10, (n,), generator=rng).tolist(), [5] * m)
        for n, m in ((3, 2), (1, 4), (5, 0))
    ]
    batch = make_batch(pairs)
    longer = [F.pad(part, (0, extra), value=PAD) for part in batch[:1] + batch[2:]]
    results = []
    for source, target_input, target_output in ((batch[0], *batch[2:]), longer):
        model = double_model()
        loss = masked_cross_entropy(model(source, target_input), target_output)
        loss.backward()
        results.append((loss.detach(), [p.grad for p in model.parameters()]))
    torch.testing.assert_close(results[0], results[1])


def test_the_rows_of_a_state_can_be_picked_and_repeated():
    model = double_model(num_layers=2)
    state = model.start(pad([[4, 5, 6], [7]]))
    index = torch.tensor([1, 0, 0])
    picked = tuple(part[index] for part in state)
    tokens = torch.tensor([5, 6, 7])
    logits, _ = model.step(tokens, picked)
    for row in range(3):
        alone = tuple(part[index[row], None] for part in state)
        torch.testing.assert_close(logits[row], model.step(tokens[row : row + 1], alone)[0][0])


def test_the_top_layer_asks():
    model = double_model(num_layers=2)
    hidden, memory, mask = model.start(torch.tensor([[4, 5, 6]]))
    word = torch.zeros(1, 5).double()
    weights = model.decoder(word, hidden, memory, mask)[2]
    for layer, same in ((0, True), (1, False)):
        moved = hidden.clone()
        moved[:, layer] += 1
        other = model.decoder(word, moved, memory, mask)[2]
        assert torch.allclose(other, weights) == same


@pytest.mark.parametrize("training", [False, True])
def test_a_later_word_never_moves_an_earlier_score(training):
    model = double_model().train(training)
    source = torch.tensor([[4, 5]])
    target, changed = torch.tensor([[2, 5, 6, 7]]), torch.tensor([[2, 5, 6, 9]])
    torch.testing.assert_close(model(source, target)[:, :3], model(source, changed)[:, :3])
    assert not torch.allclose(model(source, target)[:, 3], model(source, changed)[:, 3])


def test_the_order_of_the_keys_does_not_matter_to_the_decoder():
    model = double_model()
    hidden, memory, mask = model.start(torch.tensor([[4, 5, 6]]))
    order = torch.tensor([2, 0, 1])
    token = torch.tensor([5])
    turned, _ = model.step(token, (hidden, memory[:, order], mask[:, order]))
    torch.testing.assert_close(turned, model.step(token, (hidden, memory, mask))[0])


def test_dropout_only_in_training():
    model = double_model(dropout=0.5, num_layers=2)
    source, target = torch.tensor([[4, 5, 6]]), torch.tensor([[2, 5]])
    assert torch.equal(model(source, target), model(source, target))
    model.train()
    assert not torch.allclose(model(source, target), model(source, target))


@pytest.mark.parametrize("options", KINDS.values(), ids=KINDS)
def test_the_global_generator_is_not_needed(options):
    states = []
    for seed in (1, 2):
        torch.manual_seed(seed)
        states.append(small_model(**options).state_dict())
    assert all(torch.equal(value, states[1][name]) for name, value in states[0].items())


def test_saved_and_loaded_it_is_the_same_model():
    model, other = double_model(), double_model(seed=1)
    other.load_state_dict(copy.deepcopy(model.state_dict()))
    source, target = torch.tensor([[4, 5]]), torch.tensor([[2, 5]])
    assert torch.equal(model(source, target), other(source, target))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_dtype_is_kept(dtype):
    model = small_model().to(dtype)
    source, target = torch.tensor([[4, 5, PAD]]), torch.tensor([[2, 5]])
    assert model(source, target).dtype == model.attention(source, target).dtype == dtype


def test_a_step_computes_where_its_parameters_lie():
    # The encoder needs the lengths of the sentences, and a meta tensor has no values.
    model = small_model(num_layers=2).to("meta")
    state = (
        torch.zeros(3, 2, 7, device="meta"),
        torch.zeros(3, 4, 14, device="meta"),
        torch.ones(3, 4, dtype=torch.bool, device="meta"),
    )
    logits, state = model.step(torch.ones(3, dtype=torch.int64, device="meta"), state)
    assert logits.shape == (3, 11)
    assert {part.device.type for part in (logits, *state)} == {"meta"}


@pytest.mark.parametrize(
    "name",
    ["source_vocab_size", "target_vocab_size", "embedding_size", "hidden_size", "num_layers"],
)
def test_bad_sizes_are_refused(name):
    sizes = {"source_vocab_size": 5, "target_vocab_size": 5, name: 0}
    with pytest.raises(ValueError, match=f"{name} is 0, expected at least 1"):
        AttentionTranslator(**sizes)


def test_it_learns_to_reverse_and_attends_where_it_must():
    rng = generator(3)
    sentences = [
        torch.randint(4, 12, (int(n),), generator=rng).tolist()
        for n in torch.randint(2, 6, (500,), generator=rng)
    ]
    pairs = [(words, words[::-1]) for words in sentences]
    model = AttentionTranslator(
        12, 12, 16, 32, score=AdditiveScore(32, 64, 16), generator=generator()
    )
    untrained = copy.deepcopy(model)
    history = train(
        model, pairs[:400], epochs=5, batch_size=10, learning_rate=0.01, generator=generator()
    )
    assert history[-1] < 0.3 < history[0]
    test = pairs[400:]
    batch = make_batch(test)
    share = {}
    for name, translator in (("trained", model), ("untrained", untrained.eval())):
        weights = translator.attention(batch.source, batch.target_input).detach()
        counts = [
            count_aligned(
                weights[row, : len(target), : len(source)],
                [(len(source) - 1 - j, j) for j in range(len(target))],
            )
            for row, (source, target) in enumerate(test)
        ]
        share[name] = sum(right for right, _ in counts) / sum(total for _, total in counts)
    assert share["trained"] > 0.8 > 0.5 > share["untrained"]
    found = translate_greedily(model, batch.source, 8)
    assert exact_match(found, [target for _, target in test]) > 0.8
