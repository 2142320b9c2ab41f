"""The position at a node, and its moves that have no child: kept in its record, or found again.

A node keeps them if NUM_KEPT_WORDS is not 0. Otherwise the moves from the root on are played again.
"""

from mctslab.fast.compile.primitives import uint64
from mctslab.fast.kernels.game import NUM_KEPT_WORDS, OPEN, load, store
from mctslab.fast.kernels.moves import count, legal, move_to, untried_moves
from mctslab.fast.nodes import ROOT


def position_at(nodes, node, before, words):
    """The position at `node`; `before` is the one at its parent."""
    if NUM_KEPT_WORDS:
        return load(nodes[node].position)
    return move_to(before, uint64(nodes[node].move), words)


def keep_position(nodes, child, before, move, words):
    """Keep the position after `move` in the record of a new `child`."""
    if NUM_KEPT_WORDS:
        store(move_to(before, move, words), nodes[child].position)


def note_moves(nodes, node, moves, result):
    """Write down how many moves there are at a node; a pass counts, and the end of the game has
    none."""
    nodes[node].num_untried = 0 if result != OPEN else max(1, count(moves))
    if NUM_KEPT_WORDS:
        nodes[node].untried = moves


def moves_left(nodes, node, position, words, spare):
    """The moves at `node` that have no child."""
    if NUM_KEPT_WORDS:
        return nodes[node].untried
    return untried_moves(nodes, node, legal(position, words), words, spare)


def note_move(nodes, node, moves, move):
    """Note that `move`, one of the `moves` left, has a child now."""
    if NUM_KEPT_WORDS:
        nodes[node].untried = moves & ~(uint64(1) << move) if moves else moves


def note_moves_of_root(nodes, position, words, spare):
    """Write down the moves that are left at the root of a tree; Python has made its record."""
    if NUM_KEPT_WORDS and nodes[ROOT].num_untried > 0:
        nodes[ROOT].untried = untried_moves(nodes, ROOT, legal(position, words), words, spare)
