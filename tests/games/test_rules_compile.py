"""The rules of the readable games serve a compiled search, too: Numba takes them as they are.

What is compiled here is the very function that the states call. Bitboards and what follows from the
size of a board come in as np.uint64; shifted out of its 64 bits, a Python int grows and a uint64
drops the bit, so the comparisons are made on boards that are full up to their edges.
"""

from typing import Any

import numba
import numpy as np
import pytest
from numba import njit
from numba.extending import register_jitable

from mctslab.games import bitboards, connect_four, gomoku, reversi, tictactoe

NUM_BOARDS = 20_000

# A compiled function may call these by their ordinary names.
for rule in (
    connect_four.has_four,
    connect_four.landing_squares,
    gomoku.has_winning_run,
    gomoku.lines_through,
    gomoku.run_starts,
    reversi.flipped_mask,
    reversi.legal_mask,
    tictactoe.has_line,
):
    register_jitable(rule)


def typed(value: Any) -> Any:
    """`value` with every int in it, however deep in tuples, as np.uint64."""
    return tuple(map(typed, value)) if isinstance(value, tuple) else np.uint64(value)


def random_boards(rng: np.random.Generator, board: int, number: int) -> list[tuple[int, int]]:
    """Pairs of disjoint bitboards within `board`, from nearly empty to full."""
    pairs = []
    for _ in range(number):
        words = rng.integers(0, 2**64, size=3, dtype=np.uint64).tolist()
        sparse = rng.integers(0, 2**64, dtype=np.uint64).item() if rng.random() < 0.5 else 2**64 - 1
        own = words[0] & words[1] & sparse if rng.random() < 0.3 else words[0] & sparse
        pairs.append((own & board, words[2] & ~own & sparse & board))
    return pairs


def assert_types(compiled: Any, result: Any) -> None:
    """One version was compiled, and its result is not, say, a float or an int64."""
    (signature,) = compiled.nopython_signatures
    assert signature.return_type == result


# Reversi


@pytest.fixture(scope="module")
def legal_mask() -> Any:
    return njit(reversi.legal_mask)


@pytest.fixture(scope="module")
def flipped_mask() -> Any:
    return njit(reversi.flipped_mask)


@pytest.mark.parametrize("size", [4, 6, 8])
def test_reversi_compiles_from_the_same_functions(size, legal_mask, flipped_mask):
    geometry = reversi.geometry(size)
    board, axes = geometry.board, geometry.axes
    rng = np.random.default_rng(size)
    for own, opponent in random_boards(rng, board, NUM_BOARDS):
        legal = reversi.legal_mask(own, opponent, board, axes)
        assert legal_mask(typed(own), typed(opponent), typed(board), typed(axes)) == legal
        disc = legal & -legal or ~(own | opponent) & board
        disc &= -disc
        flipped = reversi.flipped_mask(own, opponent, disc, axes)
        assert flipped_mask(typed(own), typed(opponent), typed(disc), typed(axes)) == flipped
        assert (flipped != 0) == (legal != 0)
    assert_types(legal_mask, numba.uint64)
    assert_types(flipped_mask, numba.uint64)


@njit
def perft(own, opponent, plies, ended, board, axes, one):  # type: ignore[no-untyped-def]
    """How many ways there are to play so many plies; a game that is over before counts `ended`."""
    if plies == 0:
        return 1
    legal = reversi.legal_mask(own, opponent, board, axes)
    if not legal:
        if not reversi.legal_mask(opponent, own, board, axes):
            return ended
        return perft(opponent, own, plies - 1, ended, board, axes, one)
    ways = 0
    while legal:
        disc = legal & (~legal + one)
        legal ^= disc
        if plies == 1:
            ways += 1
        else:
            flipped = reversi.flipped_mask(own, opponent, disc, axes)
            ways += perft(
                opponent ^ flipped, own | disc | flipped, plies - 1, ended, board, axes, one
            )
    return ways


def test_perft_of_reversi_to_ply_10_in_both_conventions():
    """228 games are over after nine plies. At ply 10 one convention still counts them."""
    geometry = reversi.geometry(8)
    first = reversi.Reversi()
    own, opponent = typed(first.stones_of(0)), typed(first.stones_of(1))
    rest = (typed(geometry.board), typed(geometry.axes), np.uint64(1))
    assert perft(own, opponent, 8, 0, *rest) == 390_216
    assert perft(own, opponent, 9, 0, *rest) == perft(own, opponent, 9, 1, *rest) == 3_005_288
    assert perft(own, opponent, 10, 1, *rest) == 24_571_284
    assert perft(own, opponent, 10, 0, *rest) == 24_571_284 - 228 == 24_571_056


# Connect Four


@pytest.fixture(scope="module")
def has_four() -> Any:
    return njit(connect_four.has_four)


@pytest.fixture(scope="module")
def landing_squares() -> Any:
    return njit(connect_four.landing_squares)


@pytest.mark.parametrize(("rows", "cols"), [(6, 7), (4, 4), (5, 10), (12, 4), (7, 8), (15, 4)])
def test_connect_four_compiles_from_the_same_functions(rows, cols, has_four, landing_squares):
    """7 x 8 and 15 x 4 need all 64 bits."""
    geometry = connect_four.geometry(rows, cols)
    rng = np.random.default_rng(rows)
    won = 0
    for own, _ in random_boards(rng, geometry.board, NUM_BOARDS // 4):
        four = connect_four.has_four(own, geometry.steps)
        assert has_four(typed(own), typed(geometry.steps)) is four
        won += four
        heights = rng.integers(0, rows + 1, cols).tolist()
        filled = sum((1 << h) - 1 << col * (rows + 1) for col, h in enumerate(heights))
        landing = connect_four.landing_squares(filled, geometry.bottom, geometry.board)
        arguments = (typed(filled), typed(geometry.bottom), typed(geometry.board))
        assert landing_squares(*arguments) == landing
    assert 0 < won < NUM_BOARDS // 4
    assert_types(has_four, numba.boolean)
    assert_types(landing_squares, numba.uint64)


# Tic-Tac-Toe


def test_tictactoe_compiles_from_the_same_function():
    has_line = njit(tictactoe.has_line)
    for marks in range(512):
        expected = tictactoe.has_line(marks, tictactoe.LINES)
        assert has_line(typed(marks), typed(tictactoe.LINES)) is expected
    assert_types(has_line, numba.boolean)


# Gomoku


@pytest.mark.parametrize("kind", [np.uint64, np.int64, np.uint32])
def test_gomoku_compiles_from_the_same_functions(kind):
    """A line has at most 26 bits, so any kind of int will do."""
    run_starts, has_winning_run = njit(gomoku.run_starts), njit(gomoku.has_winning_run)
    rng = np.random.default_rng(1)
    full = bitboards.MAXIMUM_SIZE
    for _ in range(NUM_BOARDS):
        line = int(rng.integers(1 << full) | rng.integers(1 << full))
        in_a_row = int(rng.integers(3, 8))
        exactly = bool(rng.random() < 0.5)
        assert run_starts(kind(line), in_a_row) == gomoku.run_starts(line, in_a_row)
        expected = gomoku.has_winning_run(line, in_a_row, exactly)
        assert has_winning_run(kind(line), in_a_row, exactly) is expected
    assert_types(has_winning_run, numba.boolean)


def test_lines_of_gomoku_compile_from_the_same_function():
    lines_through = njit(gomoku.lines_through)
    for size in range(3, bitboards.MAXIMUM_SIZE + 1):
        for row in range(size):
            for col in range(size):
                assert lines_through(row, col, size) == gomoku.lines_through(row, col, size)
