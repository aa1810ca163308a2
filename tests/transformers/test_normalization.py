"""Layer, RMS and batch normalisation against PyTorch, hand calculations and their properties."""

import copy
import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from course_lib.transformers.normalization import (
    BatchNorm,
    LayerNorm,
    RMSNorm,
    layer_norm,
    layer_norm_jacobian,
    layer_norm_vjp,
    rms_norm,
)

ON_ROWS = [layer_norm, rms_norm, layer_norm_jacobian]
TORCH = {
    layer_norm: lambda x, eps: F.layer_norm(x, x.shape[-1:], eps=eps),
    rms_norm: lambda x, eps: F.rms_norm(x, x.shape[-1:], eps=eps),
}
EPS = st.sampled_from([1e-12, 1e-5, 0.1])
MODULES = [(LayerNorm, nn.LayerNorm), (RMSNorm, nn.RMSNorm)]


def rng(seed=0):
    return torch.Generator().manual_seed(seed)


@st.composite
def rows(draw, min_features=1, dtypes=(torch.float32, torch.float64)):
    """Tensors of shape [*batch, features] with a scale from 0.01 to 1,000."""
    batch = draw(st.lists(st.integers(0, 3), max_size=2))
    shape = (*batch, draw(st.integers(min_features, 6)))
    dtype = draw(st.sampled_from(dtypes))
    scale = draw(st.sampled_from([0.01, 1.0, 1000.0]))
    seed = draw(st.integers(0, 1000))
    return scale * torch.randn(shape, generator=rng(seed), dtype=dtype)


def vectors(min_features=1):
    return rows(min_features, dtypes=(torch.float64,)).map(
        lambda x: x.reshape(-1, x.shape[-1])[0] if x.numel() else torch.arange(3.0).double()
    )


@pytest.mark.parametrize("function", TORCH, ids=lambda f: f.__name__)
@given(x=rows(), eps=EPS)
def test_values_and_gradients_equal_torch(function, x, eps):
    ours, theirs = x.clone().requires_grad_(), x.clone().requires_grad_()
    result, expected = function(ours, eps), TORCH[function](theirs, eps)
    torch.testing.assert_close(result, expected, rtol=1e-4, atol=1e-5)
    upstream = torch.randn(x.shape, generator=rng(1), dtype=x.dtype)
    result.backward(upstream)
    expected.backward(upstream)
    # One or two features leave gradients that are differences of nearly equal numbers.
    size = 1 + upstream.abs().amax() / eps**0.5 if x.numel() else 1
    torch.testing.assert_close(ours.grad / size, theirs.grad / size, rtol=1e-3, atol=1e-5)


@given(x=vectors(), eps=EPS)
def test_the_jacobian_equals_autograd(x, eps):
    expected = torch.autograd.functional.jacobian(lambda x: TORCH[layer_norm](x, eps), x)
    tolerance = 1e-9 * (1 + 1 / math.sqrt(eps))
    torch.testing.assert_close(layer_norm_jacobian(x, eps), expected, rtol=0, atol=tolerance)


@given(x=rows(dtypes=(torch.float64,)), eps=EPS)
def test_the_vjp_equals_autograd(x, eps):
    upstream = torch.randn(x.shape, generator=rng(2), dtype=x.dtype)
    leaf = x.clone().requires_grad_()
    (expected,) = torch.autograd.grad(TORCH[layer_norm](leaf, eps), leaf, upstream)
    tolerance = 1e-9 * (1 + 1 / math.sqrt(eps))
    torch.testing.assert_close(layer_norm_vjp(x, upstream, eps), expected, rtol=0, atol=tolerance)


def test_a_batch_of_jacobians_is_each_row_on_its_own():
    x = torch.randn(2, 3, 4, generator=rng())
    each = torch.stack([layer_norm_jacobian(row) for row in x.flatten(0, 1)])
    torch.testing.assert_close(layer_norm_jacobian(x), each.reshape(2, 3, 4, 4))


