"""Minimax by hand: a small tree whose values the reader fills in.

Python writes the tree down, with its boards; the page checks the values. No message goes to the
kernel.
"""

import anywidget
import traitlets

from mctslab.boards.style import value_color
from mctslab.boards.svg import board_svg, stone_svg
from mctslab.draw.colors import UNKNOWN
from mctslab.draw.trees import game_tree
from mctslab.games.state import State
from mctslab.search.alphabeta import Returns, minimax
from mctslab.widgets.alphabeta_stepper import small_tree
from mctslab.widgets.front_end import StillPicture, bundled, checked_position, joined

_PLIES = 9
_SQUARE = 17.0
"""The side of a square of a board, in CSS pixels."""


class MinimaxByHand(StillPicture, anywidget.AnyWidget):
    """Fill in the values of a small tree, from its leaves up to its root.

    A click on a box, or Enter, steps its value through -1, 0 and 1; the arrow keys go from box to
    box. *Check* shows which values are right, and says how one that is wrong comes about.

    Args:
        state: The position at the root, in which few moves are left.

    Raises:
        ValueError: the tree has too many leaves to be drawn, or the game is over.

    >>> from mctslab import games
    >>> late = games.TicTacToe()
    >>> for action in (4, 0, 6, 2, 8, 5):
    ...     late = late.child(action)
    >>> [node["value"] for node in MinimaxByHand(late).nodes if node["player"] is not None]
    [1, 0, 1, 0, -1, 0]
    """

    _esm = bundled("minimax_by_hand.js")
    _css = joined("common.css", "tree.css", "minimax_by_hand.css")

    players = traitlets.List(traitlets.Unicode(), help="their names").tag(sync=True)
    stones = traitlets.List(traitlets.Unicode(), help="of both players, as SVG").tag(sync=True)
    nodes = traitlets.List(
        traitlets.Dict(),
        help="{parent, name of the move, player to move (None at a leaf), value, board as SVG}",
    ).tag(sync=True)
    colors = traitlets.Dict(help="of the values, and of a box without one").tag(sync=True)
    filled = traitlets.List(
        traitlets.Any(), help="the reader's value of each node; None without one"
    ).tag(sync=True)
    is_checked = traitlets.Bool(False, help="whether it is shown what is right").tag(sync=True)

    def __init__(self, state: State) -> None:
        tree = small_tree(checked_position(state))
        self._state = state
        memo: dict[State, Returns] = {}
        states: list[State] = []
        nodes = []
        for node in tree:
            here = state
            if node["parent"] is not None:
                here = states[node["parent"]]
                here = here.child(here.string_to_action(node["name"]))
            states.append(here)
            nodes.append(
                {
                    "parent": node["parent"],
                    "name": node["name"],
                    "player": node["player"] if node["leaf"] is None else None,
                    "value": int(minimax(here, memo)[0]),
                    "board": board_svg(here.board(), coordinates=False, square_size=_SQUARE),
                }
            )
        super().__init__(
            players=list(state.player_names),
            stones=[stone_svg(state.board().style, player, size=12.0) for player in (0, 1)],
            nodes=nodes,
            colors={"none": UNKNOWN} | {str(n): value_color(n) for n in (-1, 0, 1)},
            filled=[None if node["leaf"] is None else node["leaf"] for node in tree],
        )

    def still_svg(self) -> str:
        """The tree with the results at its leaves."""
        return game_tree(self._state, depth=_PLIES).svg

    def still_note(self) -> str:
        """The line under that picture."""
        return "The whole tree below a position. Run this cell again to fill in its values."
