"""The module word_vectors.glove against PyTorch, the paper's numbers and its properties."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.word_vectors.glove import (
    GloVe,
    Parameters,
    adagrad_step,
    loss,
    loss_and_gradients,
    weighting,
)

COUNTS = st.one_of(st.just(0.0), st.floats(1e-3, 1e6))


def random_parameters(vocab_size=5, dimension=3, seed=0, dtype=torch.float64):
    rng = torch.Generator().manual_seed(seed)
    shapes = [(vocab_size, dimension)] * 2 + [(vocab_size,)] * 2
    return Parameters(*(torch.randn(shape, generator=rng, dtype=dtype) for shape in shapes))


def reference_loss(parameters, rows, columns, counts, x_max=100, alpha=0.75):
    """Equation 8 of the paper, one entry at a time, with Python's own power and logarithm."""
    total = torch.zeros((), dtype=parameters.word.dtype)
    for i, j, count in zip(rows.tolist(), columns.tolist(), counts.tolist(), strict=True):
        if count > 0:
            weight = (count / x_max) ** alpha if count < x_max else 1
            error = parameters.word[i] @ parameters.context[j]
            error = error + parameters.word_bias[i] + parameters.context_bias[j] - math.log(count)
            total = total + weight * error**2
    return total


@st.composite
def entries(draw, vocab_size=5):
    """Rows, columns and counts of up to 8 entries of a 5 x 5 matrix; repetitions are likely."""
    word = st.integers(0, vocab_size - 1)
    drawn = draw(st.lists(st.tuples(word, word, COUNTS), max_size=8))
    rows, columns, counts = zip(*drawn, strict=True) if drawn else ((), (), ())
    return (
        torch.tensor(rows, dtype=torch.int64),
        torch.tensor(columns, dtype=torch.int64),
        torch.tensor(counts, dtype=torch.float64),
    )


# The weight function


def test_weights_of_the_paper():
    counts = torch.tensor([0.0, 1.0, 10.0, 50.0, 100.0, 200.0, 1e6])
    expected = torch.tensor([0.0, 0.0316, 0.1778, 0.5946, 1.0, 1.0, 1.0])
    torch.testing.assert_close(weighting(counts), expected, rtol=0, atol=5e-5)


