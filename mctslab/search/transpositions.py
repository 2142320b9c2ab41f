"""Transpositions: a position that is reached in several ways is searched only once.

In a tree such a position has a node for every way to it. With
`puct_search(..., transpositions=True)` it is evaluated once, and all nodes of the position share
their children. The tree becomes a graph (Czech, Korus and Kersting, "Improving AlphaZero Using
Monte-Carlo Graph Search", 2021). A node then represents its edge (s, a): its N and W count only the
simulations that came this way, as in the first of the three variants of Childs, Brodeur and Kocsis,
"Transpositions and Move Groups in Monte Carlo Tree Search" (2008).

There is a pitfall. Below a shared position the visits of all ways add up, so a node with 1 visit
can have children with 100. Their results do not affect the node's own mean value before the next
simulation comes this way, so its parent can avoid or prefer a move for a reason that was refuted
long ago along another way.
"""

from dataclasses import dataclass

from mctslab.games.state import State
from mctslab.search.node import Node
from mctslab.search.selection import PUCT, SelectionScore


class Positions:
    """The positions of a search graph, each with its first node."""

    def __init__(self, root: Node) -> None:
        """The evaluated positions in the tree of `root`."""
        self._first: dict[State, Node] = {root.state: root}
        self._linked: list[Node] = []
        waiting = [root]
        while waiting:
            node = waiting.pop()
            for child in node.children:
                child.parent = node  # of several nodes that share the child, one in this graph
                if child.children and self.first(child) is child:
                    waiting.append(child)

    def first(self, node: Node) -> Node:
        """The first node of the position of `node`; it can be `node` itself."""
        return self._first.setdefault(node.state, node)

    def link(self, node: Node) -> None:
        """Share the children of the position with `node`, if it has none of its own."""
        first = self.first(node)
        if first.children and not node.children:
            self._linked.append(node)
            node.children = first.children
            node.forget_untried_actions()

    def unlink_unvisited(self) -> None:
        """Undo the links of walks that were never counted, because something interrupted them."""
        for node in self._linked:
            if node.visit_count == 0:
                node.children = []
                node.forget_untried_actions()
        self._linked.clear()


@dataclass(frozen=True, slots=True)
class InGraph:
    """PUCT in a search graph: the N in the bonus counts all ways to the position."""

    rule: PUCT
    positions: Positions

    def score(self, node: Node, child: Node) -> SelectionScore:
        """The two parts of `child`'s score, seen from the position of `node`."""
        return self.rule.score(from_all_ways(node), child)

    def best_child(self, node: Node) -> Node:
        """The child with the highest score, linked to its position if that is known."""
        child = self.rule.best_child(from_all_ways(node))
        self.positions.link(child)
        return child


def from_all_ways(node: Node) -> Node:
    """`node` with its own mean value and the visits of its position along all ways."""
    whole = Node(node.state, parent=node.parent, action=node.action)
    whole.children = node.children
    whole.visit_count = 1 + sum(child.visit_count for child in node.children)
    if node.visit_count:
        whole.total_value = node.total_value * (whole.visit_count / node.visit_count)
    return whole
