"""MCTS-Solver on the flat array: what is proven is carried up the tree, as in
`search/solving.py`.
"""

import numpy as np

from mctslab.fast.compile.primitives import uint64
from mctslab.fast.kernels.game import OPEN, outcome
from mctslab.fast.kernels.moves import count, legal, move_to, nth_move
from mctslab.fast.kernels.rollouts import copy_words, value_of
from mctslab.fast.nodes import PROVEN_DRAW, PROVEN_WIN, UNPROVEN
from mctslab.games.rules import PASS


def prove(nodes, path, depth, value):
    """After phase 4: where the game is over at the leaf, carry up the tree what that proves.

    `value` is the result for player 0.
    """
    leaf = path[depth]
    if nodes[leaf].num_untried != 0 or nodes[leaf].num_children != 0:
        return
    nodes[leaf].proven = as_proven(value, nodes[leaf].mover)
    carry_up(nodes, path, depth)


def prove_moves(nodes, leaf, position, words, after_words):
    """After phase 2: prove the children at which the game is over, and what these prove of `leaf`.

    `leaf` has all of its children, and `position` is on the board there; `after_words` has room for
    the words.
    """
    first = np.int64(nodes[leaf].first_child)
    for child in range(first, first + nodes[leaf].num_children):
        copy_words(words, after_words)
        after = move_to(position, uint64(nodes[child].move), after_words)
        result = outcome(after, legal(after, after_words))
        if result != OPEN:
            nodes[child].proven = as_proven(value_of(result, after[-1]), nodes[child].mover)
    nodes[leaf].proven = proven_value(nodes, leaf)


def has_decisive_move(position, words, after_words):
    """Whether the player to move can win at once; `after_words` has room for the words."""
    moves = legal(position, words)
    for place in range(max(1, count(moves))):
        copy_words(words, after_words)
        move = nth_move(moves, words, place) if moves else uint64(PASS)
        after = move_to(position, move, after_words)
        result = outcome(after, legal(after, after_words))
        if result != OPEN and value_of(result, after[-1]) == (1 if position[-1] == 0 else -1):
            return True
    return False


def carry_up(nodes, path, depth):
    """Carry up the tree what the node at `depth` on the path proves, which is proven itself."""
    for place in range(depth - 1, -1, -1):
        proven = proven_value(nodes, path[place])
        if proven == UNPROVEN:
            break
        nodes[path[place]].proven = proven


def as_proven(value, mover):
    """Player 0's value, -1 to 1, as what is proven for `mover`."""
    return PROVEN_DRAW + (value if mover == 0 else -value)


def proven_result(nodes, node):
    """What is proven of `node`, from -1 to 1 for player 0."""
    worth = float(np.int64(nodes[node].proven) - PROVEN_DRAW)
    return worth if nodes[node].mover == 0 else 0.0 - worth


def proven_value(nodes, node):
    """What the children of `node` prove about it, for its own mover."""
    best = best_proven(nodes, node)
    if best == UNPROVEN or nodes[node].mover == nodes[nodes[node].first_child].mover:
        return best
    return 2 * PROVEN_DRAW - best


def best_proven(nodes, node):
    """What a position is worth to the player to move, if its children prove that."""
    child = np.int64(nodes[node].first_child)
    is_list = nodes[node].num_untried != 0
    best, is_open = np.int64(UNPROVEN), is_list
    for _ in range(nodes[node].num_children):
        proven = np.int64(nodes[child].proven)
        best = max(best, proven)
        is_open |= proven == UNPROVEN
        child = np.int64(nodes[child].next_sibling) if is_list else child + 1
    return UNPROVEN if is_open and best != PROVEN_WIN else best
