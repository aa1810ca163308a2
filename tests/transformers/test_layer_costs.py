"""The counted cost of a layer against PyTorch's counter of operations, and against gradients."""

import pytest
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from course_lib.runtime import generator
from course_lib.transformers.self_attention import (
    Cost,
    SelfAttention,
    attention_cost,
    convolution_cost,
    recurrent_cost,
)

SIZES = [(1, 1), (5, 3), (4, 8), (16, 16)]


def multiplications(run):
    """Count with PyTorch, which counts a multiplication and an addition for each."""
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        run()
    return counter.get_total_flops() // 2


@pytest.mark.parametrize(("n", "d"), SIZES)
def test_multiplications_equal_torch(n, d):
    x = torch.randn(1, n, d, generator=generator(0))
    attend = SelfAttention(d, d_k=d, d_v=d, generator=generator(1))
    assert multiplications(lambda: attend(x)) == attention_cost(n, d).multiplications

    cell = nn.RNNCell(d, d, bias=False)

    def recur():
        h = torch.zeros(1, d)
        for t in range(n):
            h = torch.tanh(h @ cell.weight_hh.T + x[:, t] @ cell.weight_ih.T)

    assert multiplications(recur) == recurrent_cost(n, d).multiplications
    for width in (3, 5):
        conv = nn.Conv1d(d, d, width, padding=width // 2)
        counted = multiplications(lambda conv=conv: conv(x.transpose(1, 2)))
        assert counted == convolution_cost(n, d, width).multiplications


@pytest.mark.parametrize("n", [2, 3, 8, 11])
@pytest.mark.parametrize("width", [3, 5, 7])
def test_a_stack_of_convolutions_joins_both_ends_with_that_many_layers_and_no_fewer(n, width):
    def joined(layers):
        x = torch.zeros(1, 1, n, requires_grad=True)
        h = x
        for _ in range(layers):
            h = nn.functional.conv1d(h, torch.ones(1, 1, width), padding=width // 2)
        (gradient,) = torch.autograd.grad(h[0, 0, -1], x)
        return bool(gradient[0, 0, 0] != 0)

    layers = convolution_cost(n, 1, width).path_length
    assert joined(layers)
    assert layers == 1 or not joined(layers - 1)


def test_attention_overtakes_by_its_square():
    at_100, at_200 = (attention_cost(n, 64).multiplications for n in (100, 200))
    assert at_200 - 2 * at_100 == 4 * 100**2 * 64
    assert recurrent_cost(200, 64).multiplications == 2 * recurrent_cost(100, 64).multiplications


def test_waiting_and_distance():
    assert attention_cost(50, 4)[1:] == (3, 1)
    assert recurrent_cost(50, 4)[1:] == (50, 49)
    assert convolution_cost(50, 4, 5)[1:] == (1, 25)
    assert recurrent_cost(1, 1) == Cost(2, 1, 0)


@pytest.mark.parametrize("cost", [attention_cost, recurrent_cost])
def test_bad_sizes_are_refused(cost):
    with pytest.raises(ValueError, match="n is 0, expected at least 1"):
        cost(0, 4)
    with pytest.raises(ValueError, match="d is 0, expected at least 1"):
        cost(4, 0)


@pytest.mark.parametrize("width", [0, 1, 4])
def test_bad_widths_are_refused(width):
    with pytest.raises(ValueError, match=f"width is {width}, expected an odd number"):
        convolution_cost(4, 4, width)
