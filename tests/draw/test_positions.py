"""Positions drawn from a game's state, with what a search thinks of the moves."""

from xml.etree import ElementTree

import numpy as np
import pytest

from mctslab import draw
from mctslab.games import ConnectFour, Reversi, TicTacToe
from mctslab.search import mcts
from tests.draw.drawn import all_texts, having


def test_a_state_draws_itself_as_draw_does() -> None:
    state = TicTacToe().child(4)
    assert draw.board(state).svg == draw.board(state)._repr_svg_() == state._repr_svg_()


def test_legal_moves_are_marked_when_asked_for() -> None:
    assert having(draw.board(Reversi()).svg, "data-legal").keys() == set()
    legal = set(Reversi().legal_actions())
    assert having(draw.board(Reversi(), legal=True).svg, "data-legal").keys() == legal
    # In Connect Four an action is a column, and the stone falls.
    state = ConnectFour().child(3)
    assert having(draw.board(state, legal=True).svg, "data-legal").keys() == {
        35,
        36,
        37,
        31,
        39,
        40,
        41,
    }


def test_the_visits_of_a_search_are_its_heat() -> None:
    result = mcts(ConnectFour(), num_simulations=70, rng=np.random.default_rng(1))
    picture = draw.board(result.state, heat=result).svg
    assert having(picture, "data-heat").keys() == set(range(35, 42))
    after_labels = all_texts(picture)[7 + 6 :]
    assert after_labels[:7] == [str(child.visit_count) for child in result.children]


def test_heat_of_a_policy_is_given_by_action() -> None:
    picture = draw.board(ConnectFour(), heat={0: 0.25, 6: 0.75}, heat_title="Probability").svg
    assert having(picture, "data-heat").keys() == {35, 41}
    assert "Probability" in all_texts(picture)
    for legend in (True, False):
        picture = draw.board(Reversi(), heat={64: 1200, 19: 10}, legend=legend).svg
        assert having(picture, "data-heat").keys() == {19}
        assert ("Visits (pass: 1,200)" in all_texts(picture)) == legend
    with pytest.raises(ValueError, match="-1 is not an action"):
        draw.board(TicTacToe(), heat={-1: 3})


def test_marks_and_bits_stand_on_their_squares() -> None:
    picture = draw.board(Reversi(), marks={"X": [9, 14], "F": [27]}).svg
    assert having(picture, "data-mark").keys() == {9, 14, 27}
    assert all_texts(picture)[-3:] == ["X", "X", "F"]
    stones = Reversi(size=6).child(8).stones_of(0)
    assert having(draw.bitboard(stones, size=6).svg, "data-bit").keys() == {8, 14, 15, 20}


def test_pictures_stand_in_a_row_over_their_captions() -> None:
    first, second = draw.board(TicTacToe()), draw.bitboard(5)
    shown = draw.side_by_side({"before & after": first, "bits": second})._repr_mimebundle_()
    root = ElementTree.fromstring(shown["text/html"])
    assert [e.text for e in root.iter("figcaption")] == ["before & after", "bits"]
    assert shown["text/html"].index(first.svg) < shown["text/html"].index(second.svg)
    assert shown["text/plain"] == "<pictures: before & after; bits>"


def test_a_sample_is_drawn_with_the_movers_stones_in_black_and_the_policy_as_heat() -> None:
    planes = np.zeros((4, 2, 3))
    planes[0, 0, 1] = planes[1, 1, 2] = 1
    picture = draw.sample(planes, [0.5, 0, 0.02, 0.25, 0.03, 0, 0.2]).svg

    assert having(picture, "data-heat").keys() == {0, 3, 4}
    assert 'data-square="1" data-player="0"' in picture
    assert 'data-square="5" data-player="1"' in picture
