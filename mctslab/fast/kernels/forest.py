"""The search of `search/forest.py` on flat arrays: walks down many trees, children with priors.

`nodes`, `counters`, `starts` and `words` have a row for each tree. `trees` names the tree of each
walk, in ascending order, and `walks`, which is `nodes.Walks`, has a row for each walk. Functions of
one walk get the arrays of its tree only.
"""

import math

import numpy as np

from mctslab.fast.compile.primitives import uint64
from mctslab.fast.kernels.game import OPEN, SOLVER, exploration, load, outcome, store
from mctslab.fast.kernels.moves import count, draw_stones, legal, move_to, nth_move
from mctslab.fast.kernels.proofs import (
    as_proven,
    carry_up,
    has_decisive_move,
    prove_moves,
    proven_result,
)
from mctslab.fast.kernels.rollouts import copy_words, rollout, value_of
from mctslab.fast.nodes import (
    ENDLESS,
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
from mctslab.search.forest import BY_PUCT
from mctslab.search.puct_search import VISITS_PER_LEAF

# Phase 1


def gather(nodes, starts, words, rule, trees, first_actions, move_actions, spare_won, walks):
    """Phase 1 for every walk: down to a leaf. Afterwards the trees are what they were before.

    `first_actions` has the action with which each walk begins; PUCT chooses where it is BY_PUCT.
    Returns the first walk whose action leads to no child, or -1 if there is none.
    """
    for walk in range(len(trees)):
        action = first_actions[walk]
        if action != BY_PUCT and child_by(nodes[trees[walk]], action, move_actions) == NO_NODE:
            return walk
    gather_by(nodes, starts, words, rule, trees, first_actions, move_actions, walks)
    if SOLVER and spare_won:
        for walk in range(len(trees)):
            prove_if_decisive(walk, walks)
    return -1


def gather_by(nodes, starts, words, rule, trees, first_actions, move_actions, walks):
    """The same for actions that lead to children; `run` inlines it, and no entry point."""
    for walk in range(len(trees)):
        tree = trees[walk]
        step = child_by(nodes[tree], first_actions[walk], move_actions)
        walk_down(nodes[tree], load(starts[tree]), words[tree], rule, step, walk, walks)
        walks.twin[walk] = first_walk_to_leaf(walk, trees, walks)
        add_virtual_loss(nodes[tree], walk, walks)
    for walk in range(len(trees) - 1, -1, -1):
        take_virtual_loss_back(nodes[trees[walk]], walk, walks)


def child_by(nodes, action, move_actions):
    """The child of the root that an action leads to; NO_NODE for BY_PUCT and illegal actions."""
    first = np.int64(nodes[ROOT].first_child)
    if action != BY_PUCT:
        for child in range(first, first + nodes[ROOT].num_children):
            if move_actions[nodes[child].move] == action:
                return child
    return NO_NODE


def walk_down(nodes, position, first_words, rule, first_step, walk, walks):
    """Walk from the root to a leaf, and write the path and the leaf into row `walk` of `walks`.

    The walk begins with `first_step`, a child of the root; if that is NO_NODE, PUCT chooses there.
    """
    path, words = walks.paths[walk], walks.leaf_words[walk]
    copy_words(first_words, words)
    node, depth = ROOT, 0
    path[0] = ROOT
    while nodes[node].num_children > 0 and depth < len(path) - 1:
        if SOLVER and nodes[node].proven != UNPROVEN:
            break
        is_given = depth == 0 and first_step != NO_NODE
        node = first_step if is_given else best_by_puct(nodes, node, rule)
        depth += 1
        path[depth] = node
        position = move_to(position, uint64(nodes[node].move), words)
    moves = legal(position, words)
    result = outcome(position, moves)
    walks.num_moves[walk] = 0
    if SOLVER and nodes[node].proven != UNPROVEN:
        set_value(walks.values[walk], proven_result(nodes, node))
    elif result == OPEN:
        walks.num_moves[walk] = max(1, count(moves))
    else:
        set_value(walks.values[walk], float(value_of(result, position[-1])))
    walks.depths[walk] = depth
    store(position, walks.positions[walk])


def first_walk_to_leaf(walk, trees, walks):
    """The first walk of this tree that ended at the same leaf, which can be `walk` itself."""
    leaf = walks.paths[walk, walks.depths[walk]]
    earlier = walk - 1
    while earlier >= 0 and trees[earlier] == trees[walk]:
        if walks.paths[earlier, walks.depths[earlier]] == leaf:
            return walks.twin[earlier]
        earlier -= 1
    return walk


def best_by_puct(nodes, node, rule):
    """The child with the highest PUCT score, or the first of several with that score."""
    c, fpu, fpu_is_parents = rule
    visit_count = nodes[node].visit_count
    first, number = np.int64(nodes[node].first_child), nodes[node].num_children
    if fpu_is_parents:
        mean = nodes[node].total_value / visit_count if visit_count else 0.0
        fpu = mean if nodes[node].mover == nodes[first].mover else 0.0 - mean
    best, best_score = first, -np.inf
    for child in range(first, first + number):
        if SOLVER and nodes[child].proven >= PROVEN_DRAW:
            continue  # its exact value is known
        n = nodes[child].visit_count
        value = nodes[child].total_value / n if n else fpu
        if SOLVER and nodes[child].proven == PROVEN_LOSS:
            value = -1.0
        score = value + exploration(n, nodes[child].prior, visit_count, c)
        if score > best_score:
            best, best_score = np.int64(child), score
    return best


def add_virtual_loss(nodes, walk, walks):
    """Count a visit and a loss at every node of a walk, and remember the value it had before."""
    for place in range(walks.depths[walk] + 1):
        node = walks.paths[walk, place]
        walks.before[walk, place] = nodes[node].total_value
        nodes[node].visit_count += 1
        nodes[node].total_value -= 1.0


def take_virtual_loss_back(nodes, walk, walks):
    """Undo `add_virtual_loss`; the newest walk must be undone first."""
    for place in range(walks.depths[walk] + 1):
        node = walks.paths[walk, place]
        nodes[node].visit_count -= 1
        nodes[node].total_value = walks.before[walk, place]


def prove_if_decisive(walk, walks):
    """A leaf below the root at which the player to move can win at once needs no evaluation."""
    if walks.depths[walk] == 0 or walks.num_moves[walk] == 0:
        return
    position = load(walks.positions[walk])
    if has_decisive_move(position, walks.leaf_words[walk], walks.spare):
        walks.num_moves[walk] = 0
        set_value(walks.values[walk], 1.0 if position[-1] == 0 else -1.0)


def set_value(values, value):
    """Write the value for player 0, and the opposite one for player 1."""
    values[0] = value
    values[1] = 0.0 - value


# The evaluation of leaves


def draw_leaves(walks, chosen, squares, planes):
    """Draw what a net sees at the `chosen` leaves, a row of `planes` for each.

    The first plane has ones for the stones of the player to move, the second for the others.
    """
    for row in range(len(chosen)):
        walk = chosen[row]
        own, opponent = planes[row, 0], planes[row, 1]
        position = load(walks.positions[walk])
        draw_stones(position, walks.leaf_words[walk], squares, own, opponent)


def find_priors(logits, chosen, walks, move_actions, priors):
    """The priors of some leaves: a row of `logits` for each of the `chosen` walks, and a row of
    `priors` for each of all walks."""
    for row in range(len(chosen)):
        priors_over_moves(logits[row], chosen[row], walks, move_actions, priors[chosen[row]])


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


def play_out(number, walks, classes, num_rollouts, random_state):
    """Phase 3 by rollouts: the value of each leaf where the game is not over; 0 without rollouts.

    Returns whether all rollouts have ended.
    """
    return play_all_out(number, walks, classes, num_rollouts, random_state)


def play_all_out(number, walks, classes, num_rollouts, random_state):
    """The same, inlined in `run`."""
    for walk in range(number):
        if walks.num_moves[walk] == 0 or walks.twin[walk] != walk:
            continue
        position, total = load(walks.positions[walk]), 0
        for _ in range(num_rollouts):
            copy_words(walks.leaf_words[walk], walks.spare)
            moves = legal(position, walks.spare)
            value = rollout(position, moves, walks.spare, classes, random_state)
            if value == ENDLESS:
                return False
            total += value
        set_value(walks.values[walk], total / num_rollouts if num_rollouts else 0.0)
    return True


# Phases 2 and 4


def add(nodes, counters, trees, walks, priors):
    """Phases 2 and 4 for every walk: add children to its leaf, and carry the value up.

    `priors` has a row for each walk, in the order of the moves. Without rows all priors are equal.
    """
    add_all(nodes, counters, trees, walks, priors)


def add_all(nodes, counters, trees, walks, priors):
    """The same, inlined in `run`."""
    for walk in range(len(trees)):
        add_children(nodes[trees[walk]], counters[trees[walk]], walk, walks, priors)
    if SOLVER:
        for walk in range(len(trees)):
            prove_by_rules(nodes[trees[walk]], walk, walks)
    for walk in range(len(trees)):
        carry_value_up(nodes[trees[walk]], walk, walks)


def add_children(nodes, counters, walk, walks, priors):
    """Phase 2: add an unvisited child for every legal move of the leaf, if there is room."""
    leaf, number = walks.paths[walk, walks.depths[walk]], walks.num_moves[walk]
    if number == 0 or walks.twin[walk] != walk:
        return
    if counters[USED] + number > len(nodes):
        counters[NUM_REFUSED] += 1
        return
    position, words = load(walks.positions[walk]), walks.leaf_words[walk]
    mover = position[-1]
    first = counters[USED]
    moves = legal(position, words)
    for place in range(number):
        move = nth_move(moves, words, place) if moves else uint64(PASS)
        child = first + place
        nodes[child].total_value = 0.0
        nodes[child].prior = priors[walk, place] if len(priors) else 1.0 / number
        nodes[child].visit_count = 0
        nodes[child].first_child = NO_NODE
        nodes[child].next_sibling = NO_NODE
        nodes[child].move = move
        nodes[child].num_untried = UNKNOWN
        nodes[child].num_children = 0
        nodes[child].mover = mover
        nodes[child].proven = UNPROVEN
    counters[USED] += number
    nodes[leaf].first_child = first
    nodes[leaf].num_untried = 0
    nodes[leaf].num_children = number


def prove_by_rules(nodes, walk, walks):
    """Prove what the rules alone prove about a leaf, which replaces the evaluator's value."""
    leaf = walks.paths[walk, walks.depths[walk]]
    if walks.num_moves[walk] == 0:
        nodes[leaf].proven = as_proven(walks.values[walk, 0], nodes[leaf].mover)
    elif walks.twin[walk] == walk and nodes[leaf].num_children > 0:
        position, words = load(walks.positions[walk]), walks.leaf_words[walk]
        prove_moves(nodes, leaf, position, words, walks.spare)
        if nodes[leaf].proven != UNPROVEN:
            set_value(walks.values[walk], proven_result(nodes, leaf))


def carry_value_up(nodes, walk, walks):
    """Phase 4: count the value of the leaf at every node of a walk, each for its own mover."""
    values, depth = walks.values[walks.twin[walk]], walks.depths[walk]
    for place in range(depth, -1, -1):
        node = walks.paths[walk, place]
        nodes[node].visit_count += 1
        nodes[node].total_value += values[nodes[node].mover]
    if SOLVER and nodes[walks.paths[walk, depth]].proven != UNPROVEN:
        carry_up(nodes, walks.paths[walk], depth)


# A whole search, and its result


def run(
    nodes, counters, starts, words, rule, trees, first_actions, move_actions, walks, no_priors,
    classes, num_rollouts, random_state, chunk, limit, most_moves, may_grow,
):  # fmt: skip
    """Search the only tree in batches, with rollouts as the evaluator or with none.

    `trees` and `first_actions` are those of the largest batch. Returns the number of simulations,
    or -1 if a rollout did not end. The search ends with the batch that completes `chunk`
    simulations, and never goes beyond `limit`. It ends earlier when the root is proven, or when the
    array is full and `may_grow` says that a longer one will follow.
    """
    done = 0
    while done < chunk and not (SOLVER and nodes[0, ROOT].proven != UNPROVEN):
        number = min(len(trees), 1 + nodes[0, ROOT].visit_count // VISITS_PER_LEAF, limit - done)
        if may_grow and counters[0, USED] + number * most_moves > nodes.shape[1]:
            break
        batch = trees[:number]
        gather_by(nodes, starts, words, rule, batch, first_actions, move_actions, walks)
        if not play_all_out(number, walks, classes, num_rollouts, random_state):
            return -1
        add_all(nodes, counters, batch, walks, no_priors)
        done += number
    return done


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
