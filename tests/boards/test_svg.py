"""Boards as SVG, read back as XML: what is there, where it is, and what it says."""

from hashlib import sha256
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab.boards import EMPTY, Board, BoardStyle, board_svg, stone_svg
from mctslab.boards.geometry import Grid
from mctslab.boards.layers import HeatScale
from mctslab.boards.style import LOOKS
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


def grid_of(board):
    return Grid.of(board, LOOKS[board.style].label_band)


@st.composite
def boards(draw):
    rows, cols = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    stones = draw(st.text("01.", min_size=rows * cols, max_size=rows * cols))
    squares = st.integers(0, rows * cols - 1)
    winners = tuple(sorted(draw(st.sets(squares, max_size=5))))
    style, last = draw(st.sampled_from(BoardStyle)), draw(st.none() | squares)
    return make_board(style, stones, cols, last_square=last, winning_squares=winners)


def center_of(element):
    """The middle of a circle or a rectangle."""
    if element.tag == f"{SVG}circle":
        return float(element.get("cx", "")), float(element.get("cy", ""))
    x, y = float(element.get("x", "")), float(element.get("y", ""))
    return x + float(element.get("width", "")) / 2, y + float(element.get("height", "")) / 2


def marked(picture, kind):
    """The elements with the attribute `data-kind`, by its number."""
    elements = [e for e in ElementTree.fromstring(picture).iter() if f"data-{kind}" in e.attrib]
    found = {int(e.attrib[f"data-{kind}"]): e for e in elements}
    assert len(found) == len(elements)
    return found


@given(boards())
def test_every_stone_is_there_once_and_in_its_place_and_nothing_is_foreign_or_outside(board):
    legal = [square for square, stone in enumerate(board.stones) if stone == EMPTY]
    pictures = board_svg(board, legal=legal), board_thumbnail(board)
    stones = marked(pictures[0], "square")
    assert set(stones) == {*range(len(board.stones))} - {*legal}
    for square, element in stones.items():
        assert element.get("data-player") == str(board.stones[square])
        is_disc = element.tag == f"{SVG}circle"
        color = LOOKS[board.style].stones[board.stones[square]]
        assert element.get("fill" if is_disc else "stroke") == color
        if is_disc:
            assert center_of(element) == pytest.approx(grid_of(board).center(square), abs=0.01)
    for picture in pictures:
        root = ElementTree.fromstring(picture)
        assert root.tag == f"{SVG}svg"
        names = {name for element in root.iter() for name in element.attrib}
        assert not names & {"id", "href"}, "pictures on one page must not share ids"
        assert not {e.tag for e in root.iter()} & {f"{SVG}script", f"{SVG}style", f"{SVG}a"}
        _, _, width, height = map(float, root.get("viewBox", "").split())
        for element in root.iter():
            if element.tag in (f"{SVG}circle", f"{SVG}rect"):
                x, y = center_of(element)
                assert 0 < x < width
                assert 0 < y < height


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
    "marks": "0df2d1bfe69ed8da",
    "drop": "d277697ce713ecc6",
    "discs": "d70840ed199b6954",
    "points": "f58948f71da89106",
    "hexes": "747b7cd5698cb8a9",
}


HEATS = (
    ({0: 0, 4: 250, 8: 1000}, HeatScale.AMOUNT),
    ({0: 0.75, 1: 0.25}, HeatScale.AMOUNT),
    ({0: 0, 1: 0}, HeatScale.AMOUNT),
    ({0: 1, 1: 0}, HeatScale.AMOUNT),
    ({0: 0.25, 4: 0}, HeatScale.SHARE),
    ({0: 1, 4: 0}, HeatScale.SHARE),
    ({0: 0.0, 2: 0.62, 8: 1.0}, HeatScale.WIN_RATE),
)


@pytest.mark.parametrize("style", BoardStyle)
def test_golden_pictures(style):
    """Digests of pictures with everything on them, looked at when they were made."""
    size = 9 if style is BoardStyle.POINTS else 6
    stones = "01.0.1" * (size * size // 6) + "0" * (size * size % 6)
    won = (1, 6, 12, 18, 24, 30) if style is BoardStyle.HEXES else (0, 1, 3, 12, 21)
    board = make_board(style, stones, size, last_square=1, winning_squares=won)
    heat = {square: 400.0 * square for square in range(0, size * size, 2)}
    empty = make_board(style, "." * 9, 3)
    pictures = [
        board_svg(board, legal=(2, 4), marks={"X": [0, 2], "1": [8]}),
        board_svg(board, heat=heat, square_size=25),
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