@given(
    low=st.floats(0, 1e9),
    high=st.floats(0, 1e9),
    x_max=st.floats(0.5, 1e4),
    alpha=st.floats(0.1, 2),
)
def test_weights_grow_from_zero_to_one(low, high, x_max, alpha):
    low, high = sorted((low, high))
    counts = torch.tensor([0.0, low, high, max(high, x_max)], dtype=torch.float64)
    weights = weighting(counts, x_max, alpha)
    assert weights[0] == 0
    assert weights[3] == 1
    assert (weights.diff() >= 0).all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_weights_keep_their_dtype_and_never_overflow(dtype):
    largest = torch.finfo(dtype).max
    weights = weighting(torch.tensor([[0.0, largest]], dtype=dtype), x_max=0.5, alpha=3)
    assert weights.dtype == dtype
    assert weights.tolist() == [[0, 1]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"x_max": 0}, "x_max is 0, expected a positive number"),
        ({"x_max": math.inf}, "x_max is inf, expected a positive number"),
        ({"alpha": 0}, "alpha is 0, expected a positive number"),
        ({"alpha": math.nan}, "alpha is nan, expected a positive number"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        weighting(torch.ones(1), **options)
    with pytest.raises(ValueError, match=message):
        GloVe(2, 2, **options)


@pytest.mark.parametrize("bad", [-1.0, math.nan])
def test_bad_counts_are_refused(bad):
    with pytest.raises(ValueError, match=f"counts has the entry {bad}"):
        weighting(torch.tensor([1.0, bad]))


# The loss and its gradients


@given(entries=entries(), x_max=st.floats(1, 200), alpha=st.floats(0.25, 1.5))
def test_loss_equals_equation_8_term_by_term(entries, x_max, alpha):
    parameters = random_parameters()
    expected = reference_loss(parameters, *entries, x_max, alpha)
    torch.testing.assert_close(loss(parameters, *entries, x_max, alpha), expected)
    torch.testing.assert_close(loss_and_gradients(parameters, *entries, x_max, alpha)[0], expected)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@given(entries=entries(), seed=st.integers(0, 9), x_max=st.floats(1, 200))
def test_gradients_equal_autograd(dtype, entries, seed, x_max):
    rows, columns, counts = entries
    counts = counts.to(dtype)
    parameters = random_parameters(seed=seed, dtype=dtype)
    leaves = Parameters(*(p.clone().requires_grad_() for p in parameters))
    # Through the reference: autograd shares no line with the module, torch.where included.
    total = reference_loss(leaves, rows, columns, counts, x_max)
    total = total + sum(0 * leaf.sum() for leaf in leaves)
    expected = torch.autograd.grad(total, leaves)
    _, gradients = loss_and_gradients(parameters, rows, columns, counts, x_max)
    for actual, wanted in zip(gradients, expected, strict=True):
        assert actual.dtype == dtype
        torch.testing.assert_close(actual, wanted, rtol=1e-4, atol=1e-4)


def test_repeated_entries_add_up():
    parameters = random_parameters()
    once = [torch.tensor([2]), torch.tensor([4]), torch.tensor([7.0], dtype=torch.float64)]
    thrice = [x.repeat(3) for x in once]
    value, gradients = loss_and_gradients(parameters, *once)
    tripled, sums = loss_and_gradients(parameters, *thrice)
    torch.testing.assert_close(tripled, 3 * value)
    for one, three in zip(gradients, sums, strict=True):
        torch.testing.assert_close(three, 3 * one)


@given(entries=entries())
def test_words_and_contexts_can_change_places(entries):
    rows, columns, counts = entries
    word, context, word_bias, context_bias = parameters = random_parameters()
    swapped = Parameters(context, word, context_bias, word_bias)
    value, gradients = loss_and_gradients(parameters, rows, columns, counts)
    other, mirrored = loss_and_gradients(swapped, columns, rows, counts)
    torch.testing.assert_close(value, other)
    torch.testing.assert_close(gradients.word, mirrored.context)
    torch.testing.assert_close(gradients.context_bias, mirrored.word_bias)


@given(entries=entries(), shift=st.floats(-5, 5))
def test_a_constant_can_move_between_the_biases(entries, shift):
    word, context, word_bias, context_bias = parameters = random_parameters()
    moved = Parameters(word, context, word_bias + shift, context_bias - shift)
    torch.testing.assert_close(loss(moved, *entries), loss(parameters, *entries))


def test_an_empty_cell_counts_nothing_and_its_logarithm_is_not_taken():
    leaves = Parameters(*(p.requires_grad_() for p in random_parameters()))
    cell = [torch.tensor([0]), torch.tensor([1]), torch.zeros(1, dtype=torch.float64)]
    value = loss(leaves, *cell)
    assert value == 0
    gradients = [*torch.autograd.grad(value, leaves), *loss_and_gradients(leaves, *cell)[1]]
    assert all((gradient == 0).all() for gradient in gradients)


def test_no_entries_give_zero():
    nothing = [torch.zeros(0, dtype=torch.int64)] * 2 + [torch.zeros(0, dtype=torch.float64)]
    value, gradients = loss_and_gradients(random_parameters(), *nothing)
    assert value == 0
    assert all((gradient == 0).all() for gradient in gradients)


def test_an_exact_model_has_loss_and_gradients_zero():
    parameters = random_parameters()
    word, context, word_bias, context_bias = parameters
    counts = (word @ context.T + word_bias.unsqueeze(1) + context_bias).exp()
    rows, columns = (ids.flatten() for ids in torch.meshgrid([torch.arange(5)] * 2, indexing="ij"))
    value, gradients = loss_and_gradients(parameters, rows, columns, counts.flatten())
    assert value < 1e-20
    assert all(gradient.abs().max() < 1e-10 for gradient in gradients)


@pytest.mark.parametrize("function", [loss, loss_and_gradients])
@pytest.mark.parametrize(
    ("rows", "columns", "counts", "message"),
    [
        ([0], [5], [1.0], "columns goes from 5 to 5, expected 0 to 4"),
        ([-1, 0], [0, 0], [1.0, 1.0], "rows goes from -1 to 0, expected 0 to 4"),
        ([0], [0], [-2.0], "counts has the entry -2.0"),
    ],
)
def test_bad_entries_are_refused(function, rows, columns, counts, message):
    with pytest.raises(ValueError, match=message):
        function(
            random_parameters(), torch.tensor(rows), torch.tensor(columns), torch.tensor(counts)
        )


# AdaGrad


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@given(
    steps=st.lists(st.lists(st.floats(-1e3, 1e3), min_size=4, max_size=4), min_size=1, max_size=5),
    learning_rate=st.floats(1e-3, 10),
)
def test_adagrad_equals_torch(dtype, steps, learning_rate):
    start = torch.tensor([0.5, -1.0, 0.0, 3.0], dtype=dtype)
    theirs = start.clone().requires_grad_()
    optimizer = torch.optim.Adagrad([theirs], lr=learning_rate)
    ours, squares = start, torch.zeros_like(start)
    for values in steps:
        gradient = torch.tensor(values, dtype=dtype)
        theirs.grad = gradient.clone()
        optimizer.step()
        ours, squares = adagrad_step(ours, gradient, squares, learning_rate)
        torch.testing.assert_close(ours, theirs.detach())
        torch.testing.assert_close(squares, optimizer.state[theirs]["sum"])


@given(
    steps=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=6), learning_rate=st.floats(1e-3, 10)
)
def test_no_adagrad_step_is_longer_than_the_learning_rate(steps, learning_rate):
    position = squares = torch.zeros(1, dtype=torch.float64)
    for gradient in steps:
        moved, squares = adagrad_step(
            position, torch.tensor([gradient], dtype=torch.float64), squares, learning_rate
        )
        assert (moved - position).abs() <= learning_rate * (1 + 1e-9)
        position = moved