@given(x=vectors(min_features=3))
def test_without_eps_the_jacobian_is_a_scaled_projection(x):
    J, n = layer_norm_jacobian(x, eps=0), len(x)
    deviation = x.std(unbiased=False)
    P = deviation * J
    torch.testing.assert_close(P @ P, P, rtol=0, atol=1e-9)
    torch.testing.assert_close(P, P.T, rtol=0, atol=1e-12)
    torch.testing.assert_close(P @ torch.ones_like(x), torch.zeros_like(x), rtol=0, atol=1e-9)
    torch.testing.assert_close(P @ layer_norm(x, 0), torch.zeros_like(x), rtol=0, atol=1e-9)
    assert round(P.trace().item(), 6) == n - 2


@given(x=vectors(min_features=2), scale=st.floats(0.1, 100), shift=st.floats(-100, 100), eps=EPS)
def test_shift_and_scale(x, scale, shift, eps):
    left = layer_norm(scale * x + shift, eps)
    torch.testing.assert_close(left, layer_norm(x, eps / scale**2), rtol=1e-6, atol=1e-6)
    torch.testing.assert_close(
        rms_norm(scale * x, eps), rms_norm(x, eps / scale**2), rtol=1e-6, atol=1e-6
    )


def test_values_by_hand():
    x = torch.tensor([1.0, 0.0, 0.0, 0.0])
    expected = torch.tensor([1.7320, -0.5773, -0.5773, -0.5773])
    torch.testing.assert_close(layer_norm(x), expected, rtol=0, atol=5e-5)
    pair = torch.tensor([1000.0, 0.1])
    torch.testing.assert_close(layer_norm(pair, eps=0), torch.tensor([1.0, -1.0]))
    torch.testing.assert_close(
        rms_norm(torch.tensor([3.0, 4.0]), eps=0), torch.tensor([3.0, 4.0]) / 12.5**0.5
    )


@pytest.mark.parametrize("offset", [0.0, 1e3, -1e6, 1e7])
def test_a_large_common_offset_costs_no_digits(offset):
    # Whole numbers below 2**24 are exact in float32, so all that is lost is lost in the function.
    small = torch.tensor([[0.0, 1.0, 3.0, 4.0, 9.0], [2.0, 2.0, 0.0, 1.0, 7.0]])
    torch.testing.assert_close(layer_norm(small + offset), layer_norm(small))
    columns = BatchNorm(2)
    shifted = BatchNorm(2)
    torch.testing.assert_close(shifted(small.T + offset), columns(small.T))


def test_one_feature_and_equal_features_give_zeros_and_finite_gradients():
    for x in (torch.tensor([[7.0], [-3.0]]), torch.full((2, 4), 0.1)):
        leaf = x.clone().requires_grad_()
        result = layer_norm(leaf)
        assert result.abs().max() < 1e-4
        result.backward(torch.randn(x.shape, generator=rng()))
        assert leaf.grad.isfinite().all()
    assert rms_norm(torch.zeros(2, 3)).tolist() == [[0, 0, 0], [0, 0, 0]]
    assert rms_norm(torch.tensor([-5.0]), eps=0).tolist() == [-1]


@pytest.mark.parametrize(("ours", "theirs"), MODULES, ids=lambda m: m.__name__)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_does_not_overflow(ours, theirs, dtype):
    # The squares of these exceed 65,504, the largest float16.
    x = (300 * torch.randn(4, 8, generator=rng()) + 1000).to(dtype)
    mine, torchs = ours(8).to(dtype), theirs(8, eps=1e-5).to(dtype)
    result = mine(x)
    assert result.dtype == dtype
    assert result.isfinite().all()
    torch.testing.assert_close(result, torchs(x))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_computed_in_single_and_rounded_once(dtype):
    x, upstream = ((300 * torch.randn(4, 8, generator=rng(i))).to(dtype) for i in range(2))
    expected = layer_norm_vjp(x.float(), upstream.float()).to(dtype)
    assert torch.equal(layer_norm_vjp(x, upstream), expected)
    for module in (LayerNorm(8), RMSNorm(8), BatchNorm(8)):
        with torch.no_grad():
            for parameter in module.parameters():
                parameter.copy_(torch.randn(8, generator=rng(2)))
        half = module.to(dtype)
        wide = copy.deepcopy(half).float()
        assert torch.equal(half(x), wide(x.float()).to(dtype))
        assert all(buffer.dtype == dtype for buffer in half.buffers())


