"""Forced passes: the search against an exact solver, on positions where a pass is near."""

import numpy as np
import pytest

from mctslab.boards.board import square_bits
from mctslab.games import Reversi
from mctslab.games.reversi import flipped_discs, geometry, legal_moves
from mctslab.search import mcts

SIZE = 6
EMPTY_SQUARES = 8
PLIES_TO_A_PASS = 2
NUM_POSITIONS = 40
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


# Of 160 positions the search found 158, 153, 159 and 153 with the seeds 1 to 4. A search that turns
# the sign at every step and skips passes found 137, 128, 132 and 133; notebook 06 shows it.


def test_the_search_finds_the_best_move_across_passes(positions):
    best_moves = 0
    for seed, (state, values) in enumerate(positions):
        rng = np.random.default_rng(seed)
        action = mcts(state, num_simulations=NUM_SIMULATIONS, rng=rng).best_action
        best_moves += values[action] == max(values.values())
    assert best_moves >= 38
