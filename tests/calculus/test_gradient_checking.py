"""Numerical gradients against autograd and SciPy, the best step, and the network."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from torch import nn

from course_lib.calculus import backpropagation as bp
from course_lib.calculus.backpropagation import Node, TwoLayerNetwork


def wavy(x):
    return (torch.sin(x) * x.exp()).sum() + x.prod()


@given(values=st.lists(st.floats(-2, 2), min_size=1, max_size=5))
def test_numerical_gradients_equal_autograd_and_scipy(values):
    x = torch.tensor(values, dtype=torch.float64)
    result = bp.numerical_gradient(wavy, x)
    leaf = x.clone().requires_grad_()
    wavy(leaf).backward()
    torch.testing.assert_close(result, leaf.grad, rtol=1e-7, atol=1e-8)
    by_scipy = approx_fprime(x.numpy(), lambda a: wavy(torch.from_numpy(a)).item())
    torch.testing.assert_close(result, torch.from_numpy(by_scipy), rtol=1e-5, atol=1e-5)
    assert x.tolist() == values


def test_shapes_types_and_strides_are_kept():
    x = torch.arange(6.0).reshape(2, 3).T
    result = bp.numerical_gradient(lambda x: (x * torch.tensor([1.0, 10.0])).sum(), x)
    torch.testing.assert_close(result, torch.tensor([[1.0, 10.0]] * 3), rtol=1e-2, atol=0)
    assert bp.numerical_gradient(lambda x: x.sum(), torch.zeros(0)).shape == (0,)
    assert bp.numerical_gradient(lambda x: x * x, torch.tensor(3.0).double()).shape == ()


def test_large_inputs_get_larger_steps():
    x = torch.tensor([1e12], dtype=torch.float64)
    result = bp.numerical_gradient(lambda x: x.log().sum(), x)
    torch.testing.assert_close(result, 1 / x, rtol=1e-8, atol=0)


def test_the_step_that_was_really_made_counts():
    x = torch.tensor([1.0, 100.0])
    result = bp.numerical_gradient(lambda moved: (moved - x).sum(), x, step=2e-5)
    assert result.tolist() == [1, 1]  # Exact, although 100 + 2e-5 is rounded to 100.0000229.


def test_the_point_is_not_moved_for_others():
    x = torch.tensor([2.0, 3.0], dtype=torch.float64)
    result = bp.numerical_gradient(lambda moved: moved @ x, x)
    torch.testing.assert_close(result, x)


def test_a_function_may_write_into_what_it_is_given():
    x = torch.tensor([2.0, 3.0], dtype=torch.float64)
    result = bp.numerical_gradient(lambda moved: moved.mul_(x).sum(), x)
    torch.testing.assert_close(result, x)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("function", [torch.sin, torch.exp, torch.log])
def test_the_best_step_is_close_to_the_best_on_a_grid(dtype, function):
    errors = {}
    for step in [2.0**-k for k in range(1, 45)] + [bp.best_step(1.3, dtype)]:
        total = 0.0
        for value in torch.linspace(1.0, 1.3, 20, dtype=torch.float64):
            leaf = value.clone().requires_grad_()
            function(leaf).backward()
            up, down = (value + step).to(dtype), (value - step).to(dtype)
            slope = (function(up) - function(down)).double() / (up - down).double()
            total += abs(slope - leaf.grad).item()
        errors[step] = total
    best = errors.pop(bp.best_step(1.3, dtype))
    assert best < 10 * min(error for error in errors.values() if error == error)
    assert (
        best < min(errors[2.0**-1], errors[2.0**-44 if dtype == torch.float64 else 2.0**-20]) / 50
    )


@pytest.mark.parametrize("step", [0.0, -1.0, float("nan")])
def test_a_step_has_to_be_positive(step):
    with pytest.raises(ValueError, match="step is"):
        bp.numerical_gradient(lambda x: x.sum(), torch.ones(2), step=step)


def test_a_step_that_rounding_swallows_is_refused():
    with pytest.raises(ValueError, match=r"step is 1e-09, expected one that changes 1\.0"):
        bp.numerical_gradient(lambda x: x.sum(), torch.ones(2), step=1e-9)


def test_several_numbers_are_refused():
    with pytest.raises(ValueError, match=r"function returned shape \[2\]"):
        bp.numerical_gradient(lambda x: x, torch.ones(2))


def test_gradient_error_passes_what_is_right_and_finds_what_is_wrong():
    rng = torch.Generator().manual_seed(0)
    x, w = (torch.randn(s, generator=rng, dtype=torch.float64) for s in [(4, 3), (3, 2)])

    def right(x, w):
        return bp.mean(bp.tanh(x @ w) ** 2)

    def wrong(x, w):  # The slope of tanh is 1 - y², not 1 - y.
        y = (x @ w).data.tanh()
        return bp.mean(Node.result(y, (x @ w, lambda g: g * (1 - y))) ** 2)

    def forgotten(x, w):  # One way to the loss is cut off.
        return bp.mean(x @ w) + bp.sum(Node(w.data))

    assert bp.gradient_error(right, x, w) < 1e-8
    assert bp.gradient_error(wrong, x, w) > 1e-2
    assert bp.gradient_error(forgotten, x, w) > 0.5
    with pytest.raises(ValueError, match=r"inputs\[1\] has dtype torch.float32"):
        bp.gradient_error(right, x, w.float())


# The network


def twin(network):
    """Build the same network from torch's modules."""
    W1, b1, W2, b2 = (p.data for p in network.parameters)
    model = nn.Sequential(nn.Linear(*W1.shape), nn.ReLU(), nn.Linear(*W2.shape))
    with torch.no_grad():
        for parameter, value in zip(model.parameters(), (W1.T, b1, W2.T, b2), strict=True):
            parameter.copy_(value)
    return model


