"""Functions over the rules of any game, compiled with them."""

from mctslab.fast.compile.primitives import trailing_zeros, uint64
from mctslab.fast.kernels.game import OPEN, legal_moves, outcome, play
from mctslab.games.rules import PASS


def first_moves(position):
    """The legal moves, each a bit; compiled in no time."""
    return legal_moves(position)


def perft(position, plies, ended):
    """How many ways there are to play so many plies; a game that is over before counts `ended`."""
    if plies == 0:
        return 1
    moves = legal_moves(position)
    if outcome(position, moves) != OPEN:
        return ended
    if not moves:
        return perft(play(position, uint64(PASS)), plies - 1, ended)
    ways = 0
    while moves:
        ways += perft(play(position, trailing_zeros(moves)), plies - 1, ended)
        moves &= moves - uint64(1)
    return ways
