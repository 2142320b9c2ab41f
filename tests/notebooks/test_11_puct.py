"""What notebook 11 says is so, and stays so with another seed."""

import json
import math
from functools import partial

import numpy as np
import pytest

from mctslab import arena, games, players, search
from mctslab.arena import tactics
from mctslab.arena.playing import play
from mctslab.arena.settings import fixture, make_settings
from mctslab.search.puct_search import gather_paths
from tests.notebooks.reading import NOTEBOOKS, PROJECT, read
from tests.notebooks.running import run_here

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


# Three evaluators


@pytest.mark.parametrize("seed", [20, 21, 22])
def test_with_threats_the_right_moves_are_tried_with_nothing_all_are(names, seed):
    rng = np.random.default_rng(seed)
    results = {
        name: names["searched"](evaluator, num_simulations=400, rng=rng)
        for name, evaluator in names["EVALUATORS"].items()
    }
    solutions = names["position"].solutions

    assert results["threats"].best_action in solutions
    assert tried(results["threats"]) <= 15
    assert tried(results["uniform"]) > 180
    assert max(child.visit_count for child in results["uniform"].children) <= 3
    assert results["rollouts"].best_action not in solutions


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


def test_noise_has_more_moves_tried_and_the_favourite_stays(names, monkeypatch):
    monkeypatch.setitem(names["conditions"], "num_simulations", 400)
    num_tried = {}
    for name, noise in names["noises"].items():
        counts = [names["tried_with"](noise, seed) for seed in range(70, 82)]
        num_tried[name], most = np.mean(counts, axis=0)
        assert most > 0.4
    plain = num_tried.pop("no noise")

    assert all(number > 1.15 * plain for number in num_tried.values()), (plain, num_tried)
    assert num_tried["alpha 10"] > num_tried["alpha 0.03"]


@pytest.mark.parametrize("seed", [5, 6])
def test_a_low_temperature_draws_fewer_moves(names, seed):
    rng, children = np.random.default_rng(seed), names["noisy"]["alpha 0.3"].children
    kinds = [
        len({search.draw_action(children, tau, rng) for _ in range(100)}) for tau in (1, 0.25, 0)
    ]

    assert kinds[0] > kinds[1] >= kinds[2] == 1


# Batches


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_virtual_losses_spread_the_walks(names, seed):
    rng = np.random.default_rng(seed)
    conditions = {"evaluator": names["EVALUATORS"]["threats"], "num_simulations": 200, "rng": rng}
    root = search.puct_search(names["quiet"], **conditions).root

    assert len({search.select(root, search.puct()) for _ in range(8)}) == 1
    assert len({path[-1] for path in gather_paths(root, search.puct(), 8)}) >= 4


def test_without_the_rule_the_first_batch_asks_about_the_root_only(names):
    root = names["rigid_search"](games.Gomoku(size=6), 32, 32, np.random.default_rng(1)).root

    assert root.visit_count == 32
    assert not any(child.visit_count for child in root.children)


def test_one_at_a_time_it_is_the_packages_search(names):
    for seed in (4, 5):
        rigid = names["rigid_search"](names["small"], 90, 1, np.random.default_rng(seed))
        plain = search.puct_search(
            names["small"],
            evaluator=search.rollout_evaluator(),
            num_simulations=90,
            rng=np.random.default_rng(seed),
        )
        assert names["statistics"](rigid.root) == names["statistics"](plain.root)


@pytest.mark.parametrize("seed", [8, 9])
def test_the_graph_never_asks_twice_and_the_tree_does(names, seed):
    asked = {}
    for transpositions in (False, True):
        evaluator = names["Counting"]()
        search.puct_search(
            games.TicTacToe(),
            evaluator=evaluator,
            num_simulations=1_000,
            transpositions=transpositions,
            rng=np.random.default_rng(seed),
        )
        asked[transpositions] = len(evaluator.asked) - len(set(evaluator.asked))

    assert asked[False] > 0 == asked[True]


# What came along


