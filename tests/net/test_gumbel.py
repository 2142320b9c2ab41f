"""Gumbel against the authors' own library, and against a search written plainly.

`gumbel_by_mctx.json` was made with mctx 0.0.71 on JAX 0.10.2: `gumbel_muzero_policy` on bandits
(discount 0, each action with a reward of its own), with `qtransform_completed_by_mix_value`,
`rescale_values=False` and `value_scale=c_scale / 2`, since a value from -1 to 1 is a win rate twice
as wide; and `get_sequence_of_considered_visits`.
"""

import itertools
import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from mctslab import games
from mctslab.net.evaluator import NetEvaluator
from mctslab.net.gumbel import (
    completed_values,
    improved_policy,
    log_priors,
    mixed_value,
    num_considered,
    sigma,
)
from mctslab.net.inference import TorchInference
from mctslab.net.training_config import Gumbel
from mctslab.search import puct_search
from tests.net.test_self_play import PLAIN, net_for, played, positions_of

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
    for planned, number in enumerate(num_considered(int(considered), case["num_simulations"])):
        ranked = np.where((visits == planned) & legal, noise + scores(), -np.inf).argsort()
        visits[ranked[-number:]] += 1
    return visits, scores(), noise


def test_the_authors_library_searches_and_halves_alike():
    for case in BY_MCTX["searches"]:
        visits, scores, noise = searched(case)
        assert visits.tolist() == case["visit_counts"]
        played = np.where(visits == visits.max(), noise + scores, -np.inf).argmax()
        assert played == case["action"]
        np.testing.assert_allclose(improved_policy(scores), case["policy"], rtol=1e-3, atol=1e-6)
    for case in BY_MCTX["schedules"]:
        numbers = num_considered(case["num_considered"], case["num_simulations"])
        visits = [each for each, number in enumerate(numbers) for _ in range(number)]
        assert visits == case["visits"]


def test_what_was_searched_counts_also_where_the_net_thinks_nothing_of_it():
    mixed = mixed_value(np.array([0, 3]), np.array([0.0, 3.0]), np.array([1.0, 0.0]), np.array(0.0))
    assert mixed == pytest.approx(0.75)


# The root, and what proofs change in both roots

GAMES = [games.Gomoku(size=5, in_a_row=4), games.Reversi(4), games.ConnectFour(4, 5)]


class PlainGumbel:
    """The search of one position with Gumbel's root: every move has a readable search of its own.

    What `puct_search` finds in a child after k simulations is what k walks through it find.
    """

    def __init__(self, state, net, options, noise):
        self.state, self.options, self.noise = state, options, noise
        self.evaluator = NetEvaluator(net, inference=TorchInference(net))
        evaluation = self.evaluator([state], np.random.default_rng(0))
        self.legal = list(state.legal_actions())
        self.priors, self.visits = np.zeros(state.num_actions), np.zeros(state.num_actions, int)
        self.priors[self.legal] = evaluation.priors[0]
        self.value = np.array(evaluation.values[0][state.current_player])
        self.logits = log_priors(self.priors, self.priors > 0)
        self.found = cache(self.found)

    def found(self, action, visits):
        """What a move is worth after so many simulations, to the player who makes it."""
        player, child = self.state.current_player, self.state.child(action)
        if child.is_terminal:
            return child.returns()[player]
        rng = np.random.default_rng(0)
        result = puct_search(child, evaluator=self.evaluator, num_simulations=int(visits), rng=rng)
        same_player = child.current_player == player
        return result.root.mean_value if same_player else -result.root.mean_value

    def scores(self):
        each = enumerate(self.visits)
        totals = np.array([visits * self.found(a, visits) if visits else 0 for a, visits in each])
        completed = completed_values(self.visits, totals, self.priors, self.value)
        return self.logits + sigma(completed, self.visits, self.options)

    def run(self, num_simulations):
        """The policy of such a search."""
        considered = min(self.options.num_considered, len(self.legal))
        for planned, number in enumerate(num_considered(considered, num_simulations)):
            scores = self.noise + self.scores()
            candidates = [a for a in self.legal if self.visits[a] == planned]
            self.visits[sorted(candidates, key=lambda a: scores[a])[-number:]] += 1
        policy = improved_policy(self.scores())
        return np.where(self.priors > 0, policy, -1)


@pytest.mark.parametrize("state", GAMES, ids=lambda state: state.game)
def test_gumbel_searches_every_move_as_a_plain_search_does(state):
    """Over a whole game, with the same noise; the moves are the best of the most searched."""
    net, gumbel = net_for(state), Gumbel(num_considered=6, c_visit=10, c_scale=0.3)
    options = replace(PLAIN, num_simulations=14, gumbel=gumbel, temperature_plies=3)
    (game,) = played(state, options, num_games=1, iteration=2, seed=5)
    rng = np.random.default_rng([5, 2, 0])
    rng.integers(1, size=2)  # the lengths of the opening
    positions = itertools.pairwise(positions_of(game, state))
    for ply, (before, after) in enumerate(positions):
        noise = rng.gumbel(size=state.num_actions)
        plain = PlainGumbel(before, net, gumbel, noise)
        np.testing.assert_allclose(game.samples.policies[ply], plain.run(13), atol=1e-5)
        scores = plain.scores() + (noise if ply < 3 else 0)
        most = np.flatnonzero(plain.visits == plain.visits.max())
        assert after.last_action == max(most, key=lambda action: scores[action])


@pytest.mark.parametrize("gumbel", [None, Gumbel(num_considered=4)])
def test_a_move_that_wins_at_once_is_played_and_learnt_as_certain(gumbel):
    """Whatever the noise, the temperature and the net say; without proofs it is often missed."""
    state = games.Gomoku(size=4, in_a_row=3)
    missed = []
    for solver in (True, False):
        options = replace(PLAIN, num_simulations=6, gumbel=gumbel)
        missed.append(0)
        for game in played(state, replace(options, solver=solver), 50):
            positions = itertools.pairwise(positions_of(game, state))
            for (before, after), policy in zip(positions, game.samples.policies, strict=True):
                children = {action: before.child(action) for action in before.legal_actions()}
                ends = [action for action, child in children.items() if child.is_terminal]
                wins = [action for action in ends if any(children[action].returns())]
                if wins:
                    missed[-1] += not (after.is_terminal and policy[wins].sum() > 0.999)
    assert missed[0] == 0 < missed[1]
