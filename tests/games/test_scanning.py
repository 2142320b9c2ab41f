"""The rules once more, the slow and obvious way: on lists of rows, square by square.

Nothing here shares a line or an idea with the bitboards: a win is found by looking at every run on
the board, a flip by walking from the square.
"""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from mctslab import games
from mctslab.boards import EMPTY
from mctslab.boards.board import square_bits
from mctslab.games import connect_four, gomoku, reversi
from tests.games.playing import random_game

Grid = list[list[int]]
ALL_STEPS = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]


def content(grid: Grid, row: int, col: int) -> int | None:
    """What lies there; None off the board."""
    inside = 0 <= row < len(grid) and 0 <= col < len(grid[0])
    return grid[row][col] if inside else None


# In a row


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


def follow(first_state, rng, wins, play) -> Counter[str]:
    """Play a random game on a grid as well and compare each position; returns what was seen.

    `wins` tells whether a run of a length wins, `play` gives the square of an action.
    """
    board = first_state.board()
    grid = [[EMPTY] * board.cols for _ in range(board.rows)]
    mover, seen = 0, Counter()
    for state in random_game(first_state, rng):
        winning = []
        if state.last_action is not None:
            row, col = play(grid, state.last_action)
            assert grid[row][col] == EMPTY
            grid[row][col] = mover
            found = runs(grid, mover)
            winning = sorted({square for run in found if wins(len(run)) for square in run})
            longer = any(wins(length) for run in found for length in range(len(run)))
            seen["longer row"] += longer
            seen["longer row goes on"] += longer and not winning
            mover = 1 - mover
        squares = [stone for row in grid for stone in row]
        full = EMPTY not in squares
        assert list(state.board().stones) == squares
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

            def wins(length, needed=in_a_row):
                return length == needed if exactly else length >= needed

            for _ in range(60 if size < 6 else 1):
                seen += follow(first_state, rng, wins, lambda grid, a: divmod(a, len(grid)))
    # The test is worth something only if these have happened.
    assert seen["win on the last empty square"] >= 3
    assert seen["draw"] >= 3
    assert seen["longer row"] >= 3
    assert (seen["longer row goes on"] >= 3) == exactly


def lands_at(grid: Grid, col: int) -> tuple[int, int]:
    """The lowest empty place of a column; row 0 is at the top."""
    return max(row for row in range(len(grid)) if grid[row][col] == EMPTY), col


def test_connect_four_is_won_by_the_runs_on_the_board():
    rng = np.random.default_rng(4)
    seen = Counter()
    for rows, cols in [(6, 7), (4, 4), (4, 5), (5, 4), (7, 8), (8, 7), (4, 26), (26, 4), (9, 9)]:
        for _ in range(60 if rows * cols < 30 else 10):
            first_state = games.ConnectFour(rows, cols)
            seen += follow(first_state, rng, lambda length: length >= 4, lands_at)
    assert seen["win on the last empty square"] >= 1
    assert seen["draw"] >= 3


@pytest.mark.parametrize(("rows", "cols"), [(6, 7), (4, 4), (7, 8), (26, 26)])
def test_pieces_land_on_the_lowest_free_square_of_columns_that_are_not_full(rows, cols):
    rng = np.random.default_rng(rows)
    geometry = connect_four.geometry(rows, cols)
    column_bits, columns = geometry.column_bits, geometry.columns
    for _ in range(200):
        heights = rng.integers(0, rows + 1, cols).tolist()
        bits = [
            col * column_bits + row for col, height in enumerate(heights) for row in range(height)
        ]
        landing = {
            col * column_bits + height for col, height in enumerate(heights) if height < rows
        }
        found = connect_four.legal_moves((sum(1 << bit for bit in bits), 0, 0), geometry)
        assert set(square_bits(found)) == landing
        for col, column in enumerate(columns):
            assert set(square_bits(column)) == {col * column_bits + row for row in range(rows)}


@pytest.mark.parametrize("size", [3, 9, 15])
def test_squares_share_a_line_exactly_when_they_lie_in_one(size):
    lines = {
        (row, col): dict(gomoku.lines_through(row, col, size))
        for row in range(size)
        for col in range(size)
    }
    num_lines = gomoku.geometry(size, 3, exactly_five=False).num_lines
    assert {number for through in lines.values() for number in through} == set(range(num_lines))
    for one, other in combinations(lines, 2):
        (row, col), (other_row, other_col) = one, other
        distance = max(abs(row - other_row), abs(col - other_col))
        in_line = (
            row == other_row or col == other_col or abs(row - other_row) == abs(col - other_col)
        )
        shared = lines[one].keys() & lines[other].keys()
        assert len(shared) == in_line
        for line in shared:
            assert abs(lines[one][line] - lines[other][line]) == distance


