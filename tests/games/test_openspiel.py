"""Every rule against OpenSpiel, in at least 10,000 random positions a game.

OpenSpiel's games are written in C++ by other people: Lanctot et al. (2019), "OpenSpiel: A
Framework for Reinforcement Learning in Games", arXiv:1908.09453.
"""

import numpy as np
import pytest

from mctslab import games
from mctslab.games import State
from tests.games.playing import random_game

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no build for this system")

NUM_POSITIONS = 10_000

PAIRS = [
    (games.TicTacToe(), "tic_tac_toe"),
    (games.ConnectFour(), "connect_four"),
    (games.ConnectFour(rows=5, cols=8), "connect_four(rows=5,columns=8)"),
    (games.Reversi(), "othello"),
    (games.Gomoku(), "gomoku"),
    (games.Gomoku(size=9), "gomoku(size=9)"),
    (games.Gomoku(size=6, in_a_row=4), "mnk(m=6,n=6,k=4)"),
    (games.Gomoku(size=7, in_a_row=3), "gomoku(size=7,connect=3)"),  # many longer rows
]


@pytest.mark.parametrize(("first_state", "name"), PAIRS, ids=[name for _, name in PAIRS])
def test_rules_are_those_of_openspiel(first_state, name):
    game = pyspiel.load_game(name)
    rng = np.random.default_rng(2026)
    num_positions = 0
    while num_positions < NUM_POSITIONS:
        theirs = game.new_initial_state()
        for ours in random_game(first_state, rng):
            if ours.last_action is not None:
                theirs.apply_action(ours.last_action)
            assert_same(ours, theirs)
            num_positions += 1


def assert_same(ours: State, theirs) -> None:
    """Actions have the same numbers in both, the pass of Reversi included."""
    assert ours.is_terminal == theirs.is_terminal()
    assert list(ours.legal_actions()) == theirs.legal_actions()
    if ours.is_terminal:
        assert list(ours.returns()) == theirs.returns()
    else:
        assert ours.current_player == theirs.current_player()
