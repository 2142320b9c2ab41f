"""Wrong answers as students give them, invented without a look at what the checks know.

By exercise, in the form that `mistakes_in` reads; a name says what was changed. They are for
measuring (`python -m tests.measure mutants`): who improves a check by them invents new ones first.
"""

from typing import Final

WRONG: Final = {
    "alphabeta": """
        beta not handed on
            depth - 1, evaluate, alpha, beta) => depth - 1, evaluate, alpha)
        the window not handed on
            depth - 1, evaluate, alpha, beta) => depth - 1, evaluate)
        the depth not counted
            depth - 1 => depth
        one ply less
            depth == 0 => depth == 1
        the first player always
            - return alpha if state.current_player == 0 else beta
            + return alpha
        turns by the depth
            - if state.current_player == 0:
            + if depth % 2 == 0:
    """,
    "anytime": """
        one simulation at a time
            min(100, num_simulations - spent) => 1
        stop looked at before the first slice
            - size = min(100, num_simulations - spent)
            + if stop():
            +     return None
            + size = min(100, num_simulations - spent)
        the result of all
            result.best_so_far => result
        never asked whether to stop
             or stop() =>
    """,
    "backpropagate": """
        the leaf forgotten
            node = leaf => node = leaf.parent
        the root forgotten
            while node is not None => while node.parent is not None
        the player to move
            returns[node.mover] => returns[node.state.current_player]
        the mean kept
            += returns[node.mover] => = returns[node.mover] / node.visit_count
        wins counted
            += returns[node.mover] => += returns[node.mover] > 0
    """,
    "bias_and_variance": """
        the standard deviation
            np.var(results) => np.std(results)
        the sum of the variances
            np.mean(variances) => np.sum(variances)
        the absolute bias
            np.square(biases) => np.abs(biases)
        the bias not squared
            np.mean(np.square(biases)) => np.mean(biases)
    """,
    "deepen": """
        depth from 0
            depth = 1 => depth = 0
        act or
            - if is_finished and best is not None:
            -     action = best
            + action = best or action
        depths doubled
            depth += 1 => depth *= 2
        at most three
            if sees_the_end or not is_finished: => if sees_the_end or not is_finished or depth == 3:
    """,
    "encode": """
        the opponent first
            planes[0], planes[1] => planes[1], planes[0]
        the colours, not the sides
            stones == mover, stones == 1 - mover => stones == 0, stones == 1
        ones in the last plane
            planes[3] = mover == 0 => planes[3] = 1
        three planes
            np.zeros((4, => np.zeros((3,
            - planes[3] = mover == 0
        the board turned
            reshape(board.rows, board.cols) => reshape(board.rows, board.cols).T
    """,
    "estimate": """
        2 for 1.96
            1.96 => 2
        ends swapped
            mean - margin, mean + margin => mean + margin, mean - margin
        the root forgotten
            math.sqrt(len(results)) => len(results)
        the variance
            np.std(results) => np.var(results)
        the width and not the ends
            mean - margin, mean + margin => margin, margin
    """,
    "expand": """
        the action left in the list
            - node.untried_actions.remove(action)
        the child not hung into the tree
            - node.children.append(child)
        the parent returned
            return child => return node
        without a parent
            Node(parent=node, action=action) => Node(node.state.child(action))
        always the last
            int(rng.choice(node.untried_actions)) => node.untried_actions[-1]
        from all legal actions
            rng.choice(node.untried_actions) => rng.choice(node.state.legal_actions())
    """,
    "frontier": """
        only up and down
            (1, 7, 9) => ()
        all empty neighbours
            own & near => ~(own | opponent) & near
        of both players
            (own & near) => ((own | opponent) & near)
        the opponent's
            (own & near) => (opponent & near)
    """,
    "games_needed": """
        rounded
            math.ceil => round
        one more always
            math.ceil => int
            / half_width**2) => / half_width**2) + 1
        not squared
            half_width**2 => half_width
        the whole width
            half_width**2 => (2 * half_width) ** 2
        always a half
            score * (1 - score) => 0.25
    """,
    "gather": """
        the loss not taken back
            - for node in passed:
            -     node.visit_count -= 1
            -     node.total_value += 1
        only the leaf
            while node is not None => if node is not None
        the loss as a win
            node.total_value -= 1 => node.total_value += 1
            node.total_value += 1 => node.total_value -= 1
        the loss at once taken back
            - leaves.append(search.select(root, rule))
            - ...
            + leaves.append(search.select(root, rule))
            + return leaves * number
    """,
    "line_up_returns": """
        a zero for a draw
            return 0, 0 => return 0
        only the first row
            rows + columns + diagonals => rows[:1] + columns + diagonals
        anybody's line
            squares[square] == 0 for => squares[square] >= 0 for
        one diagonal twice
            (2, 4, 6) => (0, 4, 8)
    """,
    "loss": """
        the sum of squares
            ((returns - values) ** 2).mean() => ((returns - values) ** 2).sum()
        the absolute error
            ((returns - values) ** 2).mean() => abs(returns - values).mean()
        without the minus
            -(policies * logs) => (policies * logs)
        the mean over the moves
            .sum(axis=1).mean() => .mean()
        half the squares
            ((returns - values) ** 2).mean() => ((returns - values) ** 2).mean() / 2
    """,
    "match_score": """
        draws rounded down
            draws / 2 => draws // 2
        the plain interval
            - middle = (k + z**2 / 2) / (n + z**2)
            - margin = z / (n + z**2) * math.sqrt(k * (n - k) / n + z**2 / 4)
            + middle = k / n
            + margin = z * math.sqrt(middle * (1 - middle) / n)
        99 percent
            1.96 => 2.576
        90 percent
            1.96 => 1.645
        the middle for the score
            return k / n => return middle
    """,
    "minimax": """
        memo never read
            - if state in memo:
            -     return memo[state]
        memo never written
            - memo[state] = value
        always player 0
            value[mover] => value[0]
        the smallest
            max(values => min(values
        the value of the mover only
            max(values, key=lambda value: value[mover]) => max(value[mover] for value in values)
        turn by turn
            mover = state.current_player => mover = 1 - state.current_player
    """,
    "misjudged_position": """
        never starts anew
            - if state.is_terminal:
            -     state, moves = first, []
        the first one
            rng.choice(state.legal_actions()) => state.legal_actions()[0]
        the other player
            [state.current_player] => [1 - state.current_player]
        proven or not
            < 0 => != 0
    """,
    "misjudges": """
        one answer
            return value * proven < 0, favourite not in solutions => return value * proven < 0
        the wrong way round
            favourite not in solutions => favourite in solutions
        exactly equal
            value * proven < 0 => value != proven
        exchanged
            - return value * proven < 0, favourite not in solutions
            + return favourite not in solutions, value * proven < 0
    """,
    "mobility": """
        only one way
             | (down & through) >> step =>
        without passing
            (up & through) << step | (down & through) >> step => up << step | down >> step
        empty squares of the board only
             & ~(own | opponent) => & ~own
        three steps
            range(6) => range(3)
    """,
    "noisy_priors": """
        noise everywhere
            - if node.parent is not None:
            -     return priors
        the weights exchanged
            (1 - weight) * p + weight * float(n) => weight * p + (1 - weight) * float(n)
        added on top
            (1 - weight) * p => p
        equal noise
            rng.dirichlet([alpha] * len(priors)) => [1 / len(priors)] * len(priors)
        global chance
            rng.dirichlet => np.random.dirichlet
    """,
    "play_move": """
        never at random
            ply >= temperature_plies => True
        always at random
            ply >= temperature_plies => False
        the index
            rng.choice(list(visits), p => rng.choice(len(visits), p
        all alike
            , p=counts / counts.sum() =>
        the visits and not the move
            max(visits, key=lambda action: visits[action]) => max(visits.values())
        one ply longer
            ply >= temperature_plies => ply > temperature_plies
    """,
    "playout": """
        nine moves at most
            - while not state.is_terminal:
            -     state = state.child(rng.choice(state.legal_actions()))
            + for _ in range(9):
            +     if not state.is_terminal:
            +         state = state.child(rng.choice(state.legal_actions()))
        an index
            rng.choice(state.legal_actions()) => rng.integers(len(state.legal_actions()))
        the value of player 0
            state.returns() => state.returns()[0]
        the position
            return state.returns() => return state
        global chance
            rng.choice => np.random.choice
    """,
    "promotion_gate": """
        all games by the candidate
            num_games // 2 => num_games
            - points += 1 - play(champion, candidate)
        the champion's points
            points += play(candidate, champion) => points += play(champion, candidate)
            points += 1 - play(champion, candidate) => points += 1 - play(candidate, champion)
        a half is enough
            >= threshold => >= 0.5
        true or false
            candidate if => bool(
            threshold else champion => threshold)
        the number of wins
            points / num_games => points / (num_games // 2)
    """,
    "puct": """
        the child's visits in the root
            math.sqrt(parent_visit_count) => math.sqrt(visit_count)
        a logarithm
            math.sqrt(parent_visit_count) => math.sqrt(math.log(parent_visit_count))
        the 1 forgotten
            (1 + visit_count) => max(1, visit_count)
        infinite at first
            if visit_count else 0.0 => if visit_count else math.inf
        the root of all
            (parent_visit_count) / (1 + visit_count) => (parent_visit_count / (1 + visit_count))
        less one visit
            math.sqrt(parent_visit_count) => math.sqrt(max(0, parent_visit_count - 1))
    """,
    "reuse_tree": """
        always a new tree
            - nodes = [root]
            - ...
            + return search.Node(state)
        only the children
            - nodes += node.children
        the parent kept
            node.parent = node.action = None => node.action = None
        the old root
            return node => return root
        the visits left as they were
            - node.visit_count = sum(child.visit_count for child in node.children)
    """,
    "rollout": """
        one policy move
            while not => if not
        at most twenty
            - while not state.is_terminal:
            -     state = state.child(policy(state, rng))
            + for _ in range(20):
            +     if not state.is_terminal:
            +         state = state.child(policy(state, rng))
        always from the first position
            policy(state, rng) => policy(first, rng)
            - while not
            + first = state
            + while not
        the policy for one side
            - state = state.child(policy(state, rng))
            + if state.current_player == 0:
            +     state = state.child(policy(state, rng))
            + else:
            +     state = state.child(rng.choice(state.legal_actions()))
        an own generator
            policy(state, rng) => policy(state, np.random.default_rng(0))
    """,
    "roxanne_move": """
        the worst class first
            in classes => in classes[::-1]
        the first of a class
            candidates[int(rng.random() * len(candidates))] => candidates[0]
        the squares and not the moves
            - candidates = [action for action in state.legal_actions() if action in squares]
            + candidates = list(squares)
        nothing for a pass
            return state.legal_actions()[0] => return None
    """,
    "select": """
        one step
            while node.is => if node.is
        two steps
            - while node.is_fully_expanded and node.children:
            -     node = rule.best_child(node)
            + for _ in range(2):
            +     if node.is_fully_expanded and node.children:
            +         node = rule.best_child(node)
        always down
            node.is_fully_expanded and node.children => node.children
        the first child
            rule.best_child(node) => node.children[0]
        the parent
            return node => return node.parent or node
    """,
    "self_play_targets": """
        always player 0
            returns[state.current_player] => returns[0]
        the counts
            count / total => count
        the best move
            - policy = {action: count / total for action, count in counts.items()}
            + policy = {max(counts, key=counts.get): 1.0}
        the pair exchanged
            (policy, returns[state.current_player]) => (returns[state.current_player], policy)
        the last forgotten
            return targets => return targets[:-1]
    """,
    "symmetries": """
        only turns
            - samples.append((turned[:, :, ::-1], np.append(shares[:, ::-1].reshape(-1), rest)))
        the pass forgotten
            np.append(shares.reshape(-1), rest) => shares.reshape(-1)
            np.append(shares[:, ::-1].reshape(-1), rest) => shares[:, ::-1].reshape(-1)
        three turns
            range(4) => range(3)
        the policy turned the other way
            np.rot90(board, turns) => np.rot90(board, -turns)
    """,
    "ucb1": """
        2 under the root
            math.log => 2 * math.log
        sqrt(ln N)/n
            (parent_visit_count) / visit_count) => (parent_visit_count)) / visit_count
        one more visit
            math.log(parent_visit_count) => math.log(parent_visit_count + 1)
        one more below
            / visit_count) => / (1 + visit_count))
        a large number
            math.inf => 1e9
        visits exchanged
            math.log(parent_visit_count) / visit_count => math.log(visit_count) / parent_visit_count
    """,
    "uct": """
        one simulation too many
            range(num_simulations) => range(num_simulations + 1)
        no backpropagation
            - search.backpropagate(leaf, returns)
        the node and not the leaf
            search.backpropagate(leaf, returns) => search.backpropagate(node, returns)
        a rollout from the root
            search.simulate(leaf, => search.simulate(root,
        no selection
            search.select(root, rule) => root
        the best move
            return root => return max(root.children, key=lambda child: child.visit_count)
    """,
}