def stored(name):
    return PROJECT / "notebooks" / "results" / f"11_{name}"


FILES = sorted(path.stem.removeprefix("11_") for path in stored("").parent.glob("11_*.jsonl"))


def test_every_file_is_read_by_the_notebook():
    sources = "\n".join(cell.source for cell in read(NOTEBOOK).cells)
    sized = {f"{kind}_{n}" for kind in ("batch", "rigid") for n in (8, 16, 32)}

    assert sized <= set(FILES)
    assert all(f'"{name}"' in sources for name in set(FILES) - sized)


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


def test_small_batches_cost_little_and_batches_of_32_something():
    assert rate("batch_32").high < 0.5
    for name in ("batch_8", "batch_16"):
        assert 0.44 < rate(name).low < 0.5 < rate(name).high
    assert rate("rigid_32").high < rate("batch_32").low
    for size in (8, 16):
        assert rate(f"rigid_{size}").low < rate(f"batch_{size}").value < rate(f"rigid_{size}").high


def test_in_reversi_two_hundred_games_dont_decide_and_one_hundred_looked_as_if():
    for name, half in (("random_prior", 0.59), ("roxanne_prior", 0.435)):
        result = arena.load(stored(f"{name}.jsonl"))
        points = [game.points(result.names[0]) for game in result.games if game.number < 100]
        assert result.score.rate.low < 0.5 < result.score.rate.high
        assert np.mean(points) == half


def plays_again(names, name, entries, number, opening_plies=4):
    """Whether a game without a command is played once more, move for move."""
    kept = arena.read(stored(f"{name}.jsonl"))
    game = next(game for game in kept.games if game.number == number)
    settings = make_settings(
        kept.header.game,
        entries,
        kept.header.game_options,
        num_games=number + 1,
        seed=11,
        opening_plies=opening_plies,
    )
    played = play(settings, fixture((0, 1), number, seed=11))
    return played.actions == game.actions


@pytest.mark.parametrize(("size", "number"), [(8, 0), (16, 333), (32, 998)])
def test_a_sample_of_the_games_in_batches_plays_again(names, size, number):
    entries = [names["batched"](size), names["batched"](1)]

    assert plays_again(names, f"batch_{size}", entries, number)


@pytest.mark.parametrize(("size", "number"), [(8, 1), (32, 6)])
def test_a_sample_of_the_games_without_the_rule_plays_again(names, size, number):
    one = arena.Contestant(f"rigid batches of {size}", partial(names["Rigid"], size))

    assert plays_again(names, f"rigid_{size}", [one, names["batched"](1)], number)


@pytest.mark.parametrize("number", [0, 3])
def test_a_sample_of_the_games_with_priors_for_reversi_plays_again(names, number):
    assert plays_again(names, "roxanne_prior", ["puct:100:roxanne", names["plain"]], number)
    assert plays_again(names, "random_prior", [names["random"], "puct:100"], number)


def test_a_sample_of_the_games_with_values_by_threats_plays_again(names):
    entries = [names["contestant"], "heuristic"]

    assert plays_again(names, "values_heuristic", entries, 2, opening_plies=2)


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


# From nothing


def test_everything_can_be_played_from_nothing(tmp_path):
    notebook = read(NOTEBOOK)
    changes = {"FROM_NOTHING = False": "FROM_NOTHING = True", '"my_results"': repr(str(tmp_path))}
    for old, new in changes.items():
        (cell,) = (c for c in notebook.cells if c.cell_type == "code" and old in c.source)
        cell.source = cell.source.replace(old, new)
    run_here(notebook)

    assert sorted(path.stem.removeprefix("11_") for path in tmp_path.glob("*.jsonl")) == FILES
    for name in ("batch_8", "rigid_32", "roxanne_prior", "threats_rollout"):
        few = arena.read(tmp_path / f"11_{name}.jsonl").games
        kept = arena.read(stored(f"{name}.jsonl")).games[: len(few)]
        assert [game.actions for game in few] == [game.actions for game in kept]
