"""The module transformers.training against PyTorch, tables written by hand and its properties."""

import copy
import math
from functools import partial

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch.optim.lr_scheduler import LambdaLR

from course_lib.transformers import training
from course_lib.transformers.training import loop
from course_lib.transformers.transformer import Transformer
from course_lib.translation.attention import AttentionTranslator
from course_lib.translation.sequence_to_sequence import (
    PAD,
    exact_match,
    make_batch,
    masked_cross_entropy,
    translate_greedily,
)

SMOOTHINGS = [0.0, 0.1, 0.5, 1.0]


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def random_batch(seed=0, vocab=7, dtype=torch.float64):
    """Logits and right words of three sentences, with 5, 2 and 1 real tokens."""
    logits = 3 * torch.randn(3, 5, vocab, generator=generator(seed), dtype=dtype)
    target = torch.randint(2, vocab, (3, 5), generator=generator(seed + 1))
    target[1, 2:] = PAD
    target[2, 1:] = PAD
    return logits, target


def small_model(num_layers=2, **options):
    sizes = {"d_model": 8, "num_heads": 2, "num_layers": num_layers, "d_ff": 16}
    return Transformer(9, 9, **sizes, **options, generator=generator()).eval()


# Label smoothing


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_smoothed_loss_and_gradient_are_those_of_pytorch(smoothing, dtype):
    logits, target = random_batch(dtype=dtype)
    ours, theirs = logits.clone().requires_grad_(), logits.clone().requires_grad_()
    loss = training.smoothed_cross_entropy(ours, target, smoothing)
    expected = F.cross_entropy(
        theirs.flatten(0, 1), target.flatten(), ignore_index=PAD, label_smoothing=smoothing
    )
    torch.testing.assert_close(loss, expected)
    loss.backward()
    expected.backward()
    torch.testing.assert_close(ours.grad, theirs.grad)
    assert (ours.grad[target == PAD] == 0).all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_smoothed_loss_in_half_precision(dtype):
    logits, target = random_batch()
    half = training.smoothed_cross_entropy(logits.to(dtype), target, 0.1)
    assert half.dtype == dtype
    exact = training.smoothed_cross_entropy(logits, target, 0.1)
    torch.testing.assert_close(half.double(), exact, rtol=0.02, atol=0)


def test_many_tokens_do_not_overflow_in_half_precision():
    logits = torch.zeros(100, 200, 40, dtype=torch.float16)
    loss = training.smoothed_cross_entropy(logits, torch.full((100, 200), 5), 0.1)
    assert loss.item() == pytest.approx(math.log(40), rel=0.02)


def test_without_smoothing_it_is_the_masked_cross_entropy():
    logits, target = random_batch()
    torch.testing.assert_close(
        training.smoothed_cross_entropy(logits, target, 0), masked_cross_entropy(logits, target)
    )


def test_cross_entropy_shapes_and_ignore_index():
    logits, target = random_batch()
    flat = F.cross_entropy(logits.flatten(0, 1), target.flatten())
    torch.testing.assert_close(flat, F.cross_entropy(logits.transpose(1, 2), target))
    with pytest.raises(RuntimeError):
        F.cross_entropy(logits, target)
    real = target != PAD
    over_real = F.cross_entropy(logits[real], target[real])
    torch.testing.assert_close(training.smoothed_cross_entropy(logits, target, 0), over_real)
    assert not torch.isclose(flat, over_real)


def test_large_logits_give_finite_losses():
    logits = torch.tensor([[[1000.0, 0.0, 0.0], [0.0, 0.0, 1000.0]]])
    loss = training.smoothed_cross_entropy(logits, torch.tensor([[2, 2]]), 0.3)
    # By hand: 0.7 * 1000 + 0.3 * 2000 / 3 for the first token, 0 + 0.3 * 2000 / 3 for the second.
    assert loss.item() == pytest.approx((700 + 200 + 200) / 2)


def test_word_of_probability_zero_without_smoothing():
    logits = torch.tensor([[[0.0, -math.inf, 0.0]]])
    loss = training.smoothed_cross_entropy(logits, torch.tensor([[2]]), 0)
    assert loss.item() == pytest.approx(math.log(2))


