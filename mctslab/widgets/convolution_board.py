"""A convolution that is dragged over a board by hand.

The page multiplies and adds; Python keeps the weights and what has been filled in, so that they are
still there when the widget is shown again.
"""

from types import MappingProxyType
from typing import Any, Final

import anywidget
import traitlets

from mctslab.boards.svg import board_svg
from mctslab.games.state import State
from mctslab.widgets.board_view import square_names
from mctslab.widgets.front_end import StillPicture, bundled, checked_position, joined

FILTERS: Final = MappingProxyType(
    {
        "three on a diagonal": (0, 0, 1, 0, 1, 0, 1, 0, 0),
        "three in a row": (0, 0, 0, 1, 1, 1, 0, 0, 0),
        "number of neighbours": (1, 1, 1, 1, 0, 1, 1, 1, 1),
        "left edge": (0, 0, 0, -1, 1, 0, 0, 0, 0),
    }
)
"""The weights of each filter, row by row."""


class ConvolutionBoard(StillPicture, anywidget.AnyWidget):
    """Drag a filter of 3 x 3 weights over the stones of the player to move.

    Beside the board are the nine products and their sum, which is filled into the map on the right.
    The mouse or the arrow keys move the filter. A menu has some filters, and a click on one of the
    nine weights changes it: 0, 1, 2, −2, −1, and again 0.

    Args:
        state: the position.

    Raises:
        ValueError: `state` is not a position.
    """

    _esm = bundled("convolution_board.js")
    _css = joined("common.css", "convolution_board.css")

    plane = traitlets.List(traitlets.Int(), help="1 or 0 for each square").tag(sync=True)
    cols = traitlets.Int().tag(sync=True)
    column_labels = traitlets.List(traitlets.Unicode()).tag(sync=True)
    row_labels = traitlets.List(traitlets.Unicode()).tag(sync=True)
    names = traitlets.List(traitlets.Unicode(), help="of the squares").tag(sync=True)
    filters = traitlets.List(traitlets.List(), help="[name, nine weights] for the menu").tag(
        sync=True
    )
    weights = traitlets.List(traitlets.Int(), minlen=9, maxlen=9).tag(sync=True)
    at = traitlets.Int(help="the square around which the filter lies").tag(sync=True)
    seen = traitlets.List(traitlets.Int(), help="the squares that are filled in").tag(sync=True)

    def __init__(self, state: State) -> None:
        self._board = board = checked_position(state).board()
        super().__init__(
            plane=[int(stone == state.current_player) for stone in board.stones],
            cols=board.cols,
            column_labels=list(board.column_labels),
            row_labels=list(board.row_labels),
            names=square_names(board),
            filters=[[name, list(weights)] for name, weights in FILTERS.items()],
            weights=list(next(iter(FILTERS.values()))),
            at=0,
            seen=[0],
        )

    @traitlets.observe("seen")
    def _renew(self, _change: Any) -> None:
        self.renew_still()

    def still_svg(self) -> str:
        """The board."""
        return board_svg(self._board, square_size=30.0)

    def still_note(self) -> str:
        """How far it has come."""
        filled = f"{len(self.seen)} of {len(self.plane)} sums are filled in."
        return f"A filter of 3 × 3 weights on a board: {filled} Run this cell again to drag it."
