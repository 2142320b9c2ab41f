"""What a board shows, without any widget: a view, its picture, and its pieces.

Python draws the position with the same function that draws every other board, so a live board
looks exactly like one in a cell or in a tree. A widget whose browser part plays moves by itself
gets the pieces instead: the bare board, one stone of each player, the mark of the last move, and
every winning line that will be needed, all cut from the same picture.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final
from xml.etree import ElementTree

from mctslab.boards.board import EMPTY, Board, BoardStyle
from mctslab.boards.geometry import Grid, square_name
from mctslab.boards.layers import HeatScale
from mctslab.boards.style import LOOKS, PLAIN_BAND, SQUARE
from mctslab.boards.svg import board_svg, stone_svg
from mctslab.games.state import State

_SVG: Final = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True, slots=True)
class BoardView:
    """What a live board shows, and which squares can be chosen on it."""

    board: Board
    legal_squares: tuple[int, ...] = ()
    """Squares where a stone can be put. In a DROP board a click anywhere in a column means the
    column's legal square."""
    mover: int | None = None
    """The player (0 or 1) whose stone is shown under the mouse; None if no move is expected."""
    mark_legal: bool = True
    """Whether the legal squares are marked with dots."""
    heat: Mapping[int, float] = field(default_factory=dict)
    """Numbers, such as visits, that some squares show as colours and text."""
    heat_scale: HeatScale = HeatScale.AMOUNT
    hint_square: int | None = None
    """The square with a ring around it."""

    def picture(self) -> str:
        """The position as SVG."""
        return board_svg(
            self.board,
            legal=self.legal_squares if self.mark_legal else (),
            heat=self.heat,
            heat_scale=self.heat_scale,
            legend=False,
        )

    def squares(self, player_names: tuple[str, str]) -> dict[str, Any]:
        """What the browser needs to find, name and mark the squares in the picture."""
        board = self.board
        return {
            "shape": shape_data(board),
            "labels": describe_squares(board, self.legal_squares, player_names),
            "legal": list(self.legal_squares),
            "ghost": "" if self.mover is None else stone_svg(board.style, self.mover),
            "last": board.last_square,
            "hint": self.hint_square,
        }


def legal_squares(state: State) -> tuple[int, ...]:
    """The squares on which the legal actions of `state` put a stone."""
    squares = (state.action_square(action) for action in state.legal_actions())
    return tuple(sorted(square for square in squares if square is not None))


def shape_data(board: Board) -> dict[str, object]:
    """What the browser needs to find the squares in the picture."""
    grid = Grid.of(board, LOOKS[board.style].label_band)
    return {
        "rows": board.rows,
        "style": board.style.value,
        "width": grid.width,
        "height": grid.height,
        **_places(grid),
    }


def _places(grid: Grid) -> dict[str, float]:
    """What the browser needs to find the corner of a square."""
    left, top = grid.corner(0)
    return {
        "cols": grid.cols,
        "square": SQUARE,
        "left": left,
        "top": top,
        "slant": grid.slant,
        "row_height": grid.row_height,
    }


def describe_squares(
    board: Board, legal_squares: Iterable[int], player_names: tuple[str, str]
) -> list[str]:
    """What a screen reader says about each square: `d3, empty, legal move`.

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


def board_pieces(board: Board, winning_lines: Iterable[tuple[int, ...]] = ()) -> dict[str, Any]:
    """The pieces of boards like `board`, JSON-ready.

    Args:
        board: Any position; only its shape and style matter.
        winning_lines: The `winning_squares` of all positions that will be shown.
    """
    bare = replace(board, stones=(EMPTY,) * len(board.stones), last_square=None, winning_squares=())
    return {
        **_places(Grid.of(board, LOOKS[board.style].label_band)),
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
    """The name of the winning line through `squares` among the pieces.

    >>> line_key((0, 4, 8))
    '0,4,8'
    """
    return ",".join(map(str, squares))


def _last_move(style: BoardStyle) -> str:
    """The mark of the last move on the square at the top left, in a picture of that square."""
    board = Board(1, 1, style, (0,), ("",), ("",), last_square=0)
    mark = _cut(board_svg(board, coordinates=False), "data-last")
    left, top = Grid.of(board, PLAIN_BAND).corner(0)
    view = f"{left:g} {top:g} {SQUARE:g} {SQUARE:g}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}">{mark}</svg>'


def _cut(picture: str, attribute: str) -> str:
    """The one element of `picture` that has `attribute`."""
    root = ElementTree.fromstring(picture)
    for element in root.iter():
        element.tag = element.tag.removeprefix(_SVG)
    (found,) = (element for element in root.iter() if element.get(attribute) is not None)
    return ElementTree.tostring(found, encoding="unicode")
