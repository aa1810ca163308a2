"""The module calculus.jacobians against PyTorch, hand calculations and its properties."""

import math

import jaxtyping
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from course_lib.calculus.jacobians import (
    cross_entropy,
    cross_entropy_gradient,
    log_softmax,
    log_softmax_jacobian,
    log_softmax_vjp,
    logsumexp,
    softmax,
    softmax_jacobian,
    softmax_vjp,
)


@pytest.fixture
def without_shape_checks(monkeypatch):
    """Call the functions as a reader does: nothing looks at the arguments before they do."""
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)


ON_LOGITS = [logsumexp, softmax, log_softmax, softmax_jacobian, log_softmax_jacobian]
TORCH = {
    logsumexp: lambda z: torch.logsumexp(z, dim=-1),
    softmax: lambda z: torch.softmax(z, dim=-1),
    log_softmax: lambda z: torch.log_softmax(z, dim=-1),
}
JACOBIANS = [(softmax_jacobian, TORCH[softmax]), (log_softmax_jacobian, TORCH[log_softmax])]
VJPS = [(softmax_vjp, TORCH[softmax]), (log_softmax_vjp, TORCH[log_softmax])]


def tensors(low=-1e4, high=1e4, min_classes=1):
    """Tensors of random shape [*batch, classes] in float32 or float64, logits up to 1e4."""
    shapes = st.tuples(st.lists(st.integers(0, 3), max_size=2), st.integers(min_classes, 6)).map(
        lambda pair: (*pair[0], pair[1])
    )

    @st.composite
    def draw(draw_from):
        shape = draw_from(shapes)
        size = math.prod(shape)
        values = draw_from(st.lists(st.floats(low, high, width=32), min_size=size, max_size=size))
        dtype = draw_from(st.sampled_from([torch.float32, torch.float64]))
        return torch.tensor(values, dtype=dtype).reshape(shape)

    return draw()


def vectors(low=-20.0, high=20.0):
    return st.lists(st.floats(low, high), min_size=1, max_size=6).map(
        lambda values: torch.tensor(values, dtype=torch.float64)
    )


@pytest.mark.parametrize("function", TORCH, ids=lambda f: f.__name__)
@given(logits=tensors())
def test_values_equal_torch(function, logits):
    torch.testing.assert_close(function(logits), TORCH[function](logits))


@pytest.mark.parametrize(("formula", "function"), JACOBIANS, ids=lambda f: f.__name__)
@given(logits=vectors())
def test_jacobians_equal_autograd(formula, function, logits):
    expected = torch.autograd.functional.jacobian(function, logits)
    torch.testing.assert_close(formula(logits), expected)


@pytest.mark.parametrize(("formula", "function"), JACOBIANS, ids=lambda f: f.__name__)
def test_a_batch_of_jacobians_is_each_row_on_its_own(formula, function):
    logits = torch.randn(2, 3, 4, generator=torch.Generator().manual_seed(0))
    rows = [torch.autograd.functional.jacobian(function, row) for row in logits.flatten(0, 1)]
    torch.testing.assert_close(formula(logits), torch.stack(rows).reshape(2, 3, 4, 4))


@pytest.mark.parametrize(("vjp", "function"), VJPS, ids=lambda f: f.__name__)
@given(logits=tensors(), seed=st.integers(0, 9))
def test_vjps_equal_autograd(vjp, function, logits, seed):
    rng = torch.Generator().manual_seed(seed)
    upstream = torch.randn(logits.shape, dtype=logits.dtype, generator=rng)
    leaf = logits.clone().requires_grad_()
    (expected,) = torch.autograd.grad(function(leaf), leaf, upstream)
    torch.testing.assert_close(vjp(logits, upstream), expected)


@pytest.mark.parametrize("function", TORCH, ids=lambda f: f.__name__)
@given(logits=vectors())
def test_autograd_through_the_module_equals_torch(function, logits):
    leaf, other = logits.clone().requires_grad_(), logits.clone().requires_grad_()
    weights = torch.arange(1.0, logits.numel() + 1, dtype=logits.dtype)
    (function(leaf) * weights).sum().backward()
    (TORCH[function](other) * weights).sum().backward()
    torch.testing.assert_close(leaf.grad, other.grad)


@given(logits=tensors(-1e3, 1e3), shift=st.floats(-1e3, 1e3))
def test_a_common_shift_changes_nothing(logits, shift):
    z = logits.double()
    torch.testing.assert_close(softmax(z + shift), softmax(z))
    torch.testing.assert_close(logsumexp(z + shift), logsumexp(z) + shift)


@given(logits=vectors())
def test_softmax_jacobian_is_symmetric_positive_semidefinite_with_zero_sums(logits):
    J = softmax_jacobian(logits)
    torch.testing.assert_close(J, J.T)
    torch.testing.assert_close(J.sum(dim=0), torch.zeros_like(logits))
    assert torch.linalg.eigvalsh(J).min() > -1e-12
    assert J.norm() <= 1 - softmax(logits).square().sum() + 1e-12


@given(logits=vectors())
def test_log_sum_exp_lies_between_the_maximum_and_that_plus_log_n(logits):
    excess = logsumexp(logits) - logits.max()
    assert 0 <= excess <= math.log(logits.numel()) + 1e-12


