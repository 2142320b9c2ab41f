"""The alpha-beta stepper: the search of a small tree, step by step, in any order of the moves.

Python writes the tree down; the page searches it and draws the search.
"""

from typing import Any, Final

import anywidget
import traitlets

from mctslab.boards.style import value_color
from mctslab.boards.svg import stone_svg
from mctslab.draw.cards import Card
from mctslab.draw.colors import UNKNOWN
from mctslab.draw.digraph import Tree
from mctslab.draw.lookahead import signed
from mctslab.games.state import State
from mctslab.widgets.front_end import StillPicture, bundled, checked_position, joined

MOST_LEAVES: Final = 40
"""A tree with more leaves cannot be read on a screen."""


class AlphaBetaStepper(StillPicture, anywidget.AnyWidget):
    """Watch alpha-beta's window narrow, and change the order of the moves.

    Step, play or drag the slider. A click puts a node before its siblings, and the search starts
    again in that order. On the keyboard: space plays, the arrow keys step, Home and End go to the
    ends. In the tree the arrow keys go from node to node, and Enter puts one before its siblings.

    Args:
        state: The position at the root, such as a `course.TreeGame`.
        depth: How many plies to look ahead; where the game is not over then, it counts as a draw.

    Raises:
        ValueError: the tree has too many leaves to be drawn, or the game is over.
    """

    _esm = bundled("alphabeta_stepper.js")
    _css = joined("common.css", "tree.css", "alphabeta_stepper.css")

    players = traitlets.List(traitlets.Unicode(), help="their names").tag(sync=True)
    stones = traitlets.List(traitlets.Unicode(), help="of both players, as SVG").tag(sync=True)
    nodes = traitlets.List(traitlets.Dict(), help="the tree, each after its parent").tag(sync=True)
    order = traitlets.List(traitlets.List(), help="the children of each node").tag(sync=True)
    at = traitlets.Int(0, help="the step on show, from 0").tag(sync=True)

    def __init__(self, state: State, *, depth: int = 9) -> None:
        self._style = checked_position(state).board().style
        nodes = small_tree(state, depth)
        values = [node["leaf"] for node in nodes if node["leaf"] is not None]
        self._size = max(map(abs, values)) or 1.0
        self._num_leaves = len(values)
        places = range(len(nodes))
        super().__init__(
            players=list(state.player_names),
            stones=[stone_svg(self._style, player, size=12.0) for player in (0, 1)],
            nodes=[node | {"color": self._color(node["leaf"])} for node in nodes],
            order=[[each for each in places if nodes[each]["parent"] == here] for here in places],
        )

    def _color(self, value: float | None) -> str:
        return UNKNOWN if value is None else value_color(value / self._size)

    def still_svg(self) -> str:
        """The tree before the search."""
        return Tree(
            "alpha_beta",
            [self._card(node) for node in self.nodes],
            caption=f"a tree with {self._num_leaves} leaves",
            legend=f"the value for {self.players[0]}",
            ends=(signed(-self._size), signed(self._size)),
        ).svg

    def _card(self, node: dict[str, Any]) -> Card:
        parent, leaf = node["parent"], node["leaf"]
        heading = node["name"] or f"{self.players[node['player']]} to move"
        return Card(
            parent=parent,
            heading=heading,
            lines=() if leaf is None else (signed(leaf),),
            color=node["color"],
            style=self._style,
            player=node["player"] if parent is None else self.nodes[parent]["player"],
            tooltip=heading,
            is_pale=leaf is None,
        )

    def still_note(self) -> str:
        """The line under that picture."""
        return (
            f"A tree with {self._num_leaves} leaves. "
            "Run this cell again to step through alpha-beta and to reorder the moves."
        )


def small_tree(state: State, depth: int) -> list[dict[str, Any]]:
    """All positions down to `depth` plies, each after its parent.

    Returns:
        For each its `parent` (its place in this list; None for the root), the `name` of the move
        that leads there, the `player` to move, and at a `leaf` its value for player 0, else None.

    Raises:
        ValueError: the game is over, or there are more than `MOST_LEAVES` leaves.
    """
    if depth < 1 or state.is_terminal:
        raise ValueError(
            f"There is no move to look at: give a depth of 1 or more, not {depth!r}, and a "
            "position in which the game is not over."
        )
    nodes: list[dict[str, Any]] = []
    num_leaves = 0
    waiting: list[tuple[State, int, int | None, str]] = [(state, depth, None, "")]
    while waiting:
        here, left, parent, name = waiting.pop()
        is_leaf = left == 0 or here.is_terminal
        num_leaves += is_leaf
        if num_leaves > MOST_LEAVES:
            raise ValueError(
                f"This tree has more than {MOST_LEAVES} leaves, too many to be read. "
                "Choose a smaller depth, or a position with fewer moves."
            )
        leaf = (float(here.returns()[0]) if here.is_terminal else 0.0) if is_leaf else None
        place = len(nodes)
        nodes.append({"parent": parent, "name": name, "player": here.current_player, "leaf": leaf})
        for action in [] if is_leaf else reversed(here.legal_actions()):
            waiting.append((here.child(action), left - 1, place, here.action_to_string(action)))
    return nodes
