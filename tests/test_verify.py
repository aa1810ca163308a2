"""The checks behind the equations: they pass what is right and name what is wrong."""

import math

import numpy as np
import pytest
import sympy
import torch
from scipy.optimize import approx_fprime

from course_lib import verify

X = torch.tensor([0.5, -1.0, 2.0], dtype=torch.float64)


def draw(rng):
    return (torch.randn(3, generator=rng, dtype=torch.float64),)


def failing(match):
    return pytest.raises(AssertionError, match=match)


def test_a_check_that_holds_says_so(capsys):
    verify.equal("1", 1 / 3, 0.3333333)
    verify.identity("2", torch.sin, lambda x: torch.cos(x - math.pi / 2), draw)
    verify.jacobian("3", torch.exp, lambda x: torch.diag(x.exp()), X)
    verify.symbolic("4", sympy.Matrix([[1, 2]]), sympy.Matrix([[1, 2]]))
    verify.claim("one is one", torch.tensor(True))
    lines = ["(1) holds", "(2) holds", "(3) holds", "(4) holds", "holds: one is one"]
    assert capsys.readouterr().out.splitlines() == lines


@pytest.mark.parametrize(
    ("actual", "expected", "message"),
    [
        (1.0, 1.1, r"\(7\) does not hold: largest difference 0.1: 1 against 1.1"),
        ([[1, 2], [3, 4]], [[1, 2], [5, 4]], r"difference 2 at index \(1, 0\): 3 against 5"),
        (torch.zeros(2), torch.zeros(2, 1), r"shape \[2\] against \[2, 1\]"),
        (1.0, math.nan, "against nan"),
        (math.nan, math.nan, "difference nan: nan against nan"),
        (torch.tensor([1.0, math.nan]), torch.tensor([1.0, math.nan]), "at index 1"),
        (math.inf, 1.0, "inf against 1"),
        (math.inf, -math.inf, "inf against -inf"),
        (10**15 + 1, 10**15, "largest difference 1"),
    ],
)
def test_values_that_differ(actual, expected, message):
    with failing(message):
        verify.equal("7", actual, expected)


@pytest.mark.parametrize("value", [math.inf, [], np.arange(3), torch.tensor([True])])
def test_values_equal_themselves(value):
    verify.equal("7", value, value)


def test_the_tolerance_is_relative_above_one_and_absolute_below():
    verify.equal("7", 1e6 + 0.5, 1e6)
    with failing("does not hold"):
        verify.equal("7", 1e-3 + 1e-5, 1e-3)


def test_an_identity_that_fails_on_some_draw():
    with failing(r"\(7\) does not hold in trial \d+"):
        verify.identity("7", torch.abs, lambda x: x, draw)


def test_an_identity_whose_sides_both_break_down():
    with failing("nan against nan"):
        verify.identity("7", torch.log, torch.log, draw)


def test_a_wrong_jacobian():
    with failing(r"\(7\) does not hold against autograd"):
        verify.jacobian("7", torch.exp, lambda x: torch.diag(x), X)


def test_a_jacobian_that_only_autograd_believes():
    def detached(x):
        return x + (x**2).detach()

    with failing("against finite differences"):
        verify.jacobian("7", detached, lambda x: torch.eye(3, dtype=x.dtype), X)


def test_the_numerical_jacobian_equals_that_of_scipy():
    weight = torch.randn(2, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    ours = verify.numerical_jacobian(lambda x: (weight @ x).tanh(), X)
    theirs = approx_fprime(X.numpy(), lambda x: np.tanh(weight.numpy() @ x), 1e-7)
    np.testing.assert_allclose(ours.numpy(), theirs, atol=1e-6)


def test_the_numerical_jacobian_has_the_shape_of_output_then_input():
    x = torch.zeros(3, 4, dtype=torch.float64)
    assert verify.numerical_jacobian(lambda x: x.sum(dim=1), x).shape == (3, 3, 4)
    assert verify.numerical_jacobian(lambda x: x.sum(), x).shape == (3, 4)
    assert verify.numerical_jacobian(lambda x: x, x.new_zeros(0)).shape == (0, 0)
    assert verify.numerical_jacobian(torch.exp, x[0, 0]).shape == ()


@pytest.mark.parametrize(
    ("x", "step", "message"), [(X.float(), 1e-5, "dtype torch.float32"), (X, 0.0, "step is 0.0")]
)
def test_numerical_jacobians_need_double_precision_and_a_step(x, step, message):
    with pytest.raises(ValueError, match=message):
        verify.numerical_jacobian(torch.exp, x, step)


def test_expressions_and_claims_that_are_wrong():
    x = sympy.Symbol("x")
    with failing(r"\(7\) does not hold: left - right = 1"):
        verify.symbolic("7", x + 1, x)
    with failing("does not hold: pigs fly"):
        verify.claim("pigs fly", False)
