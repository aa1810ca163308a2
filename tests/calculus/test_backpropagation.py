"""The autograd engine against PyTorch: random graphs, every operation, and edge cases."""

import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import assume, given
from hypothesis import strategies as st
from torch.utils.flop_counter import FlopCounterMode

from course_lib.calculus import backpropagation as bp
from course_lib.calculus.backpropagation import Node

# Each operation is written once. With bp it computes on nodes, with torch on tensors.
UNARY = {
    "negative": lambda ns, x: -x,
    "square": lambda ns, x: x**2,
    "cube": lambda ns, x: x**3.0,
    "power zero": lambda ns, x: x**0,
    "root": lambda ns, x: (x * x + 1) ** 0.5,
    "reciprocal": lambda ns, x: 2 / (x * x + 1),
    "from the left": lambda ns, x: 3 - 0.5 * x + (1 + x) - x / 4,
    "exp": lambda ns, x: ns.exp(-x * x),
    "log": lambda ns, x: ns.log(x * x + 1),
    "tanh": lambda ns, x: ns.tanh(x),
    "sigmoid": lambda ns, x: ns.sigmoid(x),
    "relu": lambda ns, x: ns.relu(x),
    "sum": lambda ns, x: ns.sum(x),
    "mean": lambda ns, x: ns.mean(x),
    "mean last": lambda ns, x: ns.mean(x, -1, keepdim=True) if len(x.shape) else None,
    "sum first": lambda ns, x: ns.sum(x, 0) if len(x.shape) else None,
    "sum both": lambda ns, x: ns.sum(x, (0, 1), keepdim=True) if len(x.shape) == 2 else None,
    "reshape": lambda ns, x: ns.reshape(x, (-1,)),
    "transpose": lambda ns, x: ns.transpose(x, 0, 1) if len(x.shape) == 2 else None,
    "rows again": lambda ns, x: x[torch.tensor([0, -1, 0])] if len(x.shape) else None,
    "slice": lambda ns, x: x[..., 1:] if len(x.shape) else None,
    "new axis": lambda ns, x: x[None] if len(x.shape) < 2 else None,
}
BINARY = {
    "add": lambda ns, x, y: x + y,
    "subtract": lambda ns, x, y: x - y,
    "multiply": lambda ns, x, y: x * y,
    "divide": lambda ns, x, y: x / (y * y + 1),
    "maximum": lambda ns, x, y: ns.maximum(x, y),
}
SHAPES = [(), (1,), (3,), (2, 3), (1, 3), (2, 1), (3, 2)]


def broadcasts(x, y):
    try:
        torch.broadcast_shapes(x.shape, y.shape)
    except RuntimeError:
        return False
    return True


def run(program, leaves, ns):
    """Run a program: each step computes a value from one or two earlier ones, if shapes fit."""
    values = list(leaves)
    for name, i, j in program:
        x, y = values[i % len(values)], values[j % len(values)]
        if name in UNARY:
            result = UNARY[name](ns, x)
        elif name == "matmul":
            fits = len(x.shape) and len(y.shape) and x.shape[-1] == y.shape[max(-2, -len(y.shape))]
            result = x @ y if fits else None
        else:
            result = BINARY[name](ns, x, y) if broadcasts(x, y) else None
        if result is not None and math.prod(result.shape) > 0:
            values.append(result)
    return sum(ns.mean(value) * (k + 1) for k, value in enumerate(values))


steps = st.tuples(
    st.sampled_from([*UNARY, *BINARY, "matmul"]), st.integers(0, 20), st.integers(0, 20)
)


@given(
    program=st.lists(steps, min_size=1, max_size=12),
    shapes=st.lists(st.sampled_from(SHAPES), min_size=1, max_size=4),
    seed=st.integers(0, 1000),
)
def test_random_graphs_have_the_gradients_of_torch(program, shapes, seed):
    rng = torch.Generator().manual_seed(seed)
    data = [torch.randn(shape, generator=rng, dtype=torch.float64) for shape in shapes]
    leaves = [Node(x, requires_grad=True) for x in data]
    others = [x.clone().requires_grad_() for x in data]
    loss, expected = run(program, leaves, bp), run(program, others, torch)
    assume(expected.abs() < 1e9)
    torch.testing.assert_close(loss.data, expected.detach(), rtol=1e-9, atol=1e-9)
    loss.backward()
    expected.backward()
    for leaf, other in zip(leaves, others, strict=True):
        scale = max(1.0, other.grad.abs().max().item())
        torch.testing.assert_close(leaf.grad, other.grad, rtol=1e-9, atol=1e-9 * scale)


