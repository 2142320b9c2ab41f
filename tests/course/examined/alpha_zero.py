"""A search by functions of a game and a net, as in AlphaZero: PUCT, batches, noise, and reuse.

`Game` has the functions of alpha-zero-general. Here a board is one of the examiner's positions.
"""

import numpy as np

C_PUCT = 1.5
BATCH = 4
ALPHA, EPSILON = 0.5, 0.25


class Game:
    def next_state(self, board, player, action):
        return board.child(action), board.child(action).current_player

    def valid_moves(self, board, player):
        mask = np.zeros(board.num_actions)
        mask[list(board.legal_actions())] = 1
        return mask

    def game_ended(self, board, player):
        return board.returns()[player] if board.is_terminal else None


class Edge:
    def __init__(self, prior):
        self.prior = prior
        self.n = 0
        self.w = 0.0  # for the player to move above
        self.node = None


class Tree:
    """What is known of one position; `edges` is None until the net has been called."""

    def __init__(self, board, player):
        self.board = board
        self.player = player
        self.edges = None


class Searcher:
    """Keeps its tree from move to move."""

    def __init__(self, game, predict):
        self.game = game
        self.predict = predict
        self.root = None

    def find(self, board, player):
        """The node of this position in the old tree, at most two moves below its root."""
        level = [] if self.root is None else [self.root]
        for _ in range(3):
            for node in level:
                if node.board == board and node.player == player:
                    return node
            edges = [edge for node in level for edge in (node.edges or {}).values()]
            level = [edge.node for edge in edges if edge.node is not None]
        return Tree(board, player)

    def visits(self, board, player, num_simulations, rng, noisy=False):
        """Visits and mean values of all actions after a search."""
        self.root = self.find(board, player)
        if self.root.edges is None:
            self.expand(self.root)
        if noisy:
            add_noise(self.root, rng)
        done = 0
        while done < num_simulations:
            size = min(BATCH, num_simulations - done)
            walks = [self.select() for _ in range(size)]
            for path, leaf in walks:
                self.backup(path, leaf, self.evaluate(leaf))
            done += size
        return {a: (edge.n, edge.w / max(edge.n, 1)) for a, edge in self.root.edges.items()}

    def select(self):
        """The edges of a walk to a leaf; each has a virtual loss until its backup."""
        node, path = self.root, []
        while node.edges:
            total = sum(edge.n for edge in node.edges.values())
            action, edge = max(node.edges.items(), key=lambda item: score(item[1], total))
            if edge.node is None:
                board, player = self.game.next_state(node.board, node.player, action)
                edge.node = Tree(board, player)
            edge.n += 1
            edge.w -= 1.0
            path.append((node.player, edge))
            node = edge.node
        return path, node

    def evaluate(self, leaf):
        """The value of a leaf for the player to move there."""
        ended = self.game.game_ended(leaf.board, leaf.player)
        return self.expand(leaf) if ended is None else ended

    def expand(self, leaf):
        policy, value = self.predict(leaf.board)
        policy = policy * self.game.valid_moves(leaf.board, leaf.player)
        policy = policy / policy.sum()
        if leaf.edges is None:
            leaf.edges = {int(a): Edge(policy[a]) for a in np.flatnonzero(policy)}
        return value

    def backup(self, path, leaf, value):
        for player, edge in reversed(path):
            edge.w += 1.0 + (value if player == leaf.player else -value)


def score(edge, total):
    mean = edge.w / edge.n if edge.n else 0.0
    return mean + C_PUCT * edge.prior * np.sqrt(total + 1) / (1 + edge.n)


def add_noise(node, rng):
    noise = rng.dirichlet([ALPHA] * len(node.edges))
    for edge, share in zip(node.edges.values(), noise, strict=True):
        edge.prior = (1 - EPSILON) * edge.prior + EPSILON * share


KEPT = {}


def search(state, num_simulations, rng, net):
    """Keeps its tree as long as the game is the same."""
    searcher = KEPT.setdefault(state.record, Searcher(Game(), net))
    searcher.predict = net
    return searcher.visits(state, state.current_player, num_simulations, rng)
