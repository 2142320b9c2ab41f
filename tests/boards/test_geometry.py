"""Where things are on a board, worked out by hand."""

import pytest

from mctslab.boards import EMPTY, Board, BoardStyle
from mctslab.boards.geometry import winning_runs


def points_board(rows, cols, winners=()):
    columns, labels = tuple("abcdefghij"[:cols]), tuple(str(row + 1) for row in range(rows))
    stones = (EMPTY,) * (rows * cols)
    return Board(rows, cols, BoardStyle.POINTS, stones, columns, labels, winning_squares=winners)


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
