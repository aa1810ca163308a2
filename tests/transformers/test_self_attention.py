"""Self-attention and its masks against PyTorch, hand calculations and their properties."""

import inspect
import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from course_lib.runtime import generator
from course_lib.transformers.self_attention import SelfAttention, causal_mask, key_mask

seeds = st.integers(0, 1000)


def layer(d_model=5, d_k=3, d_v=4, seed=0, dtype=torch.float64):
    return SelfAttention(d_model, d_k=d_k, d_v=d_v, generator=generator(seed)).to(dtype)


def random_case(seed):
    """A layer, a batch and a mask of random sizes and values, some rows of it empty."""
    rng = generator(seed)
    batch, steps, d_model, d_k, d_v = torch.randint(1, 6, (5,), generator=rng).tolist()
    attend = layer(d_model, d_k, d_v, seed)
    x = 3 * torch.randn(batch, steps, d_model, generator=rng, dtype=torch.float64)
    mask = torch.rand(batch, 1, steps, steps, generator=rng) < 0.6
    return attend, x, mask


def projected(attend, x):
    return (
        x @ attend.query_weight.T,
        x @ attend.key_weight.T,
        x @ attend.value_weight.T,
    )


@given(seed=seeds)
def test_output_and_gradients_equal_torch(seed):
    attend, x, mask = random_case(seed)
    for given_mask, torch_mask in ((None, None), (mask, mask.squeeze(1))):
        q, k, v = projected(attend, x)
        expected = F.scaled_dot_product_attention(q, k, v, torch_mask)
        output, weights = attend(x, given_mask)
        torch.testing.assert_close(output, expected)
        torch.testing.assert_close(weights @ v, expected)
        upstream = torch.randn(output.shape, generator=generator(seed), dtype=x.dtype)
        parameters = list(attend.parameters())
        torch.testing.assert_close(
            torch.autograd.grad(output, parameters, upstream),
            torch.autograd.grad(expected, parameters, upstream),
        )


