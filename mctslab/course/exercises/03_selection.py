"""Notebook 03, selection: a score that balances good moves against unknown ones."""

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from mctslab import search
from mctslab.course.checking.cases import AtMost, Case, Function, Words, case
from mctslab.course.exercise import exercise
from mctslab.course.tree_game import (
    Grown,
    Place,
    drawn,
    forced,
    game_of,
    outlined,
    place_of,
    rooted,
    tree_at_random,
    turn_of,
    won_by,
    written,
)
from mctslab.games.state import State
from mctslab.search.node import Node
from mctslab.search.selection import SelectionRule
from mctslab.search.selection import ucb1 as ucb1_rule

# ucb1


def _ucb1_variation(rng: np.random.Generator) -> Case:
    visits = int(rng.integers(0, 20)) if rng.random() < 0.9 else 0
    rate = float(rng.uniform(0, 1) * rng.integers(4)) / 3 if visits else 0.0
    parent_visits = visits + int(rng.integers(1, 1_000))
    return case(rate, visits, parent_visits, float(rng.choice((0, 1, 3)) * rng.uniform()))


@exercise(variation=_ucb1_variation)
def ucb1(win_rate: float, visit_count: int, parent_visit_count: int, c: float) -> float:
    """The UCB1 score of a child; without a visit it comes before all others."""
    if visit_count == 0:
        return math.inf
    return win_rate + c * math.sqrt(math.log(parent_visit_count) / visit_count)


# next_arm

_NUM_RUNS: Final = 20
_NUM_PULLS: Final = 200


def _bandit_case(*win_rates: float) -> Case:
    """Many runs on a bandit; the wins that are missed are the regret, as the mean of the runs."""
    arms = range(len(win_rates))
    costs = [max(win_rates) - rate for rate in win_rates]

    at_random = _NUM_PULLS * sum(costs) / len(arms)

    def arguments() -> tuple[list[int], list[int], np.random.Generator]:
        return [0] * len(arms), [0] * len(arms), np.random.default_rng(1)

    def use(
        function: Function, wins: list[int], pulls: list[int], rng: np.random.Generator
    ) -> dict[str, object]:
        missed, untried = 0.0, 0
        for _ in range(_NUM_RUNS):
            wins, pulls = [0] * len(arms), [0] * len(arms)
            for _ in range(_NUM_PULLS):
                arm = function([*wins], [*pulls], rng)
                if (
                    isinstance(arm, bool)
                    or not isinstance(arm, int | np.integer)
                    or arm not in arms
                ):
                    return {_ARMS: _FRACTION if isinstance(arm, float) else arm}
                wins[arm] += int(rng.random() < win_rates[arm])
                pulls[arm] += 1
                missed += costs[arm] / _NUM_RUNS
            untried += pulls.count(0)
        found = _MORE if missed > 1.2 * at_random else math.ceil(missed)
        return {_ARMS: _LEGAL, _UNTRIED: untried, _MISSED: found}

    expected = {_ARMS: _LEGAL, _UNTRIED: 0, _MISSED: AtMost(round(0.6 * at_random))}
    shown = (
        f"{_NUM_RUNS} runs of {_NUM_PULLS} pulls. The arms have the win rates "
        f"{', '.join(map(str, win_rates))}, and random pulls miss {at_random:.0f} wins in a run."
    )
    return Case(arguments, expected, shown, use)


_ARMS: Final = "the arm that it returned"
_LEGAL: Final = Words("always one that exists")
_FRACTION: Final = Words("a number with a decimal point")
_UNTRIED: Final = "untried arms, added up over the runs"
_MISSED: Final = "wins missed in a run"
_MORE: Final = Words("many more than by random pulls")


def _next_arm_cases() -> list[Case]:
    return [_bandit_case(0.1, 0.9), _bandit_case(0.9, 0.1, 0.2)]


@exercise(cases=_next_arm_cases, points=2)
def next_arm(wins: Sequence[int], pulls: Sequence[int], rng: np.random.Generator) -> int:
    """The number of the arm to pull next, from the wins and the pulls of each arm so far."""
    arms = range(len(pulls))
    for arm in arms:
        if pulls[arm] == 0:
            return arm
    epsilon = len(pulls) / sum(pulls)
    if rng.random() < epsilon:
        return int(rng.integers(len(pulls)))
    rates = [wins[arm] / pulls[arm] for arm in arms]
    return rates.index(max(rates))


# flat_ucb1


def _flat_variation(rng: np.random.Generator) -> Case:
    """Every move has another result, so that no two scores are equal."""
    ends = rng.permutation(3)[: rng.integers(2, 4)]
    results = (won_by(0), won_by(1), drawn())
    options = [forced(int(rng.integers(4)), results[end]) for end in ends]
    place = turn_of(int(rng.integers(2)), *options)
    num_playouts, c = int(rng.integers(3, 80)), float(rng.uniform(0.2, 2))
    call = f"flat_ucb1(state, {num_playouts}, {c:.3g}, rng)"
    return Case(
        lambda: (game_of(place), num_playouts, c, np.random.default_rng(1)),
        shown=f"{call}, and the state is\n{outlined(place)}",
    )


@exercise(variation=_flat_variation, points=2)
def flat_ucb1(
    state: State, num_playouts: int, c: float, rng: np.random.Generator
) -> dict[int, int]:
    """Divide the playouts among the actions by UCB1; a dictionary of how many each action got."""
    mover = state.current_player
    wins = dict.fromkeys(state.legal_actions(), 0.0)
    visits = dict.fromkeys(state.legal_actions(), 0)
    for num_so_far in range(num_playouts):
        scores = {}
        for action, n in visits.items():
            win_rate = wins[action] / n if n else 0.0
            scores[action] = ucb1(win_rate, n, num_so_far, c)
        best = max(visits, key=lambda action: scores[action])
        returns = search.rollout(state.child(best), search.uniform, rng)
        wins[best] += (1 + returns[mover]) / 2
        visits[best] += 1
    return visits


# select


def _select_case(place: Place, grown: Grown, c: float) -> Case:
    def where(function: Callable[..., Any], root: Node, rule: SelectionRule) -> object:
        return place_of(function(root, rule), root)

    shown = f"select(root, search.ucb1({c:.3g}))\n{written(rooted(place, grown))}"
    return Case(lambda: (rooted(place, grown), ucb1_rule(c)), shown=shown, use=where)


def _select_cases() -> list[Case]:
    unvisited = Grown(1, 1, {3: Grown(0, 0), 7: Grown(1, 1)})
    return [_select_case(turn_of(0, drawn(), drawn()), unvisited, 1.4)]


def _select_variation(rng: np.random.Generator) -> Case:
    return _select_case(*tree_at_random(rng, 7, 80), float(rng.uniform(0, 2)))


@exercise(cases=_select_cases, variation=_select_variation)
def select(root: Node, rule: SelectionRule) -> Node:
    """Walk from the root to a node with an untried action, or to the end of a game."""
    node = root
    while node.is_fully_expanded and node.children:
        node = rule.best_child(node)
    return node
