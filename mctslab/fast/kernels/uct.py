"""The four phases of `mctslab.search` on the flat array of `nodes.py`: select, expand, simulate,
backpropagate, with the same draws in the same order, and so the same tree.

A `position` is a tuple of uint64, the player to move last. `words` are additional words of a large
board; a move changes them in place. `random_state` is the state of the generator, as
`primitives.next_53_bits` expects it.
"""

import math

import numpy as np

from mctslab.fast.compile.primitives import next_53_bits, place_of, uint64
from mctslab.fast.kernels.game import IS_UCB1, SOLVER, exploration, load
from mctslab.fast.kernels.moves import nth_move
from mctslab.fast.kernels.positions import (
    keep_position,
    moves_left,
    note_move,
    note_moves_of_root,
    position_at,
)
from mctslab.fast.kernels.proofs import prove, proven_result
from mctslab.fast.kernels.records import make_block, records_needed, unused_record
from mctslab.fast.kernels.rollouts import copy_words, simulate
from mctslab.fast.nodes import (
    ENDLESS,
    MAX_DEPTH,
    NO_NODE,
    NUM_REFUSED,
    PROVEN_DRAW,
    PROVEN_LOSS,
    ROOT,
    UNKNOWN,
    UNPROVEN,
    USED,
)
from mctslab.games.rules import PASS


def select(nodes, position, words, path, c, bonuses):
    """Phase 1: walk down until a node has an untried move, or the game is over, or it is proven.

    Returns its depth and its position. The nodes on the way are written to `path`.
    """
    node, depth = ROOT, 0
    path[0] = ROOT
    while nodes[node].num_untried == 0 and nodes[node].num_children > 0 and depth < MAX_DEPTH:
        if SOLVER and nodes[node].proven != UNPROVEN:
            break
        node = best_child(nodes, node, c, bonuses)
        depth += 1
        path[depth] = node
        position = position_at(nodes, node, position, words)
    return depth, position


def best_child(nodes, node, c, bonuses):
    """The child with the highest score; the one added first of several that share it."""
    if not IS_UCB1:
        return best_by_formula(nodes, node, c)
    first, number = nodes[node].first_child, nodes[node].num_children
    bonus = c * bonus_for(nodes[node].visit_count, bonuses)
    best, best_score = np.int64(first), score_of(nodes, first, bonus)
    for child in range(first + 1, first + number):
        score = score_of(nodes, child, bonus)
        # Without a branch, which the processor would often guess wrong: `is_better` has ones in all
        # of its bits or in none, and so `best` becomes `child` or stays what it is.
        is_better = -np.int64(score > best_score)
        best ^= (best ^ child) & is_better
        best_score = max(best_score, score)
    return best


def best_by_formula(nodes, node, c):
    """The same for a formula of one's own, no part of which is kept in the tree."""
    first, number = np.int64(nodes[node].first_child), nodes[node].num_children
    parent_visits = max(1, nodes[node].visit_count)
    best, best_score = first, -np.inf
    for child in range(first, first + number):
        n = nodes[child].visit_count
        if n == 0:
            return np.int64(child)
        if SOLVER and nodes[child].proven >= PROVEN_DRAW:
            continue  # nothing is left to find out
        value = nodes[child].exploitation
        if SOLVER and nodes[child].proven == PROVEN_LOSS:
            value = 0.0
        score = value + exploration(n, 1.0 / number, parent_visits, c)
        if score > best_score:
            best, best_score = np.int64(child), score
    return best


def score_of(nodes, child, bonus):
    """UCB1's score of a child, whose parent's bonus is `bonus`."""
    if SOLVER and nodes[child].proven >= PROVEN_DRAW:
        return -np.inf  # nothing is left to find out
    if SOLVER and nodes[child].proven == PROVEN_LOSS and nodes[child].visit_count > 0:
        return bonus * nodes[child].factor
    return nodes[child].exploitation + bonus * nodes[child].factor


def bonus_for(visit_count, bonuses):
    """What the visits of a node contribute to its children's bonuses."""
    if visit_count < len(bonuses):
        return bonuses[visit_count]
    return math.sqrt(math.log(visit_count))


