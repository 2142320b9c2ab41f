"""The endgame solver, against those who know better: minimax and a published value."""

import numpy as np
import pytest

from mctslab import games
from mctslab.games import Reversi
from mctslab.solvers import EndgameSolver, endgame
from tests.games.playing import for_mover, late, must_pass

Differences = dict[Reversi, int]


@pytest.fixture(scope="module")
def solver() -> EndgameSolver:
    return EndgameSolver()


def endgames(num: int, num_empty: int, seed: int, size: int = 8) -> list[Reversi]:
    rng = np.random.default_rng(seed)
    return [late(Reversi(size), num_empty, rng) for _ in range(num)]


def position(own: int, opponent: int, player: int = 0) -> Reversi:
    """The position with these discs, `player` to move and to own the first."""
    state = Reversi()
    state._arrive((own, opponent, player))
    return state


def minimax(state: Reversi, memo: Differences) -> int:
    """What Black gets under perfect play: every child of every position is looked at."""
    if state not in memo:
        if state.is_terminal:
            black, white = state.disc_counts()
            memo[state] = black - white
        else:
            best = max if state.current_player == 0 else min
            memo[state] = best(minimax(state.child(a), memo) for a in state.legal_actions())
    return memo[state]


# Against minimax


@pytest.mark.parametrize(
    ("size", "num", "num_empty"), [(8, 60, 2), (8, 40, 6), (8, 5, 8), (6, 20, 7)]
)
def test_endgames_are_solved_as_by_minimax(size, num, num_empty):
    solver, with_a_pass = EndgameSolver(size), 0
    for state in endgames(num, num_empty, seed=1, size=size):
        memo: Differences = {}
        value = for_mover(state, minimax(state, memo))
        moves = {each: for_mover(state, memo[state.child(each)]) for each in state.legal_actions()}
        assert solver.solve(state) == value, state
        assert solver.solve_moves(state) == moves, state
        with_a_pass += any(must_pass(each) for each in memo)
    assert with_a_pass > num / 8


def test_a_whole_game_is_solved_as_by_minimax(monkeypatch):
    """Also by a solver whose table is so small that it forgets."""
    first, memo = Reversi(4), {}
    assert minimax(first, memo) == -8
    solver = EndgameSolver(4)
    monkeypatch.setattr(endgame, "LATE_TABLE_SIZE", 2)
    forgetful = EndgameSolver(4)
    seen = {"pass": 0, "wipe-out": 0, "draw": 0, "squares left": 0}
    for state, black in list(memo.items())[::25]:
        if not state.is_terminal:
            assert solver.solve(state) == forgetful.solve(state) == for_mover(state, black), state
            seen["pass"] += must_pass(state)
            children = [state.child(a) for a in state.legal_actions()]
            seen["wipe-out"] += any(
                each.is_terminal and 0 in each.disc_counts() for each in children
            )
            seen["draw"] += black == 0
            seen["squares left"] += black % 2
    assert min(seen.values()) > 5, seen


# Against a published value


def test_a_published_position_of_twenty_empty_squares_is_solved():
    # Number 40 of the FFO endgame test suite, of the French federation of Othello, X to move: 38
    # by all strong programs. So are 41 and 42, of 22 empty squares (0 and 6), which take longer.
    squares = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------"
    own, opponent = (sum(1 << at for at in range(64) if squares[at] == disc) for disc in "XO")
    assert EndgameSolver().solve(position(own, opponent)) == 38


# Errors


class OwnRules(Reversi):
    """A game that may have nothing in common with Reversi but its squares."""

    rules = Reversi.rules._replace(outcome=lambda position, moves, geometry: 0)


def test_what_cannot_be_solved_is_refused(solver):
    for question in (solver.solve, solver.solve_moves):
        for state, words in (
            (games.TicTacToe(), "Reversi only"),
            (OwnRules(), "Reversi only"),
            (position(own=1, opponent=0), "over"),
            (Reversi(6), r"for boards of 8 x 8.*6 x 6"),
        ):
            with pytest.raises(ValueError, match=words):
                question(state)
    for size, words in ((7, "odd"), (10, "10 x 10 is too large")):
        with pytest.raises(ValueError, match=words):
            EndgameSolver(size)
