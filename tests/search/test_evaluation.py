"""The terms of the evaluation of Reversi, against the same counted square by square.

A board is a dict of discs by (row, column), 1 for the player to move and -1 for the opponent.
"""

from dataclasses import replace

import numpy as np
import pytest

from mctslab import games
from mctslab.games import Reversi
from mctslab.search import ReversiEvaluation
from mctslab.search.knowledge.reversi import TERMS
from tests.games.playing import random_game

NOTHING = ReversiEvaluation(0, 0, 0, 0, 0, 0, 0)
STEPS = tuple((r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0))
AXES = ((0, 1), (1, 0), (1, 1), (1, -1))

Square = tuple[int, int]
Discs = dict[Square, int]


def random_boards(size: int, number: int = 100) -> list[tuple[int, int, int]]:
    """Discs thrown onto a board, from none to full, and the positions of two random games."""
    rng = np.random.default_rng(size)
    board = (1 << size * size) - 1
    positions = [(0, 0, 0), (board, 0, 0), (0, board, 0)]
    for share in rng.random(number):
        kinds = rng.choice(3, size * size, p=(1 - share, share / 2, share / 2)).tolist()
        own, opponent = (sum(1 << bit for bit, k in enumerate(kinds) if k == p) for p in (1, 2))
        positions.append((own, opponent, 0))
    for _ in range(2):
        positions += [state.compilable().position for state in random_game(Reversi(size), rng)]
    return positions


def discs_of(position: tuple[int, ...], size: int) -> Discs:
    """The discs on two bitboards."""
    own, opponent = position[:2]
    bits = {(bit // size, bit % size): 1 << bit for bit in range(size * size)}
    discs = {square: 1 for square, bit in bits.items() if own & bit}
    return discs | {square: -1 for square, bit in bits.items() if opponent & bit}


def all_squares(size: int) -> list[Square]:
    return [(row, col) for row in range(size) for col in range(size)]


def beside(square: Square, size: int) -> list[Square]:
    """The neighbours of a square, up to eight."""
    squares = [(square[0] + r, square[1] + c) for r, c in STEPS]
    return [(r, c) for r, c in squares if 0 <= r < size and 0 <= c < size]


# Each term, counted for one player (1 or -1) on a board


def corners(discs: Discs, player: int, size: int) -> int:
    ends = (0, size - 1)
    return sum(discs.get((row, col)) == player for row in ends for col in ends)


def beside_open_corners(discs: Discs, player: int, size: int, diagonally: bool) -> int:
    open_corners = {(r, c) for r in (0, size - 1) for c in (0, size - 1)} - discs.keys()
    found = {
        (r, c)
        for row, col in open_corners
        for r, c in beside((row, col), size)
        if diagonally == (r != row and c != col)
    }
    return sum(discs.get(each) == player for each in found)


def mobility(discs: Discs, player: int, size: int) -> int:
    """The squares from which a run of the other player's discs leads to one of the player's."""
    found = 0
    for row, col in set(all_squares(size)) - discs.keys():
        runs = [
            [discs.get((row + i * r, col + i * c), 0) * player for i in range(1, size)]
            for r, c in STEPS
        ]
        found += any(-1 in run[:1] and next(d for d in [*run, 0] if d >= 0) == 1 for run in runs)
    return found


def frontier(discs: Discs, player: int, size: int) -> int:
    return sum(
        disc == player and any(each not in discs for each in beside(square, size))
        for square, disc in discs.items()
    )


def parity(discs: Discs, player: int, size: int) -> int:
    """The regions of empty squares, odd ones for the player to move; squares that touch belong
    together."""
    waiting = set(all_squares(size)) - discs.keys()
    number = 0
    while waiting:
        reached = [waiting.pop()]
        for square in reached:
            found = waiting.intersection(beside(square, size))
            waiting -= found
            reached += found
        number += len(reached) % 2 == (player == 1)
    return number


def stability(discs: Discs, player: int, size: int) -> int:
    """The discs that are safe along all four lines, more and more of them."""
    own = {square for square, disc in discs.items() if disc == player}
    found: set[Square] = set()
    while True:
        new = {
            square
            for square in own - found
            if all(is_held(square, axis, discs, found, size) for axis in AXES)
        }
        if not new:
            return len(found)
        found |= new


def is_held(square: Square, axis: Square, discs: Discs, found: set[Square], size: int) -> bool:
    line, ends = [square], []
    for sign in (1, -1):
        here = (square[0] + sign * axis[0], square[1] + sign * axis[1])
        ends.append(here)
        while 0 <= here[0] < size and 0 <= here[1] < size:
            line.append(here)
            here = (here[0] + sign * axis[0], here[1] + sign * axis[1])
    is_full = all(each in discs for each in line)
    return is_full or any(end in found or end not in line for end in ends)


COUNTED = {
    "corners": corners,
    "x_squares": lambda *board: beside_open_corners(*board, diagonally=True),
    "c_squares": lambda *board: beside_open_corners(*board, diagonally=False),
    "mobility": mobility,
    "frontier": frontier,
    "parity": parity,
    "stability": stability,
}


@pytest.mark.parametrize("size", [4, 6, 8, 10])
@pytest.mark.parametrize("name", TERMS)
def test_a_term_counts_what_is_counted_square_by_square(name, size):
    geometry = games.reversi.geometry(size)
    differing = 0
    for position in random_boards(size):
        discs = discs_of(position, size)
        ours, theirs = (COUNTED[name](discs, player, size) for player in (1, -1))
        assert TERMS[name](position, geometry) == (ours, theirs), discs
        differing += ours != theirs
    assert differing > 20


# The evaluation


@pytest.mark.parametrize("name", TERMS)
def test_a_term_can_be_switched_off_and_changes_sides_with_the_mover(name):
    """And at the end of a game discs are counted."""
    full = ReversiEvaluation()
    weight = getattr(full, name)
    alone, without = replace(NOTHING, **{name: weight}), replace(full, **{name: 0})
    *line, last = random_game(Reversi(6), np.random.default_rng(5))
    for state in line:
        first, second = full.counts(state)[name]
        assert alone(state) == weight * (first - second)
        assert alone(state) + without(state) == full(state)
        assert name not in without.counts(state)
    black, white = last.disc_counts()
    assert full(last) == NOTHING(last) == black - white != 0
