"""Searches of three styles, with and without faults, for the examiner to find.

A fault is described as a mistake of an exercise is: its name is what the examiner should call it,
and below it stand the edits that make it. They were written before the examiner.
"""

from pathlib import Path
from typing import Final

from mctslab.course.question import edited, mistakes_in

FAULTS: Final = {
    "recursive": """
        the sign is never flipped
            - value = self.visit(child, depth + 1)
            - if child.state.current_player != state.current_player:
            -     value = -value
            + value = self.visit(child, depth + 1)
        the wrong player's result
            - if child.state.current_player != place.state.current_player:
            -     mean = -mean
        turns are assumed to alternate
            if child.state.current_player != state.current_player: => if True:
            if child.state.current_player != place.state.current_player: => if True:
        draws have the wrong value
            [state.current_player] => [state.current_player] or -1.0
            return state.returns()[player] => return state.returns()[player] or -1.0
        draws have the wrong value
            [state.current_player] => [state.current_player] or 1.0
            return state.returns()[player] => return state.returns()[player] or 1.0
        visits of parent and child exchanged
            math.log(place.visits) / child.visits => math.log(child.visits) / place.visits
        the exploration never fades
            math.log(place.visits) / => place.visits /
        no exploration
            c=1.0 => c=0.0
        untried children are not tried
            if untried: => if untried and not place.below:
        rollouts start at the root
            value = self.playout(state) => value = self.playout(self.start)
            searcher = Search(rng) => searcher = Search(rng); searcher.start = state
        rollouts are not random
            actions[int(self.rng.integers(len(actions)))] => actions[0]
        a finished game is searched further
            - if state.is_terminal:
            -     value = state.returns()[state.current_player]
            - elif place.visits == 0:
            + if place.visits == 0:
        the result of a finished game is ignored
            value = state.returns()[state.current_player] => value = 0.0
        the result of a finished game has the wrong sign
            value = state.returns() => value = -state.returns()
        the wrong child is played
            return max(root.below => return min(root.below
        an index is used as an action
            return untried[int(self.rng.integers(len(untried)))] => return int(self.rng.integers(2))
        random numbers from another source
            self.rng = rng => self.rng = __import__("numpy").random.default_rng()
        the depth is limited
            - while not state.is_terminal:
            -     actions = state.legal_actions()
            + for _ in range(60):
            +     if state.is_terminal:
            +         break
            +     actions = state.legal_actions()
            return state.returns()[player] => return state.is_terminal and state.returns()[player]
        the number of simulations is wrong
            range(num_simulations) => range(num_simulations // 2)
        the tree of an earlier search
            root = Place(state) => root = globals().setdefault("kept", Place(state))
        the tree does not grow
            elif place.visits == 0: => elif place.visits == 0 or depth == 1:
    """,
    "tables": """
        the sign is never flipped
            path = [] => path, me = [], board.turn
            path.append((board.key(), board.turn, move)) => path.append((board.key(), me, move))
        the wrong player's result
            if winner == player => if winner != player
        the wrong player's result
            - path.append((board.key(), board.turn, move))
            - board.push(move)
            + key = board.key()
            + board.push(move)
            + path.append((key, board.turn, move))
        turns are assumed to alternate
            path = [] => path, me = [], board.turn
            (board.key(), board.turn, move) => (board.key(), (me + len(path)) % 2, move)
        one player's result everywhere
            += reward(winner, player) => += reward(winner, 0)
        draws have the wrong value
            return 0.5 => return 0.0
        draws have the wrong value
            return 0.5 => return 1.0
        visits of parent and child exchanged
            math.log(total) / n => math.log(n) / total
        the exploration never fades
            2 * math.log(total) / n => total / n
        no exploration
            + math.sqrt(2 * math.log(total) / n) =>
        untried children are not tried
            fresh = [move for move in moves if visits[board.key(), move] == 0] => fresh = []
            math.log(total) / n => math.log(total or 1) / n
            n = visits[key, move] => n = visits[key, move] or 1e9
        rollouts start at the root
            - depth = len(path)
            + for _ in path:
            +     board.pop()
            + depth = 0
        rollouts are not random
            board.push(moves[rng.integers(len(moves))]) => board.push(moves[0])
        a finished game is searched further
            while not board.is_over() and board.key() in known: => while board.key() in known:
        the result of a finished game is ignored
            depth = len(path) => depth, over = len(path), board.is_over()
            winner = board.winner() => winner = None if over else board.winner()
        an index is used as an action
            - return {move: visits[board.key(), move] for move in board.legal_moves()}
            + moves = board.legal_moves()
            + return {i: visits[board.key(), move] for i, move in enumerate(moves)}
        random numbers from another source
            - done = 0
            + done, rng = 0, __import__("numpy").random.default_rng(0)
        the position is changed
            for _ in range(depth): => for _ in range(depth - (len(known) == 9)):
        the depth is limited
            depth = len(path) => depth = start = len(path)
            - while not board.is_over():
            + while not board.is_over() and depth < start + 80:
        the number of simulations is wrong
            done < num_simulations if => done < 100 if
        the tree of an earlier search
            - return {move: visits[board.key(), move] for move in board.legal_moves()}
            + moves = tuple(board.legal_moves())
            + found = {move: visits[board.key(), move] for move in moves}
            + return globals().setdefault("kept", {}).setdefault(moves, found)
        the time limit is not kept
            else time.monotonic() < deadline: => else done % 1000 or time.monotonic() < deadline:
    """,
    "alpha_zero": """
        the sign is never flipped
            (value if player == leaf.player else -value) => value
        the wrong player's result
            (value if player == leaf.player => (value if player != leaf.player
        turns are assumed to alternate
            - edge.w += 1.0 + (value if player == leaf.player else -value)
            + value = -value
            + edge.w += 1.0 + value
        the net's value is for the wrong player
            return value => return -value
        draws have the wrong value
            else ended => else ended or -1.0
        a finished game is searched further
            self.expand(leaf) if ended is None else ended => ended or self.expand(leaf)
        the result of a finished game is ignored
            else ended => else 0.0
        the result of a finished game has the wrong sign
            else ended => else -ended
        no exploration
            C_PUCT = 1.5 => C_PUCT = 0.0
        the exploration never fades
            np.sqrt(total + 1) => (total + 1)
        visits of parent and child exchanged
            np.sqrt(total + 1) / (1 + edge.n) => np.sqrt(edge.n + 1) / (1 + total)
        an index is used as an action
            {int(a): Edge(policy[a]) for a in => {i: Edge(policy[a]) for i, a in enumerate(
            np.flatnonzero(policy)} => np.flatnonzero(policy))}
        noise below the root
            - if noisy:
            -     add_noise(self.root, rng)
            + self.rng = rng
            - if leaf.edges is None:
            -     leaf.edges = {int(a): Edge(policy[a]) for a in np.flatnonzero(policy)}
            + if leaf.edges is None:
            +     leaf.edges = {int(a): Edge(policy[a]) for a in np.flatnonzero(policy)}
            +     add_noise(leaf, self.__dict__.get("rng") or np.random.default_rng(1))
        random numbers from another source
            noisy=False => noisy=True
            rng.dirichlet => np.random.default_rng().dirichlet
        virtual losses attract
            edge.w -= 1.0 => edge.w += 1.0
            edge.w += 1.0 + ( => edge.w += -1.0 + (
        virtual losses stay
            edge.w += 1.0 + ( => edge.w += (
        priors are not normalised
            - policy = policy / policy.sum()
        illegal actions are not masked
            - policy = policy * self.game.valid_moves(leaf.board, leaf.player)
        the position is changed
            self.root = self.find(board, player) => self.root = self.find(board, player); board += 1
        the number of simulations is wrong
            done += size => done += 1
        the tree of an earlier search
            self.root = self.find( => self.root = self.root or self.find(
        the tree does not grow
            while node.edges: => while node.edges and len(path) < 2:
    """,
}


