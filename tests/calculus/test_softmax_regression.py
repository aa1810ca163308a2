"""Softmax regression against autograd and scikit-learn."""

import pytest
import torch
import torch.nn.functional as F
from sklearn.linear_model import LogisticRegression

from course_lib.calculus.jacobians import SoftmaxRegression


@pytest.fixture
def data():
    rng = torch.Generator().manual_seed(0)
    features = torch.randn(60, 4, generator=rng)
    scores = features @ torch.randn(4, 3, generator=rng)
    return features, (scores + torch.randn(60, 3, generator=rng)).argmax(dim=1)


def trained(features, targets, steps=2000, **options):
    model = SoftmaxRegression(4, 3, **options)
    for _ in range(steps):
        model.step(features, targets, learning_rate=0.5)
    return model


def test_gradients_equal_autograd(data):
    features, targets = data
    model = trained(features, targets, steps=3, weight_decay=0.1)
    weight, bias = model.weight.requires_grad_(), model.bias.requires_grad_()
    loss = F.cross_entropy(features @ weight.T + bias, targets) + 0.05 * weight.square().sum()
    expected = torch.autograd.grad(loss, [weight, bias])
    with torch.no_grad():
        torch.testing.assert_close(model.gradients(features, targets), expected)


def test_the_minimum_is_that_of_scikit_learn(data):
    features, targets = data
    model = trained(features, targets, weight_decay=0.1)
    # scikit-learn minimises C * (sum of losses) + half the squared weights.
    peer = LogisticRegression(C=1 / (0.1 * 60), tol=1e-8).fit(features.numpy(), targets.numpy())
    torch.testing.assert_close(
        model.weight.double(), torch.from_numpy(peer.coef_).double(), atol=1e-3, rtol=0
    )


def test_a_step_changes_no_tensor_in_place(data):
    model = trained(*data, steps=1)
    before = [model.weight, model.bias]
    copies = [tensor.clone() for tensor in before]
    model.step(*data, learning_rate=0.5)
    assert all(map(torch.equal, before, copies))
    assert not torch.equal(model.weight, before[0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_features": 0, "num_classes": 2}, "num_features is 0"),
        ({"num_features": 1, "num_classes": 0}, "num_classes is 0"),
        ({"num_features": 1, "num_classes": 2, "weight_decay": -1.0}, "weight_decay is -1.0"),
        (
            {"num_features": 1, "num_classes": 2, "weight_decay": float("nan")},
            "weight_decay is nan",
        ),
    ],
)
def test_bad_sizes_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        SoftmaxRegression(**options)


@pytest.mark.parametrize("learning_rate", [0.0, -1.0, float("nan")])
def test_a_learning_rate_has_to_be_positive(data, learning_rate):
    with pytest.raises(ValueError, match="learning_rate"):
        SoftmaxRegression(4, 3).step(*data, learning_rate=learning_rate)


def test_it_runs_on_the_meta_device():
    model = SoftmaxRegression(4, 3, device="meta")
    model.step(
        torch.empty(5, 4, device="meta"), torch.empty(5, dtype=torch.int64, device="meta"), 0.1
    )
    assert model.weight.is_meta
