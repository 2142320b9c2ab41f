"""Right answers that are written differently from ours pass as well.

A function `NAME__...` is an answer to the exercise NAME. Many more are in `answers`, invented by
people who had not seen the checks; `test_mutants.py` checks those.
"""

import itertools
import math
import statistics
from collections import Counter

import numpy as np
import pytest
import torch

from mctslab import arena, games, net, search
from mctslab.course import exercises
from mctslab.course.judging import judge
from mctslab.course.result import Outcome
from mctslab.games.reversi import geometry, legal_moves
from mctslab.search import Node, knowledge
from mctslab.search.puct_search import add_virtual_loss
from mctslab.search.reuse import find_root
from tests.course.invented import answers_to


def line_up_returns__by_strings(squares):
    text = "".join("XO."[square] for square in squares)
    lines = [text[i : i + 3] for i in (0, 3, 6)] + [text[i::3] for i in range(3)]
    lines += [text[::4], text[2:7:2]]
    if "XXX" in lines:
        return [1, -1]
    return [-1, 1] if "OOO" in lines else [0, 0]


def line_up_returns__by_sums(squares):
    signs = [{0: 1, 1: -1, -1: 0}[square] for square in squares]
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    sums = {sum(signs[i] for i in line) for line in lines}
    value = 1.0 if 3 in sums else -1.0 if -3 in sums else 0.0
    return value, -value


def line_up_returns__by_sets(squares):
    mine = [{i for i in range(9) if squares[i] == player} for player in (0, 1)]
    wins = ["012", "345", "678", "036", "147", "258", "048", "246"]
    won = [any(set(map(int, win)) <= squares for win in wins) for squares in mine]
    return (won[0] - won[1], won[1] - won[0])


def minimax__at_the_top(state, memo):
    if state in memo:
        return memo[state]
    if state.is_terminal:
        memo[state] = state.returns()
        return memo[state]
    best = None
    for action in state.legal_actions():
        value = minimax__at_the_top(state.child(action), memo)
        if best is None or value[state.current_player] > best[state.current_player]:
            best = value
    memo[state] = best
    return best


def minimax__before_the_call(state, memo):
    """Who looks a child up before the call need not look the state itself up."""
    if state.is_terminal:
        return state.returns()
    values = []
    for child in map(state.child, state.legal_actions()):
        if child not in memo:
            memo[child] = minimax__before_the_call(child, memo)
        values.append(memo[child])
    return max(values, key=lambda value: value[state.current_player])


def playout__by_index(position, generator):
    while True:
        actions = position.legal_actions()
        if not actions:
            return list(position.returns())
        position = position.child(actions[generator.integers(len(actions))])


def playout__by_shuffling(state, rng):
    while len(actions := list(state.legal_actions())) > 0:
        rng.shuffle(actions)
        state = state.child(actions[0])
    first, second = state.returns()
    return np.array([first, second])


def select__with_a_break(node, rule):
    while True:
        if not node.is_fully_expanded or len(node.children) == 0:
            break
        best = None
        for child in node.children:
            if best is None or sum(rule.score(node, child)) > sum(rule.score(node, best)):
                best = child
        node = best
    return node


def expand__from_what_is_missing(node, rng):
    tried = {child.action for child in node.children}
    untried = [a for a in node.state.legal_actions() if a not in tried]
    if untried:
        chosen = rng.permutation(untried)[0]
        node.untried_actions.remove(chosen)
        node.children.append(Node(parent=node, action=chosen, prior=0.5))
        node = node.children[-1]
    return node


def rollout__with_a_break(state, policy, rng):
    while True:
        if state.is_terminal:
            break
        action = policy(state, rng)
        state = state.child(action)
    return [state.returns()[0], state.returns()[1]]


def rollout__by_actions(start, choose, rng):
    here = start
    while here.legal_actions():
        here = here.child(choose(here, rng))
    r = here.returns()
    return r[0], -r[0]


def uct__with_for(state, num_simulations, rng):
    root = Node(state)
    for _ in range(num_simulations):
        for leaf in search.expand(search.select(root, search.ucb1(2**0.5)), rng):
            result = search.rollout(leaf.state, search.uniform, rng)
            search.backpropagate(leaf, result)
    return root