def against_torch(function, *data, upstream_seed=0):
    """Compare value and gradients of one operation with torch's, for a random upstream."""
    nodes = [Node(x, requires_grad=True) for x in data]
    others = [x.clone().requires_grad_() for x in data]
    result, expected = function(bp, *nodes), function(torch, *others)
    # Half precision keeps two or three digits of each single step.
    close = {"rtol": 2e-2, "atol": 2e-2} if result.data.element_size() == 2 else {}
    torch.testing.assert_close(result.data, expected.detach(), equal_nan=True, **close)
    rng = torch.Generator().manual_seed(upstream_seed)
    upstream = torch.randn(expected.shape, generator=rng).to(expected.dtype)
    result.backward(upstream)
    expected.backward(upstream)
    for node, other in zip(nodes, others, strict=True):
        torch.testing.assert_close(node.grad, other.grad, equal_nan=True, **close)
        assert node.data.tolist() == other.tolist()  # No argument was changed.


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
@pytest.mark.parametrize("name", UNARY)
def test_each_operation_keeps_the_type(name, dtype):
    x = torch.tensor([[0.5, -1.0, 2.0], [0.0, 1.5, -0.25]], dtype=dtype)
    if UNARY[name](torch, x) is not None:
        against_torch(UNARY[name], x)


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("shapes", [((2, 3), (3,)), ((2, 1), (1, 3)), ((), (2, 3)), ((0, 3), (3,))])
def test_broadcasting_adds_gradients_up(name, shapes):
    rng = torch.Generator().manual_seed(0)
    x, y = (torch.randn(shape, generator=rng) for shape in shapes)
    against_torch(BINARY[name], x, y)
    against_torch(BINARY[name], y, x)


@pytest.mark.parametrize(
    "shapes",
    [
        ((3,), (3,)),
        ((2, 3), (3,)),
        ((3,), (3, 2)),
        ((2, 3), (3, 4)),
        ((5, 2, 3), (3, 4)),
        ((2, 3), (5, 3, 4)),
        ((5, 1, 2, 3), (6, 3, 4)),
        ((3,), (5, 3, 4)),
        ((5, 2, 3), (3,)),
        ((0, 3), (3, 4)),
        ((2, 0), (0, 4)),
    ],
)
def test_matrix_products_of_all_shapes(shapes):
    rng = torch.Generator().manual_seed(0)
    a, b = (torch.randn(shape, generator=rng) for shape in shapes)
    against_torch(lambda ns, a, b: a @ b, a, b)


@pytest.mark.parametrize(
    "index",
    [
        1,
        -1,
        slice(None, None, 2),
        (..., 1),
        (None, 0),
        (slice(1, 3), [2, 0, 2]),
        torch.tensor([0, 0, 0]),
        torch.tensor([[3, 0], [3, 3]]),
        (torch.tensor([0, 1, 0]), torch.tensor([2, 2, 2])),
        torch.tensor([True, False, True, True]),
        torch.tensor([], dtype=torch.int64),
    ],
    ids=str,
)
def test_indexing_gathers_and_duplicates_add_up(index):
    x = torch.randn(4, 3, generator=torch.Generator().manual_seed(0))
    against_torch(lambda ns, x: x[index], x)
    against_torch(lambda ns, x: x[index], x.T.contiguous().T)  # Other strides.


@pytest.mark.parametrize("dim", [None, 0, -1, (0, 2), (-2,)])
@pytest.mark.parametrize("keepdim", [False, True])
@pytest.mark.parametrize("shape", [(2, 3, 4), (2, 1, 1), (3, 0, 2)])
def test_sums_and_means_over_axes(dim, keepdim, shape):
    x = torch.randn(shape, generator=torch.Generator().manual_seed(0))
    for name in ("sum", "mean"):
        against_torch(lambda ns, x, name=name: getattr(ns, name)(x, dim, keepdim=keepdim), x)


def test_kinks_and_poles_are_those_of_torch():
    x = torch.tensor([0.0, -0.0, 1.0, -1.0, math.inf])
    for name in ("relu", "log", "exp", "tanh", "sigmoid"):
        against_torch(lambda ns, x, name=name: getattr(ns, name)(x), x)
    against_torch(lambda ns, x, y: ns.maximum(x, y), torch.tensor([1.0, 2.0]), torch.tensor(1.0))
    for power in (0, 0.0, 1, 2, -1, 0.5):
        against_torch(lambda ns, x, power=power: x**power, torch.tensor([0.0, 2.0]))


