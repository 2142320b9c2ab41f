"""MCTS-Solver on the flat array: what is proven is carried up the tree, as in `search/solving.py`.

This is a text for Numba, as `engine.py` is, and a part of the same module.
"""

# ruff: noqa: F821 (names of the generated module; see compiling.py)


def prove(nodes, path, depth, value):
    """After phase 4: where the game is over at the leaf, carry up the tree what that proves.

    `value` is the result for player 0.
    """
    leaf = path[depth]
    if nodes[leaf].num_untried != 0 or nodes[leaf].num_children != 0:
        return
    nodes[leaf].proven = PROVEN_DRAW + (value if nodes[leaf].mover == 0 else -value)
    for place in range(depth - 1, -1, -1):
        node, below = path[place], path[place + 1]
        best = best_proven(nodes, node)
        if best == UNPROVEN:
            break
        is_same = nodes[node].mover == nodes[below].mover
        nodes[node].proven = best if is_same else 2 * PROVEN_DRAW - best


def best_proven(nodes, node):
    """What a position is worth to the player to move, if its children prove that."""
    child = np.int64(nodes[node].first_child)
    is_list = nodes[node].num_untried != 0
    best, is_open = UNPROVEN, is_list
    for _ in range(nodes[node].num_children):
        proven = np.int64(nodes[child].proven)
        best = max(best, proven)
        is_open |= proven == UNPROVEN
        child = np.int64(nodes[child].next_sibling) if is_list else child + 1
    return UNPROVEN if is_open and best != PROVEN_WIN else best