def test_one_head_of_torch_with_copied_weights_gives_the_same():
    attend = layer(d_model=6, d_k=6, d_v=6)
    peer = nn.MultiheadAttention(6, 1, bias=False, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        peer.in_proj_weight.copy_(
            torch.cat([attend.query_weight, attend.key_weight, attend.value_weight])
        )
        peer.out_proj.weight.copy_(torch.eye(6))
    x = torch.randn(2, 5, 6, generator=generator(1), dtype=torch.float64)
    real = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    for causal in (False, True):
        mask = key_mask(real) & causal_mask(5) if causal else key_mask(real)
        expected = peer(
            x, x, x, key_padding_mask=~real, attn_mask=~causal_mask(5) if causal else None
        )
        torch.testing.assert_close(attend(x, mask), expected)


def test_two_positions_by_hand():
    attend = layer(d_model=2, d_k=1, d_v=1)
    with torch.no_grad():
        attend.query_weight.copy_(torch.tensor([[math.log(3), 0.0]]))
        attend.key_weight.copy_(torch.tensor([[0.0, 1.0]]))
        attend.value_weight.copy_(torch.tensor([[4.0, 0.0]]))
    # Queries log 3 and 0, keys 0 and 1, values 4 and 0.
    output, weights = attend(torch.tensor([[[1.0, 0.0], [0.0, 1.0]]], dtype=torch.float64))
    by_hand = torch.tensor([[[1 / 4, 3 / 4], [1 / 2, 1 / 2]]], dtype=torch.float64)
    torch.testing.assert_close(weights, by_hand)
    torch.testing.assert_close(output, torch.tensor([[[1.0], [2.0]]], dtype=torch.float64))


@given(seed=seeds)
def test_rows_sum_to_one_or_are_empty_and_masked_weights_are_exactly_zero(seed):
    attend, x, mask = random_case(seed)
    output, weights = attend(x, mask)
    seen = mask.squeeze(1)
    torch.testing.assert_close(weights.sum(dim=-1), seen.any(dim=-1).to(x))
    assert (weights[~seen] == 0).all()
    assert (output[~seen.any(dim=-1)] == 0).all()


def test_a_query_that_sees_nothing_has_finite_gradients():
    attend = layer()
    x = torch.randn(1, 3, 5, generator=generator(2), dtype=torch.float64, requires_grad=True)
    left_padded = key_mask(torch.tensor([[False, False, True]])) & causal_mask(3)
    output, weights = attend(x, left_padded)
    assert (weights[0, :2] == 0).all()
    assert weights[0, 2].tolist() == [0, 0, 1]
    output.sum().backward()
    assert x.grad.isfinite().all()
    assert all(p.grad.isfinite().all() for p in attend.parameters())


@given(seed=seeds)
def test_self_attention_is_permutation_equivariant(seed):
    attend, x, _ = random_case(seed)
    order = torch.randperm(x.shape[1], generator=generator(seed))
    output, weights = attend(x)
    moved_output, moved_weights = attend(x[:, order])
    torch.testing.assert_close(moved_output, output[:, order])
    torch.testing.assert_close(moved_weights, weights[:, order][:, :, order])


def test_a_causal_mask_breaks_the_equivariance():
    x = torch.randn(1, 4, 5, generator=generator(3), dtype=torch.float64)
    attend, order = layer(), [3, 1, 0, 2]
    moved, _ = attend(x[:, order], causal_mask(4))
    assert not torch.allclose(moved, attend(x, causal_mask(4))[0][:, order], atol=1e-3)


@given(seed=seeds, cut=st.integers(0, 5))
def test_the_future_changes_nothing_and_a_prefix_is_enough(seed, cut):
    attend, x, _ = random_case(seed)
    steps = x.shape[1]
    cut = min(cut, steps)
    output, _ = attend(x, causal_mask(steps))
    changed = x.clone()
    changed[:, cut:] += 10
    torch.testing.assert_close(attend(changed, causal_mask(steps))[0][:, :cut], output[:, :cut])
    torch.testing.assert_close(attend(x[:, :cut], causal_mask(cut))[0], output[:, :cut])


@given(seed=seeds)
def test_a_padded_batch_gives_what_its_members_give_alone(seed):
    rng = generator(seed)
    attend = layer(seed=seed)
    lengths = torch.randint(1, 7, (4,), generator=rng).tolist()
    sentences = [torch.randn(n, 5, generator=rng, dtype=torch.float64) for n in lengths]
    x = nn.utils.rnn.pad_sequence(sentences, batch_first=True, padding_value=1e3)
    steps = x.shape[1]
    real = torch.arange(steps) < torch.tensor(lengths)[:, None]
    for causal in (False, True):
        mask = key_mask(real) & causal_mask(steps) if causal else key_mask(real)
        batched, _ = attend(x, mask)
        for row, sentence in zip(batched, sentences, strict=True):
            n = len(sentence)
            alone, _ = attend(sentence[None], causal_mask(n) if causal else None)
            torch.testing.assert_close(row[:n], alone[0])


def test_large_scores_do_not_overflow_even_in_half_precision():
    attend = layer(dtype=torch.float16)
    x = 40 * torch.ones(1, 3, 5, dtype=torch.float16)
    x[0, 2] *= -1
    output, weights = attend(x, causal_mask(3))
    assert output.dtype == weights.dtype == torch.float16
    assert output.isfinite().all()
    assert (weights[0].triu(diagonal=1) == 0).all()


def test_scores_do_not_overflow_in_half_precision_before_they_are_scaled():
    attend = layer(d_model=64, d_k=64, d_v=1, dtype=torch.float16)
    with torch.no_grad():
        attend.query_weight.copy_(torch.eye(64))
        attend.key_weight.copy_(torch.eye(64))
    x = torch.full((1, 2, 64), 40.0, dtype=torch.float16)
    x[0, 1] *= -1
    # The products are 102,400 in size: more than float16 holds. Divided by 8 they fit.
    assert torch.equal(attend(x)[1][0], torch.eye(2, dtype=torch.float16))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_dtype_is_kept(dtype):
    output, weights = layer(dtype=dtype)(torch.ones(2, 3, 5, dtype=dtype))
    assert output.dtype == weights.dtype == dtype


def test_one_step_and_no_step_and_no_sequence():
    attend = layer()
    x = torch.ones(1, 1, 5, dtype=torch.float64)
    output, weights = attend(x, causal_mask(1))
    assert weights.tolist() == [[[1]]]
    torch.testing.assert_close(output, x @ attend.value_weight.T)
    assert list(attend(x[:, :0], causal_mask(0))[0].shape) == [1, 0, 4]
    assert list(attend(x[:0])[0].shape) == [0, 1, 4]


def test_train_and_eval_are_alike_and_the_state_is_saved():
    attend, x = layer(seed=1), torch.randn(1, 3, 5, generator=generator(4), dtype=torch.float64)
    other = layer(seed=2)
    assert not torch.allclose(attend(x)[0], other(x)[0])
    other.load_state_dict(attend.state_dict())
    torch.testing.assert_close(attend.eval()(x), other.train()(x), rtol=0, atol=0)


def test_the_first_weights_depend_on_the_generator_only():
    torch.manual_seed(0)
    first = layer(seed=7)
    torch.manual_seed(1)
    second = layer(seed=7)
    assert all(
        torch.equal(a, b) for a, b in zip(first.parameters(), second.parameters(), strict=True)
    )


def test_the_first_weights_are_uniform_up_to_one_over_the_root_of_d_model():
    for weight in layer(d_model=64, d_k=64, d_v=64).parameters():
        assert weight.abs().max() <= 1 / 8
        assert weight.mean().item() == pytest.approx(0, abs=0.005)
        assert weight.std().item() == pytest.approx(1 / 8 / 3**0.5, rel=0.03)


def test_no_argument_is_changed():
    attend, x, mask = random_case(11)
    copies = x.clone(), mask.clone()
    attend(x, mask)
    assert torch.equal(x, copies[0])
    assert torch.equal(mask, copies[1])


def test_causal_mask_layout():
    assert causal_mask(3).int().tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert causal_mask(1).tolist() == [[True]]
    assert list(causal_mask(0).shape) == [0, 0]
    additive = nn.Transformer.generate_square_subsequent_mask(6)
    assert torch.equal(causal_mask(6), additive == 0)


def test_equal_scores_give_running_means():
    attend = layer()
    with torch.no_grad():
        attend.query_weight.zero_()
    _, weights = attend(torch.ones(1, 3, 5, dtype=torch.float64), causal_mask(3))
    by_hand = torch.tensor([[[1, 0, 0], [1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3]]])
    torch.testing.assert_close(weights, by_hand.double())


def test_the_decoder_mask_hides_what_either_mask_hides():
    real = torch.tensor([[True, True, True, False]])
    mask = key_mask(real) & causal_mask(4)
    hidden = (~mask)[0, 0].int().tolist()
    assert hidden == [[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 1]]


def test_a_mask_broadcasts_over_heads_and_not_over_the_batch():
    real = torch.tensor([[True, True], [True, False]])
    mask = key_mask(real)
    scores = torch.zeros(2, 3, 2, 2)  # [batch, heads, queries, keys]
    shown = torch.broadcast_to(mask, scores.shape)
    assert shown[0].all()
    assert not shown[1, :, :, 1].any()
    assert torch.equal(mask[:, 0, 0], real)


def test_everything_runs_on_the_meta_device():
    attend = layer().to("meta")
    x = torch.empty(2, 3, 5, device="meta", dtype=torch.float64)
    real = torch.empty(2, 3, device="meta", dtype=torch.bool)
    mask = key_mask(real) & causal_mask(3, device=x.device)
    output, weights = attend(x, mask)
    assert mask.is_meta
    assert output.is_meta
    assert list(output.shape) == [2, 3, 4]
    assert list(weights.shape) == [2, 3, 3]


@pytest.mark.parametrize("name", ["d_model", "d_k", "d_v"])
def test_bad_sizes_are_refused(name):
    sizes = {"d_model": 2, "d_k": 2, "d_v": 2, name: 0}
    with pytest.raises(ValueError, match=f"{name} is 0, expected at least 1"):
        SelfAttention(sizes.pop("d_model"), **sizes, generator=generator(0))


def test_bad_masks_are_refused():
    attend, x = layer(), torch.zeros(2, 3, 5, dtype=torch.float64)
    with pytest.raises(ValueError, match=r"mask has shape \[2, 3, 3\], expected \[queries, keys\]"):
        attend(x, torch.ones(2, 3, 3, dtype=torch.bool))
    with pytest.raises(ValueError, match="n is -1, expected at least 0"):
        causal_mask(-1)
    # Without the type checker of the tests, a mistake reaches the function's own checks.
    unchecked = inspect.unwrap(key_mask)
    with pytest.raises(ValueError, match=r"real has shape \[3\], expected \[batch, keys\]"):
        unchecked(torch.ones(3, dtype=torch.bool))
    with pytest.raises(ValueError, match=r"real has dtype torch.int64, expected torch.bool"):
        unchecked(torch.ones(2, 3, dtype=torch.int64))
