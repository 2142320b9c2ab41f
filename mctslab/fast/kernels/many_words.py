"""The legal moves of a game of more than 64 squares: the first of its words contain them.

Here `moves` is only their number.
"""

import numpy as np

from mctslab.fast.compile.primitives import count_bits, nth_bit, uint64
from mctslab.fast.kernels.game import NUM_MOVE_WORDS, play, stone_on
from mctslab.fast.nodes import NO_NODE


def legal(position, words):
    """How many legal moves there are at `position`."""
    total = 0
    for index in range(NUM_MOVE_WORDS):
        total += count_bits(words[index])
    return uint64(total)


def move_to(position, move, words):
    """The position after `move`, which changes `words` in place."""
    return play(position, move, words)


def count(moves):
    """How many moves there are."""
    return np.int64(moves)


def nth_move(moves, words, n):
    """The n-th of the moves in `words`, counted from 0."""
    first = uint64(0)
    for index in range(NUM_MOVE_WORDS):
        here = count_bits(words[index])
        if n < here:
            return first + nth_bit(words[index], n)
        n -= here
        first += uint64(64)
    return first


def untried_moves(nodes, node, moves, words, spare):
    """Write the moves without a child into `spare`. Returns their number."""
    for index in range(NUM_MOVE_WORDS):
        spare[index] = words[index]
    child = nodes[node].first_child
    while child != NO_NODE:
        move = uint64(nodes[child].move)
        spare[move >> uint64(6)] &= ~(uint64(1) << (move & uint64(63)))
        moves -= uint64(1)
        child = nodes[child].next_sibling
    return moves


def without(moves, move, spare):
    """Remove `move` from `spare`. Returns the number of moves that are left."""
    if moves:
        spare[move >> uint64(6)] &= ~(uint64(1) << (move & uint64(63)))
        moves -= uint64(1)
    return moves


def preferred(moves, classes):
    """All moves: no policy with classes of squares plays on such a board."""
    return moves


def draw_stones(position, words, squares, own, opponent):
    """Ones in `own` where the player to move has a stone, in `opponent` where the other one has."""
    for square in range(len(own)):
        player = stone_on(position, uint64(square), words)
        if player == position[-1]:
            own[square] = 1.0
        elif player == uint64(1) - position[-1]:
            opponent[square] = 1.0
