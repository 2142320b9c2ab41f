"""What notebook 09 says is so, and stays so with another seed; and its matches can be repeated."""

import functools
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from mctslab import arena, fast, games, search
from mctslab.arena import results_file
from mctslab.arena.settings import make_settings
from mctslab.fast import EndgameSolver
from mctslab.score import Estimate, elo_difference
from tests.notebooks.reading import NOTEBOOKS, read
from tests.notebooks.test_results import RESULTS, assert_played_alike

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "09_roxanne_rollouts")

FACTS = {
    "uct_100": (0.590, 0.030),
    "uct_400": (0.698, 0.028),
    "uct_1600": (0.763, 0.048),
}
"""Scores that others have measured by another program, with their margins."""


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


TABLES = {"": "nine classes", "5": "five classes"}
BUDGETS = (100, 400, 1_600)


@pytest.fixture
def rates(names):
    """The scores against random rollouts, by the names of the stored matches."""
    found = {}
    for table, classes in TABLES.items():
        for kind, searches in (("uct", "UCT"), ("flat", "flat")):
            key = f"{searches}, {classes}"
            for n, value, ends in zip(
                BUDGETS, names["scores"][key], names["ends"][key], strict=True
            ):
                found[f"{kind}{table}_{n}"] = Estimate(value, *ends)
        for stage in names["STAGES"]:
            found[f"stage{table}_{stage}"] = names["stages"][f"{stage}, {classes}"]
    return found


def file_of(name):
    return next(file for file in RESULTS if file.stem == name)


def ran_again(names, cells, **others):
    """The names after some cells were run once more with other names, at the full budget."""
    found = dict(names) | others
    sources = {cell.id: cell.source for cell in read(NOTEBOOK).cells}
    for cell in cells:
        exec(sources[cell], found)
    return found


# The matches


@pytest.mark.parametrize("name", FACTS)
def test_scores_agree_with_those_of_another_program(rates, name):
    value, margin = FACTS[name]
    rate = rates[name]
    assert rate.low - margin <= value <= rate.high + margin


@pytest.mark.parametrize("rollouts", ["roxanne", "roxanne5"])
@pytest.mark.parametrize("stage", ["opening", "middle", "end"])
def test_games_by_the_notebooks_own_player_are_played_alike_anew(names, stage, rollouts):
    kept = results_file.read(file_of(f"09_stage{rollouts.removeprefix('roxanne')}_{stage}"))
    make = functools.partial(
        names["Staged"], "flat:400", f"flat:400:{rollouts}", names["STAGES"][stage]
    )
    entry = arena.Contestant(kept.header.contestants[0], make)
    settings = make_settings("reversi", (entry, "flat:400"), None, num_games=1_000, seed=9)

    assert kept.header.command == settings.call
    assert_played_alike(kept, settings)


def test_the_stages_are_the_whole_game_and_do_not_overlap(names):
    empty = [number for stage in names["STAGES"].values() for number in stage]
    assert sorted(empty) == list(range(61))


def test_the_player_of_stages_is_special_only_there(names):
    player = names["Staged"]("random", "greedy", range(50, 58), rng=np.random.default_rng(1))
    asked = []
    for kind in ("usual", "special"):
        inner = getattr(player, kind)
        inner.think = lambda state, think=inner.think, kind=kind: (
            asked.append((64 - sum(state.disc_counts()), kind)) or think(state)
        )
    state = games.Reversi()
    while not state.is_terminal:
        state = state.child(player.choose(state))
    assert all((kind == "special") == (empty in range(50, 58)) for empty, kind in asked)
    assert {kind for _, kind in asked} == {"usual", "special"}


def test_every_file_is_read_by_the_notebook(names):
    files = {file.stem for file in RESULTS if file.parents[1].name == "notebooks"}
    by_budget = {f"09_{kind}_{n}" for kind in ("uct", "uct5", "flat", "flat5") for n in BUDGETS}
    by_stage = {f"09_{kind}_{stage}" for kind in ("stage", "stage5") for stage in names["STAGES"]}
    by_time = {f"09_time_{kind}{table}" for kind in ("uct", "flat") for table in ("", "5")}

    assert {file for file in files if file.startswith("09")} == by_budget | by_stage | by_time