def uct__from_scratch(state, num_simulations, rng):
    def score(node, child):
        return exercises.ucb1.model_answer(
            (1 + child.mean_value) / 2, child.visit_count, node.visit_count, math.sqrt(2)
        )

    root, count = Node(state), 0
    while count < num_simulations:
        node, count = root, count + 1
        while not node.untried_actions and node.children:
            node = max(node.children, key=lambda child, node=node: score(node, child))
        if node.untried_actions:
            i = int(rng.random() * len(node.untried_actions))
            child = Node(parent=node, action=node.untried_actions.pop(i))
            node.children.append(child)
            node = child
        here = node.state
        while not here.is_terminal:
            actions = here.legal_actions()
            here = here.child(actions[int(rng.random() * len(actions))])
        returns = here.returns()
        while node is not None:
            node.visit_count += 1
            node.total_value += returns[node.mover]
            node = node.parent
    return root


def museum_reward__cases(winner, player):
    if winner == player:
        return 1.0
    return 0.0 if winner is None else -1.0


def museum_children__with_more(state, player):
    return [
        {"player": state.child(a).current_player, "state": state.child(a), "visits": 0}
        for a in state.legal_actions()
    ]


def museum_backpropagate__recursive(leaf, value):
    leaf.visit_count += 1
    leaf.total_value += value
    if leaf.parent is not None:
        same = leaf.parent.mover == leaf.mover
        museum_backpropagate__recursive(leaf.parent, value if same else -value)


def anytime__with_while(think, num_simulations, seconds, stop, clock):
    begun = clock()
    left = num_simulations - min(100, num_simulations)
    result = think(num_simulations - left)
    while left and clock() - begun < seconds and not stop():
        result = think(min(left, 100))
        left -= min(left, 100)
    return result.best_so_far


def anytime__recursive(think, num_simulations, seconds, stop, clock):
    begun = clock()
    result = think(min(num_simulations, 100))
    rest, left = num_simulations - 100, seconds - (clock() - begun)
    if stop() or rest <= 0 or left <= 0:
        return result.best_so_far
    return anytime__recursive(think, rest, left, stop, clock)


def anytime__at_the_tree(think, budget, seconds, stop, clock):
    """Thinks first of all, and reads the tree itself."""
    start, done, root = clock(), 0, None
    while root is None or not (done == budget or stop() or clock() - start >= seconds):
        size = 100 if budget - done > 100 else budget - done
        root = think(size).root
        done += size
    best = root.children[0]
    for child in root.children:
        if child.visit_count > best.visit_count:
            best = child
    return best.action


def reuse_tree__by_the_package(root, state):
    return find_root(root, state) or Node(state)


def reuse_tree__without_the_own_rollout(root, state):
    """Takes away from the node what its first simulation counted there."""
    level = [root]
    while level:
        for node in level:
            if node.state == state:
                children = node.children
                own = node.visit_count - sum(c.visit_count for c in children)
                node.visit_count -= own
                node.total_value = 0
                node.mover = state.current_player
                node.parent = None
                for c in children:
                    node.total_value += c.total_value
                return node
        level = [child for node in level for child in node.children]
    return Node(state)


def museum_result__mended_at_the_top(squares, lines):
    winners = {squares[a] for a, *rest in lines if all(squares[a] == squares[b] for b in rest)}
    if -1 not in squares and not winners & {0, 1}:
        return [0, 0]
    for winner in winners - {-1}:
        return [1.0 - 2 * winner, 2.0 * winner - 1]
    return None


def museum_result__with_all_owners(squares, lines):
    owners = [{squares[square] for square in line} for line in lines]
    if {0} in owners:
        return 1, -1
    if {1} in owners:
        return -1, 1
    return (0, 0) if squares.count(-1) == 0 else None


def museum_best_move__by_win_rates(player, moves, c):
    """As win rates between 0 and 1, where the bonus is half as large."""
    actions, visits, totals = map(np.array, zip(*moves, strict=True))
    rates = (1 + totals / visits) / 2
    if player == 1:
        rates = 1 - rates
    return actions[np.argmax(rates + c / 2 * np.sqrt(np.log(visits.sum()) / visits))]


