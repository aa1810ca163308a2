"""The tools of the exercises' tests: each message names the mistake, and none the right answer."""

import numpy as np
import pytest
import torch

from course_lib.grade import call_answer, expect_parts, expect_shape, expect_values

RIGHT = np.array([1.25, 2.5])


def failing(match):
    return pytest.raises(AssertionError, match=match)


def unwritten(x):
    raise NotImplementedError


def misfit(x):
    return x @ np.ones(3)


def with_torch(x):
    return torch.exp(torch.from_numpy(x)).numpy()


def with_autograd(x):
    leaf = torch.tensor(x, requires_grad=True)
    (leaf**2).sum().backward()
    return leaf.grad.numpy()


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (unwritten, "unwritten is not written yet"),
        (misfit, r"shapes do not fit. It was given the shapes \(2,\)"),
        (lambda x: None, "returned nothing"),
        (with_torch, "PyTorch was called"),
        (with_autograd, "PyTorch was called"),
    ],
)
def test_answers_that_cannot_be_graded(function, message):
    with failing(message):
        call_answer(function, RIGHT)


def test_an_error_that_has_nothing_to_do_with_shapes():
    with failing("raises a ValueError: invalid literal"):
        call_answer(lambda documents: int(documents[0][0]), [["a"], ["b", "c"]])


def test_a_warning_of_numpy_is_no_failure(recwarn):
    assert call_answer(np.log, np.zeros(1)) == -np.inf
    assert not recwarn.list


def test_parts_and_shapes():
    expect_parts("f", (1, 2), ["a", "b"])
    expect_parts("f", [1, 2], ["a", "b"])
    for value in ((1, 2, 3), np.ones(2)):
        with failing("f must return 2 arrays: a, b"):
            expect_parts("f", value, ["a", "b"])
    expect_shape("J", 3.0, ())
    with failing(r"J has shape \(2,\), expected \(2, 2\). A matrix is meant."):
        expect_shape("J", RIGHT, (2, 2), {(2,): "A matrix is meant."})


def test_right_values_pass_within_the_tolerance():
    expect_values("v", RIGHT + 1e-13, RIGHT, "right")
    expect_values("v", RIGHT + 1e-3, RIGHT, "right", tolerance=1e-2)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (RIGHT * 2, "v: twice too much"),
        (RIGHT + np.array([np.nan, 0.0]), "v holds inf or nan"),
        (RIGHT + 1e-6, "v is nearly right"),
        (RIGHT[::-1], "v: expected the right vector"),
        (RIGHT[:1], r"v has shape \(1,\), expected \(2,\)"),
    ],
)
def test_wrong_values_are_named_and_the_right_ones_are_not(value, message):
    with failing(message) as caught:
        expect_values("v", value, RIGHT, "the right vector", {"twice too much": RIGHT * 2})
    assert "1.25" not in str(caught.value)
