"""What notebook 11 says is so, and stays so with another seed."""

import json

import numpy as np
import pytest

from mctslab import arena, fast, games, players, search
from mctslab.arena import tactics
from mctslab.search.puct_search import gather_paths
from tests.notebooks.reading import PROJECT


def tried(result):
    return sum(child.visit_count > 0 for child in result.children)


# The same four phases


@pytest.mark.parametrize("moves", ["", "A1 A6 B1 B6 C1 F6"])
def test_the_search_that_is_built_is_the_packages(names, moves):
    state = games.Gomoku(size=6, in_a_row=4)
    for move in moves.split():  # after these it can be won at once
        state = state.child(state.string_to_action(move))
    rng, evaluator = np.random.default_rng(3), search.threat_evaluator()
    root = search.Node(state)
    for _ in range(250):
        names["simulation"](root, evaluator, rng)
    other = search.puct_search(state, num_simulations=250, evaluator=evaluator, rng=rng).root

    assert names["statistics"](root) == names["statistics"](other)


@pytest.mark.parametrize("seed", range(3))
def test_moves_that_keep_being_tried_have_similar_scores_and_different_visits(names, seed):
    rng, rule = np.random.default_rng(seed), search.puct()
    evaluator = names["EVALUATORS"]["threats"]
    quiet = names["quiet"]
    root = fast.puct_search(quiet, evaluator=evaluator, num_simulations=400, rng=rng).root
    kept = [child for child in root.children if child.visit_count >= 10]
    scores = [sum(rule.score(root, child)) for child in kept]
    visits = [child.visit_count for child in kept]

    assert len(kept) >= 2
    assert max(scores) - min(scores) < 0.3
    assert max(visits) > 5 * min(visits)


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


def test_noise_has_more_moves_tried_and_the_favourite_stays(names, monkeypatch):
    monkeypatch.setitem(names, "num_simulations", 400)
    num_tried = {}
    for name, noise in names["noises"].items():
        counts = [names["tried_with"](noise, seed) for seed in range(70, 76)]
        num_tried[name], most = np.mean(counts, axis=0)
        assert most > 0.4
    plain = num_tried.pop("no noise")

    assert all(number > 1.15 * plain for number in num_tried.values()), (plain, num_tried)
    assert num_tried["alpha 10"] > num_tried["alpha 0.03"]


# Batches


def test_virtual_losses_spread_the_walks(names):
    options = {"num_simulations": 200, "rng": np.random.default_rng(1)}
    evaluator = names["EVALUATORS"]["threats"]
    root = search.puct_search(names["quiet"], evaluator=evaluator, **options).root

    assert len({search.select(root, search.puct()) for _ in range(8)}) == 1
    assert len({path[-1] for path in gather_paths(root, search.puct(), 8)}) >= 4


# What came along


def stored(name):
    return PROJECT / "notebooks" / "results" / f"11_{name}"


def rate(name):
    return arena.load(stored(f"{name}.jsonl")).score.rate


def test_without_priors_nothing_is_won_on_the_large_board_with_them_much():
    for name in ("uct_heuristic", "rollout_heuristic"):
        assert rate(name).value == 0
        assert rate(name).high < 0.2
    assert rate("threats_rollout").low > 0.8


def test_the_same_priors_lose_with_rollouts_and_win_with_values_by_threats():
    assert rate("threats_heuristic").high < 0.5
    assert rate("values_heuristic").low > 0.75


# The exam


@pytest.fixture(scope="module")
def marks():
    kept = json.loads(stored("tactics.json").read_text("utf-8"))
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