def museum_labels__mended_in_the_last_line(players, winner):
    labels = []
    for player in players:
        if winner is None:
            labels.append(0)
        elif winner == 0:
            labels.append(1 if player == 0 else -1)
        else:
            labels.append(1 if player == 1 else -1)
    return labels


def museum_labels__with_numpy(players, winner):
    labels = np.zeros(len(players))
    if winner is not None:
        labels[np.array(players) == winner] = 1
        labels[np.array(players) != winner] = -1
    return labels


def match_score__with_statistics(wins, draws, losses):
    z = statistics.NormalDist().inv_cdf(0.975)
    results = [1.0] * wins + [0.5] * draws + [0.0] * losses
    n, score = len(results), statistics.mean(results)
    centre = (score + z * z / (2 * n)) / (1 + z * z / n)
    margin = z / (1 + z * z / n) * math.sqrt(score * (1 - score) / n + z * z / (4 * n * n))
    return np.array([score, max(0.0, centre - margin), min(1.0, centre + margin)])


def museum_gate__with_two_sides(wins, draws, losses, threshold):
    ours, theirs = 2 * wins + draws, 2 * losses + draws
    return not ours / (ours + theirs) < threshold


def museum_gate__mended_in_place(wins, draws, losses, threshold):
    is_worse = (wins + 0.5 * draws) / (wins + draws + losses) < threshold
    return not is_worse


def alphabeta__failing_soft(state, depth, evaluate, alpha=-math.inf, beta=math.inf):
    """Returns the best value that it has seen, also where that lies outside the window."""
    if state.is_terminal or depth == 0:
        return evaluate(state)
    is_first = state.current_player == 0
    best = -math.inf if is_first else math.inf
    for action in state.legal_actions():
        value = alphabeta__failing_soft(state.child(action), depth - 1, evaluate, alpha, beta)
        if is_first:
            best = max(best, value)
            if best >= beta:
                return best
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            if best <= alpha:
                return best
            beta = min(beta, best)
    return best


def alphabeta__as_negamax(state, depth, evaluate):
    """Values for the player to move inside, turned round only where the turn changes hands."""

    def negamax(state, depth, alpha, beta):
        sign = 1 - 2 * state.current_player
        if depth == 0 or state.is_terminal:
            return sign * evaluate(state)
        for action in state.legal_actions():
            child = state.child(action)
            if child.current_player == state.current_player:
                value = negamax(child, depth - 1, alpha, beta)
            else:
                value = -negamax(child, depth - 1, -beta, -alpha)
            alpha = max(alpha, value)
            if beta <= alpha:
                break
        return alpha

    value = negamax(state, depth, -math.inf, math.inf)
    return value if state.current_player == 0 else -value


def alphabeta__in_two_functions(state, depth, evaluate, alpha=float("-inf"), beta=float("inf")):
    def maximum(state, depth, alpha, beta):
        best = float("-inf")
        for action in state.legal_actions():
            best = max(best, value_of(state.child(action), depth - 1, alpha, beta))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best

    def minimum(state, depth, alpha, beta):
        best = float("inf")
        for action in state.legal_actions():
            best = min(best, value_of(state.child(action), depth - 1, alpha, beta))
            beta = min(beta, best)
            if alpha >= beta:
                break
        return best

    def value_of(state, depth, alpha, beta):
        if depth <= 0 or not state.legal_actions():
            return evaluate(state)
        player = maximum if state.current_player == 0 else minimum
        return player(state, depth, alpha, beta)

    return value_of(state, depth, alpha, beta)


def museum_negamax__with_pairs(state, depth, evaluate):
    """Values for both players, as `search.minimax` has them."""

    def pair(state, depth):
        if depth == 0 or state.is_terminal:
            value = evaluate(state)
            return (value, -value) if state.current_player == 0 else (-value, value)
        below = [pair(state.child(action), depth - 1) for action in state.legal_actions()]
        return max(below, key=lambda both: both[state.current_player])

    return pair(state, depth)[state.current_player]