def test_values_by_hand():
    z = torch.tensor([0.0, math.log(2), math.log(5)], dtype=torch.float64)
    p = torch.tensor([1 / 8, 2 / 8, 5 / 8], dtype=torch.float64)
    torch.testing.assert_close(softmax(z), p)
    torch.testing.assert_close(logsumexp(z), torch.tensor(math.log(8), dtype=torch.float64))
    by_hand = torch.tensor([[7, -2, -5], [-2, 12, -10], [-5, -10, 15]], dtype=torch.float64) / 64
    torch.testing.assert_close(softmax_jacobian(z), by_hand)


def test_extreme_logits():
    assert softmax(torch.tensor([1000.0, 0.0])).tolist() == [1, 0]
    assert softmax(torch.tensor([-200.0, -200.0])).tolist() == [0.5, 0.5]
    assert cross_entropy(torch.tensor([1000.0, 0.0]), torch.tensor(1)).item() == 1000
    assert softmax(torch.tensor([-math.inf, 0.0])).tolist() == [0, 1]
    assert log_softmax(torch.tensor([-math.inf, 0.0])).tolist() == [-math.inf, 0]
    assert softmax(torch.tensor([-math.inf, -math.inf])).isnan().all()


@pytest.mark.parametrize("function", ON_LOGITS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_dtype_is_kept(function, dtype):
    result = function(torch.tensor([[1.0, 2.0, 3.0]], dtype=dtype))
    assert result.dtype == dtype
    assert result.isfinite().all()


@pytest.mark.parametrize("function", ON_LOGITS, ids=lambda f: f.__name__)
def test_no_argument_is_changed_and_empty_batches_pass(function):
    logits = torch.tensor([[1.0, -2.0]])
    function(logits)
    assert logits.tolist() == [[1, -2]]
    assert function(torch.empty(0, 3)).shape[0] == 0


def test_one_class_is_certain():
    logits = torch.tensor([7.0])
    assert softmax(logits).tolist() == [1]
    assert softmax_jacobian(logits).tolist() == [[0]]
    assert cross_entropy(logits, torch.tensor(0)).item() == 0


@pytest.mark.parametrize("function", ON_LOGITS, ids=lambda f: f.__name__)
@pytest.mark.parametrize(
    ("logits", "message"),
    [
        (torch.empty(2, 0), r"logits has shape \[2, 0\], expected at least one class"),
        (torch.tensor(1.0), r"logits has shape \[\], expected at least one class"),
        (torch.tensor([1, 2]), r"logits has dtype torch\.int64, expected a floating-point type"),
    ],
)
def test_bad_logits_are_refused(without_shape_checks, function, logits, message):
    with pytest.raises(ValueError, match=message):
        function(logits)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@given(seed=st.integers(0, 100), batch=st.integers(1, 5), classes=st.integers(1, 5))
def test_cross_entropy_and_its_gradient_equal_torch(dtype, seed, batch, classes):
    rng = torch.Generator().manual_seed(seed)
    logits = (1e4 * torch.randn(batch, classes, generator=rng, dtype=dtype)).requires_grad_()
    targets = torch.randint(classes, (batch,), generator=rng)
    expected = F.cross_entropy(logits, targets)
    torch.testing.assert_close(cross_entropy(logits, targets), expected)
    expected.backward()
    torch.testing.assert_close(cross_entropy_gradient(logits.detach(), targets), logits.grad)


def test_cross_entropy_takes_any_batch_shape():
    logits, targets = torch.randn(2, 3, 4), torch.tensor([[0, 1, 2], [3, 0, 1]])
    expected = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
    torch.testing.assert_close(cross_entropy(logits, targets), expected)
    leaf = logits.clone().requires_grad_()
    cross_entropy(leaf, targets).backward()
    torch.testing.assert_close(cross_entropy_gradient(logits, targets), leaf.grad)


@pytest.mark.parametrize("function", [cross_entropy, cross_entropy_gradient])
@pytest.mark.parametrize(
    ("logits", "targets", "message"),
    [
        (torch.zeros(0, 2), torch.zeros(0, dtype=torch.int64), "targets is empty"),
        (torch.zeros(2, 2), torch.tensor([0, 2]), "targets goes from 0 to 2, expected 0 to 1"),
        (torch.zeros(2, 2), torch.tensor([-1, 0]), "targets goes from -1 to 0, expected 0 to 1"),
        (torch.zeros(3, 2), torch.tensor([0, 1]), r"targets has shape \[2\], expected that of"),
        (torch.tensor(1.0), torch.tensor(0), r"targets has shape \[\], expected that of"),
    ],
)
def test_bad_targets_are_refused(without_shape_checks, function, logits, targets, message):
    with pytest.raises(ValueError, match=message):
        function(logits, targets)


def test_everything_runs_on_the_meta_device():
    logits = torch.empty(2, 3, device="meta")
    targets = torch.empty(2, dtype=torch.int64, device="meta")
    results = [function(logits) for function in ON_LOGITS]
    results += [softmax_vjp(logits, logits), log_softmax_vjp(logits, logits)]
    results += [cross_entropy(logits, targets), cross_entropy_gradient(logits, targets)]
    assert all(result.is_meta for result in results)
