"""Bandits: regret by hand, strategies by their definitions, and what the theory promises."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab import search
from mctslab.search import bandits
from mctslab.search.bandits import Played, Strategy, play
from tests.games.playing import new_rng
from tests.search.toys import family

ALL = [bandits.greedy(), bandits.epsilon_greedy(0.2), bandits.ucb1()]


def counts(*rows):
    return np.array(rows, dtype=np.int64)


def test_regret_by_hand():
    choices = np.array([[0, 2, 1, 2], [2, 2, 2, 2]], dtype=np.uint8)
    played = Played((0.2, 0.5, 0.9), bandits.greedy(), choices)

    assert played.regret == pytest.approx(np.array([[0.7, 0.7, 1.1, 1.1], [0, 0, 0, 0]]))
    assert played.mean_regret == pytest.approx([0.35, 0.35, 0.55, 0.55])
    # The standard deviation of two numbers is their difference by root 2.
    assert played.margin == pytest.approx(1.96 * np.array([0.7, 0.7, 1.1, 1.1]) / 2)


@pytest.mark.parametrize("strategy", ALL, ids=str)
def test_every_pull_is_counted_once_and_a_seed_gives_the_same_runs(strategy):
    seen = []

    def watched(wins, pulls, rng):
        scores = strategy.scores(wins, pulls, rng)
        seen.append((wins.copy(), pulls.copy(), scores.argmax(axis=1)))
        return scores

    first, again, other = (
        play((0.0, 0.4, 1.0), each, num_pulls=50, num_runs=8, rng=rng)
        for each, rng in ((Strategy("watched", watched), new_rng(3)), (strategy, 3), (strategy, 4))
    )
    assert (first.choices == again.choices).all()
    assert (first.choices != other.choices).any()
    runs = np.arange(8)
    for (wins, pulls, arm), (next_wins, next_pulls, _) in pairwise(seen):
        assert (next_pulls - pulls == np.eye(3, dtype=int)[arm]).all()
        assert ((next_wins - wins)[runs, arm] <= 1).all()
        assert (next_wins - wins).sum() == (next_wins - wins)[runs, arm].sum()


# Strategies


def test_epsilon_is_the_share_of_pulls_that_explore():
    wins, pulls = np.tile([0, 9, 0, 0], (20_000, 1)), np.tile([9, 9, 9, 9], (20_000, 1))
    chosen = bandits.epsilon_greedy(0.4).choose(wins, pulls, new_rng())
    shares = np.bincount(chosen, minlength=4) / len(chosen)
    assert shares == pytest.approx([0.1, 0.7, 0.1, 0.1], abs=0.01)


@given(
    arms=st.lists(
        st.integers(0, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
        min_size=2,
        max_size=6,
    ),
    c=st.floats(0, 5),
)
def test_ucb1_scores_as_the_search_does_and_greedy_as_ucb1_without_a_bonus(arms, c):
    root = family([(pulls, 2 * wins - pulls) for wins, pulls in arms])
    root.visit_count = max(1, root.visit_count)
    wins, pulls = (counts(column) for column in zip(*arms, strict=True))
    scores = bandits.ucb1(c).scores(wins, pulls)[0]
    expected = [search.ucb1(c).score(root, child).total for child in root.children]
    assert scores == pytest.approx(expected)
    assert scores[bandits.ucb1(c).choose(wins, pulls, new_rng())[0]] == max(scores)
    of_rates = bandits.ucb1(0).choose(wins, pulls, new_rng())
    for strategy in (bandits.greedy(), bandits.epsilon_greedy(0)):
        assert strategy.choose(wins, pulls, new_rng()) == of_rates
