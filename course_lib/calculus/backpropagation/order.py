"""The order in which a graph is computed; reversed, the order of its backward pass."""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)


def topological_order(root: Item, inputs: Callable[[Item], Iterable[Item]]) -> list[Item]:
    """List a node and all that it depends on: each node once, after all of its inputs.

    A depth-first search, with a stack of its own in place of recursion: Python gives up after
    about a thousand nested calls, and graphs are deeper than that. The work is proportional to the
    number of edges.

    Args:
        root: the final result.
        inputs: returns the nodes that a node is computed from.

    Returns:
        The nodes, ``root`` last.

    Raises:
        ValueError: if a node depends on itself.

    Source:
        Tarjan (1976), Edge-disjoint spanning trees and depth-first search: the order in which a
        depth-first search leaves the nodes.

    Example:
        >>> graph = {"loss": ["error", "error"], "error": ["w", "x"], "w": [], "x": []}
        >>> topological_order("loss", lambda node: graph[node])
        ['w', 'x', 'error', 'loss']
    """
    order: list[Item] = []
    done: set[Item] = set()
    entered = {root}
    stack = [(root, iter(inputs(root)))]
    while stack:
        node, rest = stack[-1]
        for neighbour in rest:
            if neighbour not in entered:
                entered.add(neighbour)
                stack.append((neighbour, iter(inputs(neighbour))))
                break
            if neighbour not in done:
                raise ValueError(f"inputs has a cycle through {neighbour!r}, expected none")
        else:  # All inputs are listed: it is the node's turn.
            order.append(node)
            done.add(node)
            stack.pop()
    return order
