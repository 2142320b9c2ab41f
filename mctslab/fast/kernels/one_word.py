"""The legal moves of a game whose moves fit into one word of 64 bits: the word itself."""

from mctslab.fast.compile.primitives import count_bits, nth_bit, trailing_zeros, uint64
from mctslab.fast.kernels.game import legal_moves, play
from mctslab.fast.nodes import NO_NODE


def legal(position, words):
    """The legal moves at `position`, a bitboard."""
    return legal_moves(position)


def move_to(position, move, words):
    """The position after `move`."""
    return play(position, move)


def count(moves):
    """How many moves there are."""
    return count_bits(moves)


def nth_move(moves, words, n):
    """The n-th of `moves`, counted from 0."""
    return nth_bit(moves, n)


def untried_moves(nodes, node, moves, words, spare):
    """`moves` without those that have a child."""
    child = nodes[node].first_child
    while child != NO_NODE:
        moves &= ~(uint64(1) << uint64(nodes[child].move))
        child = nodes[child].next_sibling
    return moves


def without(moves, move, spare):
    """`moves` but for `move`."""
    return moves & ~(uint64(1) << move) if moves else moves


def preferred(moves, classes):
    """The moves of the first of `classes` that has any."""
    for squares in classes:
        best = moves & squares
        if best:
            return best
    return moves


def draw_stones(position, words, squares, own, opponent):
    """Ones in `own` where the player to move has a stone, in `opponent` where the other one has."""
    draw_bits(position[0], squares, own)
    draw_bits(position[1], squares, opponent)


def draw_bits(stones, squares, plane):
    """Ones in `plane` on the squares of a bitboard."""
    while stones:
        plane[squares[trailing_zeros(stones)]] = 1.0
        stones &= stones - uint64(1)
