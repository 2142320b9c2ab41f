"""Forced passes: the search against an exact solver, and against the usual mistake.

The usual mistake is to skip passes, so that a player can move twice, and still to turn the sign of
the result at every step up the tree. On positions where a pass is near it costs many best moves.
"""

import numpy as np
import pytest

from mctslab.boards.board import square_bits
from mctslab.games import Reversi
from mctslab.games.reversi import flipped_discs, geometry, legal_moves
from mctslab.search import Node, expand, mcts, rollout_evaluator, select, simulate, ucb1

SIZE = 6
EMPTY_SQUARES = 8
PLIES_TO_A_PASS = 2
NUM_POSITIONS = 80
NUM_SIMULATIONS = 800
GEOMETRY = geometry(SIZE)


def solve(own, opponent, memo):
    """What the position is worth to the player to move under perfect play: 1, 0 or -1."""
    if (own, opponent) in memo:
        return memo[own, opponent]
    legal = legal_moves((own, opponent, 0), GEOMETRY)
    if legal:
        value = -1
        for square in square_bits(legal):
            disc = 1 << square
            flipped = flipped_discs(own, opponent, square, GEOMETRY)
            value = max(value, -solve(opponent ^ flipped, own | disc | flipped, memo))
            if value == 1:
                break
    elif legal_moves((opponent, own, 0), GEOMETRY):
        value = -solve(opponent, own, memo)  # a pass
    else:
        value = int(np.sign(own.bit_count() - opponent.bit_count()))
    memo[own, opponent] = value
    return value


def exact_values(state):
    """The value of every legal action for the player to move."""
    mover, memo, values = state.current_player, {}, {}
    for action in state.legal_actions():
        child = state.child(action)
        values[action] = -solve(child.stones_of(1 - mover), child.stones_of(mover), memo)
    return values


def must_pass(state):
    return state.legal_actions() == (state.pass_action,)


def can_pass_within(state, plies):
    """Whether a player may be without a move after so many plies or fewer."""
    if must_pass(state):
        return True
    children = [state.child(action) for action in state.legal_actions()] if plies else []
    return any(can_pass_within(child, plies - 1) for child in children)


def random_endgame(rng):
    state = Reversi(SIZE)
    while not state.is_terminal and SIZE**2 - sum(state.disc_counts()) > EMPTY_SQUARES:
        legal = state.legal_actions()
        state = state.child(legal[int(rng.random() * len(legal))])
    return state


def positions_where_it_matters(rng):
    """Random endgames with a choice, a pass close by, and moves of which not all are best."""
    found = []
    while len(found) < NUM_POSITIONS:
        state = random_endgame(rng)
        if len(state.legal_actions()) > 1 and can_pass_within(state, PLIES_TO_A_PASS):
            values = exact_values(state)
            if len(set(values.values())) > 1:
                found.append((state, values))
    return found


class PassesSkipped:
    """A position of Reversi from which a forced pass leads on at once, as if it were no ply."""

    def __init__(self, state):
        self._state = state.child(state.pass_action) if must_pass(state) else state
        self.current_player = self._state.current_player
        self.is_terminal = self._state.is_terminal
        self.legal_actions = self._state.legal_actions
        self.returns = self._state.returns

    def child(self, action):
        return PassesSkipped(self._state.child(action))


def search_with_a_sign_turned_at_every_step(state, num_simulations, rng):
    """UCT but for the fourth phase, which is the textbook's for games whose turns alternate."""
    root = Node(PassesSkipped(state))
    for _ in range(num_simulations):
        (node,) = expand(select(root, ucb1()), rng)
        value = simulate(node, rollout_evaluator(), rng)[node.mover]
        while node is not None:
            node.visit_count += 1
            node.total_value += value
            value = -value
            node = node.parent
    return max(root.children, key=lambda child: child.visit_count).action


@pytest.fixture(scope="module")
def positions():
    return positions_where_it_matters(np.random.default_rng(1))


def test_the_solver_agrees_with_plain_minimax():
    def minimax(state):
        if state.is_terminal:
            return state.returns()[0]
        best = max if state.current_player == 0 else min
        return best(minimax(state.child(action)) for action in state.legal_actions())

    rng = np.random.default_rng(2)
    passes = 0
    for _ in range(20):
        state = random_endgame(rng)
        while SIZE**2 - sum(state.disc_counts()) > 5 and not state.is_terminal:
            state = state.child(state.legal_actions()[0])
        sign = 1 if state.current_player == 0 else -1
        for action, value in exact_values(state).items():
            assert value == sign * minimax(state.child(action))
        passes += can_pass_within(state, 3)
    assert passes >= 5


# Of 160 positions with seeds 1 to 4 were seen: 158, 153, 159 and 153 by the search; 137, 128, 132
# and 133 with the mistake. Of these 80 it is 80 and 71.


@pytest.mark.slow
def test_the_search_finds_the_best_move_across_passes(positions):
    best_moves = 0
    for seed, (state, values) in enumerate(positions):
        rng = np.random.default_rng(seed)
        action = mcts(state, num_simulations=NUM_SIMULATIONS, rng=rng).best_action
        best_moves += values[action] == max(values.values())
    assert best_moves >= 76


@pytest.mark.slow
def test_turning_the_sign_at_every_step_misses_many(positions):
    best_moves = 0
    for seed, (state, values) in enumerate(positions):
        rng = np.random.default_rng(seed)
        action = search_with_a_sign_turned_at_every_step(state, NUM_SIMULATIONS, rng)
        best_moves += values[action] == max(values.values())
    assert best_moves <= 73