def test_in_the_tree_both_tables_help_more_with_more_simulations(rates):
    for kind in ("uct", "uct5"):
        ordered = [rates[f"{kind}_{n}"] for n in BUDGETS]
        assert all(each.low > 0.5 for each in ordered)
        assert all(less.high < more.low for less, more in pairwise(ordered))
    for n in (400, 1_600):
        assert rates[f"uct_{n}"].high < rates[f"uct5_{n}"].low


def test_in_flat_monte_carlo_nine_classes_harm_and_five_help_less_than_in_the_tree(rates):
    assert 0.5 < rates["flat_100"].high < 0.505
    for n in (400, 1_600):
        assert rates[f"flat_{n}"].high < 0.45
    for n in BUDGETS:
        assert rates[f"flat5_{n}"].low > 0.5
        assert rates[f"flat5_{n}"].high < rates[f"uct5_{n}"].low


def test_early_both_tables_help_and_late_both_harm(rates):
    for kind in ("stage", "stage5"):
        assert rates[f"{kind}_opening"].low > 0.5
        assert rates[f"{kind}_end"].high < 0.45
    assert rates["stage_middle"].low < 0.5 < rates["stage_middle"].high
    assert rates["stage5_middle"].low > rates["stage5_opening"].high
    assert rates["stage_end"].high < rates["stage5_end"].low


def test_white_has_the_easier_task(names):
    match = names["four_hundred"]
    assert match.score_as(0).rate.high < match.score_as(1).rate.low


# Intervals


def test_ten_games_leave_more_than_a_quarter_of_the_scale():
    for wins in range(11):
        for draws in range(11 - wins):
            low, high = arena.wilson(wins + draws / 2, 10)
            assert high - low > 0.25


def test_most_matches_of_fifty_decide_nothing_and_all_hold_the_score(names):
    fifties, score = names["fifties"], names["points"].mean()

    assert len(fifties) == 20
    assert 10 < names["undecided"] == sum(low <= 0.5 <= high for _, low, high in fifties)
    assert all(low <= score <= high for _, low, high in fifties)
    assert (min(fifties)[0], max(fifties)[0]) == (0.54, 0.72)


def test_the_numbers_that_are_worked_out_by_hand():
    low, high = arena.wilson(7, 10)
    assert [round(number, 2) for number in ((low + high) / 2, (high - low) / 2)] == [0.64, 0.25]
    assert round(1.96 * (0.25 / 100) ** 0.5, 3) == 0.098
    assert round(elo_difference(0.75)) == 191


# The student's own search


def test_the_own_rollouts_follow_the_roxanne_policy(names):
    rng = np.random.default_rng(2)
    policy, state = search.roxanne(), games.Reversi()
    for _ in range(40):
        ranks = dict(zip(state.legal_actions(), policy.ranks_of(state), strict=True))
        assert ranks[names["my_roxanne"](state, rng)] == min(ranks.values())
        state = state.child(search.uniform(state, rng))
    plain = search.rollout(games.Reversi(), names["my_roxanne"], np.random.default_rng(3))
    other = names["roxanne_rollout"](games.Reversi(), search.uniform, np.random.default_rng(3))
    assert plain == other


def test_the_own_search_plays_against_itself_with_other_rollouts(names):
    assert names["own"].names == ("mine:50 with Roxanne", "mine:50")
    assert names["own"].clock("mine:50").simulations_per_move > 40


# By the clock


def test_by_the_clock_three_matches_are_decided_and_the_fourth_is_not(names, rates):
    by_clock = dict(names["rates"])
    assert names["open_ones"] == ["flat, nine classes"]
    nine = by_clock.pop("flat, nine classes")
    assert all(rate.low > 0.5 for rate in by_clock.values())
    assert nine.value == 0.43
    assert nine.value < 0.5 < nine.high
    for n in (400, 1_600):
        assert nine.low < rates[f"flat_{n}"].value < nine.high
    assert 180 < arena.games_needed(0.5 - nine.value, nine.value) < 220