UNSEEN: Final = {
    "by_mover": """
        the wrong player's result
            node.score += returns[node.mover] => node.score += returns[1 - node.mover]
        the sign is never flipped
            node.score += returns[node.mover] => node.score += returns[root_player(node)]
            - def backup(node, returns):
            + def root_player(node):
            +     while node.parent is not None:
            +         node = node.parent
            +     return 1 - node.mover
            +
            + def backup(node, returns):
        the wrong player's result
            Node(child, node.state.current_player => Node(child, child.current_player
        turns are assumed to alternate
            Node(child, node.state.current_player => Node(child, 1 - node.mover
        draws have the wrong value
            return state.returns() => return tuple(2 * (each == 1) - 1 for each in state.returns())
        visits of parent and child exchanged
            logarithm / child.visit_count) => math.log(child.visit_count) / node.visit_count)
        the exploration never fades
            logarithm = math.log(node.visit_count) => logarithm = node.visit_count
        no exploration
            child.mean_value + c * math.sqrt => child.mean_value + 0 * c * math.sqrt
        untried children are not tried
            - unvisited = [child for child in node.children if child.visit_count == 0]
            - if unvisited:
            -     return unvisited[0]
            logarithm / child.visit_count) => logarithm / (child.visit_count or 10**9))
        rollouts start at the root
            default_policy(leaf.state, rng) => default_policy(root.state, rng)
        rollouts are not random
            rng.integers(0, len(actions)) => rng.integers(0, max(1, len(actions) - 1))
        a finished game is searched further
            if node.visit_count == 0 or node.state.is_terminal: => if node.visit_count == 0:
        results do not reach the moves
            - node = node.parent
            + node = None
        the wrong child is played
            key=lambda child: child.visit_count) => key=lambda each: -each.visit_count)
        an index is used as an action
            return best.action, root => return root.children.index(best), root
        random numbers from another source
            - began, done = time.monotonic(), 0
            + began, done = time.monotonic(), 0
            + rng = __import__("numpy").random.default_rng(12)
        the depth is limited
            - while not state.is_terminal:
            -     actions = state.legal_actions()
            + for _ in range(100):
            +     if state.is_terminal:
            +         break
            +     actions = state.legal_actions()
            return state.returns() => return state.returns() if state.is_terminal else (0, 0)
        the number of simulations is wrong
            done += 1 => done += len(root.children) or 1
        the time limit is not kept
            elif time.monotonic() - began >= seconds: => elif done >= 5000:
        the tree of an earlier search
            root = Node( => root = TREE[0] = TREE.get(0) or Node(
            - def mcts(state, num_simulations, rng, seconds=None, c=1.4):
            + TREE = {}
            +
            + def mcts(state, num_simulations, rng, seconds=None, c=1.4):
        the tree does not grow
            if node.visit_count == 0 or => if node.parent or
    """,
    "flat_net": """
        the net's value is for the wrong player
            return value => return -value
        the wrong player's result
            totals[node] += value => totals[node] -= value
        the sign is never flipped
            totals[node] += value if above == player else -value => totals[node] += value
        turns are assumed to alternate
            - above = states[max(parents[node], 0)].current_player
            + value = -value
            totals[node] += value if above == player else -value => totals[node] += value
        the result of a finished game is ignored
            value = states[node].returns()[player] => value = 0.0
        the result of a finished game has the wrong sign
            value = states[node].returns()[player] => value = states[node].returns()[1 - player]
        draws have the wrong value
            value = states[node].returns()[player] => value = states[node].returns()[player] or 1.0
        no exploration
            return mean + 1.25 * priors => return mean + 0.0 * priors
        the exploration never fades
            np.sqrt(visits[node]) => visits[node]
        priors are not normalised
            priors.append(policy[action] / total) => priors.append(policy[action])
        illegal actions are not masked
            list(states[node].legal_actions()) => [a for a in range(26) if policy[a] > 0]
        noise below the root
            policy[action] / total => 0.75 * policy[action] / total + 0.25 * rng.random()
        random numbers from another source
            policy[action] / total => policy[action] / total + 0.1 * np.random.random()
        an index is used as an action
            actions[child]: (visits[child] => i: (visits[child]
            for child in children[0] => for i, child in enumerate(children[0])
        the number of simulations is wrong
            for _ in range(num_simulations): => for _ in range(int(num_simulations**0.5)):
        the wrong child is played
            actions[child]: (visits[child], => actions[child]: (-visits[child],
    """,
}
"""Implementations and faults that were written when the examiner was finished.

At the first try it named 34 of these 37, and had no alarm without a fault.
"""

