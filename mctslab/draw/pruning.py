"""The part of a large tree to draw: the heaviest nodes, and how much was left out."""

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, Generic, TypeVar

MAX_DRAWN: Final = 300
"""No drawing has more nodes than this, because it would be unreadable."""

AnyNode = TypeVar("AnyNode")


@dataclass(slots=True)
class Kept(Generic[AnyNode]):
    """A node of the tree that is drawn."""

    node: AnyNode
    parent: int | None
    """Place of the parent in the list of kept nodes; None for the root."""
    depth: int
    children: Sequence[AnyNode]
    """All of them, heaviest first."""
    num_drawn: int = 0
    """How many of `children` are drawn: always the first ones."""

    @property
    def hidden(self) -> Sequence[AnyNode]:
        """The children that are not drawn."""
        return self.children[self.num_drawn :]

    @property
    def needs_more_node(self) -> bool:
        """Whether there is a node "+12 more" next to the children: some are drawn and some
        hidden."""
        return 0 < self.num_drawn < len(self.children)


def prune(
    root: AnyNode,
    *,
    children: Callable[[AnyNode], Sequence[AnyNode]],
    weight: Callable[[AnyNode], float],
    top: int,
    depth: int,
    min_weight: float,
    max_nodes: int,
) -> list[Kept[AnyNode]]:
    """The nodes to draw, each after its parent and siblings heaviest first.

    Beginning at the root, the next node is the heaviest child of a node that is already drawn,
    until no more nodes are allowed or there is no room.

    Args:
        root: Where the drawing begins; always kept.
        children: The children of a node, heaviest first.
        weight: The importance of a node.
        top: At most this many children of a node are drawn.
        depth: How many plies below the root.
        min_weight: Lighter nodes are left out.
        max_nodes: Room for this many nodes, counting "+12 more".
    """
    kept = [Kept(root, None, 0, children(root))]
    num_nodes = 1
    order = count()
    waiting: list[tuple[float, int, int]] = []  # (-weight, order, place of the parent)

    def offer_next_child(place: int) -> None:
        parent = kept[place]
        if parent.depth < depth and parent.num_drawn < min(top, len(parent.children)):
            child_weight = weight(parent.children[parent.num_drawn])
            if child_weight >= min_weight:
                heapq.heappush(waiting, (-child_weight, next(order), place))

    offer_next_child(0)
    while waiting:
        _, _, place = heapq.heappop(waiting)
        parent = kept[place]
        before = parent.needs_more_node
        parent.num_drawn += 1
        growth = 1 + parent.needs_more_node - before
        if num_nodes + growth > max_nodes:
            parent.num_drawn -= 1
            continue
        num_nodes += growth
        child = parent.children[parent.num_drawn - 1]
        kept.append(Kept(child, place, parent.depth + 1, children(child)))
        offer_next_child(place)
        offer_next_child(len(kept) - 1)
    return kept


def count_nodes(root: Any) -> int:
    """The size of the whole tree, of any depth, because it does not recurse.

    Each node has its `children`, or, in a compiled search, that number as `num_nodes`.
    """
    total, waiting = 0, [root]
    while waiting:
        node = waiting.pop()
        known: int | None = getattr(node, "num_nodes", None)
        total += known or 1
        waiting.extend(node.children if known is None else ())
    return total