def test_gradients_add_where_a_node_is_used_several_times():
    x = Node(torch.tensor(2.0), requires_grad=True)
    y = x * x
    (y * 3 + y**2).backward()
    assert x.grad.item() == (3 + 2 * 4) * 2 * 2 == 44
    for function in (
        lambda ns, x: x + x,
        lambda ns, x: x * x,
        lambda ns, x: x @ x,
        lambda ns, x: x,
    ):
        against_torch(function, torch.randn(3, 3, generator=torch.Generator().manual_seed(0)))


def test_backward_does_not_update_and_calling_it_twice_accumulates():
    w = Node(torch.tensor([2.0]), requires_grad=True)
    loss = bp.sum(w * 3 + w**2)
    loss.backward()
    assert (w.data.item(), w.grad.item()) == (2, 7)
    w.data = w.data - 0.1 * w.grad
    assert w.data.item() == pytest.approx(1.3)
    loss.backward()  # The graph remembers the 2 that it was computed with.
    assert w.grad.item() == 14


def test_gradients_share_no_memory():
    a, b = (Node(torch.ones(2), requires_grad=True) for _ in range(2))
    upstream = torch.ones(2)
    (a + b).backward(upstream)
    a.grad += 1
    assert b.grad.tolist() == upstream.tolist() == [1, 1]
    total = Node(torch.ones(2), requires_grad=True)
    bp.sum(total).backward()
    total.grad += 1  # An expanded gradient would refuse this.
    assert total.grad.tolist() == [2, 2]


def test_constants_are_not_tracked():
    x, w = Node(torch.ones(2, 3)), Node(torch.ones(3, 2), requires_grad=True)
    product = x @ w
    assert [source for source, _ in product.edges] == [w]
    assert (bp.exp(x) * 2 + x).edges == ()
    bp.sum(product).backward()
    assert x.grad is None


def test_a_tensor_on_the_left_a_mask_and_a_number_make_constants():
    x = torch.tensor([[1.0, -2.0], [3.0, 4.0]], dtype=torch.float64)
    mask = torch.tensor([[True, False], [True, True]])
    for function in (
        lambda ns, n: x @ n + x * n - x + (x - n) / (x / n),
        lambda ns, n: n * mask + mask * n,
        lambda ns, n: n * torch.tensor([[1, 2]]) + 0.1,
        lambda ns, n: ns.maximum(n, torch.tensor(0.1, dtype=torch.float64)),
    ):
        against_torch(function, x)


def test_mixed_types_give_each_leaf_its_own():
    a, b = torch.randn(2, 3), torch.randn(3, dtype=torch.float64)
    against_torch(lambda ns, a, b: a * b + a - b / a, a, b)


def test_an_upstream_gradient_gets_the_type_of_its_node():
    x = Node(torch.ones(2), requires_grad=True)
    x.backward(torch.ones(2, dtype=torch.float64))
    assert x.grad.dtype == torch.float32


def test_a_tensor_that_autograd_tracks_is_taken_as_data():
    x = torch.ones(2, requires_grad=True)
    node = Node(x, requires_grad=True)
    with torch.inference_mode():
        bp.sum(node * node).backward()
    assert node.grad.tolist() == [2, 2]
    assert not node.data.requires_grad
    assert x.grad is None


@pytest.mark.parametrize("depth", [10_000, 30_000])
def test_a_deep_chain_needs_no_recursion(depth):
    x = Node(torch.tensor(1.0, dtype=torch.float64), requires_grad=True)
    y = x
    for _ in range(depth):
        y = y * (1 + 1 / depth)
    y.backward()
    assert x.grad.item() == pytest.approx(math.e, rel=1e-3)
    assert len(repr(y)) < 100
    del y  # Taking the chain apart needs none either.


def test_each_node_passes_its_gradient_on_once():
    x = Node(torch.tensor(1.0), requires_grad=True)
    calls = []

    def double(node):
        def rule(g):
            calls.append(1)
            return 2 * g

        return Node.result(2 * node.data, (node, rule))

    y = x
    for _ in range(50):  # 2**50 paths lead back to x.
        y = double(y) * 0.25 + double(y) * 0.25
    y.backward()
    assert x.grad.item() == 1
    assert len(calls) == 100