@given(st.integers(2, 9), st.floats(0, 1), st.data())
def test_targets_are_probabilities_and_give_the_loss(vocab_size, smoothing, data):
    words = data.draw(st.lists(st.integers(0, vocab_size - 1), max_size=4))
    q = training.smoothed_targets(torch.tensor(words, dtype=torch.int64), vocab_size, smoothing)
    assert q.shape == (len(words), vocab_size)
    torch.testing.assert_close(q.sum(dim=-1), torch.ones(len(words)))
    logits = torch.randn(1, vocab_size, generator=generator(vocab_size))
    for word, row in zip(words, q, strict=True):
        if word != PAD:
            expected = F.cross_entropy(logits, row.unsqueeze(0))  # PyTorch, given probabilities
            loss = training.smoothed_cross_entropy(
                logits.unsqueeze(0), torch.tensor([[word]]), smoothing
            )
            torch.testing.assert_close(loss, expected)


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_gradient_is_that_of_autograd(smoothing):
    logits = torch.randn(6, generator=generator(), dtype=torch.float64, requires_grad=True)
    loss = training.smoothed_cross_entropy(logits.reshape(1, 1, 6), torch.tensor([[4]]), smoothing)
    (expected,) = torch.autograd.grad(loss, logits)
    torch.testing.assert_close(
        training.smoothed_gradient(logits.detach(), 4, smoothing), expected, rtol=1e-6, atol=1e-7
    )


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
@pytest.mark.parametrize("vocab_size", [1, 2, 150])
def test_smallest_loss_is_reached_by_q_and_by_nothing_else(vocab_size, smoothing):
    q = training.smoothed_targets(torch.tensor([0]), vocab_size, smoothing).double()
    loss = training.smoothed_cross_entropy
    best = loss(q.log().unsqueeze(0), torch.tensor([[0]]), smoothing).item()
    smallest = training.smallest_loss(vocab_size, smoothing)
    assert best == pytest.approx(smallest, abs=1e-6)
    other = torch.randn(1, 1, vocab_size, generator=generator(), dtype=torch.float64)
    assert loss(other, torch.tensor([[0]]), smoothing).item() >= smallest - 1e-9


def test_batch_equals_its_members_and_nothing_is_changed():
    logits, target = random_batch()
    before = logits.clone(), target.clone()
    whole = training.smoothed_cross_entropy(logits, target, 0.1)
    counts = (target != PAD).sum(dim=1)
    members = [
        training.smoothed_cross_entropy(logits[i : i + 1], target[i : i + 1], 0.1) * counts[i]
        for i in range(3)
    ]
    torch.testing.assert_close(whole, sum(members) / counts.sum())
    assert torch.equal(logits, before[0])
    assert torch.equal(target, before[1])


def test_meta_tensors_have_shapes():
    logits = torch.empty(2, 3, 5, device="meta")
    target = torch.empty(2, 3, dtype=torch.int64, device="meta")
    assert training.smoothed_cross_entropy(logits, target).shape == ()
    assert training.smoothed_targets(target, 5).shape == (2, 3, 5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: training.smoothed_targets(torch.tensor([1]), 3, 1.5), "smoothing is 1.5"),
        (lambda: training.smoothed_targets(torch.tensor([3]), 3), "from 3 to 3, expected 0 to 2"),
        (lambda: training.smallest_loss(0), "vocab_size is 0"),
        (
            lambda: training.smoothed_cross_entropy(torch.zeros(1, 1, 3), torch.tensor([[PAD]])),
            "nothing but pads",
        ),
        (
            lambda: training.smoothed_cross_entropy(torch.zeros(1, 1, 3), torch.tensor([[-1]])),
            "from -1 to -1",
        ),
        (lambda: training.warmup_rate(0, d_model=4, warmup=4), "step is 0"),
        (lambda: training.warmup_rate(1, d_model=0, warmup=4), "d_model is 0"),
        (lambda: training.warmup_rate(1, d_model=4, warmup=0), "warmup is 0"),
        (lambda: training.warmup_rate(1, d_model=4, warmup=4, factor=0), "factor is 0"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# The learning rate


def test_rate_equals_a_table_made_by_hand():
    # d_model 16 gives the factor 1/4; warmup 4 gives step / 8 up to step 4, then 1 / root of step.
    table = {1: 1 / 32, 2: 1 / 16, 3: 3 / 32, 4: 1 / 8, 9: 1 / 12, 16: 1 / 16, 100: 1 / 40}
    for step, rate in table.items():
        assert training.warmup_rate(step, d_model=16, warmup=4) == pytest.approx(rate)


def test_rate_of_the_paper():
    peak = training.warmup_rate(4000, d_model=512, warmup=4000)
    assert peak == pytest.approx(1 / math.sqrt(512 * 4000))
    assert round(peak, 6) == 0.000699


@given(st.integers(1, 1000), st.integers(1, 50), st.integers(1, 50))
def test_rate_rises_to_the_warmup_and_falls_behind_it(step, warmup, d_model):
    rate = partial(training.warmup_rate, d_model=d_model, warmup=warmup)
    if step < warmup:
        assert rate(step) < rate(step + 1)
    else:
        assert rate(step) > rate(step + 1)
    assert rate(step) <= rate(warmup)
    assert rate(4 * warmup) == pytest.approx(rate(warmup) / 2)


def test_rate_works_in_a_scheduler_of_pytorch():
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    rate = partial(training.warmup_rate, d_model=16, warmup=3)
    scheduler = LambdaLR(optimizer, lambda done: rate(done + 1))
    seen = []
    for _ in range(8):
        seen.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    assert seen == [rate(step) for step in range(1, 9)]


# Batches with a budget


LENGTHS = st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9)), max_size=20)