def test_both_sides_had_the_same_time_for_a_choice(names):
    for result in names["clocked"].values():
        simulations = []
        for name in result.names:
            clock, num_choices = result.clock(name), result.num_choices(name)
            simulations.append(clock.simulations / num_choices)
            assert 0.1 < clock.seconds / num_choices < 0.1005
        assert simulations[0] > simulations[1]


# Bias and variance


@pytest.fixture(scope="module")
def examined(executed):
    """The exam with another seed, and half of its positions from games of other players."""
    names = executed(NOTEBOOK).names
    both = [results_file.read(file_of(f"09_{kind}_400")).games for kind in ("flat", "flat5")]
    mixed = [game for pair in zip(*both, strict=True) for game in pair]
    seeded = {"rng": np.random.default_rng(77), "TRIES": [30, 1_600]}
    with pytest.MonkeyPatch.context() as patch:
        drawn = SimpleNamespace(games=mixed, first_state=games.Reversi())
        patch.setattr(arena, "load", lambda _: drawn)
        again = ran_again(names, ["questions", "flat-answers", "parts-run"], **seeded)
    again["TRIES"] = seeded["TRIES"]
    return again


def test_questions_are_positions_where_it_matters(examined):
    solver = EndgameSolver()
    assert len(examined["exam"]) == 150
    for state, outcome in examined["exam"][:10]:
        assert 64 - sum(state.disc_counts()) == 10
        assert outcome == {
            action: (discs > 0) - (discs < 0) for action, discs in solver.solve_moves(state).items()
        }
        assert len(set(outcome.values())) > 1


def test_more_rollouts_help_random_ones_and_hardly_roxannes_and_the_tree_takes_no_harm(examined):
    answers = examined["answers"]
    flat = {kind: answers("flat", kind) for kind in ("uniform", "roxanne", "roxanne5")}
    shares = {kind: found[0] for kind, found in flat.items()}
    few = [ends[0] for _, ends in flat.values()]

    assert max(low for low, _ in few) < min(high for _, high in few)
    assert shares["uniform"][1] > shares["uniform"][0] + 0.1
    for kind in ("roxanne", "roxanne5"):
        assert abs(shares[kind][1] - shares[kind][0]) < 0.1
        assert shares[kind][1] < shares["uniform"][1] - 0.05
    examined["TRIES"] = [6_400]
    trees = [answers("uct", kind) for kind in ("uniform", "roxanne")]
    assert all(share[0] > max(0.85, shares["roxanne"][1] + 0.12) for share, _ in trees)
    ends = [end[0] for _, end in trees]
    assert max(low for low, _ in ends) < min(high for _, high in ends)


def test_nine_classes_have_less_variance_and_more_bias_and_five_no_visible_one(examined):
    measured = examined["measured"]
    more, margins = {}, {}
    for name in ("nine classes", "five classes"):
        difference = measured[name] - measured["random"]
        more[name] = difference.mean(axis=0)
        margins[name] = 1.96 * difference.std(axis=0) / len(difference) ** 0.5
        assert more[name][1] < -margins[name][1]

    nine, five = more["nine classes"], more["five classes"]
    assert nine[0] > margins["nine classes"][0]
    assert five[0] < margins["five classes"][0]
    assert nine[1] < five[1]


def test_few_rollouts_make_each_squared_bias_a_little_too_large(examined):
    for rows in examined["measured"].values():
        assert rows[:, 1].mean() / 50 < 0.02


def test_single_rollouts_are_results_for_the_player_who_moves(examined):
    state, _ = examined["exam"][0]
    policy = search.roxanne()
    examined["rng"] = np.random.default_rng(1)
    results = examined["single_rollouts"](state, policy, number=200)
    many = fast.flat_monte_carlo(
        state,
        num_simulations=400 * len(results),
        policy=policy,
        rng=np.random.default_rng(5),
    )

    assert set(results) == set(state.legal_actions())
    assert all(len(each) == 200 and set(each) <= {-1, 0, 1} for each in results.values())
    for child in many.children:
        assert abs(np.mean(results[child.action]) - child.mean_value) < 0.3