def test_delta_is_computed_once_for_weight_and_bias():
    rng = torch.Generator().manual_seed(0)
    W, b, u, x = (torch.randn(s, generator=rng) for s in [(3, 2), (3,), (3,), (2,)])
    W_node, b_node = Node(W, requires_grad=True), Node(b, requires_grad=True)
    (u @ bp.sigmoid(W_node @ x + b_node)).backward()
    h = torch.sigmoid(W @ x + b)
    delta = u * h * (1 - h)
    torch.testing.assert_close(b_node.grad, delta)
    torch.testing.assert_close(W_node.grad, torch.outer(delta, x))


def test_the_way_back_costs_twice_the_way_there():
    X = Node(torch.randn(8, 5), requires_grad=True)
    W = [Node(torch.randn(5, 5), requires_grad=True) for _ in range(4)]
    with FlopCounterMode(display=False) as forward:
        loss = bp.sum(bp.tanh(bp.tanh(bp.tanh(X @ W[0]) @ W[1]) @ W[2]) @ W[3])
    with FlopCounterMode(display=False) as backward:
        loss.backward()
    assert backward.get_total_flops() == 2 * forward.get_total_flops() > 0


def test_everything_runs_on_the_meta_device():
    x, y = (Node(torch.empty(2, 3, device="meta"), requires_grad=True) for _ in range(2))
    total = bp.mean(x)
    for name, function in UNARY.items():
        if name not in {"new axis", "rows again"}:
            total = total + bp.sum(function(bp, x))
    for function in BINARY.values():
        total = total + bp.mean(function(bp, x, y))
    targets = torch.empty(2, dtype=torch.int64, device="meta")
    (total + bp.cross_entropy(x @ bp.transpose(y, 0, 1), targets)).backward()
    assert x.grad.is_meta and y.grad.is_meta  # noqa: PT018
    assert x.grad.shape == y.grad.shape == (2, 3)


# The loss


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@given(seed=st.integers(0, 100), batch=st.integers(1, 5), classes=st.integers(1, 5))
def test_cross_entropy_equals_torch(dtype, seed, batch, classes):
    rng = torch.Generator().manual_seed(seed)
    logits = 1e4 * torch.randn(batch, classes, generator=rng, dtype=dtype)
    targets = torch.randint(classes, (batch,), generator=rng)
    node, other = Node(logits, requires_grad=True), logits.clone().requires_grad_()
    loss, expected = bp.cross_entropy(node, targets), F.cross_entropy(other, targets)
    torch.testing.assert_close(loss.data, expected.detach())
    loss.backward()
    expected.backward()
    torch.testing.assert_close(node.grad, other.grad)


def test_extreme_logits_cost_what_they_should():
    node = Node(torch.tensor([[1000.0, 0.0]]), requires_grad=True)
    loss = bp.cross_entropy(node, torch.tensor([1]))
    loss.backward()
    assert loss.data.item() == 1000
    assert node.grad.tolist() == [[1, -1]]


@pytest.mark.parametrize(
    ("logits", "targets", "message"),
    [
        (torch.zeros(0, 2), torch.zeros(0, dtype=torch.int64), "targets is empty"),
        (torch.zeros(2, 2), torch.tensor([0, 2]), "targets goes from 0 to 2, expected 0 to 1"),
        (torch.zeros(2, 2), torch.tensor([-1, 0]), "targets goes from -1 to 0, expected 0 to 1"),
        (torch.zeros(2, 2), torch.tensor([0]), r"targets has shape \[1\]"),
        (torch.zeros(2), torch.tensor([0, 1]), r"targets has shape \[2\]"),
    ],
)
def test_bad_targets_are_refused(logits, targets, message):
    with pytest.raises(ValueError, match=message):
        bp.cross_entropy(Node(logits), targets)


# Bad input


def test_bad_calls_are_refused():
    x = Node(torch.ones(2, 3), requires_grad=True)
    with pytest.raises(ValueError, match=r"data has dtype torch\.int64, expected a floating-point"):
        Node(torch.tensor([1]))
    with pytest.raises(ValueError, match="requires_grad is False"):
        bp.sum(Node(torch.ones(2))).backward()
    with pytest.raises(ValueError, match=r"gradient is None, expected one of shape \[2, 3\]"):
        x.backward()
    with pytest.raises(ValueError, match=r"gradient has shape \[3\], expected \[2, 3\]"):
        x.backward(torch.ones(3))
    with pytest.raises(ValueError, match=r"dim is \(\)"):
        bp.sum(x, dim=())
    assert x.grad is None


@pytest.mark.parametrize("shape", [(2,), (3, 2), (1, 4, 3)])
def test_sum_to_refuses_what_does_not_broadcast(shape):
    with pytest.raises(ValueError, match="like has shape"):
        bp.sum_to(torch.ones(4, 3), torch.ones(shape))