def museum_table__with_two_tables(state, depth, evaluate, alpha, beta, table):
    """One entry for exact values, another for lower bounds that are used only where they cut."""
    if ("exact", state, depth) in table:
        return table["exact", state, depth]
    if table.get(("at least", state, depth), -math.inf) >= beta:
        return beta
    if depth == 0 or state.is_terminal:
        return evaluate(state)
    low, high = alpha, beta
    for action in state.legal_actions():
        below = (state.child(action), depth - 1, evaluate, low, high, table)
        value = museum_table__with_two_tables(*below)
        low, high = (
            (max(low, value), high) if state.current_player == 0 else (low, min(high, value))
        )
        if low >= high:
            break
    value = (low, high)[state.current_player]
    if alpha < value < beta:
        table["exact", state, depth] = value
    elif value >= beta:
        table["at least", state, depth] = value
    return value


def roxanne_move__by_the_package(state, classes, rng):
    return search.roxanne()(state, rng)


def walk(own, opponent, square, rows, cols):
    """How many of the opponent's discs turn in one direction."""
    row, col = divmod(square, 8)
    run = 0
    while 0 <= (row := row + rows) < 8 and 0 <= (col := col + cols) < 8:
        bit = 1 << 8 * row + col
        if own & bit:
            return run
        if not opponent & bit:
            return 0
        run += 1
    return 0


EIGHT = [(rows, cols) for rows in (-1, 0, 1) for cols in (-1, 0, 1) if rows or cols]


def mobility__by_walks(own, opponent):
    empty = [square for square in range(64) if not (own | opponent) >> square & 1]
    return sum(any(walk(own, opponent, square, *step) for step in EIGHT) for square in empty)


def mobility__by_the_package(own, opponent):
    return legal_moves((own, opponent, 0), geometry(8)).bit_count()


def mobility__with_numpy(own, opponent):
    bits = np.array([own >> square & 1 for square in range(64)]).reshape(8, 8)
    board = np.pad(bits - [[opponent >> 8 * r + c & 1 for c in range(8)] for r in range(8)], 1)
    count = 0
    for row, col in np.argwhere(board[1:-1, 1:-1] == 0) + 1:
        for step in map(np.array, EIGHT):
            place = np.array([row, col]) + step
            length = 0
            while board[tuple(place)] == -1:
                place, length = place + step, length + 1
            if length and board[tuple(place)] == 1:
                count += 1
                break
    return np.int64(count)


def frontier__by_loops(own, opponent):
    def is_empty(row, col):
        return 0 <= row < 8 and 0 <= col < 8 and not (own | opponent) >> 8 * row + col & 1

    discs = [divmod(square, 8) for square in range(64) if own >> square & 1]
    return len([1 for row, col in discs if any(is_empty(row + r, col + c) for r, c in EIGHT)])


def frontier__by_the_package(own, opponent):
    return knowledge.frontier((own, opponent, 0), geometry(8))[0]


def frontier__from_the_discs(own, opponent):
    empty = ~(own | opponent) & (1 << 64) - 1
    not_a, not_h = 0xFEFEFEFEFEFEFEFE, 0x7F7F7F7F7F7F7F7F
    near = empty << 8 | empty >> 8
    near |= (empty & not_h) << 1 | (empty & not_a) >> 1
    near |= (empty & not_h) << 9 | (empty & not_a) >> 9
    near |= (empty & not_a) << 7 | (empty & not_h) >> 7
    return bin(near & own).count("1")


def museum_flips__recursive(line, so_far=0):
    if not line or line[0] == "empty":
        return 0
    return so_far if line[0] == "own" else museum_flips__recursive(line[1:], so_far + 1)


def puct__with_numpy(w, n, p, parent, c):
    mean = np.divide(w, max(n, 1))
    return mean + np.sqrt(parent) * c * p / np.add(1, n)


def noisy_priors__by_the_package(node, alpha, weight, rng):
    noise = search.DirichletNoise(alpha, 0 if node.parent else weight)
    return noise.mixed([child.prior for child in node.children], rng)


def gather__with_kept_statistics(root, rule, number):
    before, leaves = {}, []
    for _ in range(number):
        leaf = node = search.select(root, rule)
        leaves.append(leaf)
        while node:
            before.setdefault(node, (node.visit_count, node.total_value))
            node.visit_count, node.total_value = node.visit_count + 1, node.total_value - 1
            node = node.parent
    for node, numbers in before.items():
        node.visit_count, node.total_value = numbers
    return leaves


