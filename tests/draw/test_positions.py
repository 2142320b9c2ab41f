"""Positions drawn from numbers: sets of squares as bits, and samples for a net."""

from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab import draw, games
from mctslab.boards.style import value_color
from tests.draw.drawn import SVG, all_texts


@given(st.integers(0, 2**64 - 1))
def test_a_bitboard_has_a_digit_on_every_square(bits):
    root = ElementTree.fromstring(draw.bitboard(bits).svg)
    patches = [e.get("data-heat") for e in root.iter(f"{SVG}rect") if e.get("data-heat")]
    assert patches == [str(square) for square in range(64)]
    digits = [text for text in all_texts(draw.bitboard(bits).svg) if text in ("0", "1")]
    assert "".join(digits[-64:]) == f"{bits:064b}"[::-1]


def test_a_bitboard_is_described_in_words_and_fits_its_board():
    assert "Bits that are 1: b1 b2." in draw.bitboard(0b1010, size=2).svg
    for bits in (1 << 4, -1):
        with pytest.raises(ValueError, match="is not a bitboard of 2 x 2 squares"):
            draw.bitboard(bits, size=2)


def test_a_sample_shows_the_movers_stones_as_black_and_the_larger_shares():
    planes = np.zeros((4, 2, 2))
    planes[0, 0, 0] = planes[1, 1, 1] = 1
    root = ElementTree.fromstring(draw.sample(planes, [0.5, 0.48, 0.02, 0.0, 0.1]).svg)
    stones = {e.get("data-square"): e.get("data-player") for e in root.iter(f"{SVG}circle")}
    assert (stones["0"], stones["3"]) == ("0", "1")
    heat = {e.get("data-heat") for e in root.iter(f"{SVG}rect")} - {None}
    assert heat == {"0", "1"}


def test_win_rates_have_the_colours_of_values_and_other_numbers_those_of_amounts():
    state, rates = games.TicTacToe(), {0: 0.1, 4: 0.9}
    as_values, as_amounts = (
        {
            e.get("data-heat"): e.get("fill")
            for e in ElementTree.fromstring(drawn.svg).iter(f"{SVG}rect")
            if e.get("data-heat")
        }
        for drawn in (
            draw.board(state, heat=rates, heat_scale="win rate"),
            draw.board(state, heat=rates),
        )
    )
    assert as_values == {"0": value_color(-0.8), "4": value_color(0.8)}
    assert as_values.keys() == as_amounts.keys()
    assert as_values != as_amounts
