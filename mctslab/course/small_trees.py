"""Search trees made by hand, and words for what is in them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from mctslab.course.expectations import Words
from mctslab.games.state import State
from mctslab.search.node import Node


class Grown(NamedTuple):
    """The statistics of a node, and the children that it has, by their actions."""

    visit_count: int
    total_value: float
    children: "Mapping[int, Grown]" = MappingProxyType({})


def plant(state: State, grown: Grown) -> Node:
    """The root of a tree with these statistics."""
    root = Node(state)
    _fill(root, grown)
    return root


def _fill(node: Node, grown: Grown) -> None:
    node.visit_count, node.total_value = grown.visit_count, grown.total_value
    for action, below in grown.children.items():
        node.untried_actions.remove(action)
        child = Node(parent=node, action=action)
        node.children.append(child)
        _fill(child, below)


def path_to(node: Node) -> tuple[int, ...]:
    """The actions from the root to `node`."""
    actions = []
    while node.parent is not None:
        assert node.action is not None
        actions.append(node.action)
        node = node.parent
    return tuple(reversed(actions))


def place_of(node: object, root: Node) -> object:
    """Where a node is, in words; what is no node stays what it is."""
    if not isinstance(node, Node):
        return node
    top = node
    while top.parent is not None:
        top = top.parent
    if top is not root:
        return Words("a node of another tree")
    return Words(named(path_to(node)))


def named(path: tuple[int, ...]) -> str:
    """The node that is reached by these actions, in words."""
    if not path:
        return "the root"
    return f"the node after action{'s' if len(path) > 1 else ''} {', '.join(map(str, path))}"


def statistics_of(path: tuple[int, ...]) -> str:
    """What the statistics of the node at a path are called in `statistics`."""
    return f"N and W of {named(path)}"


def statistics(root: Node) -> dict[str, tuple[int, float]]:
    """N and W of every node, by the actions that lead to it."""
    found, nodes = {}, [root]
    for node in nodes:
        nodes += node.children
        found[statistics_of(path_to(node))] = (node.visit_count, node.total_value)
    return found


def written(root: Node) -> str:
    """A small tree as text: every node with its action, N, Q, and whose choice it was."""
    lines = []
    waiting = [(root, 0)]
    while waiting:
        node, depth = waiting.pop()
        lines.append("  " * depth + _described(node))
        waiting += [(child, depth + 1) for child in reversed(node.children)]
    return "\n".join(lines)


def _described(node: Node) -> str:
    name = "root" if node.action is None else f"action {node.action}"
    words = [f"{name}: N={node.visit_count}"]
    if node.action is not None:
        words.append(f"Q={node.mean_value:+.2f}" if node.visit_count else "not visited")
        words.append(f"chosen by player {node.mover}")
    if node.state.is_terminal:
        words.append("the game is over")
    elif node.untried_actions:
        words.append(f"untried: {', '.join(map(str, node.untried_actions))}")
    return ", ".join(words)
