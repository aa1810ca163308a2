"""The module transformers.multi_head_attention against PyTorch, loops and its properties."""

import copy
import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from course_lib.transformers.multi_head_attention import (
    MultiHeadAttention,
    attention_weights,
    from_torch,
    merge_heads,
    scaled_dot_product_attention,
    split_heads,
    without_heads,
)

DTYPES = [torch.float16, torch.bfloat16, torch.float32, torch.float64]


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def randn(*shape, seed=0, dtype=torch.float64):
    return torch.randn(*shape, generator=generator(seed), dtype=dtype)


def random_mask(*shape, seed=0):
    """A mask in which every query may attend to at least one key."""
    mask = torch.rand(*shape, generator=generator(seed)) < 0.6
    mask[..., 0] |= ~mask.any(dim=-1)
    return mask


def pair(d_model=8, num_heads=2, dtype=torch.float64, seed=0, bias=True, dropout=0.0):
    """PyTorch's module with random weights and biases, and ours with the same ones."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        theirs = nn.MultiheadAttention(
            d_model, num_heads, dropout=dropout, bias=bias, batch_first=True, dtype=dtype
        )
    if bias:  # PyTorch starts with zeros, which would hide a bias in the wrong place
        with torch.no_grad():
            theirs.in_proj_bias.copy_(randn(3 * d_model, seed=seed + 1))
            theirs.out_proj.bias.copy_(randn(d_model, seed=seed + 2))
    return theirs, from_torch(theirs)


def layer(d_model=8, num_heads=2, dtype=torch.float64, **options):
    return MultiHeadAttention(d_model, num_heads, generator=generator(), **options).to(dtype)


SIZES = st.tuples(*[st.integers(1, 5)] * 3, st.integers(1, 4))
SHAPES = st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(1, 3), st.integers(1, 3))


# Scaled dot-product attention


@settings(max_examples=30)
@given(sizes=SIZES, d_v=st.integers(1, 4), seed=st.integers(0, 99), masked=st.booleans())
def test_attention_equals_torch_forward_and_backward(sizes, d_v, seed, masked):
    batch, queries, keys, d_k = sizes
    shapes = [(batch, 2, queries, d_k), (batch, 2, keys, d_k), (batch, 2, keys, d_v)]
    ours = [randn(*shape, seed=seed + i).requires_grad_() for i, shape in enumerate(shapes)]
    theirs = [x.detach().clone().requires_grad_() for x in ours]
    mask = random_mask(batch, 1, queries, keys, seed=seed) if masked else None
    actual, _ = scaled_dot_product_attention(*ours, mask)
    expected = F.scaled_dot_product_attention(*theirs, attn_mask=mask)
    torch.testing.assert_close(actual, expected)
    upstream = randn(*expected.shape, seed=seed + 9)
    torch.testing.assert_close(
        torch.autograd.grad(actual, ours, upstream), torch.autograd.grad(expected, theirs, upstream)
    )


@pytest.mark.parametrize("dtype", DTYPES)
def test_attention_equals_torch_in_every_precision(dtype):
    q, k, v = (randn(2, 3, 7, 16, seed=i).to(dtype) for i in range(3))
    mask = random_mask(2, 1, 7, 7)
    actual, weights = scaled_dot_product_attention(q, k, v, mask)
    assert actual.dtype == weights.dtype == dtype
    expected = F.scaled_dot_product_attention(q.double(), k.double(), v.double(), attn_mask=mask)
    tolerance = {torch.float16: 3e-3, torch.bfloat16: 3e-2}.get(dtype, 1e-6)
    torch.testing.assert_close(actual.double(), expected, rtol=0, atol=tolerance)


def test_scores_do_not_overflow_in_half_precision_before_they_are_scaled():
    q = torch.full((1, 64), 40.0, dtype=torch.float16)
    k = torch.stack([q[0], -q[0]])  # q·k is 102,400: more than float16 holds
    assert attention_weights(q, k).tolist() == [[1, 0]]


def test_attention_by_hand():
    q = torch.tensor([[1.0, 1.0, 1.0, 1.0]])
    k = torch.tensor([[0.5, 0.5, 0.5, 0.5], [0.0, 0.0, 0.0, 0.0]]) * math.log(9)
    v = torch.tensor([[10.0], [0.0]])
    output, weights = scaled_dot_product_attention(q, k, v)  # scores: log 9 and 0
    torch.testing.assert_close(weights, torch.tensor([[0.9, 0.1]]))
    torch.testing.assert_close(output, torch.tensor([[9.0]]))


def test_attention_takes_any_batch_axes():
    q, k, v = (randn(2, 3, 2, 4, 5, seed=i) for i in range(3))
    single, _ = scaled_dot_product_attention(q[1, 2, 0], k[1, 2, 0], v[1, 2, 0])
    output, weights = scaled_dot_product_attention(q, k, v)
    assert weights.shape == (2, 3, 2, 4, 4)
    torch.testing.assert_close(output[1, 2, 0], single)


def test_a_query_that_may_attend_to_nothing_gets_zeros_and_finite_gradients():
    q, k, v = (randn(1, 3, 4, seed=i).requires_grad_() for i in range(3))
    mask = torch.tensor([[True, True, True], [False, False, False], [True, False, False]])
    output, weights = scaled_dot_product_attention(q, k, v, mask)
    assert weights[0, 1].tolist() == [0, 0, 0]
    assert output[0, 1].tolist() == [0, 0, 0, 0]
    gradients = torch.autograd.grad(output.sum(), [q, k, v])
    assert all(gradient.isfinite().all() for gradient in gradients)
    assert gradients[0][0, 1].tolist() == [0, 0, 0, 0]


def test_the_variance_of_a_score_is_one_after_scaling():
    q, k = randn(20_000, 1, 64), randn(20_000, 1, 64, seed=1)
    products = (q * k).sum(dim=-1)
    assert products.std().item() == pytest.approx(8, rel=0.02)
    # Two keys, one of them zero: the weights give the score back.
    both = torch.cat([k, torch.zeros_like(k)], dim=1)
    scores = attention_weights(q, both).log()
    assert (scores[..., 0] - scores[..., 1]).var().item() == pytest.approx(1, rel=0.04)


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ([(1, 2), (1, 3), (1, 3)], "key has vectors of length 3, expected 2 as in query"),
        ([(1, 2), (3, 2), (4, 2)], "value has 4 places, expected 3 as in key"),
        ([(1, 0), (3, 0), (3, 2)], r"query has shape \[1, 0\], expected vectors of length 1"),
    ],
)
def test_vectors_that_do_not_fit_are_refused(shapes, message):
    # One function under another checks the shapes of its own arguments first where jaxtyping
    # watches; the message counts where it does not.
    with pytest.raises((ValueError, TypeError)) as error:
        scaled_dot_product_attention(*(torch.zeros(shape) for shape in shapes))
    if error.type is ValueError:
        error.match(message)


# Heads


@given(shape=SHAPES, seed=st.integers(0, 99))
def test_split_and_merge_are_inverse_and_split_copies_nothing(shape, seed):
    batch, length, num_heads, d_k = shape
    x = randn(batch, length, num_heads * d_k, seed=seed)
    heads = split_heads(x, num_heads)
    assert heads.shape == (batch, num_heads, length, d_k)
    assert heads.data_ptr() == x.data_ptr()
    assert torch.equal(merge_heads(heads), x)


@given(shape=SHAPES, seed=st.integers(0, 99))
def test_each_head_is_a_slice_of_each_token(shape, seed):
    batch, length, num_heads, d_k = shape
    x = randn(batch, length, num_heads * d_k, seed=seed)
    heads = split_heads(x, num_heads)
    for i in range(num_heads):
        assert torch.equal(heads[:, i], x[:, :, i * d_k : (i + 1) * d_k])


def test_split_takes_tensors_whose_memory_is_not_in_order():
    x = torch.arange(24).reshape(4, 3, 2).transpose(0, 2)  # [2, 3, 4], strides in reverse
    assert torch.equal(split_heads(x, 2), split_heads(x.contiguous(), 2))


@pytest.mark.parametrize("num_heads", [0, -1, 3])
def test_heads_that_do_not_divide_are_refused(num_heads):
    message = rf"num_heads is {num_heads}, expected a divisor of d_model = 8"
    with pytest.raises(ValueError, match=message):
        split_heads(torch.zeros(1, 1, 8), num_heads)
    with pytest.raises(ValueError, match=message):
        MultiHeadAttention(8, num_heads)


# The module


@settings(max_examples=30)
@given(
    sizes=st.tuples(st.integers(1, 4), st.integers(1, 5), st.integers(1, 5)),
    heads=st.sampled_from([(1, 1), (1, 4), (2, 1), (2, 3), (4, 2)]),
    bias=st.booleans(),
    masked=st.sampled_from(["no", "padding", "per head"]),
    seed=st.integers(0, 99),
)
def test_module_equals_torch_forward_and_backward(sizes, heads, bias, masked, seed):
    batch, queries, keys = sizes
    num_heads, d_k = heads
    theirs, ours = pair(num_heads * d_k, num_heads, seed=seed, bias=bias)
    query = randn(batch, queries, num_heads * d_k, seed=seed + 3)
    memory = randn(batch, keys, num_heads * d_k, seed=seed + 4)
    mask, options = None, {}
    if masked == "padding":
        mask = random_mask(batch, 1, 1, keys, seed=seed)
        options = {"key_padding_mask": ~mask[:, 0, 0]}  # theirs: True means blocked
    elif masked == "per head":
        mask = random_mask(batch, num_heads, queries, keys, seed=seed)
        options = {"attn_mask": ~mask.flatten(0, 1)}
    results = []
    for module in (ours, theirs):
        inputs = [query.clone().requires_grad_(), memory.clone().requires_grad_()]
        if module is ours:
            output, weights = ours(inputs[0], inputs[1], inputs[1], mask)
        else:
            output, weights = theirs(
                inputs[0], inputs[1], inputs[1], average_attn_weights=False, **options
            )
        output.square().sum().backward()
        results.append((output, weights, *(x.grad for x in inputs)))
    torch.testing.assert_close(results[0], results[1])
    q, k, v, o = (
        getattr(ours, f"{name}_projection") for name in ("query", "key", "value", "output")
    )
    torch.testing.assert_close(
        torch.cat([q.weight.grad, k.weight.grad, v.weight.grad]), theirs.in_proj_weight.grad
    )
    torch.testing.assert_close(o.weight.grad, theirs.out_proj.weight.grad)
    if bias:
        torch.testing.assert_close(
            torch.cat([q.bias.grad, k.bias.grad, v.bias.grad]), theirs.in_proj_bias.grad
        )
        torch.testing.assert_close(o.bias.grad, theirs.out_proj.bias.grad)


@pytest.mark.parametrize(
    ("dtype", "tolerance"),
    [(torch.float16, 5e-3), (torch.bfloat16, 5e-2), (torch.float32, 1e-5), (torch.float64, 1e-12)],
)
def test_module_equals_torch_in_every_precision(dtype, tolerance):
    theirs, ours = pair(32, 4, dtype=dtype)
    x = randn(2, 6, 32).to(dtype)
    output, weights = ours(x, x, x)
    assert output.dtype == weights.dtype == dtype
    expected, expected_weights = theirs(x, x, x, average_attn_weights=False)
    torch.testing.assert_close(output, expected, rtol=0, atol=tolerance)
    torch.testing.assert_close(weights, expected_weights, rtol=0, atol=tolerance)


@pytest.mark.parametrize("num_heads", [1, 2, 4, 8])
def test_batched_heads_equal_a_loop_over_heads(num_heads):
    module, x, memory = layer(8, num_heads), randn(3, 5, 8), randn(3, 7, 8, seed=1)
    d_k, contexts = 8 // num_heads, []
    for i in range(num_heads):
        rows = slice(i * d_k, (i + 1) * d_k)
        q = x @ module.query_projection.weight[rows].T
        k = memory @ module.key_projection.weight[rows].T
        v = memory @ module.value_projection.weight[rows].T
        contexts.append(torch.softmax(q @ k.transpose(1, 2) / d_k**0.5, dim=-1) @ v)
    expected = torch.cat(contexts, dim=-1) @ module.output_projection.weight.T
    output, weights = module(x, memory, memory)
    torch.testing.assert_close(output, expected)
    assert weights.shape == (3, num_heads, 5, 7)


@pytest.mark.parametrize("num_heads", [1, 2, 8])
def test_the_number_of_parameters_does_not_depend_on_the_heads(num_heads):
    for bias, expected in ((False, 1_048_576), (True, 1_050_624)):
        with torch.device("meta"):
            parameters = list(MultiHeadAttention(512, num_heads, bias=bias).parameters())
        assert sum(p.numel() for p in parameters) == expected


@pytest.mark.parametrize("num_heads", [2, 3])
def test_a_batch_equals_its_members_one_by_one(num_heads):
    # A batch as large as the number of heads: a mask without the axis of the heads would pass.
    module, x = layer(6, num_heads), randn(num_heads, 4, 6)
    mask = random_mask(num_heads, 1, 4, 4)
    output, weights = module(x, x, x, mask)
    for i, member in enumerate(x.unsqueeze(1)):
        alone, alone_weights = module(member, member, member, mask[i : i + 1])
        torch.testing.assert_close(output[i], alone[0])
        torch.testing.assert_close(weights[i], alone_weights[0])


def test_padding_of_one_sentence_does_not_reach_another():
    module, x = layer(4, 2).eval(), randn(2, 3, 4)
    mask = torch.tensor([[True, True, True], [True, True, False]])[:, None, None, :]
    output, _ = module(x, x, x, mask)
    alone, _ = module(x[:1], x[:1], x[:1])
    short, _ = module(x[1:, :2], x[1:, :2], x[1:, :2])
    torch.testing.assert_close(output[:1], alone)
    torch.testing.assert_close(output[1:, :2], short)


@pytest.mark.parametrize("train", [True, False])
def test_a_causal_mask_equals_attention_to_prefixes(train):
    module, x = layer().train(train), randn(2, 5, 8)
    causal = torch.ones(5, 5, dtype=torch.bool).tril()
    output, weights = module(x, x, x, causal)
    for i in range(5):
        prefix = x[:, : i + 1]
        last, _ = module(x[:, i : i + 1], prefix, prefix)
        torch.testing.assert_close(output[:, i : i + 1], last)
    assert (weights.triu(1) == 0).all()


def test_attend_with_stored_keys_and_values_equals_the_whole_sequence():
    module, x = layer(), randn(2, 5, 8)
    whole, _ = module(x, x, x, torch.ones(5, 5, dtype=torch.bool).tril())
    keys, values = (torch.empty(2, 2, 0, 4, dtype=x.dtype) for _ in range(2))
    for i in range(5):
        token = x[:, i : i + 1]
        keys = torch.cat([keys, split_heads(module.key_projection(token), 2)], dim=2)
        values = torch.cat([values, split_heads(module.value_projection(token), 2)], dim=2)
        step, _ = module.attend(split_heads(module.query_projection(token), 2), keys, values)
        torch.testing.assert_close(step, whole[:, i : i + 1])


def test_order_of_the_tokens_is_not_seen():
    module, x = layer(), randn(2, 5, 8)
    order = torch.tensor([3, 0, 4, 1, 2])
    shuffled = x[:, order]
    torch.testing.assert_close(
        module(shuffled, shuffled, shuffled)[0], module(x, x, x)[0][:, order]
    )


def test_heads_may_have_masks_of_their_own():
    module, x = layer(), randn(1, 3, 8)
    mask = torch.ones(1, 2, 3, 3, dtype=torch.bool)
    mask[:, 1] = torch.eye(3, dtype=torch.bool)
    _, weights = module(x, x, x, mask)
    assert torch.equal(weights[0, 1], torch.eye(3, dtype=x.dtype))
    assert (weights[0, 0] > 0).all()


@pytest.mark.parametrize(
    "shape", [(), (1,), (4, 1), (1, 4), (2, 1, 1, 4), (1, 2, 3, 1), (1, 1, 3, 4)]
)
def test_masks_broadcast(shape):
    module, q, kv = layer(), randn(2, 3, 8), randn(2, 4, 8, seed=1)
    mask = random_mask(*shape) if shape else None
    if len(shape) == 1 or shape == (4, 1):
        with pytest.raises(ValueError, match="mask has shape"):
            module(q, kv, kv, mask)
        return
    _, weights = module(q, kv, kv, mask)
    if mask is not None:
        assert torch.equal(weights > 0, mask.expand(2, 2, 3, 4))


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        (torch.ones(2, 3, 4, dtype=torch.bool), r"shape \[2, 3, 4\].*axis of the heads missing"),
        (torch.ones(4, 3, dtype=torch.bool), r"shape \[4, 3\], expected \[3, 4\]"),
        (
            torch.ones(3, 1, 1, 4, dtype=torch.bool),
            r"shape \[3, 1, 1, 4\], expected \[2, 2, 3, 4\]",
        ),
        (
            torch.ones(2, 1, 1, 3, dtype=torch.bool),
            r"shape \[2, 1, 1, 3\], expected \[2, 2, 3, 4\]",
        ),
    ],
)
def test_masks_that_do_not_fit_are_refused(mask, message):
    q, kv = randn(2, 3, 8), randn(2, 4, 8)
    with pytest.raises(ValueError, match=message):
        layer()(q, kv, kv, mask)


def test_a_mask_of_numbers_is_refused():
    q, kv = randn(2, 3, 8), randn(2, 4, 8)
    with pytest.raises((ValueError, TypeError), match="mask"):  # jaxtyping watches dtypes, too
        layer()(q, kv, kv, torch.ones(3, 4))


def test_returned_weights_are_those_before_dropout():
    module, x = layer(dropout=0.5).train(), randn(4, 6, 8)
    output, weights = module(x, x, x)
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(4, 2, 6, dtype=x.dtype))
    calm, calm_weights = module.eval()(x, x, x)
    torch.testing.assert_close(weights, calm_weights)
    assert not torch.allclose(output, calm)


def test_dropout_keeps_the_mean_and_is_off_in_eval_mode():
    module, x = layer(dropout=0.5), randn(1, 6, 8)
    calm = module.eval()(x, x, x)[0]
    assert torch.equal(calm, module(x, x, x)[0])
    module.train()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        mean = torch.stack([module(x, x, x)[0] for _ in range(2000)]).mean(dim=0)
    torch.testing.assert_close(mean, calm, rtol=0, atol=0.05)


def test_dropout_drops_whole_weights_and_no_single_channels():
    module, x = layer(8, 2, dropout=0.5).train(), randn(1, 6, 8)
    with torch.no_grad():
        module.value_projection.weight.zero_()
        module.value_projection.bias.fill_(1)
        module.output_projection.weight.copy_(torch.eye(8))
    # Every value is 1, so all channels of a head hold the sum of the weights that are left.
    heads = module(x, x, x)[0].unflatten(-1, (2, 4))
    torch.testing.assert_close(heads, heads[..., :1].expand_as(heads))
    assert heads.std() > 0.1


@pytest.mark.parametrize("probability", [0, 1])
def test_the_ends_of_dropout(probability):
    module, x = layer(dropout=probability).train(), randn(1, 3, 8)
    output, _ = module(x, x, x)
    assert output.isfinite().all()
    # With p = 1 nothing is collected, and the bias of 0 is all that is left.
    assert torch.equal(output, module.eval()(x, x, x)[0]) if probability == 0 else not output.any()


@pytest.mark.parametrize(("queries", "keys", "batch"), [(0, 3, 2), (2, 0, 2), (0, 0, 1), (2, 3, 0)])
def test_empty_sequences_and_batches(queries, keys, batch):
    output, weights = layer()(randn(batch, queries, 8), *[randn(batch, keys, 8)] * 2)
    assert output.shape == (batch, queries, 8)
    assert weights.shape == (batch, 2, queries, keys)
    assert not output.any()  # nothing to collect, and the bias is 0


def test_new_weights_keep_the_variance():
    module = MultiHeadAttention(256, 4, generator=generator())
    for name in ("query", "key", "value", "output"):
        linear = getattr(module, f"{name}_projection")
        assert linear.weight.var().item() == pytest.approx(1 / 256, rel=0.03)
        assert not linear.bias.any()
    q = module.query_projection(torch.randn(400, 256, generator=generator(1)))
    assert q.var().item() == pytest.approx(1, rel=0.05)


def test_the_generator_decides_the_weights():
    first, second = (MultiHeadAttention(8, 2, generator=generator(5)) for _ in range(2))
    other = MultiHeadAttention(8, 2, generator=generator(6))
    assert all(
        torch.equal(a, b) for a, b in zip(first.parameters(), second.parameters(), strict=True)
    )
    assert not torch.equal(first.query_projection.weight, other.query_projection.weight)
    assert not torch.equal(first.query_projection.weight, first.key_projection.weight)


def test_saving_and_loading_give_the_same_layer():
    module, x = layer(), randn(1, 3, 8)
    other = MultiHeadAttention(8, 2).double()
    other.load_state_dict(module.state_dict())
    assert torch.equal(other(x, x, x)[0], module(x, x, x)[0])


def test_no_argument_is_changed():
    module, x = layer(dropout=0.5), randn(2, 3, 8)
    mask = random_mask(2, 1, 3, 3)
    before = x.clone(), mask.clone(), copy.deepcopy(module.state_dict())
    module(x, x, x, mask)
    assert torch.equal(x, before[0])
    assert torch.equal(mask, before[1])
    assert all(torch.equal(value, before[2][key]) for key, value in module.state_dict().items())


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((0, 1), {}, "d_model is 0, expected at least 1"),
        ((8, 2), {"dropout": 1.5}, "dropout is 1.5, expected a number from 0 to 1"),
        ((8, 2), {"dropout": -0.1}, "dropout is -0.1, expected a number from 0 to 1"),
    ],
)
def test_bad_sizes_are_refused(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        MultiHeadAttention(*arguments, **options)


# Pruning


@pytest.mark.parametrize("num_heads", [1, 2, 4])
def test_the_output_is_the_bias_and_a_sum_over_heads(num_heads):
    module, x = layer(8, num_heads), randn(2, 3, 8)
    with torch.no_grad():
        module.output_projection.bias.copy_(randn(8, seed=5))
    heads = set(range(num_heads))
    alone = [without_heads(module, heads - {i})(x, x, x)[0] for i in heads]
    nothing = without_heads(module, heads)(x, x, x)[0]
    torch.testing.assert_close(nothing, module.output_projection.bias.expand_as(nothing))
    terms = torch.stack(alone) - nothing
    torch.testing.assert_close(terms.sum(dim=0) + nothing, module(x, x, x)[0])
    # A silenced head keeps its weights, and no other head notices.
    torch.testing.assert_close(without_heads(module, [0])(x, x, x)[1], module(x, x, x)[1])


def test_a_silenced_head_has_no_influence_and_the_others_keep_theirs():
    module, x = layer(8, 2), randn(2, 3, 8)
    silenced = without_heads(module, [0])
    before = silenced(x, x, x)[0]
    with torch.no_grad():
        silenced.value_projection.weight[:4] += 1  # the rows of head 0
    torch.testing.assert_close(silenced(x, x, x)[0], before)
    with torch.no_grad():
        silenced.value_projection.weight[4:] += 1
    assert not torch.allclose(silenced(x, x, x)[0], before)


def test_pruning_copies_and_refuses_heads_that_are_not_there():
    module = layer()
    before = module.output_projection.weight.clone()
    without_heads(module, [0, 1])
    assert torch.equal(module.output_projection.weight, before)
    assert torch.equal(without_heads(module, []).output_projection.weight, before)
    for head in (-1, 2):
        with pytest.raises(ValueError, match=f"heads holds {head}, expected numbers from 0 to 1"):
            without_heads(module, [head])


# Weights from PyTorch


def test_from_torch_copies_mode_dropout_and_dtype():
    theirs, ours = pair(dropout=0.25, dtype=torch.float32)
    assert ours.training
    assert ours.dropout.p == 0.25
    assert not from_torch(theirs.eval()).training
    before = theirs.in_proj_weight.clone()
    with torch.no_grad():
        ours.query_projection.weight.zero_()
    assert torch.equal(theirs.in_proj_weight, before)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kdim": 4}, "module has kdim or vdim"),
        ({"add_bias_kv": True}, "module has add_bias_kv or add_zero_attn"),
        ({"add_zero_attn": True}, "module has add_bias_kv or add_zero_attn"),
    ],
)
def test_from_torch_refuses_what_ours_lacks(options, message):
    with pytest.raises(ValueError, match=message):
        from_torch(nn.MultiheadAttention(8, 2, **options))


def test_everything_runs_on_the_meta_device():
    with torch.device("meta"):
        module = MultiHeadAttention(8, 2, dropout=0.1)
        x, mask = torch.empty(2, 3, 8), torch.ones(2, 1, 1, 3, dtype=torch.bool)
        output, weights = module(x, x, x, mask)
        assert output.is_meta
        assert weights.is_meta
        assert from_torch(nn.MultiheadAttention(8, 2))(x, x, x)[0].is_meta
        assert without_heads(module, [1])(x, x, x)[0].is_meta
