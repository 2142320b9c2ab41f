"""What the side road on PUCT, measured, says is so, and stays so with another seed."""

import json

import numpy as np
import pytest

from mctslab import arena, fast, games, players, search
from mctslab.arena import tactics
from tests.notebooks.reading import PROJECT


def test_without_the_rule_the_first_batch_asks_about_the_root_only(names):
    root = names["rigid_search"](games.Gomoku(size=6), 32, 32, np.random.default_rng(1)).root

    assert root.visit_count == 32
    assert not any(child.visit_count for child in root.children)


def statistics(node):
    below = [line for child in node.children for line in statistics(child)]
    return [(node.action, node.visit_count, node.total_value, node.prior), *below]


def test_one_at_a_time_it_is_the_packages_search(names):
    rigid = names["rigid_search"](names["small"], 90, 1, np.random.default_rng(4))
    plain = search.puct_search(
        names["small"],
        evaluator=search.rollout_evaluator(),
        num_simulations=90,
        rng=np.random.default_rng(4),
    )
    assert statistics(rigid.root) == statistics(plain.root)


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


# What came along


def stored(name):
    return arena.load(PROJECT / "notebooks" / "more" / "results" / f"11_{name}.jsonl")


def test_small_batches_cost_little_and_batches_of_32_something():
    of_8, of_16, of_32 = (stored(f"batch_{size}").score.rate for size in (8, 16, 32))
    rigid_8, rigid_16, rigid_32 = (stored(f"rigid_{size}").score.rate for size in (8, 16, 32))

    assert rigid_32.high < of_32.low < of_32.high < 0.5
    for batch, rigid in ((of_8, rigid_8), (of_16, rigid_16)):
        assert 0.44 < batch.low < 0.5 < batch.high
        assert rigid.low < batch.value < rigid.high


def test_in_reversi_two_hundred_games_dont_decide_and_one_hundred_looked_as_if():
    for name, half in (("random_prior", 0.59), ("roxanne_prior", 0.435)):
        result = stored(name)
        points = [game.points(result.names[0]) for game in result.games if game.number < 100]
        assert result.score.rate.low < 0.5 < result.score.rate.high
        assert np.mean(points) == half


# The exam


@pytest.fixture(scope="module")
def marks():
    kept = json.loads(
        (PROJECT / "notebooks" / "more" / "results" / "11_tactics.json").read_text("utf-8")
    )
    return {name: np.array(each) for name, each in kept.items() if name != "made by"}


def test_what_is_solved_is_as_the_notebook_tells_it(marks):
    exam = [tactic for tactic in tactics.load() if tactic.state.size == 15]
    blocks = np.array([tactic.kind == "block" for tactic in exam])
    completes = np.array([tactic.kind == "complete" for tactic in exam])
    few = min(marks[f"puct:{n}:threats"].sum() for n in (100, 400, 1_600))

    assert len(exam) == 80
    assert marks["uct:6400"][blocks].sum() == 0
    assert marks["puct:6400:uniform"][completes].all()
    assert marks["puct:6400:uniform"][~completes].sum() <= 3
    for name in ("uct", "puct"):
        sums = [marks[f"{name}:{n}"].sum() for n in (400, 1_600, 6_400)]
        assert sums == sorted(sums)
        assert arena.wilson(int(sums[-1]), 80).high < arena.wilson(int(few), 80).low
    low, high = arena.wilson(int(marks["heuristic"].sum()), 80)
    assert low < marks["puct:1600:threats"].mean() < high


@pytest.mark.parametrize("name", ["heuristic", "uct:400", "puct:400:uniform"])
def test_the_marks_are_those_that_the_players_get(marks, name):
    exam = [tactic for tactic in tactics.load() if tactic.state.size == 15]
    player = players.make(name, rng=np.random.default_rng(11))

    assert [tactics.solves(player, tactic) for tactic in exam[:20]] == list(marks[name][:20] == 1)
