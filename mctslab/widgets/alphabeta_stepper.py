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

    def __init__(self, state: State) -> None:
        self._style = checked_position(state).board().style
        nodes = small_tree(state)
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


def small_tree(state: State) -> list[dict[str, Any]]:
    """All positions down to the ends of the game, each after its parent.

    Returns:
        For each its `parent` (its place in this list; None for the root), the `name` of the move
        that leads there, the `player` to move, and at a `leaf` its value for player 0, else None.

    Raises:
        ValueError: the game is over, or there are more than `MOST_LEAVES` leaves.
    """
    if state.is_terminal:
        raise ValueError("There is no move to look at: give a position before the end of a game.")
    nodes: list[dict[str, Any]] = []
    num_leaves = 0
    waiting: list[tuple[State, int | None, str]] = [(state, None, "")]
    while waiting:
        here, parent, name = waiting.pop()
        num_leaves += here.is_terminal
        if num_leaves > MOST_LEAVES or len(nodes) > 25 * MOST_LEAVES:  # it can have no end at all
            raise ValueError(
                f"This tree has more than {MOST_LEAVES} leaves, too many to be read. "
                "Choose a position nearer to the end of the game."
            )
        leaf = float(here.returns()[0]) if here.is_terminal else None
        place = len(nodes)
        nodes.append({"parent": parent, "name": name, "player": here.current_player, "leaf": leaf})
        for action in reversed(here.legal_actions()):  # none at the end
            waiting.append((here.child(action), place, here.action_to_string(action)))
    return nodes
