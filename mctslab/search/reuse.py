"""Keep the part of an earlier tree that is still useful."""

from collections import deque

from mctslab.games.state import State
from mctslab.search.node import Claim, Node
from mctslab.search.solving import proven_value


class SearchRunningError(RuntimeError):
    """Another search is growing this tree right now."""

    def __init__(self) -> None:
        super().__init__(
            "Another search is using this tree: stop it first, or start without root=."
        )


def claimed(node: Node | None) -> Claim:
    """A claim on the tree of `node`: no other search can claim it until `is_active` is False.

    The tree can be a readable or a compiled one.

    Raises:
        SearchRunningError: another search has claimed it.
        ValueError: `node` is not a node.
    """
    claim = Claim()
    if node is not None:
        if not isinstance(node, Node):
            raise ValueError(f"root must be a node of a tree, got {node!r}: pass result.root.")
        while node.parent is not None:
            node = node.parent
        if node.claim is not None and node.claim.is_active:
            raise SearchRunningError
        node.claim = claim  # no call since it was read, so no other thread was in between
    return claim


def find_root(old_root: Node | None, state: State, *, is_guided: bool = False) -> Node | None:
    """A root for `state` from the tree of an earlier search; None if `state` isn't in it.

    The tree is searched ply by ply, so the position after our move and the reply is found at once,
    and also a deeper one, if a player has moved twice. A node counts only if the action that led to
    it is the last action of `state`: the compiled search then has few positions to work out.

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
    last_action = getattr(state, "last_action", None)  # None: any node can be the right one
    waiting = deque([old_root])
    while waiting:
        node = waiting.popleft()
        is_candidate = node is old_root or last_action in (None, node.action)
        if is_candidate and node.state == state:
            return node if node.parent is None else as_root(node, is_guided=is_guided)
        waiting.extend(child for child in node.children if child.visit_count)
    return None


def as_root(node: Node, *, is_guided: bool = False) -> Node:
    """A root with the children of `node`; they are the same nodes, so the old tree grows, too.

    Its statistics are those of its children, for the player to move. In a tree of `puct_search`
    (`is_guided`) a root also counts its own evaluation, so it keeps all of the node's simulations.
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
