"""What the page gets of a board: the position, and the pieces of which it makes a picture.

The pieces are cut from the same picture that every other board is, so a live board looks like one
in a cell or in a tree: the bare board, one stone of each player, and the mark of the last move.
They go to the page once, and after that only what changes.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final
from xml.etree import ElementTree

from mctslab.boards.board import EMPTY, Board, BoardStyle, winning_squares
from mctslab.boards.geometry import Grid, square_name, winning_runs
from mctslab.boards.layers import HeatScale
from mctslab.boards.style import LOOKS, PLAIN_BAND, SQUARE, heat_color, text_color, value_color
from mctslab.boards.svg import board_svg, stone_svg
from mctslab.games.state import State

_SVG: Final = "{http://www.w3.org/2000/svg}"
_NUM_COLORS: Final = 41
"""Steps of the colours of heat."""


def position_of(board: Board) -> dict[str, Any]:
    """The stones, the last move and the winning lines, besides which the page needs the look."""
    return {
        "stones": "".join("." if stone == EMPTY else str(stone) for stone in board.stones),
        "last": board.last_square,
        "winning": winning_lines(board),
    }


def winning_lines(board: Board) -> list[tuple[int, ...]]:
    """The squares that won, line by line; a square that is in no line stands alone.

    >>> from mctslab import games
    >>> winning_lines(games.TicTacToe().child(0).child(3).child(1).child(4).child(2).board())
    [(0, 1, 2)]
    """
    won = winning_squares(board)
    if not won:
        return []
    lines = winning_runs(board)
    return [*lines, *((square,) for square in won if all(square not in line for line in lines))]


def legal_squares(state: State) -> tuple[int, ...]:
    """The squares on which the legal actions of `state` place a stone."""
    squares = (state.action_square(action) for action in state.legal_actions())
    return tuple(sorted(square for square in squares if square is not None))


def square_names(board: Board) -> list[str]:
    """What a screen reader calls each square: `d3`; where columns have numbers, as in Connect Four,
    `column 4, row 3`.

    >>> square_names(Board(1, 2, BoardStyle.MARKS, (0, -1), ("a", "b"), ("1",)))
    ['a1', 'b1']
    """
    squares = range(len(board.stones))
    if not board.column_labels[0].isdigit():
        return [square_name(board, square) for square in squares]
    places = (divmod(square, board.cols) for square in squares)
    return [f"column {board.column_labels[c]}, row {board.row_labels[r]}" for r, c in places]


def board_look(board: Board, player_names: tuple[str, str]) -> dict[str, Any]:
    """All that a live board needs once: the pieces of boards like `board`, the names, the colours.

    Args:
        board: Any position; only its shape and style matter.
        player_names: The names of the two players on the screen.
    """
    grid = Grid.of(board, LOOKS[board.style].label_band)
    bare = _bare(board)
    with_heat = board_svg(bare, heat={0: 100.0}, legend=False)  # a single digit would be larger
    texts = next(
        each for each in _elements(with_heat) if len(each) and "data-heat" in each[0].attrib
    )
    patch = texts[0]
    dot = _found(board_svg(bare, legal=(0,)), "data-legal")
    shares = [step / (_NUM_COLORS - 1) for step in range(_NUM_COLORS)]
    scales = {
        HeatScale.AMOUNT.value: [heat_color(share) for share in shares],
        HeatScale.SHARE.value: [heat_color(share) for share in shares],
        HeatScale.WIN_RATE.value: [value_color(2 * share - 1) for share in shares],
    }
    return {
        **board_pieces(board),
        "style": board.style.value,
        "rows": board.rows,
        "width": grid.width,
        "height": grid.height,
        "player_names": list(player_names),
        "heat": {
            "side": float(patch.get("width", SQUARE)),
            "round": float(patch.get("rx", 0)),
            "font": {name: texts.get(name) for name in ("font-family", "font-size")},
        },
        "legal": {name: dot.get(name) for name in ("r", "fill", "fill-opacity")},
        "scales": {
            name: [(color, text_color(color)) for color in colors]
            for name, colors in scales.items()
        },
    }


def board_pieces(board: Board) -> dict[str, Any]:
    """The pieces of boards like `board`, of which only shape and style matter, JSON-ready."""
    look = LOOKS[board.style]
    bare, grid = _bare(board), Grid.of(board, look.label_band)
    left, top = grid.corner(0)
    return {
        "cols": grid.cols,
        "names": square_names(board),
        "square": SQUARE,
        "left": left,
        "top": top,
        "slant": grid.slant,
        "row_height": grid.row_height,
        "bare": board_svg(bare, description=""),
        "stones": [stone_svg(board.style, player, size=SQUARE) for player in (0, 1)],
        "last_move": _last_move(board.style),
        "is_last_move_below": board.style is BoardStyle.MARKS,
        "win": [look.win_casing, look.win],
    }


def _bare(board: Board) -> Board:
    """The same board before the first move."""
    return replace(board, stones=(EMPTY,) * len(board.stones), last_square=None, winning_squares=())


def _last_move(style: BoardStyle) -> str:
    """The mark of the last move on the square at the top left, in a picture of that square."""
    board = Board(1, 1, style, (0,), ("",), ("",), last_square=0)
    mark = _cut(board_svg(board, coordinates=False), "data-last")
    left, top = Grid.of(board, PLAIN_BAND).corner(0)
    view = f"{left:g} {top:g} {SQUARE:g} {SQUARE:g}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}">{mark}</svg>'


def _cut(picture: str, attribute: str) -> str:
    """The one element of `picture` that has `attribute`."""
    return ElementTree.tostring(_found(picture, attribute), encoding="unicode")


def _found(picture: str, attribute: str) -> ElementTree.Element:
    (found,) = (each for each in _elements(picture) if each.get(attribute) is not None)
    return found


def _elements(picture: str) -> Iterable[ElementTree.Element]:
    """The elements of `picture`, whose names have no namespace."""
    root = ElementTree.fromstring(picture)
    for element in root.iter():
        element.tag = element.tag.removeprefix(_SVG)
    return root.iter()
