"""Gumbel's formulas: by hand, and against the authors' own library.

`gumbel_by_mctx.json` was made with mctx 0.0.71 on JAX 0.10.2: `gumbel_muzero_policy` on bandits
(discount 0, each action with a reward of its own), with `qtransform_completed_by_mix_value`,
`rescale_values=False` and `value_scale=c_scale / 2`, since a value from -1 to 1 is a win rate twice
as wide; and `get_sequence_of_considered_visits`.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from mctslab.net.gumbel import (
    completed_values,
    considered_visits,
    improved_policy,
    log_priors,
    mixed_value,
    sigma,
)
from mctslab.net.training_config import Gumbel

BY_MCTX = json.loads(Path(__file__).with_name("gumbel_by_mctx.json").read_text("utf-8"))


def searched(case):
    """A search of a bandit: each move always brings its reward; the visits and the scores."""
    rewards, legal, noise = (np.array(case[name]) for name in ("rewards", "is_legal", "noise"))
    gumbel = Gumbel(c_visit=case["c_visit"], c_scale=case["c_scale"])
    weights = np.where(legal, np.exp(case["logits"]), 0)
    priors, visits = weights / weights.sum(), np.zeros(len(rewards), np.int64)

    def scores():
        completed = completed_values(visits, visits * rewards, priors, np.array(case["value"]))
        return log_priors(priors, legal) + sigma(completed, visits, gumbel)

    considered = min(case["num_considered"], legal.sum())
    for planned in considered_visits(int(considered), case["num_simulations"]):
        visits[np.where((visits == planned) & legal, noise + scores(), -np.inf).argmax()] += 1
    return visits, scores(), noise


def test_the_authors_library_searches_and_halves_alike():
    for case in BY_MCTX["searches"]:
        visits, scores, noise = searched(case)
        assert visits.tolist() == case["visit_counts"]
        played = np.where(visits == visits.max(), noise + scores, -np.inf).argmax()
        assert played == case["action"]
        np.testing.assert_allclose(improved_policy(scores), case["policy"], rtol=1e-3, atol=1e-6)
    for case in BY_MCTX["schedules"]:
        visits = considered_visits(case["num_considered"], case["num_simulations"])
        assert list(visits) == case["visits"]


def test_without_a_simulation_the_net_has_the_only_word():
    nothing = np.zeros(3, np.int64), np.zeros(3)
    assert completed_values(*nothing, np.full(3, 1 / 3), np.array(-0.4)).tolist() == [-0.4] * 3
    # Also where it thinks nothing of the only move that was searched.
    mixed = mixed_value(np.array([0, 3]), np.array([0.0, 3.0]), np.array([1.0, 0.0]), np.array(0.0))
    assert mixed == pytest.approx(0.75)
