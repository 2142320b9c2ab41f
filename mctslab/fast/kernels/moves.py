"""The legal moves of a position. If they fit into one word of 64 bits, `moves` is that word.

On a larger board (NUM_MOVE_WORDS is not 0) the first of its words contain the legal moves, and
`moves` is only their number. Numba compiles one of the two branches of each function.
"""

import numpy as np

from mctslab.fast.compile.primitives import count_bits, nth_bit, trailing_zeros, uint64
from mctslab.fast.kernels.game import NUM_MOVE_WORDS, legal_moves, play, stone_on
from mctslab.fast.nodes import NO_NODE


def legal(position, words):
    """The legal moves at `position`."""
    if NUM_MOVE_WORDS:
        total = 0
        for index in range(NUM_MOVE_WORDS):
            total += count_bits(words[index])
        return uint64(total)
    return legal_moves(position)


def move_to(position, move, words):
    """The position after `move`, which changes the words of a large board in place."""
    if NUM_MOVE_WORDS:
        return play(position, move, words)
    return play(position, move)


def count(moves):
    """How many moves there are."""
    if NUM_MOVE_WORDS:
        return np.int64(moves)
    return count_bits(moves)


def nth_move(moves, words, n):
    """The n-th of the moves, counted from 0."""
    if NUM_MOVE_WORDS:
        first = uint64(0)
        for index in range(NUM_MOVE_WORDS):
            here = count_bits(words[index])
            if n < here:
                return first + nth_bit(words[index], n)
            n -= here
            first += uint64(64)
        return first
    return nth_bit(moves, n)


def untried_moves(nodes, node, moves, words, spare):
    """The moves without a child; those of a large board are written into `spare`."""
    for index in range(NUM_MOVE_WORDS):
        spare[index] = words[index]
    child = nodes[node].first_child
    while child != NO_NODE:
        move = uint64(nodes[child].move)
        if NUM_MOVE_WORDS:
            spare[move >> uint64(6)] &= ~(uint64(1) << (move & uint64(63)))
            moves -= uint64(1)
        else:
            moves &= ~(uint64(1) << move)
        child = nodes[child].next_sibling
    return moves


def preferred(moves, classes):
    """The moves of the first of `classes` that has any; on a large board there are no classes."""
    if NUM_MOVE_WORDS:
        return moves
    for squares in classes:
        best = moves & squares
        if best:
            return best
    return moves


def draw_stones(position, words, squares, own, opponent):
    """Ones in `own` where the player to move has a stone, in `opponent` where the other one has."""
    if NUM_MOVE_WORDS:
        for square in range(len(own)):
            player = stone_on(position, uint64(square), words)
            if player == position[-1]:
                own[square] = 1.0
            elif player == uint64(1) - position[-1]:
                opponent[square] = 1.0
    else:
        draw_bits(position[0], squares, own)
        draw_bits(position[1], squares, opponent)


def draw_bits(stones, squares, plane):
    """Ones in `plane` on the squares of a bitboard."""
    while stones:
        plane[squares[trailing_zeros(stones)]] = 1.0
        stones &= stones - uint64(1)
