"""Many trees of one game, on the arrays of `puct.py`: a batch has leaves of all of them.

`nodes`, `counters`, `starts` and `words` have a row for each tree. `trees` names the tree of each
walk, in ascending order, and `walks` has a row for each walk.
"""

import math

import numpy as np

from mctslab.fast.compile.primitives import uint64
from mctslab.fast.kernels.game import SOLVER, load, makes_arrays
from mctslab.fast.kernels.one_word import draw_stones, legal, move_to, nth_move
from mctslab.fast.kernels.proofs import has_decisive_move
from mctslab.fast.kernels.puct import apply, gather, play_out, run, set_value  # noqa: F401
from mctslab.fast.nodes import NO_NODE, PROVEN_DRAW, ROOT, UNPROVEN, Walks
from mctslab.games.rules import PASS


def gather_all(nodes, starts, words, rule, trees, first_steps, spare_won, walks):
    """Phase 1 for every walk: down to a leaf. Afterwards the trees are what they were before."""
    first = 0
    while first < len(trees):
        tree, end = trees[first], end_of_tree(trees, first)
        rows, steps = rows_of(walks, first, end), first_steps[first:end]
        gather(nodes[tree], starts[tree], words[tree], rule, steps, end - first, rows)
        if SOLVER and spare_won:
            for walk in range(end - first):
                prove_if_decisive(walk, rows)
        first = end


def end_of_tree(trees, first):
    """The first walk after `first` that is of another tree."""
    end = first
    while end < len(trees) and trees[end] == trees[first]:
        end += 1
    return end


@makes_arrays
def prove_if_decisive(walk, walks):
    """A leaf below the root at which the player to move can win at once needs no evaluation."""
    if walks.depths[walk] == 0 or walks.num_moves[walk] == 0:
        return
    position, words = load(walks.positions[walk]), walks.leaf_words[walk]
    if has_decisive_move(position, words, words.copy()):
        walks.num_moves[walk] = 0
        set_value(walks.values[walk], 1.0 if position[-1] == 0 else -1.0)


def find_first_steps(nodes, trees, first_actions, move_actions, first_steps):
    """The child of its root that each action leads to; NO_NODE for -1 and for illegal actions."""
    for walk in range(len(trees)):
        tree, first_steps[walk] = trees[walk], NO_NODE
        root = nodes[tree, ROOT]
        for child in range(root.first_child, root.first_child + root.num_children):
            if move_actions[nodes[tree, child].move] == first_actions[walk]:
                first_steps[walk] = child


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


def add_all(nodes, counters, trees, walks, priors):
    """Phases 2 and 4 for every walk: add children to its leaf, and carry the value up.

    `priors` has a row for each walk, in the order of the moves. Without rows all priors are equal.
    """
    first = 0
    while first < len(trees):
        tree, end = trees[first], end_of_tree(trees, first)
        rows = rows_of(walks, first, end)
        apply(nodes[tree], counters[tree], end - first, rows, priors[first:end])
        first = end


def find_priors(logits, chosen, walks, move_actions, priors):
    """The priors of some leaves: a row of `logits` for each of the `chosen` walks, and a row of
    `priors` for each of all walks."""
    for row in range(len(chosen)):
        priors_over_moves(logits[row], chosen[row], walks, move_actions, priors[chosen[row]])


@makes_arrays
def rows_of(walks, first, end):
    """Some walks, all of one tree, as a batch."""
    return Walks(
        walks.paths[first:end],
        walks.depths[first:end],
        walks.before[first:end],
        walks.twin[first:end],
        walks.num_moves[first:end],
        walks.values[first:end],
        walks.positions[first:end],
        walks.leaf_words[first:end],
    )


def priors_over_moves(logits, walk, walks, move_actions, priors):
    """Softmax over the legal moves of a leaf, in their order."""
    number = walks.num_moves[walk]
    words = walks.leaf_words[walk]
    moves = legal(load(walks.positions[walk]), words)
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


def draw_leaves(nodes, starts, words, past, trees, walks, chosen, squares, planes):
    """Draw what a net sees at some leaves: the stones there and in earlier positions.

    `chosen` names the walks. A row of `planes` has two planes for each ply, beginning with the
    newest position: the stones of the player to move at the leaf, then those of the other player.
    `past` has the stones of the positions before each root, the newest first, player 0's before
    player 1's.
    """
    for row in range(len(chosen)):
        walk = chosen[row]
        tree = trees[walk]
        path, mover = walks.paths[walk, : walks.depths[walk] + 1], walks.positions[walk, -1]
        draw_way(nodes[tree], starts[tree], words[tree], path, mover, squares, planes[row])
        for ply in range(len(path), len(planes[row]) // 2):
            earlier = past[tree, ply - len(path)]
            planes[row, 2 * ply] = earlier[mover]
            planes[row, 2 * ply + 1] = earlier[uint64(1) - mover]


@makes_arrays
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
