"""What notebook 11 says is so, and stays so with another seed."""

import json
import math

import numpy as np
import pytest

from mctslab import arena, fast, games, players, search
from mctslab.arena import tactics
from mctslab.search.puct_search import gather_paths
from tests.notebooks import stored_games
from tests.notebooks.reading import NOTEBOOKS, PROJECT, read

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "11_puct")


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


def tried(result):
    return sum(child.visit_count > 0 for child in result.children)


# The same four phases


@pytest.mark.parametrize("num_simulations", [1, 2, 60, 250])
@pytest.mark.parametrize("moves", ["", "A1 A6 B1 B6 C1 F6"])
def test_the_search_that_is_built_is_the_packages(names, num_simulations, moves):
    state = games.Gomoku(size=6, in_a_row=4)
    for move in moves.split():  # after these it can be won at once
        state = state.child(state.string_to_action(move))
    rng, evaluator = np.random.default_rng(3), search.threat_evaluator()
    root = search.Node(state)
    for _ in range(num_simulations):
        names["simulation"](root, evaluator, rng)
    options = {"num_simulations": num_simulations, "evaluator": evaluator, "rng": rng}
    other = search.puct_search(state, **options).root

    assert names["statistics"](root) == names["statistics"](other)


def test_the_bonus_is_worked_out_by_hand(names):
    bonus = {move: 1.25 * p * 4 / (1 + n) for move, p, n in (("a", 0.5, 8), ("b", 0.3, 6))}

    assert [round(bonus[move], 2) for move in "ab"] == [0.28, 0.21]
    assert 0.25 + 1.25 * 0.2 * 4 / 2 > 0.5 + bonus["b"] > 0.25 + bonus["a"]
    assert 0.25 + 1.25 * 0.2 * math.sqrt(17) / 3 < 0.5 + 1.25 * 0.3 * math.sqrt(17) / 7


@pytest.mark.parametrize("seed", range(6))
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


@pytest.mark.parametrize("seed", [20, 21, 22])
def test_with_threats_the_right_moves_are_tried_with_nothing_all_are(names, seed):
    rng = np.random.default_rng(seed)
    results = {
        name: fast.puct_search(names["state"], evaluator=evaluator, num_simulations=400, rng=rng)
        for name, evaluator in names["EVALUATORS"].items()
    }
    solutions = names["position"].solutions

    assert results["threats"].best_action in solutions
    assert tried(results["threats"]) <= 15
    assert names["wins"] == ["threats"]
    assert tried(results["uniform"]) > 180
    assert max(child.visit_count for child in results["uniform"].children) <= 3
    assert results["rollouts"].best_action not in solutions
    assert tried(results["rollouts"]) < 120, "it stays with some moves"


# First-play urgency, noise, temperature


def test_which_urgency_tries_how_many_depends_on_how_one_stands(names):
    seeds = range(50, 56)

    def mean(state, fpu):
        return np.mean([names["num_tried"](names[state], fpu, seed) for seed in seeds])

    for side in ("ahead", "behind"):
        assert mean(side, -1) < 20
        assert mean(side, "parent") > 14
    assert mean("ahead", 0) < 10 < mean("ahead", "parent")
    assert mean("behind", 0) > 70 > mean("behind", "parent")
    # With the parent's value the difference is smaller, but there still is one.
    with_parent = mean("behind", "parent") - mean("ahead", "parent")
    assert 5 < with_parent < (mean("behind", 0) - mean("ahead", 0)) / 2


def test_noise_has_more_moves_tried_and_the_favourite_stays(names, monkeypatch):
    monkeypatch.setitem(names["tried_with"].__globals__, "num_simulations", 400)
    num_tried = {}
    for name, noise in names["noises"].items():
        counts = [names["tried_with"](noise, seed) for seed in range(70, 82)]
        num_tried[name], most = np.mean(counts, axis=0)
        assert most > 0.4
    plain = num_tried.pop("no noise")

    assert all(number > 1.15 * plain for number in num_tried.values()), (plain, num_tried)
    assert num_tried["alpha 10"] > num_tried["alpha 0.03"]


# Batches


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_virtual_losses_spread_the_walks(names, seed):
    rng = np.random.default_rng(seed)
    conditions = {"evaluator": names["EVALUATORS"]["threats"], "num_simulations": 200, "rng": rng}
    root = search.puct_search(names["quiet"], **conditions).root

    assert len({search.select(root, search.puct()) for _ in range(8)}) == 1
    assert len({path[-1] for path in gather_paths(root, search.puct(), 8)}) >= 4


# What came along


def stored(name):
    return PROJECT / "notebooks" / "results" / f"11_{name}"


FILES = sorted(path.stem.removeprefix("11_") for path in stored("").parent.glob("11_*.jsonl"))


def test_every_file_is_read_by_the_notebook():
    sources = "\n".join(cell.source for cell in read(NOTEBOOK).cells)
    assert FILES
    assert all(f'"11_{name}"' in sources for name in FILES)


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


def plays_again(name, entries, number, **options):
    return stored_games.plays_again(stored(f"{name}.jsonl"), entries, number, seed=11, **options)


def test_a_sample_of_the_games_with_values_by_threats_plays_again(names):
    entries = [names["contestant"], "heuristic"]

    assert plays_again("values_heuristic", entries, 2, opening_plies=2)


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


@pytest.mark.parametrize("name", ["heuristic", "uct:400", "puct:400", "puct:400:uniform"])
def test_the_marks_are_those_that_the_players_get(marks, name):
    exam = [tactic for tactic in tactics.load() if tactic.state.size == 15]
    player = players.make(name, rng=np.random.default_rng(11))

    assert [tactics.solves(player, tactic) for tactic in exam[:20]] == list(marks[name][:20] == 1)
