"""Symmetries: the rotations and reflections of a board that leave the rules of a game the same.

What is known about one position is then known about all its rotations and reflections. A book keeps
one entry for them, and a net learns from each position in all its orientations.
"""

import functools
from typing import NamedTuple


class Symmetry(NamedTuple):
    """One way to rotate or mirror a board, as permutations."""

    squares: tuple[int, ...]
    """[squares]: the square to which each square goes."""
    actions: tuple[int, ...]
    """[actions]: the action that each action becomes."""


def identity(num_squares: int, num_actions: int) -> Symmetry:
    """The symmetry that leaves everything where it is."""
    return Symmetry(tuple(range(num_squares)), tuple(range(num_actions)))


@functools.cache
def turns_and_mirrors(size: int, num_actions: int) -> tuple[Symmetry, ...]:
    """The eight symmetries of a square board whose actions are its squares.

    An action above the squares, such as a pass, stays the same.

    >>> turns_and_mirrors(2, 4)[1].squares  # a quarter turn, clockwise
    (1, 3, 0, 2)
    """
    others = tuple(range(size * size, num_actions))
    symmetries = []
    for is_mirrored in (False, True):
        squares = [(row, size - 1 - col if is_mirrored else col) for row, col in _squares(size)]
        for _ in range(4):
            moved = tuple(row * size + col for row, col in squares)
            symmetries.append(Symmetry(moved, moved + others))
            squares = [(col, size - 1 - row) for row, col in squares]
    return tuple(symmetries)


@functools.cache
def mirror(rows: int, cols: int) -> tuple[Symmetry, ...]:
    """Left and right, on a board whose actions are its columns.

    >>> mirror(1, 3)[1].actions
    (2, 1, 0)
    """
    squares = tuple(row * cols + cols - 1 - col for row in range(rows) for col in range(cols))
    return identity(rows * cols, cols), Symmetry(squares, tuple(reversed(range(cols))))


def _squares(size: int) -> list[tuple[int, int]]:
    return [(row, col) for row in range(size) for col in range(size)]
