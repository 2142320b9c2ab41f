"""Keep the part of an earlier tree that is still of use."""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from mctslab.games.state import State
from mctslab.search.node import Node
from mctslab.search.solving import proven_value


class SearchRunningError(RuntimeError):
    """A tree was to be searched that another search is growing at this moment."""

    def __init__(self) -> None:
        super().__init__(
            "This tree is being searched already: stop that search first, or start without root=."
        )


@contextmanager
def claimed(node: Node | None) -> Iterator[None]:
    """Search the tree of `node` in this block, and nobody else meanwhile.

    Raises:
        SearchRunningError: somebody does.
    """
    while node is not None and node.parent is not None:
        node = node.parent
    if node is None:
        yield
        return
    if node.is_searched:
        raise SearchRunningError
    node.is_searched = True
    try:
        yield
    finally:
        node.is_searched = False


def find_root(old_root: Node | None, state: State) -> Node | None:
    """A root for `state` from the tree of an earlier search; None if `state` isn't in it.

    The tree is looked through ply by ply, so our move and the reply are found at once, but also
    longer ways: a player who passed, or moved twice, wasn't the only one to be asked.

    Raises:
        ValueError: `old_root` is no node of a tree.
    """
    if old_root is None:
        return None
    if not isinstance(old_root, Node):
        raise ValueError(f"root={old_root!r} is no node of a tree: pass result.root.")
    waiting = deque([old_root])
    while waiting:
        node = waiting.popleft()
        if node.state == state:
            return node if node.parent is None else as_root(node)
        waiting.extend(node.children)
    return None


def as_root(node: Node) -> Node:
    """A root with the children of `node`, which stays behind in the old tree.

    It has the statistics of a root: what the simulations through its children were worth to the
    player to move. The children are the same nodes, so they grow in the old tree, too.
    """
    root = Node(node.state)
    root.children = list(node.children)
    root.untried_actions[:] = node.untried_actions
    for child in root.children:
        child.parent = root
        root.visit_count += child.visit_count
        root.total_value += child.total_value
    root.proven = proven_value(root)
    return root
