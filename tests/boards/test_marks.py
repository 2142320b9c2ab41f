"""Marks on boards and bitboards as pictures, read back as XML."""

from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab.boards import EMPTY, Board, BoardStyle, board_svg
from mctslab.boards.bits import bits_svg
from mctslab.boards.geometry import Grid
from mctslab.boards.marks import mark_colors
from mctslab.boards.style import LOOKS, contrast

SVG = "{http://www.w3.org/2000/svg}"
BOARD = Board(3, 3, BoardStyle.DISCS, (0, 1) + (EMPTY,) * 7, ("a", "b", "c"), ("1", "2", "3"))
GRID = Grid(3, 3, LOOKS[BoardStyle.DISCS].label_band)


def by_square(picture: str, attribute: str) -> dict[int, Element]:
    root = ElementTree.fromstring(picture)
    return {int(e.get(attribute, "")): e for e in root.iter() if e.get(attribute) is not None}


def texts_at(picture: str) -> dict[tuple[str, str], str]:
    root = ElementTree.fromstring(picture)
    return {
        (e.get("x", ""), e.get("y", "")): e.text or ""
        for e in root.iter(f"{SVG}text")
        if e.get("font-weight")
    }


def place(square: int) -> tuple[str, str]:
    x, y = GRID.center(square)
    return f"{x:g}", f"{y:g}"


def test_every_mark_lies_on_its_square_over_the_stones() -> None:
    picture = board_svg(BOARD, marks={"X": [4, 0], "C": iter((8,))})
    patches = by_square(picture, "data-mark")

    assert set(patches) == {0, 4, 8}
    assert texts_at(picture) == {place(0): "X", place(4): "X", place(8): "C"}
    assert patches[0].get("fill") == patches[4].get("fill") != patches[8].get("fill")
    assert picture.index('data-mark="0"') > picture.index('data-square="0"')
    for square, patch in patches.items():
        x, y = float(patch.get("x", "")), float(patch.get("y", ""))
        half = float(patch.get("width", "")) / 2
        assert (x + half, y + half) == pytest.approx(GRID.center(square))


def test_a_mark_is_round_on_a_stone_and_leaves_its_colour_to_be_seen() -> None:
    patches = by_square(board_svg(BOARD, marks={"F": [0, 4]}), "data-mark")
    radius = LOOKS[BoardStyle.DISCS].stone_radius * 40

    assert float(patches[0].get("rx", "")) == float(patches[0].get("width", "")) / 2 < radius
    assert float(patches[4].get("rx", "")) < float(patches[4].get("width", "")) / 2


def test_a_marked_square_needs_no_dot_for_a_legal_move() -> None:
    picture = board_svg(BOARD, legal=(2, 4), marks={"X": [4]})

    assert list(by_square(picture, "data-legal")) == [2]


def test_the_marks_are_told_in_words() -> None:
    root = ElementTree.fromstring(board_svg(BOARD, marks={"X": [4], "C": [], "F": [1, 0]}))

    assert root[0].text == "First player: a1. Second player: b1. Marked X: b2. Marked F: a1 b1."


def test_dark_text_can_be_read_on_every_mark_and_every_mark_seen_on_the_board() -> None:
    look = LOOKS[BoardStyle.DISCS]
    for color in mark_colors([*"ABCDEFG", "1"]).values():
        assert contrast(color, "#17191b") > 7
        assert contrast(color, look.surface) > 1.9


@pytest.mark.parametrize("text", ["", "long"])
def test_a_mark_that_has_no_room_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=f"mark '{text}' needs from 1 to 3 characters"):
        board_svg(BOARD, marks={text: [1]})


def test_a_square_has_one_mark_and_lies_on_the_board() -> None:
    with pytest.raises(ValueError, match="b2 carries two marks, 'X' and 'C'"):
        board_svg(BOARD, marks={"X": [4], "C": [3, 4]})
    with pytest.raises(ValueError, match="square 9 is not on the board"):
        board_svg(BOARD, marks={"X": [9]})
    assert board_svg(BOARD, marks={}) == board_svg(BOARD)


@given(st.integers(0, 2**64 - 1))
def test_a_bitboard_has_a_digit_on_every_square(bits: int) -> None:
    picture = bits_svg(bits)
    digits = [
        e.text for e in ElementTree.fromstring(picture).iter(f"{SVG}text") if e.text in ("0", "1")
    ]

    # The 1 of the row's label is there as well.
    assert digits.count("1") == bits.bit_count() + 1
    assert digits.count("0") == 64 - bits.bit_count()
    assert set(by_square(picture, "data-bit")) == {n for n in range(64) if bits >> n & 1}


def test_a_bitboard_is_told_in_words_and_fits_its_board() -> None:
    root = ElementTree.fromstring(bits_svg(0b1010, rows=2, cols=2))

    assert root[0].text == "Bits that are 1: b1 b2."
    for bits in (1 << 4, -1):
        with pytest.raises(ValueError, match="is no bitboard of 2 x 2 squares"):
            bits_svg(bits, rows=2, cols=2)
