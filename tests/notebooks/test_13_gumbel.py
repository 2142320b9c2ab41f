"""What the side road on Gumbel says is so."""

import numpy as np
import pytest

from mctslab import games, search


def test_in_the_picture_gumbel_finds_both_moves_that_are_the_same(names):
    position, search_ = names["position"], names["gumbel_search"]
    for seed in range(3):
        _, policy, root = search_(position, names["evaluator"], 16, 32, np.random.default_rng(seed))
        shares = {
            position.action_to_string(child.action): share
            for child, share in zip(root.children, policy, strict=True)
        }
        assert shares["C4"] + shares["D3"] > 0.9
        assert min(shares["C4"], shares["D3"]) > 0.1
    tried = [child for child in names["plain"].children if child.visit_count]
    assert len(tried) == 2
    assert max(tried, key=lambda child: child.visit_count).visit_count > 25


def test_with_values_of_zero_the_target_is_the_prior(names):
    """Moves that were never searched neither gain nor lose."""

    def evaluator(states, rng):
        priors = [[1 / len(state.legal_actions())] * len(state.legal_actions()) for state in states]
        return search.Evaluation([(0.0, 0.0)] * len(states), priors)

    _, policy, root = names["gumbel_search"](
        games.Gomoku(size=3, in_a_row=3), evaluator, 4, 8, np.random.default_rng(1)
    )
    assert policy == pytest.approx([child.prior for child in root.children], abs=1e-9)
