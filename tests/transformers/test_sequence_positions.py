"""Codes of positions against the paper's formula, trigonometry and their properties."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from course_lib.runtime import generator
from course_lib.transformers.self_attention import (
    LearnedPositions,
    SinusoidalPositions,
    frequencies,
    shift_matrix,
    sinusoidal_positions,
)

even_sizes = st.integers(1, 12).map(lambda half: 2 * half)


def by_formula(num_positions, d):
    """The formula of Vaswani et al., section 3.5, number by number."""
    return [
        [(math.sin if j % 2 == 0 else math.cos)(p / 10000 ** ((j - j % 2) / d)) for j in range(d)]
        for p in range(num_positions)
    ]


@pytest.mark.parametrize("d_model", [1, 2, 3, 5, 8, 512])
def test_values_equal_the_formula(d_model):
    expected = torch.tensor(by_formula(7, d_model))
    torch.testing.assert_close(sinusoidal_positions(7, d_model), expected)


def test_values_of_an_odd_size():
    expected = torch.tensor([0.8415, 0.5403, 0.0251, 0.9997, 0.0006])
    torch.testing.assert_close(sinusoidal_positions(2, 5)[1], expected, rtol=0, atol=5e-5)


def test_position_zero_is_sines_of_zero_and_cosines_of_zero():
    assert sinusoidal_positions(1, 6).tolist() == [[0, 1, 0, 1, 0, 1]]


def test_far_positions_keep_their_digits():
    codes = sinusoidal_positions(100_001, 2)
    expected = torch.tensor([math.sin(100_000), math.cos(100_000)])
    torch.testing.assert_close(codes[-1], expected)


def test_beyond_a_training_length_of_512_most_slow_codes_are_new():
    periods = 2 * math.pi / frequencies(512)
    assert (periods > 512).sum() == 133
    slowest = sinusoidal_positions(4096, 512)[:, -2]
    assert round(slowest[:512].max().item(), 4) == 0.0529
    assert round(slowest[4095].item(), 4) == 0.4119


@given(d_model=even_sizes, offset=st.integers(-50, 50), position=st.integers(50, 200))
def test_a_rotation_moves_every_position_by_the_offset(d_model, offset, position):
    codes = sinusoidal_positions(251, d_model).double()
    R = shift_matrix(offset, d_model)
    torch.testing.assert_close(R @ codes[position], codes[position + offset], rtol=0, atol=1e-6)
    torch.testing.assert_close(R @ R.T, torch.eye(d_model, dtype=R.dtype))
    torch.testing.assert_close(shift_matrix(-offset, d_model), R.T)


@given(d_model=even_sizes, a=st.integers(-30, 30), b=st.integers(-30, 30))
def test_shifts_add_up(d_model, a, b):
    both = shift_matrix(a, d_model) @ shift_matrix(b, d_model)
    torch.testing.assert_close(both, shift_matrix(a + b, d_model))


@given(d_model=even_sizes)
def test_dot_products_depend_on_the_distance_only(d_model):
    codes = sinusoidal_positions(40, d_model).double()
    products = codes @ codes.T
    by_distance = torch.cos(torch.arange(40.0).double().unsqueeze(1) * frequencies(d_model)).sum(1)
    distances = (torch.arange(40)[:, None] - torch.arange(40)).abs()
    torch.testing.assert_close(products, by_distance[distances], rtol=0, atol=1e-5)
    assert by_distance[0] == d_model / 2


def test_a_module_without_parameters_adds_one_code_to_each_position():
    positions = SinusoidalPositions(8)
    assert list(positions.parameters()) == []
    out = positions(torch.zeros(2, 5, 8))
    assert torch.equal(out[0], out[1])
    assert not torch.equal(out[0, 1], out[0, 0])
    torch.testing.assert_close(out[0], sinusoidal_positions(5, 8))


def test_learned_positions_are_looked_up():
    positions = LearnedPositions(6, 4, generator=generator(0))
    x = torch.randn(3, 5, 4, generator=generator(1))
    lookup = nn.Embedding.from_pretrained(positions.table.detach())
    torch.testing.assert_close(positions(x), x + lookup(torch.arange(5)))
    positions(x).sum().backward()
    assert positions.table.grad[:5].eq(3).all()
    assert positions.table.grad[5].eq(0).all()


@pytest.mark.parametrize(
    "positions", [SinusoidalPositions(4), LearnedPositions(9, 4, generator=generator(0))]
)
def test_step_by_step_equals_the_whole_sequence(positions):
    x = torch.randn(2, 9, 4, generator=generator(2))
    steps = [positions(x[:, t : t + 1], first=t) for t in range(9)]
    torch.testing.assert_close(torch.cat(steps, dim=1), positions(x), rtol=0, atol=0)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_dtype_and_input_are_kept(dtype):
    x = torch.zeros(1, 3, 4, dtype=dtype)
    learned = LearnedPositions(3, 4, generator=generator(0)).to(dtype)
    for positions in (SinusoidalPositions(4), learned):
        assert positions(x).dtype == dtype
        assert (x == 0).all()


def test_empty_sequences_and_the_meta_device():
    assert list(sinusoidal_positions(0, 4).shape) == [0, 4]
    for positions in (SinusoidalPositions(4), LearnedPositions(3, 4, generator=generator(0))):
        assert list(positions(torch.zeros(2, 0, 4)).shape) == [2, 0, 4]
        meta = positions.to("meta")(torch.empty(2, 3, 4, device="meta"))
        assert meta.is_meta
        assert list(meta.shape) == [2, 3, 4]


def test_the_table_has_the_variance_of_its_size_and_depends_on_the_generator_only():
    first = LearnedPositions(2000, 16, generator=generator(5)).table
    torch.testing.assert_close(first.var(), torch.tensor(1 / 16), rtol=0.05, atol=0)
    torch.manual_seed(3)
    assert torch.equal(first, LearnedPositions(2000, 16, generator=generator(5)).table)


def test_bad_arguments_are_refused():
    with pytest.raises(ValueError, match="d_model is 0, expected at least 1"):
        sinusoidal_positions(3, 0)
    with pytest.raises(ValueError, match="d_model is 0, expected at least 1"):
        SinusoidalPositions(0)
    with pytest.raises(ValueError, match="num_positions is -1, expected at least 0"):
        sinusoidal_positions(-1, 4)
    with pytest.raises(ValueError, match="d_model is 5, expected an even number"):
        shift_matrix(1, 5)
    with pytest.raises(ValueError, match="max_length is 0, expected at least 1"):
        LearnedPositions(0, 4, generator=generator(0))
    with pytest.raises(ValueError, match="d_model is 0, expected at least 1"):
        LearnedPositions(4, 0, generator=generator(0))
    positions = LearnedPositions(4, 2, generator=generator(0))
    with pytest.raises(ValueError, match="position 4 has no vector: max_length is 4"):
        positions(torch.zeros(1, 5, 2))
    with pytest.raises(ValueError, match="position 4 has no vector: max_length is 4"):
        positions(torch.zeros(1, 1, 2), first=4)
    for either in (positions, SinusoidalPositions(2)):
        with pytest.raises(ValueError, match="first is -1, expected at least 0"):
            either(torch.zeros(1, 3, 2), first=-1)
