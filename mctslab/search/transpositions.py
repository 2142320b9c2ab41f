"""Transpositions: one position that is reached in several ways, searched as one.

In a tree such a position has a node for every way to it, and each begins at nothing. With
`puct_search(..., transpositions=True)` it is evaluated once, and all nodes of the position share
their children: what is learnt below one of them counts for all. The tree becomes a graph (Czech,
Korus and Kersting, "Improving AlphaZero Using Monte-Carlo Graph Search", 2021). A node stands for
its edge (s, a) then: N and W are of the simulations that came this way and no other, as in the
first of the three ways to do it that Childs, Brodeur and Kocsis compare in "Transpositions and Move
Groups in Monte Carlo Tree Search" (2008).

That is the pitfall, too. Below a shared position visits add up that came along other ways: a node
with 1 visit may have children with 100. What those have shown is not in the node's own mean value
before the next simulation comes this way. So its parent may go on to avoid a move, or to like it,
for a reason that was refuted long ago next door; and the values of two nodes of one position
differ.
"""

from dataclasses import dataclass

from mctslab.games.state import State
from mctslab.search.node import Node
from mctslab.search.selection import PUCT, SelectionScore


class Positions:
    """The positions of a search graph, each with the first node that was met of it."""

    def __init__(self, root: Node) -> None:
        """Those that are evaluated in the tree of `root`, which may be one of an earlier search."""
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
        """The first node of the position of `node`: maybe `node` itself."""
        return self._first.setdefault(node.state, node)

    def link(self, node: Node) -> None:
        """Share the children of the position with `node`, if it has none of its own."""
        first = self.first(node)
        if first.children and not node.children:
            node.children = first.children
            node.untried_actions.clear()
            self._linked.append(node)

    def unlink_unvisited(self) -> None:
        """Take the children from every node that was linked for a walk that was never counted."""
        for node in self._linked:
            if node.visit_count == 0:
                node.children = []
                node.untried_actions.extend(node.state.legal_actions())
        self._linked.clear()


@dataclass(frozen=True, slots=True)
class InGraph:
    """PUCT in a search graph: N under the root of the bonus counts all ways to the position."""

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
    """`node` with the visits of its position, whatever way they came, and its own mean value.

    They are those of its children, and the one in which it was evaluated.
    """
    whole = Node(node.state, parent=node.parent, action=node.action)
    whole.children = node.children
    whole.visit_count = 1 + sum(child.visit_count for child in node.children)
    if node.visit_count:
        whole.total_value = node.total_value * (whole.visit_count / node.visit_count)
    return whole
