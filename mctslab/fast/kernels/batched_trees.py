"""Many trees of one game at once, on the arrays of `puct.py`: a batch has a leaf of each tree.

The arrays have a row for each tree, and so does `walks`.
"""

import math

import numpy as np

from mctslab.fast.compile.primitives import uint64
from mctslab.fast.kernels.game import SOLVER, load
from mctslab.fast.kernels.one_word import draw_stones, legal, move_to, nth_move
from mctslab.fast.kernels.proofs import has_decisive_move
from mctslab.fast.kernels.puct import apply, set_value, walk_down
from mctslab.fast.nodes import NO_NODE, PROVEN_DRAW, ROOT, UNPROVEN, Walks
from mctslab.games.rules import PASS


def gather_all(nodes, starts, words, rule, first_steps, walks):
    """Phase 1 in every tree: a walk down to a leaf. The trees stay as they were.

    With a solver, a leaf below the root that has a decisive move needs no evaluation.
    """
    for tree in range(len(nodes)):
        row, step = row_of(walks, tree), first_steps[tree]
        walk_down(nodes[tree], load(starts[tree]), words[tree], rule, step, 0, row)
        if SOLVER and walks.depths[tree] > 0 and walks.num_moves[tree] > 0:
            position, leaf_words = load(walks.positions[tree]), walks.leaf_words[tree]
            if has_decisive_move(position, leaf_words, leaf_words.copy()):
                walks.num_moves[tree] = 0
                set_value(walks.values[tree], 1.0 if position[-1] == 0 else -1.0)


def find_first_steps(nodes, first_actions, move_actions, first_steps):
    """The child of each root that an action leads to; NO_NODE for -1 and for illegal actions."""
    for tree in range(len(nodes)):
        first_steps[tree] = NO_NODE
        root = nodes[tree, ROOT]
        for child in range(root.first_child, root.first_child + root.num_children):
            if move_actions[nodes[tree, child].move] == first_actions[tree]:
                first_steps[tree] = child


def read_roots(nodes, move_actions, visit_counts, total_values, priors, proven):
    """The statistics of the moves at the roots, a row for each tree; of legal actions only."""
    for tree in range(len(nodes)):
        root = nodes[tree, ROOT]
        for child in range(root.first_child, root.first_child + root.num_children):
            action = move_actions[nodes[tree, child].move]
            visit_counts[tree, action] = nodes[tree, child].visit_count
            total_values[tree, action] = nodes[tree, child].total_value
            priors[tree, action] = nodes[tree, child].prior
            proven[tree, action] = np.nan
            if SOLVER and nodes[tree, child].proven != UNPROVEN:
                proven[tree, action] = np.int64(nodes[tree, child].proven) - PROVEN_DRAW


def apply_all(nodes, counters, walks, policy, move_actions):
    """Phases 2 and 4 in every tree: add children to the leaf, and carry its value up.

    `policy` has a row for each tree: logits, whose softmax over the legal actions gives the priors.
    """
    priors = np.empty((1, policy.shape[1]))
    for tree in range(len(nodes)):
        if walks.num_moves[tree] > 0:
            priors_over_moves(policy[tree], tree, walks, move_actions, priors[0])
        apply(nodes[tree], counters[tree], 1, row_of(walks, tree), priors)


def row_of(walks, tree):
    """The walk of one tree, as a batch of one."""
    end = tree + 1
    return Walks(
        walks.paths[tree:end],
        walks.depths[tree:end],
        walks.before[tree:end],
        walks.twin[tree:end],
        walks.num_moves[tree:end],
        walks.values[tree:end],
        walks.positions[tree:end],
        walks.leaf_words[tree:end],
    )


def priors_over_moves(logits, tree, walks, move_actions, priors):
    """Softmax over the legal moves of a leaf, in their order."""
    number = walks.num_moves[tree]
    words = walks.leaf_words[tree]
    moves = legal(load(walks.positions[tree]), words)
    highest = -np.inf
    for place in range(number):
        move = nth_move(moves, words, place) if moves else uint64(PASS)
        priors[place] = logits[move_actions[move]]
        highest = max(highest, priors[place])
    total = 0.0
    for place in range(number):
        priors[place] = math.exp(priors[place] - highest)
        total += priors[place]
    for place in range(number):
        priors[place] /= total


def draw_leaves(nodes, starts, words, past, walks, trees, squares, planes):
    """Draw what a net sees at the leaves of some trees: the stones there and in earlier positions.

    A row of `planes` has two planes for each ply, beginning with the newest position: the stones of
    the player to move at the leaf, then those of the other player. `past` has the stones of the
    positions before each root, the newest first, player 0's before player 1's.
    """
    for row in range(len(trees)):
        tree = trees[row]
        path, mover = walks.paths[tree, : walks.depths[tree] + 1], walks.positions[tree, -1]
        draw_way(nodes[tree], starts[tree], words[tree], path, mover, squares, planes[row])
        for ply in range(len(path), len(planes[row]) // 2):
            earlier = past[tree, ply - len(path)]
            planes[row, 2 * ply] = earlier[mover]
            planes[row, 2 * ply + 1] = earlier[uint64(1) - mover]


def draw_way(nodes, start, first_words, path, mover, squares, planes):
    """The stones in the last positions of a walk, as `mover` sees them."""
    position, words = load(start), first_words.copy()
    for place in range(len(path)):
        if place > 0:
            position = move_to(position, uint64(nodes[path[place]].move), words)
        ply = len(path) - 1 - place
        if 2 * ply < len(planes):
            own, opponent = planes[2 * ply], planes[2 * ply + 1]
            if position[-1] == mover:
                draw_stones(position, words, squares, own, opponent)
            else:
                draw_stones(position, words, squares, opponent, own)