def test_adagrad_changes_no_argument_and_leaves_zero_gradients_alone():
    parameter, gradient, squares = torch.ones(2), torch.tensor([2.0, 0.0]), torch.tensor([5.0, 0.0])
    moved, total = adagrad_step(parameter, gradient, squares, 0.3)
    assert parameter.tolist() == [1, 1]
    assert gradient.tolist() == [2, 0]
    assert squares.tolist() == [5, 0]
    torch.testing.assert_close(moved, torch.tensor([1 - 0.3 * 2 / 3, 1.0]))
    assert total.tolist() == [9, 0]


@pytest.mark.parametrize("learning_rate", [0, -1.0, math.nan, math.inf])
def test_bad_learning_rates_are_refused(learning_rate):
    one = torch.ones(1)
    with pytest.raises(ValueError, match=f"learning_rate is {learning_rate}"):
        adagrad_step(one, one, one, learning_rate)
    with pytest.raises(ValueError, match=f"learning_rate is {learning_rate}"):
        GloVe(2, 2, learning_rate=learning_rate)


# The model


def test_training_steps_equal_autograd_with_torch_adagrad():
    model = GloVe(5, 3, 0.1, x_max=10, alpha=0.5, generator=torch.Generator().manual_seed(3))
    leaves = Parameters(*(p.clone().requires_grad_() for p in model.parameters))
    optimizer = torch.optim.Adagrad(leaves, lr=0.1)
    rng = torch.Generator().manual_seed(4)
    for _ in range(10):
        rows, columns = torch.randint(5, (2, 20), generator=rng)
        counts = 30 * torch.rand(20, generator=rng)
        before = [p.clone() for p in model.parameters]
        expected = reference_loss(leaves, rows, columns, counts, x_max=10, alpha=0.5)
        optimizer.zero_grad()
        expected.backward()
        optimizer.step()
        kept = model.parameters
        torch.testing.assert_close(model.step(rows, columns, counts), expected.detach())
        # A step makes new tensors: what was read before it stays as it was.
        assert all(torch.equal(a, b) for a, b in zip(kept, before, strict=True))
        for ours, theirs in zip(model.parameters, leaves, strict=True):
            torch.testing.assert_close(ours, theirs.detach(), rtol=1e-4, atol=1e-5)


def test_it_recovers_counts_that_a_model_of_its_size_can_fit():
    word, context, word_bias, context_bias = random_parameters(vocab_size=6, dimension=2, seed=1)
    counts = (word @ context.T + word_bias.unsqueeze(1) + context_bias).exp().float().flatten()
    rows, columns = (ids.flatten() for ids in torch.meshgrid([torch.arange(6)] * 2, indexing="ij"))
    model = GloVe(6, 2, 0.5, x_max=1, generator=torch.Generator().manual_seed(0))
    losses = [model.step(rows, columns, counts).item() for _ in range(2000)]
    assert losses[-1] < 1e-3 * losses[0]


def test_training_does_not_touch_words_that_do_not_occur():
    model = GloVe(4, 2, generator=torch.Generator().manual_seed(0))
    before = model.parameters
    model.step(torch.tensor([0, 1]), torch.tensor([1, 0]), torch.tensor([3.0, 4.0]))
    for old, new in zip(before, model.parameters, strict=True):
        assert torch.equal(old[2:], new[2:])
        assert not torch.isclose(old[:2], new[:2]).any()


def test_the_start_is_small_repeatable_and_different_for_words_and_contexts():
    first, second = (GloVe(50, 10, generator=torch.Generator().manual_seed(7)) for _ in range(2))
    word, context, word_bias, context_bias = first.parameters
    assert all(map(torch.equal, first.parameters, second.parameters))
    assert 0.04 < word.abs().max() <= 0.05
    assert not torch.equal(word, context)
    assert not word_bias.any()
    assert not context_bias.any()
    torch.testing.assert_close(first.vectors(), word + context)
    assert sum(p.numel() for p in GloVe(5, 3).parameters) == 2 * 5 * 3 + 2 * 5


@pytest.mark.parametrize("name", ["vocab_size", "dimension"])
def test_bad_sizes_are_refused(name):
    with pytest.raises(ValueError, match=f"{name} is 0, expected at least 1"):
        GloVe(**{"vocab_size": 2, "dimension": 2, name: 0})


def test_one_word_and_one_dimension_suffice():
    model = GloVe(1, 1, generator=torch.Generator().manual_seed(0))
    zero = torch.zeros(1, dtype=torch.int64)
    losses = [model.step(zero, zero, torch.tensor([5.0])).item() for _ in range(200)]
    assert losses[-1] < losses[0] / 10


def test_everything_runs_on_the_meta_device():
    model = GloVe(4, 3, device="meta")
    ids = torch.empty(2, dtype=torch.int64, device="meta")
    counts = torch.empty(2, device="meta")
    assert weighting(counts).is_meta
    assert loss(model.parameters, ids, ids, counts).is_meta
    assert model.step(ids, ids, counts).is_meta
    assert model.vectors().is_meta