@given(LENGTHS, st.integers(10, 40))
def test_token_batches_hold_each_pair_once_within_the_budget(lengths, max_tokens):
    pairs = [([10 + i] * source, [10 + i] * target) for i, (source, target) in enumerate(lengths)]
    before = copy.deepcopy(pairs)
    batches = list(training.iterate_token_batches(pairs, max_tokens, generator()))
    found = []
    for batch in batches:
        assert max(batch.source.numel(), batch.target_input.numel()) <= max_tokens
        for source, target in zip(batch.source.tolist(), batch.target_input.tolist(), strict=True):
            found.append(([w for w in source if w != PAD], [w for w in target[1:] if w != PAD]))
    assert sorted(found) == sorted(pairs)
    assert pairs == before


def test_token_batches_are_as_full_as_they_can_be():
    pairs = [([4] * 3, [4] * 2)] * 10  # three columns on each side
    sizes = [len(batch.source) for batch in training.iterate_token_batches(pairs, 12, generator())]
    assert sorted(sizes) == [2, 4, 4]


def test_token_batches_are_random_and_repeatable():
    pairs = [([4 + i], [4]) for i in range(20)]

    def order(seed):
        batches = training.iterate_token_batches(pairs, 4, generator(seed))
        return [batch.source.flatten().tolist() for batch in batches]

    assert order(0) == order(0) != order(1)
    # Not only the batches change places: a pair gets other companions, too.
    companions = [set(map(frozenset, order(seed))) for seed in (0, 1)]
    assert companions[0] != companions[1]


def test_long_batches_do_not_always_come_last():
    pairs = [([4] * length, [4]) for length in range(1, 21)]
    widths = [b.source.shape[1] for b in training.iterate_token_batches(pairs, 20, generator())]
    assert widths != sorted(widths)


def test_token_batches_of_nothing_and_of_too_much():
    assert list(training.iterate_token_batches([], 5, generator())) == []
    with pytest.raises(ValueError, match="max_tokens is 5, expected at least 7"):
        list(training.iterate_token_batches([([4], [5] * 6)], 5, generator()))
    with pytest.raises(ValueError, match="max_tokens is 0"):
        next(training.iterate_token_batches([], 0, generator()))


# The loop

PAIRS = [([4 + i, 4 + j], [4 + j, 4 + i]) for i in range(4) for j in range(4)]


def train_small(model, epochs, **changes):
    options = {
        "max_tokens": 24,
        "rate": partial(training.warmup_rate, d_model=8, warmup=8, factor=0.3),
        "loss": partial(training.smoothed_cross_entropy, smoothing=0.1),
        "generator": generator(1),
    }
    return training.train_epochs(model, PAIRS, epochs=epochs, **{**options, **changes})


def test_training_learns_to_turn_pairs_round():
    model = small_model()
    losses = list(train_small(model, 40))
    assert losses[-1] < 0.8 * losses[0]
    found = translate_greedily(model, make_batch(PAIRS).source, 4)
    assert exact_match(found, [target for _, target in PAIRS]) == 1


def test_each_update_gets_its_own_rate(monkeypatch):
    asked, used = [], []

    def rate(step):
        asked.append(step)
        return step / 1000

    class Recording(torch.optim.Adam):
        def step(self, closure=None):
            assert self.defaults["betas"] == (0.9, 0.98)  # section 5.3 of the paper
            assert self.defaults["eps"] == 1e-9
            used.append(self.param_groups[0]["lr"])
            return super().step(closure)

    monkeypatch.setattr(loop.torch.optim, "Adam", Recording)
    list(train_small(small_model(), 2, rate=rate))
    # 16 pairs of three columns, 8 to a batch: two updates an epoch.
    assert used == [step / 1000 for step in (1, 2, 3, 4)]
    assert asked[:4] == [1, 2, 3, 4]


def test_mode_is_train_inside_and_eval_between():
    model, modes = small_model(dropout=0.5), []

    def loss(logits, target):
        modes.append(model.training)
        return masked_cross_entropy(logits, target)

    for _ in train_small(model, 3, loss=loss):
        assert not model.training
    assert modes == [True] * 6


