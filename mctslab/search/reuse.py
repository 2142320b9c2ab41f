"""Keep the part of an earlier tree that is still useful."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from typing import Final

from mctslab.games.state import State
from mctslab.search.node import Node
from mctslab.search.solving import proven_value

MOST_PLIES: Final = 4
"""How far below the root of an earlier tree a position is searched for: our move, the reply, and
both once more if our last move was forced and so nothing was searched."""


class SearchRunningError(RuntimeError):
    """Another search is growing this tree right now."""

    def __init__(self) -> None:
        super().__init__(
            "Another search is using this tree: stop it first, or start without root=."
        )


@contextmanager
def growing(root: Node | None) -> Iterator[None]:
    """While the block runs, no other search can grow the tree of `root`, a readable or a compiled
    one.

    Raises:
        SearchRunningError: another search is growing it.
        ValueError: `root` is not a node.
    """
    if root is not None and not isinstance(root, Node):
        raise ValueError(f"root must be a node of a tree, got {root!r}: pass result.root.")
    if root is None:
        yield
        return
    while root.parent is not None:
        root = root.parent
    tree = getattr(root, "tree", root)  # all nodes of a compiled tree stand for the same arrays
    with _LOCK:
        if tree.is_growing:
            raise SearchRunningError
        tree.is_growing = True
    try:
        yield
    finally:
        tree.is_growing = False


_LOCK: Final = threading.Lock()


def find_root(old_root: Node | None, state: State, *, is_guided: bool = False) -> Node | None:
    """A root for `state` from the tree of an earlier search; None if `state` isn't in it.

    The tree is searched ply by ply, down to MOST_PLIES. A node counts only if the action that led
    to it is the last action of `state`: the compiled search then has few positions to work out.

    Raises:
        ValueError: the tree of `old_root` was grown by the compiled search.
    """
    if old_root is None:
        return None
    if hasattr(old_root, "tree"):
        raise ValueError(
            "root= is from the compiled search, and the readable search cannot grow its tree: "
            "leave it out."
        )
    if old_root.state == state:
        return old_root if old_root.parent is None else as_root(old_root, is_guided=is_guided)
    last_action = getattr(state, "last_action", None)  # None: any node can be the right one
    ply = [old_root]
    for _ in range(MOST_PLIES):
        ply = [child for node in ply for child in node.children if child.visit_count]
        for node in ply:
            if last_action in (None, node.action) and node.state == state:
                return as_root(node, is_guided=is_guided)
    return None


def as_root(node: Node, *, is_guided: bool = False) -> Node:
    """A root with a copy of everything below `node`; the old tree stays as it is.

    Its statistics are those of its children, for the player to move. In a tree of `puct_search`
    (`is_guided`) a root also counts its own evaluation, so it keeps all of the node's simulations.
    """
    root = Node(node.state)
    root.children = copies(node.children, root)
    root.forget_untried_actions()
    for child in root.children:
        root.visit_count += child.visit_count
        root.total_value += child.total_value
    if is_guided:
        root.visit_count = node.visit_count
        root.total_value = node.total_value if node.mover == root.mover else 0.0 - node.total_value
    root.proven = proven_value(root)
    return root


def copies(nodes: Sequence[Node], parent: Node) -> list[Node]:
    """Copies of `nodes` with all nodes below them; `parent` is the parent of these copies."""
    copied = [copy(node) for node in nodes]
    waiting = [(parent, copied)]  # a list instead of recursion, so that no tree is too deep
    for above, children in waiting:
        for child in children:
            child.parent = above
            child.children = [copy(each) for each in child.children]
            child.forget_untried_actions()  # or both nodes would have one list of them
            waiting.append((child, child.children))
    return copied
