"""Keep the part of an earlier tree that is still of use."""

from mctslab.games.state import State
from mctslab.search.node import Node

DEEPEST_PLY = 2
"""Our move and the reply: as far below the old root as the new one can lie."""


def find_root(old_root: Node | None, state: State) -> Node | None:
    """The node of `state` in the tree of an earlier search, made a root; None if there is none.

    The node lets go of its parent, so that the rest of the old tree can be forgotten.
    """
    level = [] if old_root is None else [old_root]
    for _ in range(DEEPEST_PLY + 1):
        for node in level:
            if node.state == state:
                node.parent = None
                return node
        level = [child for node in level for child in node.children]
    return None
