"""Positions drawn from numbers: sets of squares as bits, and samples for a net."""

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from mctslab import draw
from tests.draw.drawn import SVG, all_texts


@given(st.integers(0, 2**64 - 1))
def test_a_bitboard_has_a_digit_on_every_square(bits):
    root = ElementTree.fromstring(draw.bitboard(bits).svg)
    patches = [e.get("data-heat") for e in root.iter(f"{SVG}rect") if e.get("data-heat")]
    assert patches == [str(square) for square in range(64)]
    digits = [text for text in all_texts(draw.bitboard(bits).svg) if text in ("0", "1")]
    assert "".join(digits[-64:]) == f"{bits:064b}"[::-1]


def test_a_bitboard_is_described_in_words():
    assert "Bits that are 1: b1 b2." in draw.bitboard(0b1010, size=2).svg
