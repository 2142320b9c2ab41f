"""What the side road on PUCT, measured, says is so, and stays so with another seed."""

import json

import numpy as np
import pytest

from mctslab import fast, games, players, search
from mctslab.arena import tactics
from tests.fast.same_trees import difference
from tests.notebooks.reading import PROJECT


def test_one_at_a_time_it_is_the_packages_search(names):
    rigid = names["rigid_search"](names["small"], 90, 1, np.random.default_rng(4))
    plain = search.puct_search(
        names["small"],
        evaluator=search.rollout_evaluator(),
        num_simulations=90,
        rng=np.random.default_rng(4),
    )
    assert difference(rigid.root, plain.root) == ""


def test_with_a_memory_no_position_is_evaluated_twice(names):
    repeated = []
    for wrapped in (lambda evaluator: evaluator, names["Remembering"]):
        counting = names["Counting"]()
        search.puct_search(
            games.TicTacToe(),
            evaluator=wrapped(counting),
            num_simulations=1_000,
            rng=np.random.default_rng(8),
        )
        repeated.append(len(counting.asked) - len(set(counting.asked)))

    assert repeated[0] > 0 == repeated[1]


def tried(result):
    return sum(child.visit_count > 0 for child in result.children)


# Three evaluators


@pytest.mark.parametrize("seed", [20, 21])
def test_with_threats_the_right_moves_are_tried_with_nothing_all_are(names, seed):
    rng, solutions = np.random.default_rng(seed), names["position"].solutions
    threats, uniform, rollouts = (
        fast.puct_search(
            names["state"], evaluator=names["EVALUATORS"][name], num_simulations=400, rng=rng
        )
        for name in ("threats", "uniform", "rollouts")
    )

    assert threats.best_action in solutions
    assert tried(threats) <= 15
    assert tried(uniform) > 180
    assert max(child.visit_count for child in uniform.children) <= 3
    assert rollouts.best_action not in solutions
    assert tried(rollouts) < 120, "it stays with some moves"
    for result in (uniform, rollouts):  # with equal priors the moves come in the board's order
        visited = [child.visit_count > 0 for child in result.children]
        assert visited == sorted(visited, reverse=True)


# First-play urgency, noise, temperature


def test_which_urgency_tries_how_many_depends_on_how_one_stands(names):
    def mean(state, fpu):
        return np.mean([names["num_tried"](names[state], fpu, seed) for seed in range(50, 56)])

    urgencies = (-1, 0, "parent")
    ahead, behind = ({fpu: mean(side, fpu) for fpu in urgencies} for side in ("ahead", "behind"))
    assert max(ahead[-1], behind[-1]) < 20
    assert min(ahead["parent"], behind["parent"]) > 14
    assert ahead[0] < 10 < ahead["parent"]
    assert behind[0] > 70 > behind["parent"]
    # With the parent's value the difference is smaller, but there still is one.
    assert 5 < behind["parent"] - ahead["parent"] < (behind[0] - ahead[0]) / 2


def test_noise_has_more_moves_tried_and_the_favourite_stays(names):
    num_tried = {}
    for name, noise in names["noises"].items():
        counts = [names["tried_with"](noise, seed) for seed in range(70, 76)]
        num_tried[name], most = np.mean(counts, axis=0)
        assert most > 0.4
    plain = num_tried.pop("no noise")

    assert all(number > 1.15 * plain for number in num_tried.values()), (plain, num_tried)
    assert num_tried["alpha 10"] > num_tried["alpha 0.03"]


# The exam


@pytest.fixture(scope="module")
def marks():
    kept = json.loads(
        (PROJECT / "notebooks" / "more" / "results" / "11_tactics.json").read_text("utf-8")
    )
    return {name: np.array(each) for name, each in kept.items() if name != "made by"}


@pytest.mark.parametrize("name", ["heuristic", "uct:400", "puct:400:uniform"])
def test_the_marks_are_those_that_the_players_get(marks, name):
    exam = [tactic for tactic in tactics.load() if tactic.state.size == 15]
    player = players.make(name, rng=np.random.default_rng(11))

    assert [tactics.solves(player, tactic) for tactic in exam[:20]] == list(marks[name][:20] == 1)