def test_loss_is_weighted_by_words():
    pairs = [([4], [5]), ([4] * 6, [5] * 6)]  # batches of 2 and of 7 words
    model = small_model()
    (value,) = training.train_epochs(
        model,
        pairs,
        epochs=1,
        max_tokens=7,
        rate=lambda step: 1e-12,
        loss=masked_cross_entropy,
        generator=generator(),
    )
    batch = make_batch(pairs)
    whole = masked_cross_entropy(model(batch.source, batch.target_input), batch.target_output)
    assert value == pytest.approx(whole.item(), abs=1e-5)


def test_any_translator_can_be_trained():
    model = AttentionTranslator(9, 9, embedding_size=8, hidden_size=8, generator=generator())
    losses = list(train_small(model, 10))
    assert losses[-1] < losses[0]


def test_loop_refuses_bad_arguments():
    with pytest.raises(ValueError, match="epochs is -1"):
        train_small(small_model(), -1)
    with pytest.raises(ValueError, match="pairs is empty"):
        training.train_epochs(
            small_model(),
            [],
            epochs=1,
            max_tokens=5,
            rate=float,
            loss=masked_cross_entropy,
            generator=generator(),
        )
    assert list(train_small(small_model(), 0)) == []


# The mean of models


def test_average_is_the_mean_of_all_parameters_and_changes_nothing():
    models = [small_model() for _ in range(3)]
    for i, model in enumerate(models):
        list(train_small(model, i))  # the three models are 0, 1 and 2 epochs old
    before = [copy.deepcopy(model.state_dict()) for model in models]
    average = training.average_models(models)
    for name, value in average.state_dict().items():
        expected = sum(state[name] for state in before) / 3
        torch.testing.assert_close(value, expected)
    for model, state in zip(models, before, strict=True):
        assert all(torch.equal(value, state[name]) for name, value in model.state_dict().items())


def test_average_of_one_model_is_its_copy_and_of_none_is_refused():
    model = small_model(tied=True)
    average = training.average_models([model])
    assert average is not model
    assert average.output.weight is average.decoder.embedding.table.weight  # still tied
    torch.testing.assert_close(average(SOURCE, TARGET_INPUT), model(SOURCE, TARGET_INPUT))
    with pytest.raises(ValueError, match="models is empty"):
        training.average_models([])


# Ablation

SOURCE, TARGET_INPUT = torch.tensor([[4, 5, 6], [7, 8, PAD]]), torch.tensor([[2, 4], [2, 5]])


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize("layer", [0, 1])
def test_silenced_head_has_no_influence_and_the_others_have(kind, layer):
    model = small_model()
    before = copy.deepcopy(model.state_dict())
    pruned = training.without_head(model, kind, layer, 1)
    assert not torch.allclose(pruned(SOURCE, TARGET_INPUT), model(SOURCE, TARGET_INPUT))
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())

    # Whatever the values of the silenced head are, the output is the same.
    name = {"encoder": "attention", "decoder": "self_attention", "cross": "cross_attention"}[kind]
    stack = pruned.encoder if kind == "encoder" else pruned.decoder
    values = getattr(stack.layers[layer], name).value_projection
    expected = pruned(SOURCE, TARGET_INPUT)
    with torch.no_grad():
        values.weight[4:] = 7.0  # rows of head 1
    torch.testing.assert_close(pruned(SOURCE, TARGET_INPUT), expected)
    with torch.no_grad():
        values.weight[:4] = 7.0  # rows of head 0
    assert not torch.allclose(pruned(SOURCE, TARGET_INPUT), expected)


@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_model_without_a_layer_is_the_smaller_model(stack):
    model = small_model()
    smaller = training.without_layer(model, stack, 0)
    sizes = (1, 2) if stack == "encoder" else (2, 1)
    fresh = small_model(num_layers=sizes[0], num_decoder_layers=sizes[1])
    state = {
        name.replace(f"{stack}.layers.1.", f"{stack}.layers.0."): value
        for name, value in model.state_dict().items()
        if not name.startswith(f"{stack}.layers.0.")
    }
    fresh.load_state_dict(state)
    torch.testing.assert_close(smaller(SOURCE, TARGET_INPUT), fresh(SOURCE, TARGET_INPUT))
    assert len(model.encoder.layers) == len(model.decoder.layers) == 2
    # Step by step as well.
    assert translate_greedily(smaller, SOURCE, 4) == translate_greedily(fresh, SOURCE, 4)


def test_ablation_refuses_what_is_not_there():
    model = small_model(num_layers=1)
    with pytest.raises(ValueError, match="layer is 1, expected a number from 0 to 0"):
        training.without_head(model, "cross", 1, 0)
    with pytest.raises(ValueError, match="heads holds 2"):
        training.without_head(model, "cross", 0, 2)
    with pytest.raises(ValueError, match="the only layer of the encoder"):
        training.without_layer(model, "encoder", 0)
    with pytest.raises(ValueError, match="layer is -1"):
        training.without_layer(model, "decoder", -1)
