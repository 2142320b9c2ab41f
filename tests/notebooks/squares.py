"""Positions of Reversi, looked at as the notebooks speak of them: by names and sets of squares."""

from mctslab.boards.board import square_bits
from mctslab.games.reversi import geometry, legal_moves

BLACK, WHITE = 0, 1
CORNERS = {0, 7, 56, 63}
ON_64_SQUARES = geometry(8)


def square(name):
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


def named(squares):
    return {"abcdefgh"[each % 8] + str(each // 8 + 1) for each in squares}


def moves(state, player):
    """Where `player` could move now, whoever's turn it is."""
    stones = state.stones_of(player), state.stones_of(1 - player)
    return set(square_bits(legal_moves((*stones, player), ON_64_SQUARES)))


def of(state, player):
    return {place for place, stone in enumerate(state.board().stones) if stone == player}


def empty(state):
    return of(state, -1)


def frontier(state, player):
    """The discs of `player` that have an empty neighbour."""
    holes = [divmod(place, 8) for place in empty(state)]
    return {
        disc
        for disc in of(state, player)
        if any(max(abs(disc // 8 - row), abs(disc % 8 - col)) == 1 for row, col in holes)
    }
