"""The module translation.training_techniques: schedules, scheduled sampling and exposure bias."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.translation.sequence_to_sequence import (
    BOS,
    SequenceToSequence,
    encode_pairs,
    make_batch,
    masked_cross_entropy,
    translate_greedily,
)
from course_lib.translation.training_techniques import (
    continue_greedily,
    exponential_decay,
    inverse_sigmoid_decay,
    linear_decay,
    minimize,
    scheduled_sampling_logits,
)

SOURCE = torch.tensor([[4, 5, 6], [7, 4, 1]])
TARGET = torch.tensor([[2, 4, 5, 6], [2, 7, 3, 1]])


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def small_model(seed=0, vocab=9):
    return SequenceToSequence(vocab, vocab, 4, 5, generator=generator(seed)).eval()


class Spy(torch.nn.Module):
    """A translator that asks another one and notes what it is given to read."""

    def __init__(self, model):
        super().__init__()
        self.model, self.read = model, []

    def forward(self, source, target_input):
        return self.model(source, target_input)

    def start(self, source):
        return self.model.start(source)

    def step(self, tokens, state):
        self.read.append(tokens)
        return self.model.step(tokens, state)


class Fixed(torch.nn.Module):
    """A translator whose scores depend on the word that it reads, and on nothing else."""

    def __init__(self, scores):
        super().__init__()
        self.scores = scores  # one row for each word

    def forward(self, source, target_input):
        return self.scores[target_input]

    def start(self, source):
        return (torch.zeros(source.shape[0]),)

    def step(self, tokens, state):
        return self.scores[tokens], state


def automaton(vocab=12):
    """A translator whose next word is the previous one + 1, certainly."""
    return Spy(Fixed(1e4 * torch.eye(vocab).roll(1, dims=1)))


# Schedules


def test_schedules_by_hand():
    assert [linear_decay(i, slope=0.25) for i in (0, 1, 4, 9)] == [1, 0.75, 0, 0]
    assert linear_decay(9, slope=0.25, floor=0.3) == 0.3
    assert exponential_decay(3, base=0.9) == pytest.approx(0.729)
    assert inverse_sigmoid_decay(0, k=1) == 0.5
    assert inverse_sigmoid_decay(7, k=10) == pytest.approx(10 / (10 + math.exp(0.7)))


SCHEDULES = [
    (linear_decay, {"slope": 1e-3, "floor": 0.1}),
    (exponential_decay, {"base": 0.99}),
    (inverse_sigmoid_decay, {"k": 30}),
    (inverse_sigmoid_decay, {"k": 1}),
]


@pytest.mark.parametrize(("schedule", "options"), SCHEDULES)
@given(step=st.integers(0, 10**6), later=st.integers(0, 10**6))
def test_schedules_fall_and_stay_probabilities(schedule, options, step, later):
    now, then = schedule(step, **options), schedule(step + later, **options)
    assert 0 <= then <= now <= 1


@given(k=st.floats(1, 1e4))
def test_inverse_sigmoid_passes_one_half_at_k_log_k(k):
    step = k * math.log(k)
    below, above = math.floor(step), math.ceil(step)
    assert inverse_sigmoid_decay(above, k=k) <= 0.5 + 1e-12
    assert inverse_sigmoid_decay(below, k=k) >= 0.5 - 1e-12


@pytest.mark.parametrize(
    ("schedule", "arguments", "message"),
    [
        (linear_decay, {"step": -1, "slope": 1}, "step is -1, expected at least 0"),
        (linear_decay, {"step": 1, "slope": 0}, "slope is 0, expected a positive number"),
        (linear_decay, {"step": 1, "slope": 1, "floor": 2}, "floor is 2, expected a number from"),
        (exponential_decay, {"step": 1, "base": 1}, "base is 1, expected a number between"),
        (inverse_sigmoid_decay, {"step": 1, "k": 0.5}, "k is 0.5, expected a number of at least"),
        (inverse_sigmoid_decay, {"step": 1, "k": math.nan}, "k is nan"),
    ],
)
def test_bad_schedules_are_refused(schedule, arguments, message):
    with pytest.raises(ValueError, match=message):
        schedule(**arguments)


# Scheduled sampling


def test_probability_one_is_teacher_forcing():
    model = small_model()
    logits = scheduled_sampling_logits(model, SOURCE, TARGET, 1.0, generator())
    torch.testing.assert_close(logits, model(SOURCE, TARGET))


def test_probability_zero_reads_only_the_models_own_words():
    model = automaton()
    scheduled_sampling_logits(model, SOURCE, TARGET, 0.0, generator())
    # <bos> is 2, and the automaton counts up, whatever the right words are.
    assert torch.stack(model.read, dim=1).tolist() == [[2, 3, 4, 5], [2, 3, 4, 5]]


def test_each_step_of_each_sentence_has_its_own_coin():
    model = automaton(vocab=60)
    target = torch.full((4000, 6), 50)
    target[:, 0] = BOS
    scheduled_sampling_logits(model, torch.full((4000, 1), 4), target, 0.7, generator())
    right = torch.stack(model.read, dim=1)[:, 1:] == 50
    share, rows = right.float().mean().item(), right.float().mean(dim=1)
    assert abs(share - 0.7) < 0.02
    # Five independent coins of 0.7: the variance of their mean is 0.7 * 0.3 / 5.
    assert abs(rows.var().item() - 0.042) < 0.005


def test_own_words_are_drawn_and_not_the_likeliest():
    model = Spy(Fixed(torch.tensor([0.0, 0.0, 3.0, 1.0]).log().expand(4, 4)))
    target = torch.full((5000, 2), BOS)
    scheduled_sampling_logits(model, torch.full((5000, 1), 4), target, 0.0, generator())
    counts = torch.bincount(model.read[1], minlength=4) / 5000
    torch.testing.assert_close(counts, torch.tensor([0, 0, 0.75, 0.25]), atol=0.02, rtol=0)


def test_each_step_draws_anew():
    model = Spy(Fixed(torch.zeros(60, 60)))  # every word is as likely as every other one
    target = torch.full((500, 3), BOS)
    scheduled_sampling_logits(model, torch.full((500, 1), 4), target, 0.0, generator())
    assert (model.read[1] == model.read[2]).float().mean() < 0.1


def test_labels_and_gradients_are_those_of_the_words_read():
    """The gradient equals that of the logits for the inputs that were read: drawing has none."""

    model = small_model()
    spy, labels = Spy(model), torch.tensor([[4, 5, 6, 3], [7, 3, 1, 1]])
    logits = scheduled_sampling_logits(spy, SOURCE, TARGET, 0.3, generator(3))
    mixed = torch.stack(spy.read, dim=1)
    assert not torch.equal(mixed, TARGET)
    ours = torch.autograd.grad(masked_cross_entropy(logits, labels), list(model.parameters()))
    plain = masked_cross_entropy(model(SOURCE, mixed), labels)
    for a, b in zip(ours, torch.autograd.grad(plain, list(model.parameters())), strict=True):
        torch.testing.assert_close(a, b)


def test_scheduled_sampling_repeats_and_changes_no_argument():
    model, target = small_model(), TARGET.clone()
    one, two = (
        scheduled_sampling_logits(model, SOURCE, target, 0.5, generator(5)) for _ in range(2)
    )
    assert torch.equal(one, two)
    assert torch.equal(target, TARGET)


@pytest.mark.parametrize("probability", [-0.1, 1.5, math.nan])
def test_bad_teacher_probability_is_refused(probability):
    with pytest.raises(ValueError, match=f"teacher_probability is {probability}, expected"):
        scheduled_sampling_logits(small_model(), SOURCE, TARGET, probability, generator())


def test_no_step_is_refused():
    with pytest.raises(ValueError, match="target_input has no step"):
        scheduled_sampling_logits(small_model(), SOURCE, TARGET[:, :0], 0.5, generator())


def test_scheduled_sampling_runs_on_the_meta_device():
    # PyTorch cannot unpack padded sequences there, so the model is one without an encoder.
    model = Fixed(torch.empty(9, 9, device="meta"))
    logits = scheduled_sampling_logits(
        model, SOURCE.to("meta"), TARGET.to("meta"), 0.5, generator()
    )
    assert logits.shape == (2, 4, 9)
    assert logits.is_meta


# After an error


def test_continuing_from_nothing_is_greedy_translation():
    model = small_model()
    written = continue_greedily(model, SOURCE, torch.empty(2, 0, dtype=torch.int64), 6)
    for row, greedy in zip(written.tolist(), translate_greedily(model, SOURCE, 6), strict=True):
        assert row[: len(greedy)] == greedy


def test_continuing_reads_the_prefix_and_then_its_own_words():
    model = automaton()
    written = continue_greedily(model, SOURCE, torch.tensor([[4, 9], [5, 6]]), 3)
    assert written.tolist() == [[10, 11, 0], [7, 8, 9]]
    assert torch.stack(model.read, dim=1).tolist() == [[2, 4, 9, 10, 11], [2, 5, 6, 7, 8]]


def test_a_batch_is_continued_as_its_members():
    model, prefix = small_model(), torch.tensor([[4, 9 - 1], [5, 6]])
    both = continue_greedily(model, SOURCE, prefix, 5)
    alone = [
        continue_greedily(model, SOURCE[:1], prefix[:1], 5),
        continue_greedily(model, SOURCE[1:, :2], prefix[1:], 5),
    ]
    assert torch.equal(both, torch.cat(alone))


def test_bad_continuations_are_refused():
    with pytest.raises(ValueError, match="steps is 0, expected at least 1"):
        continue_greedily(small_model(), SOURCE, TARGET, 0)


# Training with an objective


def test_cross_entropy_as_an_objective_trains_like_the_plain_loop():
    from course_lib.translation.sequence_to_sequence import build_vocab, train

    pairs = [(("a", "b"), ("x", "y")), (("b",), ("y",)), (("b", "b", "a"), ("y", "y", "x"))]
    vocab = build_vocab([side for pair in pairs for side in pair])
    ids = encode_pairs(pairs, vocab, vocab)
    settings = {"epochs": 3, "batch_size": 2, "learning_rate": 0.01}
    one, two = small_model(), small_model()
    train(one, ids, generator=generator(1), **settings)
    losses = minimize(
        two,
        ids,
        lambda b: masked_cross_entropy(two(b.source, b.target_input), b.target_output),
        generator=generator(1),
        **settings,
    )
    assert len(losses) == 6
    assert not two.training
    for a, b in zip(one.parameters(), two.parameters(), strict=True):
        torch.testing.assert_close(a, b)


def test_no_epochs_change_nothing_and_bad_settings_are_refused():
    model, ids = small_model(), [([4], [5])]
    before = [parameter.clone() for parameter in model.parameters()]
    options = {"batch_size": 1, "generator": generator()}
    assert minimize(model, ids, lambda b: None, epochs=0, learning_rate=0.1, **options) == []
    assert all(map(torch.equal, before, model.parameters()))
    with pytest.raises(ValueError, match="epochs is -1, expected at least 0"):
        minimize(model, ids, lambda b: None, epochs=-1, learning_rate=0.1, **options)
    with pytest.raises(ValueError, match="learning_rate is 0, expected a positive number"):
        minimize(model, ids, lambda b: None, epochs=1, learning_rate=0, **options)


def test_make_batch_gives_what_an_objective_reads():
    seen = []

    def objective(batch):
        assert model.training
        seen.append(batch)
        return model(batch.source, batch.target_input).sum()

    model, ids = small_model(), [([4, 5], [6])]
    minimize(
        model, ids, objective, epochs=1, batch_size=1, learning_rate=0.1, generator=generator()
    )
    assert all(map(torch.equal, seen[0], make_batch(ids)))
