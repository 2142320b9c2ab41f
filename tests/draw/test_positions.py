"""Positions drawn from a game's state, with what a search thinks of the moves.

What else they show is held by the golden charts.
"""

import pytest

from mctslab import draw
from mctslab.games import ConnectFour, Reversi, TicTacToe
from tests.draw.drawn import all_texts, having


def test_legal_moves_are_marked_when_asked_for():
    assert having(draw.board(Reversi()).svg, "data-legal") == {}
    for state, squares in (
        (Reversi(), set(Reversi().legal_actions())),
        # In Connect Four an action is a column, and the stone falls.
        (ConnectFour().child(3), {35, 36, 37, 31, 39, 40, 41}),
    ):
        assert having(draw.board(state, legal=True).svg, "data-legal").keys() == squares


def test_heat_of_a_policy_is_given_by_action():
    picture = draw.board(ConnectFour(), heat={0: 0.25, 6: 0.75}, heat_title="Probability").svg
    assert having(picture, "data-heat").keys() == {35, 41}
    assert "Probability" in all_texts(picture)
    for legend in (True, False):
        picture = draw.board(Reversi(), heat={64: 1200, 19: 10}, legend=legend).svg
        assert having(picture, "data-heat").keys() == {19}
        assert ("Visits (pass: 1,200)" in all_texts(picture)) == legend
    with pytest.raises(ValueError, match="-1 is not an action"):
        draw.board(TicTacToe(), heat={-1: 3})
