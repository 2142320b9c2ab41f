"""The solver of Connect Four, against those who know better: BitBully, minimax, and symmetry.

BitBully is a perfect player in C++ by other people: Thill (2024), github.com/MarkusThill/BitBully.
"""

import copy
import pickle
import platform
import sys
from typing import Any

import numpy as np
import pytest

from mctslab import games
from mctslab.games import ConnectFour, Reversi
from mctslab.search.alphabeta import Returns, minimax
from mctslab.solvers import connect_four
from mctslab.solvers.connect_four import ConnectFourSolver
from mctslab.solvers.endgame import EndgameSolver
from tests.games.playing import late
from tests.search.toys import play

PLIES = range(13, 41)


@pytest.fixture(scope="module")
def solver() -> ConnectFourSolver:
    return ConnectFourSolver()


def open_positions(num: int, seed: int, plies: range = PLIES) -> list[ConnectFour]:
    """Positions where the game goes on; as many at each of `plies` as at another."""
    rng = np.random.default_rng(seed)
    return [late(ConnectFour(), 42 - plies[index % len(plies)], rng) for index in range(num)]


# Against BitBully


class BitBully:
    """The other solver; it is handed the squares, not the moves."""

    def __init__(self) -> None:
        # There are builds of it for these, and there it must not be missing.
        if (sys.platform, platform.machine()) not in {
            ("linux", "x86_64"),
            ("darwin", "arm64"),
            ("win32", "AMD64"),
        }:
            pytest.importorskip("bitbully", reason="BitBully has no build for this system")
        from bitbully import bitbully_core

        self._core = bitbully_core
        self._solver = bitbully_core.BitBullyCore()

    def board(self, state: ConnectFour) -> Any:
        board = self._core.BoardCore()
        squares = np.array(state.board().stones).reshape(6, 7)  # the top row first
        yellow_and_red = np.where(squares == 0, 1, np.where(squares == 1, 2, 0))
        assert board.setBoard(yellow_and_red.tolist())
        return board

    def scores(self, state: ConnectFour) -> dict[int, int]:
        """For each action, for the player who takes it: above 0 a win, the larger the earlier."""
        scores = self._solver.scoreMoves(self.board(state))
        return {action: scores[action] for action in state.legal_actions()}

    def plies_left(self, state: ConnectFour, scores: dict[int, int]) -> int | None:
        best = max(scores.values())
        return self._solver.scoreToMovesLeft(best, self.board(state)) if best else None


@pytest.fixture(scope="module")
def bitbully() -> BitBully:
    return BitBully()


def test_every_verdict_is_that_of_bitbully(solver, bitbully):
    """With all moves 460 verdicts: were one in a hundred wrong, these would miss it once in a
    hundred runs; the positions are always the same."""
    seen = set()
    for state in open_positions(3 * len(PLIES), seed=2026):
        scores = bitbully.scores(state)
        verdicts = solver.solve_moves(state)
        assert verdicts == {action: int(np.sign(score)) for action, score in scores.items()}, state
        assert solver.solve(state) == max(verdicts.values())
        assert solver.distance(state) == bitbully.plies_left(state, scores), state
        seen |= set(verdicts.values())
    assert seen == {-1, 0, 1}
    for state in open_positions(3, seed=8, plies=range(9, 12)):
        assert solver.solve(state) == np.sign(max(bitbully.scores(state).values()))


# Against minimax


@pytest.mark.parametrize(("rows", "cols", "ply"), [(4, 4, 6), (4, 5, 10), (5, 4, 10), (7, 8, 46)])
def test_other_boards_are_solved_as_by_minimax(rows, cols, ply, monkeypatch):
    """Also one that fills all of 64 bits, and with a table so small that it forgets."""
    solver, rng = ConnectFourSolver(rows, cols), np.random.default_rng(rows * 10 + cols)
    monkeypatch.setattr(connect_four, "TABLE_SIZE", 2)
    forgetful = ConnectFourSolver(rows, cols)
    memo: dict[ConnectFour, Returns] = {}
    for _ in range(20):
        state = late(ConnectFour(rows, cols), rows * cols - ply, rng)
        mover = state.current_player
        moves = {each: minimax(state.child(each), memo)[mover] for each in state.legal_actions()}
        assert forgetful.solve_moves(state) == solver.solve_moves(state) == moves, state
        assert forgetful.solve(state) == solver.solve(state) == max(moves.values())
        assert forgetful.distance(state) == solver.distance(state)


# Errors


def test_what_cannot_be_solved_is_refused(solver):
    won = play(ConnectFour(), "4 1 4 1 4 1 4")
    for method in (solver.solve, solver.solve_moves, solver.distance):
        for state, words in (
            (games.TicTacToe(), "Connect Four only"), (ConnectFour(4, 5), "4 x 5"), (won, "over"),
        ):  # fmt: skip
            with pytest.raises(ValueError, match=words):
                method(state)
    with pytest.raises(ValueError, match="64 bits"):
        ConnectFourSolver(8, 8)


def test_solvers_can_be_copied_and_sent_to_another_process():
    for solver, state in (
        (ConnectFourSolver(4, 4), ConnectFour(4, 4)),
        (EndgameSolver(4), Reversi(4)),
    ):
        for copied in (copy.deepcopy(solver), pickle.loads(pickle.dumps(solver))):
            assert copied.solve(state) == solver.solve(state)
