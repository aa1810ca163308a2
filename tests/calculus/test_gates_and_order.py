"""Gates against autograd and by hand; topological order against the standard library."""

from graphlib import TopologicalSorter

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.calculus.backpropagation import (
    AddGate,
    BranchGate,
    MaxGate,
    MultiplyGate,
    topological_order,
)

TWO_INPUTS = [(AddGate, torch.add), (MultiplyGate, torch.mul), (MaxGate, torch.maximum)]
numbers = st.integers(-3, 3).map(float) | st.floats(-1e3, 1e3)


@pytest.mark.parametrize(("gate", "function"), TWO_INPUTS, ids=lambda f: f.__name__)
@given(x=numbers, y=numbers, upstream=numbers)
def test_gates_equal_autograd(gate, function, x, y, upstream):
    a, b = (torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in (x, y))
    result = function(a, b)
    result.backward(torch.tensor(upstream, dtype=torch.float64))
    gate = gate()
    assert gate.forward(x, y) == result.item()
    assert gate.backward(upstream) == (a.grad.item(), b.grad.item())


def test_multiply_gate_by_hand():
    gate = MultiplyGate()
    assert gate.forward(3, 4) == 12
    assert gate.backward(2) == (8, 6)
    assert gate.forward(5.0, -1.0) == -5  # It goes back through its last inputs.
    assert gate.backward(2.0) == (-2, 10)


def test_branch_gate_adds():
    gate = BranchGate()
    assert gate.forward(3.0) == (3, 3)
    assert gate.backward(2.0, 5.0) == 7


@pytest.mark.parametrize("gate", [MultiplyGate, MaxGate])
def test_backward_needs_a_forward(gate):
    with pytest.raises(RuntimeError, match="backward was called before forward"):
        gate().backward(1.0)


@st.composite
def graphs(draw):
    """Draw an acyclic graph under shuffled names: node k is computed from some below it."""
    size = draw(st.integers(1, 12))
    names = draw(st.permutations(range(size)))
    return {
        names[k]: [
            names[i]
            for i in draw(st.lists(st.integers(0, k - 1), max_size=4) if k else st.just([]))
        ]
        for k in range(size)
    }


def reachable(graph, root):
    found, todo = set(), [root]
    while todo:
        node = todo.pop()
        if node not in found:
            found.add(node)
            todo += graph[node]
    return found


@given(graph=graphs(), data=st.data())
def test_each_node_stands_once_after_its_inputs(graph, data):
    root = data.draw(st.sampled_from(sorted(graph)))
    order = topological_order(root, lambda node: graph[node])
    assert order[-1] == root
    assert sorted(order) == sorted(reachable(graph, root))
    # The standard library accepts the order: each node is ready when it comes.
    sorter = TopologicalSorter({node: graph[node] for node in order})
    sorter.prepare()
    ready = set()
    for node in order:
        ready |= set(sorter.get_ready())
        assert node in ready
        sorter.done(node)


@pytest.mark.parametrize("graph", [{0: [0]}, {0: [1], 1: [2], 2: [1]}, {0: [1, 2], 1: [], 2: [0]}])
def test_a_cycle_is_refused(graph):
    with pytest.raises(ValueError, match="inputs has a cycle"):
        topological_order(0, lambda node: graph[node])


def test_deep_and_wide_graphs():
    depth = 100_000
    chain = topological_order(depth, lambda k: [k - 1, k - 1] if k else [])
    assert chain == list(range(depth + 1))
    assert len(topological_order(-1, lambda k: range(1000) if k < 0 else [])) == 1001
