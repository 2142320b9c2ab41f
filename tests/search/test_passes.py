"""Forced passes: the search against alpha-beta to the end, on positions where a pass is near."""

import numpy as np

from mctslab.games import Reversi
from mctslab.search import alpha_beta, mcts, uniform

SIZE = 6
EMPTY_SQUARES = 8
PLIES_TO_A_PASS = 2
NUM_POSITIONS = 40
NUM_SIMULATIONS = 800


def can_pass_within(state, plies):
    """Whether a player may be without a move after so many plies or fewer."""
    if state.legal_actions() == (state.pass_action,):
        return True
    children = [state.child(action) for action in state.legal_actions()] if plies else []
    return any(can_pass_within(child, plies - 1) for child in children)


def random_endgame(rng):
    state = Reversi(SIZE)
    while not state.is_terminal and SIZE**2 - sum(state.disc_counts()) > EMPTY_SQUARES:
        state = state.child(uniform(state, rng))
    return state


def best_moves(state):
    """The moves that keep the exact value of the position, which ignores the number of discs."""
    sign = 1 - 2 * state.current_player
    values = {
        action: sign * np.sign(alpha_beta(state.child(action), 2 * EMPTY_SQUARES).value)
        for action in state.legal_actions()
    }
    return {action for action, value in values.items() if value == max(values.values())}


# Of 160 positions the search found 158, 153, 159 and 153 with the seeds 1 to 4. A search that turns
# the sign at every step and skips passes found 137, 128, 132 and 133; notebook 06 shows it.


def test_the_search_finds_the_best_move_across_passes():
    rng = np.random.default_rng(1)
    num_positions = found = 0
    while num_positions < NUM_POSITIONS:
        state = random_endgame(rng)
        if len(state.legal_actions()) > 1 and can_pass_within(state, PLIES_TO_A_PASS):
            best = best_moves(state)
            if best != set(state.legal_actions()):
                rng_of_search = np.random.default_rng(num_positions)
                result = mcts(state, num_simulations=NUM_SIMULATIONS, rng=rng_of_search)
                found += result.best_action in best
                num_positions += 1
    assert found >= 38
