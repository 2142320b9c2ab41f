"""A board to click on.

The page draws the position of the pieces that it got once, with an interactive layer on top: the
ghost stone under the mouse, the keyboard's focus, names for a screen reader, and motion. The synced
traits are the whole state, so a page that is loaded again finds everything in them; while a search
thinks, only its numbers are sent.
"""

from collections.abc import Callable
from typing import Any

import traitlets

from mctslab.widgets.board_view import BoardView, board_look
from mctslab.widgets.front_end import PromptWidget, bundled, joined


class BoardWidget(PromptWidget):
    """One position on the page, with squares to choose by mouse, touch or keyboard.

    Args:
        view: What the board shows.
        player_names: The names of the two players on the screen.
        title: The name of the board for a screen reader.
        on_choose: Called with every legal square that is chosen.
        on_refuse: Called with every other square that is clicked.

    >>> from mctslab import games
    >>> widget = BoardWidget(BoardView(games.Reversi().board(), legal_squares=(19, 26), mover=0))
    """

    _esm = bundled("board.js")
    _css = joined("board.css")

    look = traitlets.Dict(help="the pieces, sizes, names and colours of the board").tag(sync=True)
    position = traitlets.Dict(
        help="stones, marks, what can be chosen, and move_number, which comes with a click"
    ).tag(sync=True)
    heat = traitlets.Dict(help="squares with their numbers, and the scale").tag(sync=True)
    title = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        view: BoardView,
        *,
        player_names: tuple[str, str] = ("first player", "second player"),
        title: str = "Board",
        on_choose: Callable[[int], None] = lambda square: None,
        on_refuse: Callable[[int], None] = lambda square: None,
    ) -> None:
        super().__init__(title=title)
        self._player_names = player_names
        self._on_choose = on_choose
        self._on_refuse = on_refuse
        self._move_number = 0
        self._view: BoardView | None = None
        self.show(view)
        self.on_msg(self._handle_message)

    @property
    def view(self) -> BoardView:
        """What it shows."""
        assert self._view is not None
        return self._view

    def show(self, view: BoardView) -> None:
        """Show a position; clicks that were made on another one are dropped."""
        before, self._view = self._view, view
        with self.hold_sync():
            if before is None or _shape(before) != _shape(view):
                self.look = board_look(view.board, self._player_names)
            if before is None or _choice(before) != _choice(view):
                self._move_number += 1
            self.position = view.position() | {"move_number": self._move_number}
            squares = [[square, float(number)] for square, number in view.heat.items()]
            self.heat = {"scale": view.heat_scale.value, "squares": squares}

    def _handle_message(self, _widget: object, content: Any, _buffers: object) -> None:
        """A click from the browser; it counts only if it was made on the position shown now."""
        if not isinstance(content, dict) or content.get("move_number") != self._move_number:
            return
        square = content.get("chosen")
        if type(square) is int and 0 <= square < len(self.view.board.stones):
            choose = self._on_choose if square in self.view.legal_squares else self._on_refuse
            choose(square)


def _shape(view: BoardView) -> tuple[object, ...]:
    """What the look of the board depends on."""
    board = view.board
    return board.rows, board.style, board.column_labels, board.text, board.moves


def _choice(view: BoardView) -> tuple[object, ...]:
    """What a click depends on: while this stays the same, a click that is on its way stays
    valid."""
    return view.board, view.legal_squares, view.mover
