"""Keep the part of an earlier tree that is still of use."""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

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


@contextmanager
def root_for(state: State, old_root: Node | None) -> Iterator[Node]:
    """The root to search `state` from by PUCT, which nobody else may search meanwhile.

    It is one from the tree of `old_root`, or a new one.

    Raises:
        SearchRunningError: somebody searches that tree already.
    """
    with claimed(old_root):
        root = find_root(old_root, state, is_guided=True) or Node(state)
        # A part of a tree that goes on as a tree of its own has a new root to be claimed.
        with nullcontext() if root.is_searched else claimed(root):
            yield root


def find_root(old_root: Node | None, state: State, *, is_guided: bool = False) -> Node | None:
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
    seen = set()  # lists of children: nodes of one position may share theirs
    while waiting:
        node = waiting.popleft()
        if node.state == state:
            return node if node.parent is None else as_root(node, is_guided=is_guided)
        if id(node.children) not in seen:
            seen.add(id(node.children))
            # Below a node without a visit there is nothing to find, nor in it.
            waiting.extend(child for child in node.children if child.visit_count)
    return None


def as_root(node: Node, *, is_guided: bool = False) -> Node:
    """A root with the children of `node`, which stays behind in the old tree.

    It has the statistics of a root: what the simulations through its children were worth to the
    player to move. The children are the same nodes, so they grow in the old tree, too.

    Args:
        node: where there is a tree below.
        is_guided: whether the tree is one of `puct_search`. There a root counts what the evaluator
            said of it, so that all of the node's simulations count on.
    """
    root = Node(node.state)
    root.children = list(node.children)
    root.untried_actions[:] = node.untried_actions
    for child in root.children:
        child.parent = root
        root.visit_count += child.visit_count
        root.total_value += child.total_value
    if is_guided:
        root.visit_count = node.visit_count
        root.total_value = node.total_value if node.mover == root.mover else 0.0 - node.total_value
    root.proven = proven_value(root)
    return root
