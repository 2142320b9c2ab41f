"""The four phases of `mctslab.search` on the flat array of `nodes.py`: select, expand, simulate,
backpropagate, with the same draws in the same order, and so the same tree.

This is a text for Numba. It is never imported as it stands: `compiling.py` puts it together with
the rules of one game, which bring `legal`, `count`, `nth_move`, `untried_moves`, `move_to`,
`preferred` and `outcome`, and makes a module of it. A `position` is a tuple of uint64, the last one
the player to move; `words` is what a big board keeps besides, changed in place by a move.
"""

# ruff: noqa: F821 (names of the generated module; see compiling.py)


def select(nodes, position, words, c, bonuses, is_ucb1):
    """Phase 1: walk from the root to a node where there is something left to try, or the end."""
    node = ROOT
    while nodes[node].num_untried == 0 and nodes[node].first_child != NOBODY:
        node = best_child(nodes, node, c, bonuses, is_ucb1)
        position = move_to(position, uint64(nodes[node].move), words)
    return node, position


def best_child(nodes, node, c, bonuses, is_ucb1):
    """The child with the highest score; the one added first of several that share it."""
    bonus = c * bonus_for(nodes[node].visit_count, bonuses, is_ucb1)
    if not is_ucb1:
        bonus = bonus * (1.0 / nodes[node].num_children)  # the prior, the same for all
    child = best = nodes[node].first_child
    best_score = -np.inf
    while child != NOBODY:
        score = nodes[child].exploitation + bonus / nodes[child].divisor
        if score >= best_score:  # the list begins with the newest
            best, best_score = child, score
        child = nodes[child].next_sibling
    return best


def bonus_for(visit_count, bonuses, is_ucb1):
    """What the visits of a node contribute to its children's bonuses."""
    if visit_count < len(bonuses):
        return bonuses[visit_count]
    return math.sqrt(math.log(visit_count)) if is_ucb1 else math.sqrt(visit_count)


def expand(nodes, num_nodes, node, position, words, spare, chance, is_ucb1):
    """Phase 2: add one child, for an untried move drawn at random; the move."""
    moves = untried_moves(nodes, node, legal(position, words), words, spare)
    chosen = place_of(next_53_bits(chance), nodes[node].num_untried)
    move = nth_move(moves, spare, chosen) if moves else uint64(PASS)
    add_child(nodes, num_nodes, node, move, position[-1], is_ucb1)
    return move


def add_child(nodes, child, node, move, mover, is_ucb1):
    """Make `child`, without a visit, the newest of the children of `node`."""
    nodes[child].total_value = 0.0
    nodes[child].exploitation = np.inf if is_ucb1 else 0.0  # UCB1 goes to the unvisited first
    nodes[child].divisor = 1.0
    nodes[child].visit_count = 0
    nodes[child].parent = node
    nodes[child].first_child = NOBODY
    nodes[child].next_sibling = nodes[node].first_child
    nodes[child].move = move
    nodes[child].num_untried = UNKNOWN
    nodes[child].num_children = 0
    nodes[child].mover = mover
    nodes[node].first_child = child
    nodes[node].num_untried -= 1
    nodes[node].num_children += 1


def simulate(nodes, leaf, position, words, spare, classes, num_rollouts, chance):
    """Phase 3: what the leaf is worth to player 0: its result, or the mean of its rollouts."""
    moves = legal(position, words)
    result = outcome(position, moves)
    if nodes[leaf].num_untried == UNKNOWN:
        nodes[leaf].num_untried = 0 if result != OPEN else max(1, count(moves))
    if result != OPEN:
        return float(value_of(result, position[-1]))
    if num_rollouts == 1:
        return float(rollout(position, moves, words, classes, chance))
    total = 0
    for _ in range(num_rollouts):
        spare[:] = words
        total += rollout(position, moves, spare, classes, chance)
    return total / num_rollouts


def rollout(position, moves, words, classes, chance):
    """Play on at random to the end of the game; its value for player 0."""
    result = uint64(OPEN)
    while result == OPEN:
        drawn = next_53_bits(chance)
        if moves:
            candidates = preferred(moves, classes) if len(classes) else moves
            move = nth_move(candidates, words, place_of(drawn, count(candidates)))
        else:
            move = uint64(PASS)
        position = move_to(position, move, words)
        moves = legal(position, words)
        result = outcome(position, moves)
    return value_of(result, position[-1])


