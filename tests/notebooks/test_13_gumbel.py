"""What the side road on Gumbel says is so."""

import numpy as np
import pytest

from mctslab import games, search


def test_with_values_of_zero_the_target_is_the_prior(names):
    """Moves that were never searched neither gain nor lose."""

    def evaluator(states, rng):
        priors = [[1 / len(state.legal_actions())] * len(state.legal_actions()) for state in states]
        return search.Evaluation([(0.0, 0.0)] * len(states), priors)

    _, policy, root = names["gumbel_search"](
        games.Gomoku(size=3, in_a_row=3), evaluator, 4, 8, np.random.default_rng(1)
    )
    assert policy == pytest.approx([child.prior for child in root.children], abs=1e-9)
