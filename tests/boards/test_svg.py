"""Boards as SVG, read back as XML: what is there, where it is, and what it says."""

from itertools import pairwise
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


def places(root, name):
    """The squares that have this, with the middle of what is drawn there."""
    for each in root.iter():
        if name in each.attrib:
            x, y = (float(each.get(f"c{axis}", each.get(axis, "0"))) for axis in "xy")
            yield int(each.attrib[name]), (x, y)


@pytest.mark.parametrize("style", sorted({*BoardStyle} - {BoardStyle.TEXT}))
def test_stones_legal_moves_numbers_and_labels_are_where_they_belong(style):
    board = make_board(style, "01.0.11.0.01..01.0.11.0.", 6, last_square=1, winning_squares=(3, 8))
    heat = {2: 100, 4: 400}
    picture = board_svg(board, legal=(7, 9, 13), marks={"X": [9], "F": [12]}, heat=heat)
    root = ElementTree.fromstring(picture)
    stones = {int(each.get("data-square")): int(each.get("data-player"))
              for each in root.iter() if "data-player" in each.attrib}  # fmt: skip
    assert stones == {square: s for square, s in enumerate(board.stones) if s != EMPTY}
    assert {square for square, _ in places(root, "data-legal")} == {7, 13}, "a mark comes first"
    assert {square for square, _ in places(root, "data-heat")} == {2, 4}
    words = all_texts(picture)
    assert words == [*"abcdef", *"1234", "100", "400", "X", "F", "Visits", "0", "200", "400"]
    texts = [(float(each.get("x")), float(each.get("y"))) for each in root.iter(f"{SVG}text")]
    columns, rows, hundred = texts[:6], texts[6:10], texts[10]
    assert (hundred[0], hundred[1]) == pytest.approx((columns[2][0], rows[0][1]), abs=6)
    for labels, axis in ((columns, 0), (rows, 1)):
        steps = {round(b[axis] - a[axis], 1) for a, b in pairwise(labels)}
        assert len(steps) == 1
        assert steps.pop() > 30
    assert "data-win" in picture
    bare = board_svg(board, heat=heat, coordinates=False, legend=False)
    assert all_texts(bare) == ["100", "400"]
    for small in (board_thumbnail(board), *(stone_svg(style, player) for player in (0, 1))):
        assert ElementTree.fromstring(small).tag == f"{SVG}svg"


@pytest.mark.parametrize(
    ("heat", "scale", "words"),
    [
        ({0: 1234, 1: 0}, HeatScale.AMOUNT, ["1234", "0"]),
        ({0: 345_678, 4: 1_000_000}, HeatScale.AMOUNT, ["346k", "1.0M"]),
        ({0: 0.256, 4: 0.034}, HeatScale.AMOUNT, ["26%", "3.4%"]),
        ({0: 0.62, 2: 0.0996}, HeatScale.WIN_RATE, ["62%", "10%"]),
    ],
)
def test_numbers_on_squares_are_short(heat, scale, words):
    shown = board_svg(EMPTY_3X3, heat=heat, heat_scale=scale, coordinates=False, legend=False)
    assert all_texts(shown) == words


def test_a_board_is_given_as_bits():
    board = make_board(BoardStyle.DISCS, "01.0", cols=2, last_square=1)
    assert board.bitboards() == (0b1001, 0b0010, 0b0010)
