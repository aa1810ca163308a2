"""Residual wrappers and deep stacks against PyTorch's encoder layer, and their properties."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from course_lib.transformers.normalization import DeepStack, LayerNorm, PostNorm, PreNorm
from course_lib.transformers.normalization.stack import WIRINGS, Block, draw_feed_forward

WRAPPERS = [PreNorm, PostNorm]


def rng(seed=0):
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize("norm_first", [True, False])
def test_two_wrapped_sublayers_are_an_encoder_layer_of_torch(norm_first):
    theirs = nn.TransformerEncoderLayer(
        8, 2, 16, dropout=0.0, norm_first=norm_first, batch_first=True
    )
    with torch.no_grad():
        for parameter in theirs.parameters():
            parameter.copy_(0.5 * torch.randn(parameter.shape, generator=rng(parameter.numel())))
    wrapper = PreNorm if norm_first else PostNorm
    first, second = wrapper(8), wrapper(8)
    first.norm.load_state_dict(theirs.norm1.state_dict())
    second.norm.load_state_dict(theirs.norm2.state_dict())

    def ours(x):
        x = first(x, lambda h: theirs.self_attn(h, h, h, need_weights=False)[0])
        return second(x, lambda h: theirs.linear2(theirs.linear1(h).relu()))

    x = torch.randn(3, 5, 8, generator=rng())
    mine, torchs = x.clone().requires_grad_(), x.clone().requires_grad_()
    torch.testing.assert_close(ours(mine), theirs(torchs), rtol=1e-5, atol=1e-5)
    upstream = torch.randn(3, 5, 8, generator=rng(1))
    ours(mine).backward(upstream)
    theirs(torchs).backward(upstream)
    torch.testing.assert_close(mine.grad, torchs.grad, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_dropout_everything_leaves_the_shortcut(wrapper):
    x = torch.randn(2, 3, 4, generator=rng())
    layer = wrapper(4, dropout=1.0)
    shortcut = x if wrapper is PreNorm else layer.norm(x)
    assert torch.equal(layer(x, torch.exp), shortcut)
    # In evaluation mode nothing is dropped.
    assert torch.equal(layer.eval()(x, torch.exp), wrapper(4)(x, torch.exp))


def test_dropout_scales_what_it_keeps_and_leaves_the_shortcut_alone():
    layer = PreNorm(1000, dropout=0.75)
    added = layer(torch.zeros(1000), torch.ones_like)
    assert set(added.tolist()) == {0.0, 4.0}
    assert 0.15 < (added > 0).float().mean() < 0.35
    assert torch.equal(
        PreNorm(1000, dropout=0)(torch.zeros(1000), torch.ones_like), torch.ones(1000)
    )


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_a_sublayer_that_returns_zero_changes_nothing(wrapper):
    x = torch.randn(2, 4, generator=rng())
    result = wrapper(4)(x, torch.zeros_like)
    expected = x if wrapper is PreNorm else LayerNorm(4)(x)
    assert torch.equal(result, expected)


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize(
    ("sublayer", "message"),
    [
        (lambda h: (h, h), "sublayer returned a tuple, expected a tensor"),
        (lambda h: h[..., :1], r"sublayer returned shape \[2, 1\], expected that of x, \[2, 4\]"),
    ],
)
def test_bad_sublayers_are_refused(wrapper, sublayer, message):
    with pytest.raises(ValueError, match=message):
        wrapper(4)(torch.ones(2, 4), sublayer)


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("dropout", [-0.1, 1.5])
def test_bad_wrappers_are_refused(wrapper, dropout):
    with pytest.raises(ValueError, match=f"dropout is {dropout}, expected a probability"):
        wrapper(4, dropout)
    with pytest.raises(ValueError, match="d_model is 0"):
        wrapper(0)


def test_the_feed_forward_layer_keeps_the_mean_square():
    layer = draw_feed_forward(256, rng())
    x = torch.randn(500, 256, generator=rng(1))
    assert 0.9 < layer(x).square().mean() / x.square().mean() < 1.1
    assert 0.9 < layer(7 * x).square().mean() / (7 * x).square().mean() < 1.1
    half = draw_feed_forward(256, rng(), gain=0.5)
    torch.testing.assert_close(half(x), 0.5 * layer(x))


def test_blocks_are_wired_as_named():
    x = torch.randn(3, 4, generator=rng(1))
    blocks = {wiring: Block(4, wiring, rng()) for wiring in WIRINGS}
    f, norm = blocks["plain"].sublayer, LayerNorm(4)
    expected = {
        "plain": f(x),
        "normalized": f(norm(x)),
        "residual": x + f(x),
        "pre_norm": x + f(norm(x)),
        "post_norm": norm(x + f(x)),
    }
    for wiring, block in blocks.items():
        torch.testing.assert_close(block(x), expected[wiring])


@given(wiring=st.sampled_from(WIRINGS), depth=st.integers(0, 4), seed=st.integers(0, 100))
def test_a_stack_is_its_blocks_one_after_the_other(wiring, depth, seed):
    stack = DeepStack(depth, 3, wiring, rng(seed))
    x = torch.randn(2, 3, generator=rng(seed))
    expected = x
    for block in stack.blocks:
        expected = block(expected)
    if wiring == "pre_norm":
        expected = LayerNorm(3)(expected)
    assert torch.equal(stack(x), expected)
    # The same seed draws the same weights, and a batch is its rows one by one.
    assert torch.equal(DeepStack(depth, 3, wiring, rng(seed))(x), stack(x))
    torch.testing.assert_close(torch.stack([stack(row) for row in x]), stack(x))


def test_with_gain_zero_a_residual_stack_is_the_identity():
    x = torch.randn(2, 4, generator=rng())
    assert torch.equal(DeepStack(20, 4, "residual", rng(), gain=0)(x), x)
    assert torch.equal(DeepStack(20, 4, "plain", rng(), gain=0)(x), torch.zeros_like(x))


@pytest.mark.parametrize("wiring", WIRINGS)
def test_every_parameter_gets_a_gradient(wiring):
    stack = DeepStack(3, 8, wiring, rng())
    stack(torch.randn(16, 8, generator=rng(1))).pow(3).sum().backward()
    for name, parameter in stack.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().max() > 0, name


def test_a_pre_norm_stack_ends_normalised():
    output = DeepStack(40, 16, "pre_norm", rng())(100 * torch.randn(5, 16, generator=rng(1)))
    torch.testing.assert_close(output.mean(dim=-1), torch.zeros(5), rtol=0, atol=1e-5)
    torch.testing.assert_close(output.std(dim=-1, unbiased=False), torch.ones(5), rtol=0, atol=1e-3)


@pytest.mark.parametrize(
    ("depth", "d_model", "wiring", "message"),
    [
        (-1, 4, "plain", "depth is -1, expected at least 0"),
        (1, 0, "plain", "d_model is 0, expected at least 1"),
        (0, 4, "prenorm", "wiring is 'prenorm', expected one of plain, normalized"),
    ],
)
def test_bad_stacks_are_refused(depth, d_model, wiring, message):
    with pytest.raises(ValueError, match=message):
        DeepStack(depth, d_model, wiring, rng())


@pytest.mark.parametrize("wiring", WIRINGS)
def test_stacks_run_on_the_meta_device_and_in_float64(wiring):
    stack = DeepStack(2, 3, wiring, rng())
    assert stack.double()(torch.zeros(2, 3, dtype=torch.float64)).dtype == torch.float64
    assert stack.to("meta")(torch.empty(2, 3, dtype=torch.float64, device="meta")).is_meta
