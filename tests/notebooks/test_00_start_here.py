"""What notebook 00 says is so."""

import numpy as np
import pytest

from mctslab import search


@pytest.mark.parametrize("seed", range(3))
def test_in_the_tree_most_simulations_go_to_the_move_that_wins_at_once(names, seed):
    state, rng = names["state"], np.random.default_rng(seed)
    result = search.mcts(state, num_simulations=300, rng=rng)
    visits = {state.action_to_string(c.action): c.visit_count for c in result.children}
    after = state.child(state.string_to_action("c3"))

    assert state.player_names[state.current_player] == "White"
    assert (state.disc_counts()[0], after.disc_counts()[0]) == (3, 0)
    assert after.is_terminal
    assert visits["c3"] > 300 / 2


def test_what_is_missing_is_told(shown):
    """The notebooks before the nets are run as where PyTorch is not installed."""
    assert "it does not load, and notebooks 12 to 14 need it" in shown