def progressive_bias__with_numpy(w, n, h, parent, c):
    if n == 0:
        return np.inf
    return np.add(1, w / n) / 2 + c * np.sqrt(np.log(parent) / n) + np.divide(h, 1 + n)


def progressive_bias__by_the_package(w, n, h, parent, c):
    root = Node(games.TicTacToe())
    root.visit_count = parent
    child = Node(parent=root, action=0)
    child.visit_count, child.total_value = n, w
    return search.ucb1(c).score(root, child).total + h / (1 + n)


def rave_backup__with_numbers_of_nothing_first(leaf, moves, returns, amaf):
    later, node = dict.fromkeys(moves), leaf
    while node is not None:
        for player, action in later:
            amaf.setdefault((node, player, action), (0, 0.0))
            visits, total = amaf[node, player, action]
            amaf[node, player, action] = (1 + visits, returns[player] + total)
        if node.parent is not None:
            later[node.mover, node.action] = None
        node = node.parent


def museum_expand__by_cases(node, priors, alpha, weight, rng):
    actions = node.state.legal_actions()
    if node.parent is not None:
        return dict(zip(actions, priors, strict=True))
    noise = rng.dirichlet(np.full(len(priors), alpha))
    return dict(zip(actions, (1 - weight) * np.array(priors) + weight * noise, strict=True))


def museum_virtual_loss__by_the_package(path):
    add_virtual_loss(path)


def museum_virtual_loss__from_the_leaf(path):
    node = path[-1]
    while node is not None:
        node.visit_count += 1
        node.total_value -= 1
        node = node.parent


def encode__loops(state):
    board = state.board()
    planes = [[[0] * board.cols for _ in range(board.rows)] for _ in range(4)]
    for square, stone in enumerate(board.stones):
        row, col = divmod(square, board.cols)
        if stone == state.current_player:
            planes[0][row][col] = 1
        elif stone != -1:
            planes[1][row][col] = 1
        planes[2][row][col] = int(square == board.last_square)
        planes[3][row][col] = int(state.current_player == 0)
    return planes


def encode__bits(state):
    board, bits = state.board(), state.bitboards()
    stones = [bits.first, bits.second] if state.current_player == 0 else [bits.second, bits.first]
    everything = (1 << board.rows * board.cols) - 1
    numbers = [*stones, bits.last, everything * (1 - state.current_player)]
    squares = [[number >> s & 1 for s in range(len(board.stones))] for number in numbers]
    return np.array(squares, np.float32).reshape(4, board.rows, board.cols)


def encode__stacking(state):
    board = state.board()
    stones = np.array(board.stones)
    mine, theirs = stones == state.current_player, stones == 1 - state.current_player
    last = np.array([square == board.last_square for square in range(stones.size)])
    turn = np.full(stones.size, 1 - state.current_player)
    return np.stack([mine, theirs, last, turn]).reshape(-1, board.rows, board.cols).astype(int)


def symmetries__by_places(planes, policy):
    n = planes.shape[1]
    samples = []
    for swapped, flip_rows, flip_cols in itertools.product((False, True), repeat=3):
        turned, shares = np.zeros_like(planes), np.array(policy)
        for r, c in np.ndindex(n, n):
            row, col = (c, r) if swapped else (r, c)
            row = n - 1 - row if flip_rows else row
            col = n - 1 - col if flip_cols else col
            turned[:, row, col] = planes[:, r, c]
            shares[row * n + col] = policy[r * n + c]
        samples.append((turned, shares))
    return samples


def symmetries__with_a_plane_more(planes, policy):
    """The policy as one more plane, so that nothing can be forgotten."""
    n = planes.shape[1]
    together = np.concatenate([planes, policy[: n * n].reshape(1, n, n)])
    samples = []
    for board in (together, together.transpose(0, 2, 1)):
        for turns in range(4):
            turned = np.rot90(board, turns, axes=(2, 1))
            shares = list(turned[-1].flatten()) + list(policy[n * n :])
            samples.append([turned[:-1], shares])
    return samples


