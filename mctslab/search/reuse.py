"""Keep the part of an earlier tree that is still useful."""

from typing import Final

from mctslab.games.state import State
from mctslab.search.node import Node
from mctslab.search.solving import proven_value

MOST_PLIES: Final = 4
"""How far below the root of an earlier tree a position is searched for: our move, the reply, and
both once more if our last move was forced and so nothing was searched."""


def find_root(old_root: Node, state: State, *, is_guided: bool = False) -> Node:
    """A root for `state` from the tree of an earlier search; a new one if `state` isn't in it.

    The tree is searched ply by ply, down to MOST_PLIES. A node counts only if the action that led
    to it is the last action of `state`, if the game keeps it: the compiled search then has few
    positions to work out.

    Raises:
        ValueError: the tree of `old_root` was grown by the compiled search.
    """
    if hasattr(old_root, "tree"):
        raise ValueError(
            "root= is from the compiled search, and the readable search cannot grow its tree: "
            "leave it out."
        )
    if old_root.state == state:
        return old_root if old_root.parent is None else as_root(old_root, is_guided=is_guided)
    ply = [old_root]
    for _ in range(MOST_PLIES):
        ply = [child for node in ply for child in node.children if child.visit_count]
        for node in ply:
            if state.last_action in (None, node.action) and node.state == state:
                return as_root(node, is_guided=is_guided)
    return Node(state)


def as_root(node: Node, *, is_guided: bool = False) -> Node:
    """A root with a copy of everything below `node`; the old tree stays as it is.

    Its statistics are those of its children, for the player to move. In a tree of `puct_search`
    (`is_guided`) a root also counts its own evaluation, so it keeps all of the node's simulations.
    """
    root = Node(node.state)
    copy_children(node, root)
    for child in root.children:
        root.visit_count += child.visit_count
        root.total_value += child.total_value
    if is_guided:
        root.visit_count = node.visit_count
        root.total_value = node.total_value if node.mover == root.mover else 0.0 - node.total_value
    root.proven = proven_value(root)
    return root


def copy_children(node: Node, new: Node) -> None:
    """Give `new` a copy of everything below `node`."""
    waiting = [(node, new)]  # a list instead of recursion, so that no tree is too deep
    for old, parent in waiting:
        for child in old.children:
            copy = Node(parent=parent, action=child.action, prior=child.prior)
            copy.visit_count, copy.total_value = child.visit_count, child.total_value
            copy.proven = child.proven
            parent.children.append(copy)
            waiting.append((child, copy))
