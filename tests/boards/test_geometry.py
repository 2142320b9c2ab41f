"""Where things are on a board, worked out by hand."""

import math
from dataclasses import replace

import pytest

from mctslab.boards import EMPTY, Board, BoardStyle
from mctslab.boards.board import winning_chain, winning_squares
from mctslab.boards.geometry import Grid, winning_runs


def points_board(rows, cols, winners=()):
    columns, labels = tuple("abcdefghij"[:cols]), tuple(str(row + 1) for row in range(rows))
    stones = (EMPTY,) * (rows * cols)
    return Board(rows, cols, BoardStyle.POINTS, stones, columns, labels, winning_squares=winners)


def test_on_hexagons_the_six_neighbours_are_all_as_near():
    board = Board(3, 3, BoardStyle.HEXES, (EMPTY,) * 9, tuple("abc"), tuple("123"))
    grid = Grid.of(board, band=10)
    middle = grid.center(4)
    distances = {square: math.dist(middle, grid.center(square)) for square in grid.squares}
    near = {square for square, distance in distances.items() if distance == pytest.approx(40)}
    assert near == {1, 2, 3, 5, 6, 7}  # all but a1 and c3, and itself
    x, y = grid.center(8)
    assert (x + 20 + 10, y + 40 / math.sqrt(3) + 10) == pytest.approx((grid.width, grid.height))


@pytest.mark.parametrize(
    ("winners", "runs"),
    [
        ((), ()),
        ((7, 8, 9, 10), ((7, 8, 9, 10),)),  # along a row
        ((3, 10, 17, 24), ((3, 10, 17, 24),)),  # down a column
        ((0, 8, 16, 24), ((0, 8, 16, 24),)),  # down to the right
        ((6, 12, 18, 24), ((6, 12, 18, 24),)),  # down to the left
        ((24, 6, 18, 12), ((6, 12, 18, 24),)),  # in any order
        ((6, 7, 13), ()),  # 6 ends row 0 and 7 begins row 1: no line
        ((0, 1, 8), ()),  # two are no line
        ((21, 22, 23, 24, 3, 10, 17), ((3, 10, 17, 24), (21, 22, 23, 24))),  # two lines at once
    ],
)
def test_winning_runs_go_from_end_to_end(winners, runs):
    assert winning_runs(points_board(6, 7, winners)) == runs


@pytest.mark.parametrize(
    ("stones", "player", "chain"),
    [
        ("0.. 0.. 0..", 0, (0, 3, 6)),
        (".0. 0.. 0..", 0, (1, 3, 6)),  # b1 and a2 are neighbours
        ("0.. .0. ..0", 0, ()),  # a1 and b2 are not
        ("... 111 ...", 1, (3, 4, 5)),
        ("00. 00. 00.", 0, (0, 3, 6)),  # a shortest one
        ("... 111 ...", 0, ()),
    ],
)
def test_a_winning_chain_joins_the_sides_of_its_player(stones, player, chain):
    squares = tuple(EMPTY if stone == "." else int(stone) for stone in stones.replace(" ", ""))
    board = Board(3, 3, BoardStyle.HEXES, squares, tuple("abc"), tuple("123"))
    assert winning_chain(board, player) == chain
    won = winning_chain(board, 1 - player) or chain
    assert winning_squares(board) == won
    assert winning_runs(board) == ((won,) if won else ())
    bare = replace(board, stones=(EMPTY,) * 9, winning_squares=won)
    assert winning_runs(bare) == winning_runs(board), "as a film draws it, without the stones"
