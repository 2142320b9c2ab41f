"""Bandits: the choice behind selection, without a tree.

A bandit has several arms. Each pull of an arm wins with an unknown probability, and the question is
which arm to pull next. At a node of a search tree the children are the arms.

    rng = np.random.default_rng(1)
    played = play((0.3, 0.5, 0.7), ucb1(c=1.4), num_pulls=1_000, num_runs=1_000, rng=rng)
    played.mean_regret, played.margin

Many runs are played side by side: counts are arrays with one row for each run and one column for
each arm.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mctslab.games.state import Rng, as_generator
from mctslab.search import selection

Arms = NDArray[np.intp]
Counts = NDArray[np.int64]
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to choose the arm to pull: the one with the highest score, the first of several."""

    name: str
    scores: Callable[..., Numbers]
    """`(wins, pulls, rng)`: [runs, arms], the score of each arm. `wins` and `pulls` are the results
    so far, [runs, arms] as well."""

    def __str__(self) -> str:
        return self.name

    def choose(self, wins: Counts, pulls: Counts, rng: np.random.Generator) -> Arms:
        """[runs]: the arm to pull next."""
        arms: Arms = self.scores(wins, pulls, rng).argmax(axis=1)
        return arms


def greedy() -> Strategy:
    """Pull every arm once, then always the one with the highest win rate so far."""
    return Strategy("greedy", lambda wins, pulls, rng: _win_rates(wins, pulls))


def epsilon_greedy(epsilon: float = 0.1) -> Strategy:
    """As greedy, but with probability `epsilon` pull any arm, all equally likely."""

    def scores(wins: Counts, pulls: Counts, rng: np.random.Generator) -> Numbers:
        num_runs, num_arms = pulls.shape
        any_arm = rng.integers(num_arms, size=num_runs)
        explores = rng.random((num_runs, 1)) < epsilon
        return np.where(explores, np.eye(num_arms)[any_arm], _win_rates(wins, pulls))

    return Strategy(f"ε-greedy, ε = {epsilon:g}", scores)


def ucb1(c: float = math.sqrt(2)) -> Strategy:
    """Pull the arm with the highest UCB1 score, the rule by which UCT selects.

    score = win rate + c * sqrt(ln N / n), where N counts all pulls of the run and n those of the
    arm (Auer, Cesa-Bianchi and Fischer, 2002). It is the score of `mctslab.search.ucb1`.

    Raises:
        ValueError: `c` is negative or not a finite number.
    """
    selection.ucb1(c)

    def scores(wins: Counts, pulls: Counts, rng: np.random.Generator | None = None) -> Numbers:
        log_all = np.log(np.maximum(pulls.sum(axis=1, keepdims=True), 1))
        found: Numbers = _win_rates(wins, pulls) + c * np.sqrt(log_all / np.maximum(pulls, 1))
        return found

    return Strategy(f"UCB1, c = {c:.3g}", scores)


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """Which arms were pulled, in many runs of one strategy."""

    win_rates: tuple[float, ...]
    """The true ones, which the strategy did not know."""
    strategy: Strategy
    choices: NDArray[np.uint8]
    """[runs, pulls]: the arm that was pulled."""

    @property
    def regret(self) -> Numbers:
        """[runs, pulls]: up to each pull, the wins missed by not pulling the best arm.

        These are expected wins: a pull of an arm costs the best win rate minus the arm's own,
        whether it happened to win or not.
        """
        gaps = max(self.win_rates) - np.array(self.win_rates)
        regret: Numbers = gaps[self.choices].cumsum(axis=1)
        return regret

    @property
    def mean_regret(self) -> Numbers:
        """[pulls]: the regret up to each pull, as the mean of the runs."""
        mean: Numbers = self.regret.mean(axis=0)
        return mean

    @property
    def margin(self) -> Numbers:
        """[pulls]: half the width of the 95% interval of that mean; needs two runs or more."""
        deviation: Numbers = self.regret.std(axis=0, ddof=1)
        return 1.96 * deviation / math.sqrt(len(self.choices))


def play(
    win_rates: Sequence[float], strategy: Strategy, *, num_pulls: int, num_runs: int = 1, rng: Rng
) -> Played:
    """Let a strategy pull the arms of a bandit, in many independent runs.

    Every run has its own order of the arms, because a strategy takes the first of several arms with
    equal scores, as a search takes the first of several children.

    Args:
        win_rates: for each of 1 to 256 arms, the probability that a pull wins.
        strategy: the strategy that chooses the arms.
        num_pulls: the number of pulls in each run.
        num_runs: the number of runs.
        rng: the random number generator, or a seed. The same seed gives the same runs.

    Raises:
        ValueError: a win rate is no probability.
    """
    if not all(0 <= rate <= 1 for rate in win_rates):
        raise ValueError(f"Win rates must be from 0 to 1, got {win_rates!r}.")
    rates, rng = tuple(map(float, win_rates)), as_generator(rng)
    order = rng.permuted(np.tile(np.arange(len(rates), dtype=np.uint8), (num_runs, 1)), axis=1)
    rates_in_order = np.array(rates)[order]
    pulls = np.zeros(order.shape, dtype=np.int64)
    wins = np.zeros(order.shape, dtype=np.int64)
    choices = np.empty((num_runs, num_pulls), dtype=np.uint8)
    runs = np.arange(num_runs)
    for pull in range(num_pulls):
        arm = strategy.choose(wins, pulls, rng)
        pulls[runs, arm] += 1
        wins[runs, arm] += rng.random(num_runs) < rates_in_order[runs, arm]
        choices[:, pull] = order[runs, arm]
    return Played(rates, strategy, choices)


def _win_rates(wins: Counts, pulls: Counts) -> Numbers:
    """[runs, arms]: the share of pulls that won; infinite without a pull, to come first."""
    return np.where(pulls, wins / np.maximum(pulls, 1), np.inf)
