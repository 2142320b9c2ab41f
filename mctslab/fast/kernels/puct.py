"""The search of `search/puct_search.py` on a flat array: batches of leaves, children with priors.

The walks of a batch are rows of the arrays in `nodes.Walks`.
"""

import numpy as np

from mctslab.fast.compile.primitives import uint64
from mctslab.fast.kernels.game import OPEN, SOLVER, exploration, load, outcome, store
from mctslab.fast.kernels.one_word import count, legal, move_to, nth_move
from mctslab.fast.kernels.proofs import as_proven, carry_up, prove_moves, proven_result
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
from mctslab.search.puct_search import VISITS_PER_LEAF


def gather(nodes, start, first_words, rule, first_steps, number, walks):
    """Phase 1, `number` times: walk down to a leaf. Afterwards the tree is what it was before.

    `first_steps` has the child of the root with which each walk begins; PUCT chooses where it is
    NO_NODE, and everywhere if the array is empty.
    """
    for walk in range(number):
        step = first_steps[walk] if len(first_steps) else NO_NODE
        walk_down(nodes, load(start), first_words, rule, step, walk, walks)
        add_virtual_loss(nodes, walk, walks)
    for walk in range(number - 1, -1, -1):
        take_virtual_loss_back(nodes, walk, walks)


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
    if SOLVER and nodes[node].proven != UNPROVEN:
        walks.num_moves[walk] = 0
        set_value(walks.values[walk], proven_result(nodes, node))
    elif result == OPEN:
        walks.num_moves[walk] = max(1, count(moves))
    else:
        walks.num_moves[walk] = 0
        set_value(walks.values[walk], float(value_of(result, position[-1])))
    walks.depths[walk] = depth
    store(position, walks.positions[walk])
    walks.twin[walk] = first_walk_to(node, walk, walks)


def first_walk_to(leaf, walk, walks):
    """The first walk of the batch that ended at `leaf`, which can be `walk` itself."""
    for earlier in range(walk):
        if walks.paths[earlier, walks.depths[earlier]] == leaf:
            return earlier
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


def set_value(values, value):
    """Write the value for player 0, and the opposite one for player 1."""
    values[0] = value
    values[1] = 0.0 - value


def play_out(number, walks, classes, num_rollouts, spare, random_state):
    """Phase 3 by rollouts: the value of each leaf where the game is not over; 0 without rollouts.

    Returns whether all rollouts have ended.
    """
    for walk in range(number):
        if walks.num_moves[walk] == 0 or walks.twin[walk] != walk:
            continue
        position, total = load(walks.positions[walk]), 0
        for _ in range(num_rollouts):
            copy_words(walks.leaf_words[walk], spare)
            moves = legal(position, spare)
            value = rollout(position, moves, spare, classes, random_state)
            if value == ENDLESS:
                return False
            total += value
        set_value(walks.values[walk], total / num_rollouts if num_rollouts else 0.0)
    return True


def apply(nodes, counters, number, walks, priors):
    """Phases 2 and 4: add children with their priors to the leaves, and carry the values up.

    `priors` has a row for each walk, in the order of the moves. Without rows all priors are equal.
    """
    for walk in range(number):
        if walks.num_moves[walk] > 0 and walks.twin[walk] == walk:
            if counters[USED] + walks.num_moves[walk] <= len(nodes):
                add_children(nodes, counters, walk, walks, priors)
            else:
                counters[NUM_REFUSED] += 1
    if SOLVER:
        for walk in range(number):
            prove_by_rules(nodes, walk, walks)
    for walk in range(number):
        values = walks.values[walks.twin[walk]]
        for place in range(walks.depths[walk], -1, -1):
            node = walks.paths[walk, place]
            nodes[node].visit_count += 1
            nodes[node].total_value += values[nodes[node].mover]
        if SOLVER and nodes[walks.paths[walk, walks.depths[walk]]].proven != UNPROVEN:
            carry_up(nodes, walks.paths[walk], walks.depths[walk])


def prove_by_rules(nodes, walk, walks):
    """Prove what the rules alone prove about a leaf, which replaces the evaluator's value."""
    leaf = walks.paths[walk, walks.depths[walk]]
    if walks.num_moves[walk] == 0:
        nodes[leaf].proven = as_proven(walks.values[walk, 0], nodes[leaf].mover)
    elif walks.twin[walk] == walk and nodes[leaf].num_children > 0:
        prove_moves(nodes, leaf, load(walks.positions[walk]), walks.leaf_words[walk])
        if nodes[leaf].proven != UNPROVEN:
            set_value(walks.values[walk], proven_result(nodes, leaf))


def add_children(nodes, counters, walk, walks, priors):
    """Phase 2: add an unvisited child for every legal move of the leaf."""
    leaf, number = walks.paths[walk, walks.depths[walk]], walks.num_moves[walk]
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


def run(
    nodes, counters, start, first_words, rule, walks, batch_size, no_steps, no_priors,
    classes, num_rollouts, spare, random_state, chunk, limit, most_moves, may_grow,
):  # fmt: skip
    """Search in batches, with rollouts as the evaluator or with none. Returns the number of
    simulations, or -1 if a rollout did not end.

    The search ends with the batch that completes `chunk` simulations, and never goes beyond
    `limit`. It ends earlier when the root is proven, or when the array is full and `may_grow` says
    that a longer one will follow.
    """
    done = 0
    while done < chunk and not (SOLVER and nodes[ROOT].proven != UNPROVEN):
        number = min(batch_size, 1 + nodes[ROOT].visit_count // VISITS_PER_LEAF, limit - done)
        if may_grow and counters[USED] + number * most_moves > len(nodes):
            break
        gather(nodes, start, first_words, rule, no_steps, number, walks)
        if not play_out(number, walks, classes, num_rollouts, spare, random_state):
            return -1
        apply(nodes, counters, number, walks, no_priors)
        done += number
    return done
