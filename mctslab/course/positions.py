"""Positions of games for inputs: after given moves, after random ones, and drawn as text."""

import itertools
from collections.abc import Sequence

import numpy as np

from mctslab.games.state import State


def after(state: State, moves: str | Sequence[int]) -> State:
    """The position after these moves: names separated by blanks, such as `b2 a1`, or actions."""
    for move in moves.split() if isinstance(moves, str) else moves:
        state = state.child(state.string_to_action(move) if isinstance(move, str) else move)
    return state


def moves_at_random(rng: np.random.Generator, state: State, num_moves: int) -> list[int]:
    """Random moves from `state`, fewer if the game is over before."""
    moves: list[int] = []
    while len(moves) < num_moves and not state.is_terminal:
        moves.append(int(rng.choice(state.legal_actions())))
        state = state.child(moves[-1])
    return moves


def after_random_moves(rng: np.random.Generator, state: State, num_moves: int) -> State:
    """The position after at most `num_moves` random moves."""
    return after(state, moves_at_random(rng, state, num_moves))


def squares_of(board: str, signs: str) -> tuple[int, ...]:
    """The squares of a board that is written in rows, separated by blanks.

    >>> squares_of("X. OX", "XO")
    (0, -1, 1, 0)
    """
    return tuple(signs.find(sign) for row in board.split() for sign in row)


def drawing(squares: Sequence[int], num_cols: int, signs: str) -> str:
    """A board as text, in rows: the first sign for each 0, the second for each 1, dots for -1."""
    marks = [(*signs, ".")[square] for square in squares]
    rows = (marks[start : start + num_cols] for start in range(0, len(marks), num_cols))
    return "\n".join(" ".join(row) for row in rows)


def lines_on(rows: int, cols: int, length: int) -> list[tuple[int, ...]]:
    """All lines of `length` squares on a board: level, upright, and on both diagonals."""
    found = []
    for row, col in itertools.product(range(rows), range(cols)):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            last_row, last_col = row + (length - 1) * down, col + (length - 1) * right
            if last_row < rows and 0 <= last_col < cols:
                steps = range(length)
                found.append(tuple((row + i * down) * cols + col + i * right for i in steps))
    return found
