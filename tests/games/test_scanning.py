"""The rules once more, the slow and obvious way: on lists of rows, square by square.

Nothing here shares a line or an idea with the bitboards: a win is found by looking at every run on
the board.
"""

from collections import Counter

import numpy as np
import pytest

from mctslab import games
from mctslab.boards import EMPTY
from mctslab.games import State
from tests.games.playing import random_game

Grid = list[list[int]]


def content(grid: Grid, row: int, col: int) -> int | None:
    """What lies there; None off the board."""
    inside = 0 <= row < len(grid) and 0 <= col < len(grid[0])
    return grid[row][col] if inside else None


def runs(grid: Grid, player: int) -> list[list[int]]:
    """Every longest run of the player's stones, as squares; a lone stone is four runs of one."""
    found = []
    for row in range(len(grid)):
        for col in range(len(grid[0])):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if grid[row][col] != player or content(grid, row - down, col - right) == player:
                    continue
                run = []
                here = (row, col)
                while content(grid, *here) == player:
                    run.append(here[0] * len(grid[0]) + here[1])
                    here = (here[0] + down, here[1] + right)
                found.append(run)
    return found


def place_of(state: State, grid: Grid, action: int) -> tuple[int, int]:
    """The row and column of an action; in Connect Four the lowest empty place, row 0 at the top."""
    if state.game != "connect_four":
        return divmod(action, len(grid))
    return max(row for row in range(len(grid)) if grid[row][action] == EMPTY), action


def follow(first_state: State, rng, lengths: range) -> Counter[str]:
    """Play a random game on a grid as well and compare each position; returns what was seen.

    A run of one of `lengths` wins.
    """
    board = first_state.board()
    grid = [[EMPTY] * board.cols for _ in range(board.rows)]
    mover, seen = 0, Counter()
    for state in random_game(first_state, rng):
        winning = []
        if state.last_action is not None:
            row, col = place_of(state, grid, state.last_action)
            assert grid[row][col] == EMPTY
            grid[row][col] = mover
            found = runs(grid, mover)
            winning = sorted({s for run in found if len(run) in lengths for s in run})
            longer = any(len(run) > lengths.start for run in found)
            seen["longer row"] += longer
            seen["longer row goes on"] += longer and not winning
            mover = 1 - mover
        stones = [stone for row in grid for stone in row]
        full = EMPTY not in stones
        assert list(state.board().stones) == stones
        assert list(state.board().winning_squares) == winning
        assert state.is_terminal == (bool(winning) or full)
        if state.is_terminal:
            winner = 1 - mover
            assert state.returns() == ((0, 0) if not winning else ((1, -1), (-1, 1))[winner])
            seen["win on the last empty square"] += bool(winning) and full
            seen["draw"] += not winning
        else:
            assert state.current_player == mover
    return seen


@pytest.mark.parametrize("exactly", [False, True], ids=["freestyle", "exactly"])
def test_gomoku_is_won_by_the_runs_on_the_board(exactly):
    rng = np.random.default_rng(3)
    seen = Counter()
    for size in (3, 4, 5, 6, 7, 8, 11, 15, 19):
        for in_a_row in range(3, min(size, 6) + 1):
            first_state = games.Gomoku(size, in_a_row, exactly_five=exactly)
            lengths = range(in_a_row, in_a_row + 1 if exactly else 20)
            for _ in range(60 if size < 6 else 1):
                seen += follow(first_state, rng, lengths)
    # The test is worth something only if these have happened.
    assert min(seen["win on the last empty square"], seen["draw"], seen["longer row"]) >= 3
    assert (seen["longer row goes on"] >= 3) == exactly


def test_connect_four_and_tictactoe_are_won_by_the_runs_on_the_board():
    rng = np.random.default_rng(4)
    seen = Counter()
    for rows, cols in [(6, 7), (4, 4), (4, 5), (5, 4), (7, 8), (8, 7), (4, 26), (26, 4), (9, 9)]:
        for _ in range(60 if rows * cols < 30 else 10):
            seen += follow(games.ConnectFour(rows, cols), rng, range(4, 27))
    assert seen["win on the last empty square"] >= 1
    assert seen["draw"] >= 3
    for _ in range(100):
        follow(games.TicTacToe(), rng, range(3, 4))