def loss__with_functions_of_torch(policy_logits, values, policies, returns):
    value = torch.nn.functional.mse_loss(values, returns)
    return value, torch.nn.functional.cross_entropy(policy_logits, policies)


def museum_mirror__by_the_package(planes, policy):
    return [net.turn(planes, policy, symmetry) for symmetry in games.ConnectFour().symmetries()]


def self_play_targets__by_comprehension(positions, visits):
    returns = positions[-1].returns()
    return [
        ({a: n / sum(counts.values()) for a, n in counts.items()}, returns[state.current_player])
        for state, counts in zip(positions[:-1], visits, strict=True)
    ]


def self_play_targets__from_the_end(positions, visits):
    """By the sign of the winner, as programs do that know players as 1 and -1."""
    first, _ = positions[-1].returns()
    targets = []
    for ply in reversed(range(len(visits))):
        counts = visits[ply]
        shares = np.array(list(counts.values())) / np.sum(list(counts.values()))
        value = first if positions[ply].current_player == 0 else -first
        targets.append((dict(zip(counts, shares.tolist(), strict=True)), value))
    return targets[::-1]


def self_play_targets__by_players(positions, visits):
    first, second = positions[-1].returns()
    value_of = {0: first, 1: second}
    movers = [state.current_player for state in positions if not state.is_terminal]
    policies = [{a: counts[a] / sum(counts.values()) for a in counts} for counts in visits]
    return list(zip(policies, map(value_of.get, movers), strict=True))


def play_move__by_the_package(visits, ply, temperature_plies, rng):
    children = [search.ChildStatistics(a, n, 0.0, 0.0) for a, n in visits.items()]
    return search.draw_action(children, 1.0 if ply < temperature_plies else 0.0, rng)


def play_move__from_a_bag(visits, ply, temperature_plies, rng):
    if ply < temperature_plies:
        bag = [action for action, count in visits.items() for _ in range(count)]
        return rng.choice(bag)
    return sorted(visits, key=visits.get)[-1]


def promotion_gate__in_turn(champion, candidate, play, num_games, threshold):
    points = 0.0
    for number in range(num_games):
        if number % 2:
            points += 1 - play(champion, candidate)
        else:
            points += play(candidate, champion)
    return candidate if points >= threshold * num_games - 1e-9 else champion