def test_tictactoe_is_won_by_the_runs_on_the_board():
    rng = np.random.default_rng(5)
    seen = Counter()
    for _ in range(200):
        seen += follow(
            games.TicTacToe(), rng, lambda length: length == 3, lambda grid, a: divmod(a, 3)
        )
    assert min(seen["win on the last empty square"], seen["draw"]) >= 10


# Flips


def flips(grid: Grid, row: int, col: int, player: int) -> set[tuple[int, int]]:
    """The discs that turn when the player puts one on an empty square."""
    turned: set[tuple[int, int]] = set()
    for down, right in ALL_STEPS:
        run = []
        here = (row + down, col + right)
        while content(grid, *here) == 1 - player:
            run.append(here)
            here = (here[0] + down, here[1] + right)
        if content(grid, *here) == player:
            turned.update(run)
    return turned


def moves(grid: Grid, player: int) -> list[int]:
    size = len(grid)
    return [
        row * size + col
        for row in range(size)
        for col in range(size)
        if grid[row][col] == EMPTY and flips(grid, row, col, player)
    ]


@pytest.mark.parametrize(("size", "num_games"), [(4, 300), (6, 60), (8, 25), (10, 10)])
def test_reversi_is_played_by_walking_from_the_square(size, num_games):
    rng = np.random.default_rng(size)
    seen = Counter()
    for _ in range(num_games):
        seen += follow_reversi(games.Reversi(size), rng)
    assert seen["pass"] >= 1
    if size == 4:
        assert min(seen["ends with empty squares"], seen["wiped out"]) >= 3


def follow_reversi(first_state: games.Reversi, rng) -> Counter[str]:
    """Play a random game on a grid as well and compare each position; returns what was seen."""
    size = first_state.board().rows
    low, high = size // 2 - 1, size // 2
    grid = [[EMPTY] * size for _ in range(size)]
    grid[low][high] = grid[high][low] = 0
    grid[low][low] = grid[high][high] = 1
    mover, seen = 0, Counter()
    for state in random_game(first_state, rng):
        if state.last_action is not None:
            if state.last_action == size**2:
                assert not moves(grid, mover)
                seen["pass"] += 1
            else:
                row, col = divmod(state.last_action, size)
                for r, c in [*flips(grid, row, col, mover), (row, col)]:
                    grid[r][c] = mover
            mover = 1 - mover
        squares = [stone for row in grid for stone in row]
        assert list(state.board().stones) == squares
        assert state.disc_counts() == (squares.count(0), squares.count(1))
        assert state.current_player == mover
        legal = moves(grid, mover)
        if not legal and moves(grid, 1 - mover):
            legal = [size**2]
        assert list(state.legal_actions()) == legal
        assert state.is_terminal == (not legal)
    lead = squares.count(0) - squares.count(1)
    assert state.returns() == (np.sign(lead), -np.sign(lead))
    seen["ends with empty squares"] += EMPTY in squares
    seen["wiped out"] += 0 not in squares or 1 not in squares
    return seen


@pytest.mark.parametrize("size", [4, 6, 8, 10])
def test_flips_on_boards_that_no_game_reaches(size):
    """Random discs everywhere: every edge, every corner, every length of run."""
    rng = np.random.default_rng(size)
    geometry = reversi.geometry(size)
    for _ in range(300):
        share = rng.random()
        grid = rng.choice([EMPTY, 0, 1], (size, size), p=[1 - share, share / 2, share / 2]).tolist()
        own, opponent = (
            sum(1 << row * size + col for row in range(size) for col in range(size)
                if grid[row][col] == player)
            for player in (0, 1)
        )  # fmt: skip
        legal = reversi.legal_moves((own, opponent, 0), geometry)
        assert legal == sum(1 << square for square in moves(grid, 0))
        for square in range(size**2):
            row, col = divmod(square, size)
            if grid[row][col] == EMPTY:
                flipped = reversi.flipped_discs(own, opponent, square, geometry)
                assert flipped == sum(1 << r * size + c for r, c in flips(grid, row, col, 0))