@pytest.mark.parametrize("function", ON_ROWS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_dtype_is_kept_and_no_argument_changed(function, dtype):
    x = torch.tensor([[1.0, 2.0, 4.0]], dtype=dtype)
    result = function(x)
    assert result.dtype == dtype
    assert result.isfinite().all()
    assert x.tolist() == [[1, 2, 4]]
    assert function(torch.empty(0, 3, dtype=dtype)).shape[0] == 0


@pytest.mark.parametrize(("ours", "theirs"), MODULES, ids=lambda m: m.__name__)
def test_modules_equal_torch_with_copied_weights(ours, theirs):
    mine, torchs = ours(6, eps=1e-3), theirs(6, eps=1e-3)
    with torch.no_grad():
        for parameter in torchs.parameters():
            parameter.copy_(torch.randn(6, generator=rng()))
    mine.load_state_dict(torchs.state_dict())
    x = torch.randn(2, 3, 6, generator=rng(1))
    torch.testing.assert_close(mine(x), torchs(x))
    upstream = torch.randn(2, 3, 6, generator=rng(2))
    mine(x).backward(upstream)
    torchs(x).backward(upstream)
    for a, b in zip(mine.parameters(), torchs.parameters(), strict=True):
        torch.testing.assert_close(a.grad, b.grad)


@pytest.mark.parametrize("module", [LayerNorm(5), RMSNorm(5)], ids=["LayerNorm", "RMSNorm"])
def test_every_token_stands_for_itself(module):
    x = torch.randn(3, 4, 5, generator=rng())
    each = torch.stack([torch.stack([module(token) for token in row]) for row in x])
    torch.testing.assert_close(module(x), each)
    torch.testing.assert_close(module(x[:1, :2]), module(x)[:1, :2])


@given(
    seed=st.integers(0, 100), steps=st.integers(1, 4), momentum=st.sampled_from([0, 0.1, 0.7, 1])
)
def test_batch_norm_equals_torch_in_training_and_evaluation(seed, steps, momentum):
    draw = rng(seed)
    mine, torchs = BatchNorm(4, momentum=momentum), nn.BatchNorm1d(4, momentum=momentum)
    with torch.no_grad():
        torchs.weight.copy_(torch.randn(4, generator=draw))
        torchs.bias.copy_(torch.randn(4, generator=draw))
    mine.load_state_dict(torchs.state_dict(), strict=False)
    for _ in range(steps):
        x = 3 * torch.randn(5, 4, generator=draw) + 2
        ours, theirs = x.clone().requires_grad_(), x.clone().requires_grad_()
        upstream = torch.randn(5, 4, generator=draw)
        result, expected = mine(ours), torchs(theirs)
        torch.testing.assert_close(result, expected)
        result.backward(upstream)
        expected.backward(upstream)
        torch.testing.assert_close(ours.grad, theirs.grad, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(mine.weight.grad, torchs.weight.grad, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(mine.running_mean, torchs.running_mean)
    torch.testing.assert_close(mine.running_var, torchs.running_var)
    torch.testing.assert_close(mine.eval()(x), torchs.eval()(x))


def test_batch_norm_of_sequences_is_that_of_torch_with_the_features_moved():
    x = torch.randn(3, 5, 4, generator=rng())
    expected = nn.BatchNorm1d(4)(x.transpose(1, 2)).transpose(1, 2)
    torch.testing.assert_close(BatchNorm(4)(x), expected)


def test_running_statistics_by_hand():
    layer = BatchNorm(1)
    layer(torch.tensor([[0.0], [2.0]]))
    torch.testing.assert_close(layer.running_mean, torch.tensor([0.1]))
    torch.testing.assert_close(layer.running_var, torch.tensor([1.1]))


def test_evaluation_keeps_the_statistics_and_needs_no_batch():
    layer = BatchNorm(3)
    layer(5 * torch.randn(8, 3, generator=rng()))
    before = {name: value.clone() for name, value in layer.state_dict().items()}
    layer.eval()
    x = torch.randn(4, 3, generator=rng(1))
    together = layer(x)
    with torch.no_grad():
        without_graph = layer(x)
    torch.testing.assert_close(together, without_graph)
    torch.testing.assert_close(together, torch.cat([layer(row.unsqueeze(0)) for row in x]))
    assert layer(torch.empty(0, 3)).shape == (0, 3)
    for name, value in layer.state_dict().items():
        assert torch.equal(value, before[name])


def test_training_moves_the_statistics_without_grad_mode_too_and_builds_no_graph_there():
    layer = BatchNorm(2)
    with torch.no_grad():
        layer(torch.randn(4, 2, generator=rng()))
    layer(torch.randn(4, 2, generator=rng(1), requires_grad=True))
    assert layer.running_mean.abs().min() > 0
    assert not layer.running_mean.requires_grad
    assert not layer.running_var.requires_grad


def test_batch_norm_saves_its_statistics():
    layer = BatchNorm(3)
    layer(2 * torch.randn(6, 3, generator=rng()) + 1)
    copy = BatchNorm(3)
    copy.load_state_dict(layer.state_dict())
    x = torch.randn(2, 3, generator=rng(1))
    assert torch.equal(copy.eval()(x), layer.eval()(x))


@pytest.mark.parametrize("count", [0, 1])
def test_batch_norm_refuses_fewer_than_two_rows_in_training(count):
    with pytest.raises(ValueError, match=f"x has {count} rows, expected at least 2"):
        BatchNorm(3)(torch.ones(count, 3))


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: LayerNorm(0), "d_model is 0, expected at least 1"),
        (lambda: RMSNorm(0), "d_model is 0, expected at least 1"),
        (lambda: BatchNorm(0), "num_features is 0, expected at least 1"),
        (lambda: LayerNorm(2, eps=-1.0), "eps is -1.0, expected a number from 0 on"),
        (lambda: RMSNorm(2, eps=math.nan), "eps is nan"),
        (lambda: BatchNorm(2, eps=math.inf), "eps is inf"),
        (lambda: BatchNorm(2, momentum=1.5), "momentum is 1.5, expected a number from 0 to 1"),
        (lambda: LayerNorm(3)(torch.ones(2, 1)), r"x has shape \[2, 1\], expected 3 features"),
        (lambda: RMSNorm(3)(torch.ones(2, 1)), r"x has shape \[2, 1\], expected 3 features"),
        (lambda: BatchNorm(3)(torch.ones(2, 1)), r"x has shape \[2, 1\], expected 3 features"),
    ],
)
def test_bad_layers_are_refused(build, message):
    with pytest.raises(ValueError, match=message):
        build()


@pytest.mark.parametrize("function", ON_ROWS, ids=lambda f: f.__name__)
def test_bad_rows_are_refused(function):
    with pytest.raises(ValueError, match=r"x has shape \[2, 0\], expected at least one feature"):
        function(torch.empty(2, 0))
    with pytest.raises(ValueError, match="eps is -1"):
        function(torch.ones(2, 3), eps=-1)


def test_everything_runs_on_the_meta_device():
    x = torch.empty(2, 3, device="meta")
    results = [function(x) for function in ON_ROWS]
    results += [layer_norm_vjp(x, x)]
    results += [module(3).to("meta")(x) for module in (LayerNorm, RMSNorm, BatchNorm)]
    results += [BatchNorm(3).to("meta").eval()(x)]
    assert all(result.is_meta for result in results)
