"""The functions of a game's engine that the page calls; read by `module_builder.py`, not imported.

`start` and `words` are a position, as in `mctslab/fast/tree.py`. A move is the number of its
bit, or PASS.
"""

import math

import numpy as np

from mctslab.fast.compile.primitives import next_53_bits, place_of, uint64
from mctslab.fast.kernels.forest import (
    add_children,
    carry_value_up,
    priors_over_moves,
    set_value,
    walk_down,
)
from mctslab.fast.kernels.game import OPEN, load, outcome, store
from mctslab.fast.kernels.moves import count, draw_stones, legal, move_to, nth_move, preferred
from mctslab.fast.kernels.uct import search  # noqa: F401 - an entry point of its own
from mctslab.fast.nodes import NO_NODE, USED
from mctslab.games.rules import PASS


def list_moves(start, words, moves):
    """Write the legal moves into `moves`, a pass included. Returns their number."""
    position = load(start)
    bits = legal(position, words)
    if outcome(position, bits) != OPEN:
        return 0
    number = count(bits)
    for n in range(number):
        moves[n] = nth_move(bits, words, n)
    if number == 0:
        moves[0] = PASS
    return max(1, number)


def fill_logs(logs):
    """The logarithms of all numbers from 1, each in its place."""
    for number in range(1, len(logs)):
        logs[number] = math.log(number)
    return np.int64(0)


def make_move(start, words, move):
    """Play a legal move: the position changes in place. Returns the player to move next."""
    position = move_to(load(start), uint64(move), words)
    store(position, start)
    return np.int64(position[-1])


def find_outcome(start, words):
    """OPEN, or the result for the player to move."""
    position = load(start)
    return np.int64(outcome(position, legal(position, words)))


def read_stones(start, words, squares, planes):
    """Ones for the stones of the player to move, and in a second plane for those of the other."""
    position = load(start)
    planes[:] = 0.0
    draw_stones(position, words, squares, planes[0], planes[1])
    return np.int64(position[-1])


def draw_move(start, words, classes, random_state):
    """A move as a rollout draws it: among those of the best of `classes` that has any."""
    position = load(start)
    moves = legal(position, words)
    drawn = next_53_bits(random_state)
    if count(moves) == 0:
        return np.int64(PASS)
    candidates = preferred(moves, classes) if len(classes) else moves
    chosen = place_of(drawn, count(candidates))
    return np.int64(nth_move(candidates, words, chosen))


def walk_to_leaf(nodes, start, words, rule, walks, last_square, squares, planes):
    """Phase 1 by PUCT, and what a net sees of the leaf. Returns its number of moves, 0 at the end.

    `planes` are those of `InputPlanes` in `mctslab/net/encode.py`, without earlier positions.
    `last_square` is where the last move before the root was played; -1 for none.
    """
    walk_down(nodes, load(start), words, rule, NO_NODE, 0, walks)
    depth, position = walks.depths[0], load(walks.positions[0])
    planes[:] = 0.0
    draw_stones(position, walks.leaf_words[0], squares, planes[0], planes[1])
    last = squares[nodes[walks.paths[0, depth]].move] if depth else last_square
    if last >= 0:
        planes[2, last] = 1.0
    if position[-1] == uint64(0):
        planes[3] = 1.0
    return walks.num_moves[0]


def judge_leaf(nodes, counters, walks, logits, value, actions):
    """Phases 2 and 4, with a net's outputs for the leaf; `value` is for the player to move there.

    `actions` has the action of every move.
    """
    priors = np.empty((1, len(logits)))
    if walks.num_moves[0] > 0:
        is_first = walks.positions[0, -1] == uint64(0)
        set_value(walks.values[0], value if is_first else 0.0 - value)
        priors_over_moves(logits, 0, walks, actions, priors[0])
    add_children(nodes, counters, 0, walks, priors)
    carry_value_up(nodes, 0, walks)
    return np.int64(counters[USED])