def value_of(result, player):
    """For player 0, a result that is seen from `player`."""
    value = 0
    if result != DRAWN:
        value = 1 if (result == WON) == (player == uint64(0)) else -1
    return value


def backpropagate(nodes, leaf, value, is_ucb1):
    """Phase 4: count `value`, player 0's, at every node from the leaf up to the root."""
    node = leaf
    while node != NOBODY:
        visit_count = nodes[node].visit_count + 1
        total_value = nodes[node].total_value + (value if nodes[node].mover == 0 else -value)
        nodes[node].visit_count = visit_count
        nodes[node].total_value = total_value
        mean_value = total_value / visit_count
        nodes[node].exploitation = (1.0 + mean_value) / 2.0 if is_ucb1 else mean_value
        nodes[node].divisor = math.sqrt(visit_count) if is_ucb1 else 1.0 + visit_count
        node = nodes[node].parent


def add_all_children(nodes, num_nodes, node, position, words, spare, chance, is_ucb1):
    """Phase 2, the other way: add a child for every untried move, in random order."""
    moves = untried_moves(nodes, node, legal(position, words), words, spare)
    while nodes[node].num_untried > 0:
        chosen = place_of(next_53_bits(chance), nodes[node].num_untried)
        move = nth_move(moves, spare, chosen) if moves else uint64(PASS)
        moves = without(moves, move, spare)
        add_child(nodes, num_nodes, node, move, position[-1], is_ucb1)
        num_nodes += 1
    return num_nodes


def fill_bonuses(bonuses, filled, wanted, is_ucb1):
    """Take the roots and logarithms of numbers of visits once, and keep them for all searches."""
    for visit_count in range(max(1, filled[0]), min(wanted, len(bonuses))):
        bonuses[visit_count] = (
            math.sqrt(math.log(visit_count)) if is_ucb1 else math.sqrt(visit_count)
        )
    filled[0] = max(filled[0], min(wanted, len(bonuses)))


def search(
    nodes,
    num_nodes,
    start,
    first_words,
    chance,
    chunk,
    limit,
    adds_all,
    c,
    is_ucb1,
    bonuses,
    filled,
    classes,
    num_rollouts,
    may_grow,
    stop,
):
    """Run `chunk` simulations; how many there were, and the number of nodes after them.

    It ends early when the array is full and `may_grow` says that there will be a longer one, or
    when `stop[0]` is set. Where a leaf gets all its children at once, these are evaluated beyond
    `chunk`, but not beyond `limit`.
    """
    fill_bonuses(bonuses, filled, nodes[ROOT].visit_count + limit + 1, is_ucb1)
    words, spare, kept = first_words.copy(), first_words.copy(), first_words.copy()
    done = 0
    while done < chunk and not stop[0]:
        words[:] = first_words
        leaf, position = select(nodes, load(start), words, c, bonuses, is_ucb1)
        needed = nodes[leaf].num_untried
        if needed > 0 and not adds_all:
            needed = 1
        elif leaf != ROOT and nodes[leaf].visit_count == 0:
            needed = 0
        has_room = num_nodes + needed <= len(nodes)
        if may_grow and not has_room:
            break
        if needed > 0 and has_room and adds_all:
            kept[:] = words
            first = num_nodes
            num_nodes = add_all_children(nodes, first, leaf, position, words, spare, chance, is_ucb1)
            for child in range(first, num_nodes):
                if child > first and (done >= limit or stop[0]):
                    break
                words[:] = kept
                after = move_to(position, uint64(nodes[child].move), words)
                value = simulate(nodes, child, after, words, spare, classes, num_rollouts, chance)
                backpropagate(nodes, child, value, is_ucb1)
                done += 1
            continue
        if needed > 0 and has_room:
            move = expand(nodes, num_nodes, leaf, position, words, spare, chance, is_ucb1)
            position = move_to(position, move, words)
            leaf = num_nodes
            num_nodes += 1
        value = simulate(nodes, leaf, position, words, spare, classes, num_rollouts, chance)
        backpropagate(nodes, leaf, value, is_ucb1)
        done += 1
    return done, num_nodes
