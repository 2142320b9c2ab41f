"""Another solver of Reversi's endgames, for the tests: other rules, another search, nothing clever.

The board is one square after another with a border around it, a disc is looked for by walking in
eight directions, and the search is alpha-beta in the order of the squares. Nothing is shared with
the package; it is compiled because there is much to search.
"""

import numba
import numpy as np

EDGE = 10  # eight squares and the border on both sides
OUTSIDE = 7
DIRECTIONS = (-EDGE - 1, -EDGE, -EDGE + 1, -1, 1, EDGE - 1, EDGE, EDGE + 1)


def value(state):
    """The final difference of discs for the player to move, on 8 x 8."""
    board = np.full((EDGE, EDGE), OUTSIDE, np.int8)
    stones = np.array(state.board().stones).reshape(8, 8)  # -1, 0 and 1 by row and column
    board[1:-1, 1:-1] = np.where(stones < 0, 0, np.where(stones == state.current_player, 1, -1))
    return _value(board.ravel(), np.int8(1), -64, 64, False)


@numba.njit
def _value(board, player, alpha, beta, passed):
    moved = False
    for square in range(EDGE * EDGE):
        if board[square] == 0:
            after = board.copy()
            if _turn(after, square, player):
                moved = True
                alpha = max(alpha, -_value(after, -player, -beta, -alpha, False))
                if alpha >= beta:
                    return alpha
    if moved:
        return alpha
    if not passed:
        return -_value(board, -player, -beta, -alpha, True)
    discs = 0
    for square in range(EDGE * EDGE):
        if board[square] != OUTSIDE:
            discs += board[square]
    return discs * player


@numba.njit
def _turn(board, square, player):
    """Put a disc on `square` if that is legal: what it turns, it turns in place."""
    legal = False
    for step in DIRECTIONS:
        end = square + step
        while board[end] == -player:
            end += step
        if board[end] == player and end != square + step:
            legal = True
            while end != square:
                end -= step
                board[end] = player
    return legal
