"""Any position of a game from a few small pictures, so that the browser can play moves by itself.

The pictures are cut from what `board_svg` draws: the bare board, one stone of each player, the mark
of the last move, and every winning line that will be needed. The browser only puts them in place;
so a board that plays in a widget looks exactly like one in a cell.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

from mctslab.boards.board import EMPTY, Board, BoardStyle
from mctslab.boards.geometry import Grid
from mctslab.boards.style import LOOKS, PLAIN_BAND, SQUARE
from mctslab.boards.svg import board_svg, stone_svg

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