def promotion_gate__by_score(champion, candidate, play, num_games, threshold):
    results = [play(candidate, champion) for _ in range(num_games // 2)]
    results += [1 - play(champion, candidate) for _ in range(num_games // 2)]
    score = arena.Score(results.count(1), results.count(0.5), results.count(0))
    return (champion, candidate)[score.rate.value >= threshold]


def breakthrough_moves__by_targets(stones, cols, player):
    back = cols if player == 0 else -cols
    moves = set()
    for target, there in enumerate(stones):
        for side in (-1, 0, 1):
            start = target + back + side
            if not 0 <= target % cols + side < cols or not 0 <= start < len(stones):
                continue
            if stones[start] == player and there in ((-1,) if side == 0 else (-1, 1 - player)):
                moves.add((start, target))
    return moves


def breakthrough_moves__with_numpy(stones, cols, player):
    board = np.pad(np.array(stones).reshape(-1, cols), 1, constant_values=9)
    moves = []
    for row, col in np.argwhere(board == player):
        ahead = row + (1 if player else -1)
        for other in (col - 1, col, col + 1):
            there = board[ahead, other]
            if there == -1 or (there == 1 - player and other != col):
                moves.append(((row - 1) * cols + col - 1, (ahead - 1) * cols + other - 1))
    return tuple(moves)


def breakthrough_winner__by_lists(stones, cols):
    squares = [[s for s, stone in enumerate(stones) if stone == player] for player in (0, 1)]
    if not squares[1] or (squares[0] and squares[0][0] < cols):
        return 0
    if not squares[0] or squares[1][-1] >= len(stones) - cols:
        return 1


def breakthrough_winner__by_loops(stones, cols):
    for player, row in ((0, range(cols)), (1, range(len(stones) - cols, len(stones)))):
        if any(stones[square] == player for square in row) or 1 - player not in stones:
            return player
    return None


def breakthrough_winner__with_numpy(stones, cols):
    board = np.array(stones).reshape(-1, cols)
    if (board[0] == 0).any() or not (board == 1).any():
        return np.int64(0)
    return 1 if (board[-1] == 1).any() or not (board == 0).any() else None


def misjudges__by_dictionary(returns, priors, state, proven, solutions):
    by_action = dict(zip(state.legal_actions(), priors, strict=True))
    winner = state.current_player if proven == 1 else 1 - state.current_player
    return returns[winner] < 0, max(by_action, key=by_action.get) not in solutions


def misjudges__by_cases(returns, priors, state, proven, solutions):
    value = returns[0] if state.current_player == 0 else returns[1]
    has_wrong_winner = value < 0 if proven > 0 else value > 0
    best = sorted(zip(priors, state.legal_actions(), strict=True))[-1][1]
    return has_wrong_winner, all(best != move for move in solutions)


def misjudged_position__in_games(evaluator, state, prove, rng):
    while True:
        position, moves = state, []
        while not position.is_terminal:
            if prove(position) is not None:
                values, _ = evaluator([position], rng)
                if values[0][position.current_player] * prove(position) < 0:
                    return tuple(moves)
            moves.append(search.uniform(position, rng))
            position = position.child(moves[-1])


def misjudged_position__in_whole_games(evaluator, state, prove, rng):
    states, moves = [state], []
    while not states[-1].is_terminal:
        moves.append(int(rng.choice(states[-1].legal_actions())))
        states.append(states[-1].child(moves[-1]))
    for ply, position in enumerate(states[:-1]):
        proven = prove(position)
        value = evaluator([position], rng).values[0][position.current_player]
        if (proven == 1 and value < 0) or (proven == -1 and value > 0):
            return moves[:ply]
    return misjudged_position__in_whole_games(evaluator, state, prove, rng)


def misjudged_position__by_breadth(evaluator, state, prove, rng):
    paths = [[]]
    for path in paths:
        position = state
        for move in path:
            position = position.child(move)
        if position.is_terminal:
            continue
        proven, (returns,) = prove(position), evaluator([position], rng).values
        if proven and np.sign(returns[position.current_player]) == -proven:
            return np.array(path)
        wanted = rng.permutation(position.legal_actions())[:2]
        paths += [[*path, int(move)] for move in wanted]
    raise AssertionError("not found")


def museum_match_move__by_the_package(think, ply, is_match, rng):
    visits = think(is_match is False)
    children = [search.ChildStatistics(a, n, 0.0, 0.0) for a, n in visits.items()]
    return search.draw_action(children, 1.0 if ply < 8 and not is_match else 0.0, rng)


def museum_match_move__from_a_bag(think, ply, is_match, rng):
    visits = think(not is_match)
    if is_match or ply >= 8:
        return sorted(visits.items(), key=lambda entry: entry[1])[-1][0]
    bag = [action for action, number in visits.items() for _ in range(number)]
    return bag[rng.integers(len(bag))]


PACKAGES = [
    (exercises.minimax, search.minimax),
    (exercises.select, search.select),
    (exercises.expand, search.expand),
    (exercises.rollout, search.rollout),
    (exercises.backpropagate, search.backpropagate),
]
OURS = [
    (getattr(exercises, name.partition("__")[0]), answer)
    for name, answer in list(globals().items())
    if "__" in name.strip("_")
]


@pytest.mark.parametrize(
    ("exercise", "answer"),
    PACKAGES + OURS,
    ids=lambda each: getattr(each, "name", None) or each.__name__,
)
def test_right_answers_that_are_written_differently_pass(exercise, answer):
    result = judge(exercise, answer)

    assert result.outcome is Outcome.RIGHT, result


def test_each_exercise_has_six_right_answers_that_look_different():
    answered = Counter(exercise.name for exercise, _ in PACKAGES + OURS)
    answered += Counter(
        name
        for name in exercises.__all__
        for answer in answers_to(getattr(exercises, name))
        if answer.is_right
    )
    assert min(answered[name] for name in exercises.__all__) >= 6
