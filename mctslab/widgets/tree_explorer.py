"""The tree explorer: the tree of a search, to be browsed node by node.

The browser gets the most visited nodes at once. From then on it unfolds, colours and explains them
by itself, so the explorer also works while a cell runs, and where there is no kernel.
"""

from collections.abc import Sequence
from typing import Any, Final, cast

import anywidget
import traitlets

from mctslab import draw
from mctslab.boards.style import value_color
from mctslab.draw.colors import UNKNOWN, visits_color
from mctslab.draw.pruning import count_nodes
from mctslab.search.most_visited import VisitedNode, most_visited
from mctslab.search.node import Node
from mctslab.search.result import SearchResult, proven_of
from mctslab.search.trace import TracedNode
from mctslab.widgets.board_view import board_pieces
from mctslab.widgets.front_end import StillPicture, bundled, joined
from mctslab.widgets.trace_document import game_facts, node_facts

MOST_SENT: Final = 1_000
"""How many nodes the browser gets."""
_SCALE_STEPS: Final = 41


class TreeExplorer(StillPicture, anywidget.AnyWidget):
    """Browse the tree of a search: its 1,000 most visited nodes.

    A click on a node unfolds its children, most visited first, or folds them; a click on "12 more"
    shows some more of them; pointing at a node shows its position and numbers. On the keyboard: the
    arrow keys go from node to node, Enter unfolds and folds, + - 0 zoom.

    Args:
        searched: A `SearchResult` (of any search, also `trace.result()`), or the node to begin at.
    """

    _esm = bundled("tree_explorer.js")
    _css = joined("common.css", "tree.css", "tree_explorer.css")

    data = traitlets.Dict(help="the nodes, their colours and the pieces of boards").tag(sync=True)

    def __init__(self, searched: SearchResult | Node) -> None:
        result = _as_result(searched)
        super().__init__(data=explorer_data(result))
        self._result: SearchResult | None = result
        self._picture = ""

    def still_svg(self) -> str:
        """The tree, for a page without a kernel.

        Jupyter keeps every widget until the kernel ends, so this one keeps its tree only until it
        has been drawn for the first time.
        """
        if self._result is not None:
            self._picture = draw.tree(self._result).svg
            self._result = None
        return self._picture

    def still_note(self) -> str:
        """The line under that picture."""
        title = self.data["game"]["title"]
        return f"The search tree of {title}. Run this cell again to browse it."


def explorer_data(result: SearchResult) -> dict[str, Any]:
    """All that the browser needs to browse the tree of `result`."""
    nodes = most_visited(result.root, MOST_SENT)
    rows = [_facts(each) for each in nodes]
    steps = [step / (_SCALE_STEPS - 1) for step in range(_SCALE_STEPS)]
    return {
        "game": game_facts(result.state),
        "nodes": {name: [row[name] for row in rows] for name in rows[0]},
        "size": count_nodes(result.root),
        "principal": _places(nodes, result.principal_variation),
        "pieces": board_pieces(result.state.board()),
        "value_colors": [value_color(2 * step - 1) for step in steps],
        "visit_colors": [visits_color(step) for step in steps],
        "unknown_color": UNKNOWN,
    }


def _as_result(searched: SearchResult | Node) -> SearchResult:
    """The result of a search has a root; a node of a tree has none."""
    if hasattr(searched, "root"):
        return cast(SearchResult, searched)
    return SearchResult(searched, num_simulations=searched.visit_count, seconds=0.0)


def _facts(visited: VisitedNode) -> dict[str, Any]:
    """What the browser needs to know about one node."""
    node, parent = visited.node, visited.parent
    action = None if parent is None else node.action
    numbers = (node.visit_count, node.total_value)
    traced = TracedNode(parent, action, node.mover, node.prior, node.state, *numbers)
    return node_facts(traced) | {
        "proven": proven_of(node),
        "num_children": visited.num_children,
        "num_visited": visited.num_visited,
        "child_visits": visited.child_visits,
    }


def _places(nodes: Sequence[VisitedNode], actions: Sequence[int]) -> list[int]:
    """The places in `nodes` of the root and of the nodes to which `actions` lead, one by one."""
    children = {(each.parent, each.node.action): place for place, each in enumerate(nodes)}
    places = [0]
    for action in actions:
        if (place := children.get((places[-1], action))) is None:
            break
        places.append(place)
    return places
