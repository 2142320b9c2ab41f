"""A board to click on: the picture of a position with a live layer over it.

Python draws the position with the same function that draws every other board, so a live board
looks exactly like one in a cell or in a tree. The browser only adds what a person needs to choose
a square: the mouse's ghost stone, the keyboard's focus, names for a screen reader, and motion.
The synced traits are the whole state; a page that is loaded again finds everything in them.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final
from xml.etree import ElementTree

import traitlets

from mctslab.boards.board import EMPTY, Board, BoardStyle
from mctslab.boards.geometry import Grid, square_name
from mctslab.boards.heat import HeatScale
from mctslab.boards.style import LOOKS, PLAIN_BAND, SQUARE
from mctslab.boards.svg import board_svg, stone_svg
from mctslab.widgets.front_end import PromptWidget, joined

DEFAULT_PLAYER_NAMES: Final = ("first player", "second player")


class BoardWidget(PromptWidget):
    """One position on the page, with squares to choose by mouse, touch or keyboard.

    Args:
        board: What there is to see.
        legal_squares: Squares where a stone may be put. In a DROP board a click anywhere in a
            column means the column's legal square.
        mover: The player (0 or 1) whose stone is shown under the mouse; None if nobody chooses.
        player_names: What the two players are called on the screen.
        mark_legal: Whether the legal squares carry dots.
        title: What the board is called for a screen reader.

    >>> from mctslab import games
    >>> widget = BoardWidget(games.Reversi().board(), legal_squares=(19, 26), mover=0)
    >>> chosen = []
    >>> widget.on_choose(chosen.append)
    """

    _esm = joined("common.js", "board.js")
    _css = joined("board.css")

    picture = traitlets.Unicode(help="the position as SVG").tag(sync=True)
    ghost = traitlets.Unicode(help="a stone of the mover as SVG, or nothing").tag(sync=True)
    shape = traitlets.Dict(help="rows, cols, style, and sizes in the picture's units").tag(
        sync=True
    )
    square_labels = traitlets.List(
        traitlets.Unicode(), help="what a screen reader says of each square"
    ).tag(sync=True)
    legal_squares = traitlets.List(traitlets.Int()).tag(sync=True)
    hint_square = traitlets.Int(allow_none=True, default_value=None).tag(sync=True)
    last_square = traitlets.Int(allow_none=True, default_value=None).tag(sync=True)
    title = traitlets.Unicode().tag(sync=True)
    announcement = traitlets.Unicode(help="read out by a screen reader when it changes").tag(
        sync=True
    )
    move_number = traitlets.Int(help="counts the positions shown; comes back with a click").tag(
        sync=True
    )

    def __init__(
        self,
        board: Board,
        *,
        legal_squares: Iterable[int] = (),
        mover: int | None = None,
        player_names: tuple[str, str] = DEFAULT_PLAYER_NAMES,
        mark_legal: bool = True,
        title: str = "Board",
    ) -> None:
        super().__init__(title=title)
        self._player_names = player_names
        self._mark_legal = mark_legal
        self._on_choose: list[Callable[[int], None]] = []
        self._on_refuse: list[Callable[[int], None]] = []
        self._heat: dict[int, float] = {}
        self._heat_scale = HeatScale.AMOUNT
        self._shown: tuple[Board, list[int], int | None] | None = None
        self.show(board, legal_squares=legal_squares, mover=mover)
        self.on_msg(self._handle_message)

    # What is shown

    def show(
        self,
        board: Board,
        *,
        legal_squares: Iterable[int] = (),
        mover: int | None = None,
        mark_legal: bool | None = None,
    ) -> None:
        """Show a position; heat and hint are taken away, and clicks on another one are dropped.

        See the class for the arguments; `mark_legal` stays as it was if None.
        """
        if mark_legal is not None:
            self._mark_legal = mark_legal
        legal = sorted(set(legal_squares))
        is_new = (board, legal, mover) != self._shown
        self._board, self._heat, self._shown = board, {}, (board, legal, mover)
        with self.hold_sync():
            # A click that is on its way stays good where nothing has changed for it.
            self.move_number += is_new
            self.shape = shape_data(board)
            self.legal_squares = legal
            self.hint_square = None
            self.last_square = board.last_square
            self.ghost = "" if mover is None else stone_svg(board.style, mover)
            self.square_labels = describe_squares(board, legal, self._player_names)
            self.picture = self._draw()

    def show_heat(
        self, heat: Mapping[int, float], scale: HeatScale | str = HeatScale.AMOUNT
    ) -> None:
        """Lay colours and numbers over some squares, such as visits; an empty mapping ends it.

        `scale` is as for `mctslab.boards.svg.board_svg`.
        """
        if (dict(heat), scale) != (self._heat, self._heat_scale):
            self._heat, self._heat_scale = dict(heat), HeatScale(scale)
            self.picture = self._draw()

    def show_hint(self, square: int | None) -> None:
        """Put a ring round `square`; None takes it away."""
        self.hint_square = square

    def _draw(self) -> str:
        marked = self.legal_squares if self._mark_legal else ()
        return board_svg(
            self._board,
            legal=marked,
            heat=self._heat,
            heat_scale=self._heat_scale,
            legend=False,
        )

    # What is chosen

    def on_choose(self, callback: Callable[[int], None]) -> None:
        """Call `callback` with every legal square that is chosen."""
        self._on_choose.append(callback)

    def on_refuse(self, callback: Callable[[int], None]) -> None:
        """Call `callback` with every square that is chosen though it isn't legal.

        Without such a callback the board itself says so, to screen readers.
        """
        self._on_refuse.append(callback)

    def choose(self, square: int) -> None:
        """Do what a click on `square` does."""
        if square in self.legal_squares:
            for callback in self._on_choose:
                callback(square)
        elif self._on_refuse:
            for callback in self._on_refuse:
                callback(square)
        else:
            name = square_name(self._board, square)
            self.announcement = f"{name} can't be chosen here."

    def _handle_message(self, _widget: object, content: Any, _buffers: object) -> None:
        """A click from the browser: believed only if it fits the position shown now."""
        if not isinstance(content, dict) or content.get("move_number") != self.move_number:
            return
        square = content.get("chosen")
        if type(square) is int and 0 <= square < len(self._board.stones):
            self.choose(square)


def shape_data(board: Board) -> dict[str, object]:
    """What the browser needs to find the squares in the picture."""
    grid = Grid(board.rows, board.cols, LOOKS[board.style].label_band)
    return {
        "rows": board.rows,
        "cols": board.cols,
        "style": board.style.value,
        "square": SQUARE,
        "band": grid.band,
        "width": grid.width,
        "height": grid.height,
    }


def describe_squares(
    board: Board, legal_squares: Iterable[int], player_names: tuple[str, str]
) -> list[str]:
    """What a screen reader says of each square: `d3, empty, legal move`.

    >>> from mctslab.boards import BoardStyle
    >>> board = Board(1, 2, BoardStyle.MARKS, (0, -1), ("a", "b"), ("1",), last_square=0)
    >>> describe_squares(board, [1], ("X", "O"))
    ['a1, X, last move', 'b1, empty, legal move']
    """
    legal = frozenset(legal_squares)
    labels = []
    for square, stone in enumerate(board.stones):
        words = [_spoken_name(board, square), "empty" if stone == EMPTY else player_names[stone]]
        if square in legal:
            words.append("legal move")
        if square == board.last_square:
            words.append("last move")
        if square in board.winning_squares:
            words.append("winning line")
        labels.append(", ".join(words))
    return labels


def _spoken_name(board: Board, square: int) -> str:
    """`d3`; where columns have numbers too, as in Connect Four, `column 4, row 3`."""
    if not board.column_labels[0].isdigit():
        return square_name(board, square)
    row, col = divmod(square, board.cols)
    return f"column {board.column_labels[col]}, row {board.row_labels[row]}"


_SVG = "{http://www.w3.org/2000/svg}"


def board_pieces(board: Board, winning_lines: Iterable[tuple[int, ...]] = ()) -> dict[str, Any]:
    """The pieces of boards like `board`, JSON-ready.

    Args:
        board: Any position; only its shape and style matter.
        winning_lines: The `winning_squares` of all positions that will be shown.
    """
    bare = replace(board, stones=(EMPTY,) * len(board.stones), last_square=None, winning_squares=())
    grid = Grid(board.rows, board.cols, LOOKS[board.style].label_band)
    return {
        "cols": board.cols,
        "square": SQUARE,
        "band": grid.band,
        "bare": board_svg(bare, description=""),
        "stones": [stone_svg(board.style, player, size=SQUARE) for player in (0, 1)],
        "last_move": _last_move(board.style),
        "is_last_move_below": board.style is BoardStyle.MARKS,
        "winning_lines": {
            line_key(squares): _cut(board_svg(replace(bare, winning_squares=squares)), "data-win")
            for squares in set(winning_lines)
            if squares
        },
    }


def line_key(squares: tuple[int, ...]) -> str:
    """What the winning line through `squares` is called among the pieces.

    >>> line_key((0, 4, 8))
    '0,4,8'
    """
    return ",".join(map(str, squares))


def _last_move(style: BoardStyle) -> str:
    """The mark of the last move on the square at the top left, in a picture of that square."""
    board = Board(1, 1, style, (0,), ("",), ("",), last_square=0)
    mark = _cut(board_svg(board, coordinates=False), "data-last")
    view = f"{PLAIN_BAND:g} {PLAIN_BAND:g} {SQUARE:g} {SQUARE:g}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}">{mark}</svg>'


def _cut(picture: str, attribute: str) -> str:
    """The one element of `picture` that has `attribute`."""
    root = ElementTree.fromstring(picture)
    for element in root.iter():
        element.tag = element.tag.removeprefix(_SVG)
    (found,) = (element for element in root.iter() if element.get(attribute) is not None)
    return ElementTree.tostring(found, encoding="unicode")