def expand(nodes, counters, node, position, words, spare, random_state):
    """Phase 2: add one child, for an untried move drawn at random. Returns the child."""
    moves = moves_left(nodes, node, position, words, spare)
    num_untried = nodes[node].num_untried
    chosen = place_of(next_53_bits(random_state), num_untried)
    move = nth_move(moves, spare, chosen) if moves else uint64(PASS)
    note_move(nodes, node, moves, move)
    if num_untried == 1:
        child = make_block(nodes, counters, node)
    else:
        child = unused_record(nodes, counters)
        following = nodes[node].first_child
        nodes[node].first_child = child
        nodes[child].next_sibling = following
    make_child(nodes, child, node, move, position, words)
    return child


def make_child(nodes, child, node, move, position, words):
    """Make the record `child` a child of `node`, without a visit; `position` is at `node`."""
    nodes[child].total_value = 0.0
    nodes[child].exploitation = np.inf  # UCB1 selects children without a visit first
    nodes[child].factor = 1.0
    nodes[child].visit_count = 0
    nodes[child].first_child = NO_NODE
    nodes[child].move = move
    nodes[child].num_untried = UNKNOWN
    nodes[child].num_children = 0
    nodes[child].mover = position[-1]
    nodes[child].proven = UNPROVEN
    keep_position(nodes, child, position, move, words)
    nodes[node].num_untried -= 1
    nodes[node].num_children += 1


def backpropagate(nodes, path, depth, value, factors):
    """Phase 4: count `value`, player 0's, at every node from the leaf up to the root."""
    for place in range(depth, -1, -1):
        node = path[place]
        visit_count = nodes[node].visit_count + 1
        total_value = nodes[node].total_value + (value if nodes[node].mover == 0 else -value)
        nodes[node].visit_count = visit_count
        nodes[node].total_value = total_value
        nodes[node].exploitation = (1.0 + total_value / visit_count) / 2.0
        nodes[node].factor = factor_for(visit_count, factors)


def factor_for(visit_count, factors):
    """The factor of the parent's bonus for a child with this number of visits."""
    if visit_count < len(factors):
        return factors[visit_count]
    return 1.0 / math.sqrt(visit_count)


def fill_tables(bonuses, factors, filled, wanted):
    """Compute what depends on numbers of visits up to `wanted`, and keep it for all searches."""
    none = bonuses[:0]
    for visit_count in range(max(1, filled[0]), min(wanted, len(bonuses))):
        bonuses[visit_count] = bonus_for(visit_count, none)
        factors[visit_count] = factor_for(visit_count, none)
    filled[0] = max(filled[0], min(wanted, len(bonuses)))


def search(
    nodes, counters, start, first_words, random_state, chunk, c, bonuses, factors, filled, classes,
    num_rollouts, may_grow,
):  # fmt: skip
    """Run `chunk` simulations. Returns their number, or -1 if a rollout did not end.

    It ends early when the array is full and `may_grow` says that a longer one will follow, and when
    the root is proven.
    """
    fill_tables(bonuses, factors, filled, nodes[ROOT].visit_count + chunk + 1)
    words, spare = first_words.copy(), first_words.copy()
    path = np.empty(MAX_DEPTH + 2, dtype=np.int32)
    note_moves_of_root(nodes, load(start), words, spare)
    done = 0
    while done < chunk and not (SOLVER and nodes[ROOT].proven != UNPROVEN):
        copy_words(first_words, words)
        depth, position = select(nodes, load(start), words, path, c, bonuses)
        leaf = np.int64(path[depth])
        done += 1
        if SOLVER and nodes[leaf].proven != UNPROVEN:
            backpropagate(nodes, path, depth, proven_result(nodes, leaf), factors)
            continue
        if nodes[leaf].num_untried > 0 and depth < MAX_DEPTH:
            if counters[USED] + records_needed(nodes, counters, leaf) <= len(nodes):
                leaf = expand(nodes, counters, leaf, position, words, spare, random_state)
                depth += 1
                path[depth] = leaf
                position = position_at(nodes, leaf, position, words)
            elif may_grow:
                return done - 1
            else:
                counters[NUM_REFUSED] += 1
        value = simulate(nodes, leaf, position, words, spare, classes, num_rollouts, random_state)
        if value == ENDLESS:
            return -1
        backpropagate(nodes, path, depth, value, factors)
        if SOLVER:
            prove(nodes, path, depth, value)
    return done