def test_training_steps_equal_those_of_torch():
    rng = torch.Generator().manual_seed(0)
    network = TwoLayerNetwork(5, 4, 3, generator=rng)
    model = twin(network)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    for _ in range(20):
        features = torch.randn(6, 5, generator=rng)
        targets = torch.randint(3, (6,), generator=rng)
        loss = nn.functional.cross_entropy(model(features), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        assert network.step(features, targets, learning_rate=0.5) == pytest.approx(
            loss.item(), rel=1e-4
        )
    for node, parameter in zip(twin(network).parameters(), model.parameters(), strict=True):
        torch.testing.assert_close(node, parameter, rtol=1e-4, atol=1e-5)


def test_the_first_weights_keep_the_size_of_the_activations():
    network = TwoLayerNetwork(200, 50, 100, generator=torch.Generator().manual_seed(0))
    W1, b1, W2, b2 = (parameter.data for parameter in network.parameters)
    assert W1.std().item() == pytest.approx((2 / 200) ** 0.5, rel=0.05)
    assert W2.std().item() == pytest.approx((2 / 50) ** 0.5, rel=0.05)
    assert not b1.any()
    assert not b2.any()


def test_features_can_have_a_gradient():
    rng = torch.Generator().manual_seed(0)
    network = TwoLayerNetwork(5, 4, 3, generator=rng)
    features = torch.randn(6, 5, generator=rng)
    node, leaf = Node(features, requires_grad=True), features.clone().requires_grad_()
    bp.sum(network.logits(node)[:, 0]).backward()
    twin(network)(leaf)[:, 0].sum().backward()
    torch.testing.assert_close(node.grad, leaf.grad)


def test_a_step_changes_no_tensor_in_place():
    network = TwoLayerNetwork(2, 3, 2, generator=torch.Generator().manual_seed(0))
    before = [parameter.data for parameter in network.parameters]
    copies = [tensor.clone() for tensor in before]
    network.step(torch.eye(2), torch.tensor([0, 1]), learning_rate=1.0)
    assert all(map(torch.equal, before, copies))
    assert not torch.equal(network.parameters[0].data, before[0])


@pytest.mark.parametrize("name", ["num_features", "num_hidden", "num_classes"])
def test_bad_sizes_are_refused(name):
    sizes = {"num_features": 2, "num_hidden": 2, "num_classes": 2, name: 0}
    with pytest.raises(ValueError, match=f"{name} is 0, expected at least 1"):
        TwoLayerNetwork(**sizes, generator=torch.Generator())


@pytest.mark.parametrize("learning_rate", [0.0, -1.0, float("nan")])
def test_the_learning_rate_has_to_be_positive(learning_rate):
    network = TwoLayerNetwork(2, 2, 2, generator=torch.Generator())
    with pytest.raises(ValueError, match="learning_rate"):
        network.step(torch.eye(2), torch.tensor([0, 1]), learning_rate=learning_rate)


def test_the_network_lies_on_its_device():
    network = TwoLayerNetwork(2, 2, 2, generator=torch.Generator(), device="meta")
    logits = network.logits(torch.empty(3, 2, device="meta"))
    assert logits.data.is_meta
