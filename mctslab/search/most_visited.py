"""The most visited nodes of a tree, however large it is: those that a page or a drawing shows."""

import heapq
from itertools import count
from typing import NamedTuple

from mctslab.search.node import Node
from mctslab.search.result import proven_of
from mctslab.search.solving import WIN


class VisitedNode(NamedTuple):
    """One of the nodes, and what was left out below it."""

    node: Node
    parent: int | None
    """The place of its parent in the list; None for the first node."""
    num_children: int
    """How many children it has, whether they are in the list or not."""
    num_visited: int
    """How many of them have a visit."""
    child_visits: int
    """The visits of all its children."""


def most_visited(root: Node, most: int) -> list[VisitedNode]:
    """The `most` nodes with the most visits from `root` down, each after its parent.

    A move that is proven to win counts as if it had its parent's visits. The nodes that are left
    out are not read.
    """
    found: list[VisitedNode] = []
    number = count()
    waiting: list[tuple[int, int, Node, int | None]] = [(0, next(number), root, None)]
    while waiting and len(found) < most:
        _, _, node, parent = heapq.heappop(waiting)
        place, children = len(found), node.children
        visits = [child.visit_count for child in children]
        numbers = (len(visits), sum(each > 0 for each in visits), sum(visits))
        found.append(VisitedNode(node, parent, *numbers))
        for child in children:
            weight = node.visit_count if proven_of(child) == WIN else child.visit_count
            heapq.heappush(waiting, (-weight, next(number), child, place))
    return found
