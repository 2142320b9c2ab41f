"""Boards as SVG, read back as XML: what is there, where it is, and what it says."""

from hashlib import sha256
from xml.etree import ElementTree

import pytest

from mctslab.boards import EMPTY, Board, BoardStyle, board_svg, stone_svg
from mctslab.boards.layers import HeatScale
from mctslab.boards.svg import board_thumbnail
from tests.draw.drawn import SVG, all_texts

ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def make_board(style, stones, cols, **more):
    """A board of `stones`, square by square: 0, 1, or a dot for an empty square."""
    rows = len(stones) // cols
    return Board(
        rows=rows,
        cols=cols,
        style=style,
        stones=tuple(EMPTY if stone == "." else int(stone) for stone in stones),
        column_labels=tuple(ALPHABET[:cols]),
        row_labels=tuple(str(row + 1) for row in range(rows)),
        **more,
    )


EMPTY_3X3 = make_board(BoardStyle.DISCS, "." * 9, cols=3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        *(
            ({"heat": {4: value}}, r"heat of square 4 is .*; it must be 0 or more")
            for value in (-1, float("nan"), float("inf"))
        ),
        ({"heat": {4: 1.5}, "heat_scale": HeatScale.WIN_RATE}, "1.5, but no win rate is above 1"),
        *(
            (options, f"square {square} is not on the board.*from 0 to 8")
            for square in (-1, 9)
            for options in (
                *({"legal": [square]}, {"heat": {square: 1}}, {"marks": {"X": [square]}}),
                {"line": (0, square)},
            )
        ),
        ({"marks": {"": [1]}}, "mark '' must have 1 to 3 characters"),
        ({"marks": {"long": [1]}}, "mark 'long' must have 1 to 3 characters"),
        ({"marks": {"X": [4], "C": [3, 4]}}, "b2 has two marks, 'X' and 'C'"),
    ],
)
def test_what_cannot_be_drawn_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        board_svg(EMPTY_3X3, **options)


def test_labels_and_titles_are_escaped():
    hostile = '<script>alert("1")</script> & more'
    board = Board(1, 1, BoardStyle.MARKS, (0,), (hostile,), ("]]>",), last_square=0)
    picture = board_svg(board, heat={0: 1}, heat_title=hostile, title=hostile, description=hostile)
    root = ElementTree.fromstring(picture)
    assert root.get("aria-label") == root[0].text == hostile
    assert all_texts(picture)[:3] == [hostile, "]]>", hostile]
    assert not list(root.iter(f"{SVG}script"))


DIGESTS = {
    "marks": "15d24d68710de6dd",
    "drop": "1cf73c45377c142e",
    "discs": "ebe7b0c830fc7bfd",
    "points": "cc83747a164576af",
    "pieces": "377b2c6af6295e1d",
    "hexes": "0403a584ddf37d89",
}


HEATS = (
    ({0: 1234, 1: 0, 4: 345_678, 8: 1_000_000}, HeatScale.AMOUNT),
    ({0: 7, 4: 9_999.6, 8: 2.5}, HeatScale.AMOUNT),
    ({0: 0.256, 4: 0.034, 8: 0}, HeatScale.AMOUNT),
    ({0: 0, 1: 0}, HeatScale.AMOUNT),
    ({0: 1, 1: 0}, HeatScale.AMOUNT),
    ({0: 0.4, 4: 0.1, 8: 0}, HeatScale.SHARE),
    ({0: 1, 4: 0}, HeatScale.SHARE),
    ({0: 0.0, 1: 1, 2: 0.62, 8: 0.0996}, HeatScale.WIN_RATE),
)
WON = ("xxx...", "x....x", ".x..xx", "..xx.x", "..x..x", "x.xx..")
"""Rows of squares that won: a line in each direction, and two squares that are in none."""


@pytest.mark.parametrize("style", sorted({*BoardStyle} - {BoardStyle.TEXT}))
def test_golden_pictures(style):
    """Digests of pictures with everything on them, looked at when they were made."""
    size = 9 if style is BoardStyle.POINTS else 6
    stones = "01.0.1" * (size * size // 6) + "0" * (size * size % 6)
    won = tuple(size * y + x for y, row in enumerate(WON) for x in range(6) if row[x] == "x")
    won = (1, 6, 12, 18, 24, 30) if style is BoardStyle.HEXES else won
    board = make_board(style, stones, size, last_square=1, winning_squares=won)
    heat = {square: 400.0 * square for square in range(0, size * size, 2)}
    empty = make_board(style, "." * 9, 3)
    pictures = [
        board_svg(board, legal=(2, 4), marks={"X": [0, 2], "1": [8]}),
        board_svg(board, heat=heat, legal=(2, 4), square_size=25),
        board_svg(board, heat={4: 0.25, 2: 1.0}, heat_scale=HeatScale.WIN_RATE, coordinates=False),
        board_thumbnail(board),
        *(stone_svg(style, player) for player in (0, 1)),
        *(board_svg(empty, heat=heat, heat_scale=s, heat_title="R & D") for heat, s in HEATS),
        board_svg(board, line=(0, 8), marks={"F": [1, 0], "C": []}),
        board_thumbnail(make_board(style, "1" * 9, 3), size=56),
        board_thumbnail(make_board(style, "01.0..", 2)),
        board_svg(make_board(style, "01.0..", 2), heat={2: 1}, legend=False),
    ]
    assert sha256("\n".join(pictures).encode()).hexdigest()[:16] == DIGESTS[style]


def test_a_board_is_given_as_bits():
    board = make_board(BoardStyle.DISCS, "01.0", cols=2, last_square=1)
    assert board.bitboards() == (0b1001, 0b0010, 0b0010)