SELF_PLAY: Final = """
    values are for the wrong player
        returns[each.current_player] => returns[0]
    values are for the wrong player
        returns[each.current_player] => returns[1 - each.current_player]
    values are for the wrong player
        - return [(each, policy, returns[each.current_player]) for each, policy in history]
        + return [(each, policy, returns[i % 2]) for i, (each, policy) in enumerate(history)]
    drawn games have wrong values
        returns[each.current_player]) for => returns[each.current_player] or -1.0) for
    drawn games have wrong values
        returns[each.current_player]) for => returns[each.current_player] or 0.5) for
    noise in matches
        think(state, net, rng, None) => think(state, net, rng, NOISE)
    the policy is not turned with the board
        pairs.append((turned, moved.ravel())) => pairs.append((turned, policy))
    the policy is not turned with the board
        moved[:, ::-1].ravel() => moved[::-1].ravel()
    policies are not normalised
        count / total for => count for
    policies contain illegal actions
        {move: count / total for move, count in visits.items()} => [1 / 26] * 26
    temperature in the policies
        {move: count / total for move, count in visits.items()} => {action: 1.0}
    positions after the end
        returns = state.returns() => returns = state.returns(); history.append((state, policy))
"""
"""Faults of `loop.py`."""


def source(module: str) -> str:
    """The text of one of the implementations."""
    return Path(__file__).with_name(f"{module}.py").read_text("utf-8")


def planted() -> list[tuple[str, str, str]]:
    """Each implementation with each of its faults: module, the fault's name, the faulty source."""
    return [
        (module, mistake.name, edited(source(module), mistake.edits))
        for module, text in {**FAULTS, **UNSEEN}.items()
        for mistake in mistakes_in(text)
    ]
