"""A win within reach is taken and a loss that threatens is parried, in each of the four games."""

import numpy as np
import pytest

from mctslab.games import ConnectFour, Gomoku, Reversi, TicTacToe
from mctslab.search import mcts
from mctslab.search.alphabeta import minimax
from tests.search.toys import play

SEEDS = range(6)


def choices(state, num_simulations, **options):
    """The moves that the search decides on, with each of the seeds."""
    return {
        state.action_to_string(
            mcts(
                state,
                num_simulations=num_simulations,
                rng=np.random.default_rng(seed),
                **options,
            ).best_action
        )
        for seed in SEEDS
    }


def moves_that_win_at_once(state):
    ends = {action: state.child(action) for action in state.legal_actions()}
    return {
        state.action_to_string(action)
        for action, end in ends.items()
        if end.is_terminal and end.returns()[state.current_player] > 0
    }


def moves_after_which_nobody_wins_at_once(state):
    return {
        state.action_to_string(action)
        for action in state.legal_actions()
        if not moves_that_win_at_once(state.child(action))
    }


WINS = {
    # X has a1, b2; O has a2, b1. c3 completes the diagonal.
    "tictactoe": (TicTacToe(), "a1 a2 b2 b1", "c3", 200),
    # Red has three in column 4.
    "connect_four": (ConnectFour(), "4 1 4 2 4 1", "4", 300),
    # Black has A2, C2, D2 and E2.
    "gomoku": (
        Gomoku(size=7),
        "E7 F6 E2 A3 F7 B4 D4 B6 C2 G7 G5 G4 A4 E3 D2 F1 A5 F3 A2 G6 A7 G1",
        "B2",
        500,
    ),
}

BLOCKS = {
    # X has a1 and b1.
    "tictactoe": (TicTacToe(), "a1 b2 b1", "c1", 200),
    # Yellow has three in column 4.
    "connect_four": (ConnectFour(), "1 4 1 4 2 4", "4", 500),
    # White has E2, E3, E5 and E6, and half of the board is full. Where there is more room, plain
    # UCT often misses such a threat: with eight stones on 9 x 9, 4,000 simulations parried a closed
    # four in 7 of 10 searches.
    "gomoku": (
        Gomoku(size=7),
        "G5 E6 D6 E3 C7 G6 D5 A5 C2 C3 D1 A2 B5 E5 F7 F6 D3 E2 F5 B4 A1 F1",
        "E4",
        4_000,
    ),
}

# In Reversi nothing wins at once, so there are endgames with eight squares left: in the first only
# one of seven moves wins and the others lose, in the second only one of eight holds the draw.
REVERSI_WIN = (
    "c4 c5 c6 b5 e6 c3 c2 d3 a4 f5 b4 b1 e2 a5 d6 c7 f3 e7 d2 d1 a6 e3 f8 g3 b2 b6 h3 d7 g6 c1 f6 "
    "b7 e8 f2 d8 h7 b3 a1 f1 a3 f4 g1 a2 g7 e1 c8 a7 b8 f7 g8 h1 h2"
)
REVERSI_HOLD = (
    "e6 f6 g6 f4 f5 e7 c3 g4 d8 e8 f7 c8 d7 h5 e3 d2 g7 c5 e2 f2 h3 h4 h7 f8 e1 d3 b6 a7 f3 h6 g5 "
    "h8 g1 h2 c6 d6 c7 b7 a8 f1 a6 h1 g8 d1 c2 b4 g2 b2 c1 b1 b5 c4"
)


@pytest.mark.parametrize("name", WINS)
def test_a_win_at_once_is_taken(name):
    first_state, moves, win, num_simulations = WINS[name]
    state = play(first_state, moves)
    assert moves_that_win_at_once(state) == {win}
    assert choices(state, num_simulations) == {win}


@pytest.mark.parametrize("name", BLOCKS)
def test_a_win_of_the_opponents_is_blocked(name):
    first_state, moves, block, num_simulations = BLOCKS[name]
    state = play(first_state, moves)
    assert not moves_that_win_at_once(state)
    assert moves_after_which_nobody_wins_at_once(state) == {block}
    assert choices(state, num_simulations) == {block}


@pytest.mark.parametrize(
    ("moves", "best", "value", "others"), [(REVERSI_WIN, "a8", 1, -1), (REVERSI_HOLD, "b8", 0, -1)]
)
def test_the_one_move_that_saves_a_game_of_reversi(moves, best, value, others):
    state = play(Reversi(), moves)
    memo = {}
    values = {
        state.action_to_string(action): minimax(state.child(action), memo)[state.current_player]
        for action in state.legal_actions()
    }
    assert values.pop(best) == value
    assert set(values.values()) == {others}
    assert choices(state, 2_000) == {best}


def test_a_double_threat_is_made_and_is_prevented():
    # Two in the middle of the bottom row, with room on both sides: whoever is to move plays next to
    # them. Red then has three with both ends open; Yellow stops that.
    red_to_move = play(ConnectFour(), "4 4 5 5")
    assert choices(red_to_move, 1_000) <= {"3", "6"}
    yellow_to_move = play(ConnectFour(), "4 4 5")
    assert choices(yellow_to_move, 3_000) <= {"3", "6"}
