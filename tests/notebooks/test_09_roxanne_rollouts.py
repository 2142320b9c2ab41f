"""What notebook 09 says is so, and stays so with another seed; and its matches can be repeated."""

import functools
import math

import numpy as np
import pytest

from mctslab import arena, fast, games, search
from mctslab.arena import results_file
from mctslab.arena.settings import make_settings
from mctslab.fast import EndgameSolver
from tests.notebooks.reading import NOTEBOOKS, read
from tests.notebooks.running import run_here
from tests.notebooks.test_results import RESULTS, assert_played_alike

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "09_roxanne_rollouts")

FACTS = {
    "09_uct_100": (0.590, 0.030),
    "09_uct_400": (0.698, 0.028),
    "09_uct_1600": (0.763, 0.048),
    "09_policy_nine_five": (0.456, 0.0),
    "09_each_100": (0.384, 0.030),
    "09_each_400": (0.364, 0.029),
}
"""Scores that others have measured by another program, with their margins."""


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


def stored(name):
    file = next(file for file in RESULTS if file.stem == name)
    return results_file.read(file), arena.load(file)


# The matches


@pytest.mark.parametrize("name", FACTS)
def test_scores_agree_with_those_of_another_program(name):
    value, margin = FACTS[name]
    rate = stored(name)[1].score.rate
    assert rate.low - margin <= value <= rate.high + margin


@pytest.mark.parametrize("stage", ["opening", "middle", "end"])
def test_games_by_the_notebooks_own_player_are_played_alike_anew(names, stage):
    kept, _ = stored(f"09_stage_{stage}")
    least, most = names["STAGES"][stage]
    make = functools.partial(
        names["Staged"], "flat:400", "flat:400:roxanne", range(least, most + 1)
    )
    entry = arena.Contestant(kept.header.contestants[0], make)
    settings = make_settings("reversi", (entry, "flat:400"), None, num_games=1_000, seed=9)

    assert kept.header.command == settings.call
    assert_played_alike(kept, settings)


@pytest.mark.parametrize(("number", "num_games"), [(100, 1_000), (400, 400)])
def test_games_with_so_many_playouts_for_each_move_are_played_alike_anew(names, number, num_games):
    kept, _ = stored(f"09_each_{number}")
    pair = names["each"](number, "roxanne"), names["each"](number, "uniform")
    settings = make_settings("reversi", pair, None, num_games=num_games, seed=9)

    assert kept.header.command == settings.call
    assert_played_alike(kept, settings)


def test_each_move_gets_as_many_playouts_as_it_says(names):
    player = names["PerMove"](30, "uniform", rng=np.random.default_rng(1))
    state = games.Reversi()
    for _ in range(3):
        *_, thought = player.think(state)
        assert {child.visit_count for child in thought.result.children} == {30}
        state = state.child(thought.action)


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


def test_the_matches_are_only_read(names):
    for result in (*names["policies"].values(), *names["stages"].values()):
        assert len(result.games) == 1_000
    assert names["tournament"].is_complete


def test_what_is_said_of_the_scores_is_so(names):
    rates = {name: result.score.rate for name, result in names["policies"].items()}
    assert all(rates[f"{who}, random"].low > 0.5 for who in ("nine classes", "five classes"))
    assert rates["five classes, random"].value > rates["nine classes, random"].value
    assert 0.49 < rates["nine classes, five classes"].high < 0.5
    nine, five = (names["uct"][f"UCT, {which} classes"] for which in ("nine", "five"))
    assert (nine[:, 1] > 0.55).all()
    assert (five[:, 1] > 0.55).all()
    assert (np.diff(nine[:, 0]) > 0).all()
    assert (np.diff(five[:, 0]) > 0).all()
    worse, better = (names["flat"][f"flat, {which} classes"] for which in ("nine", "five"))
    assert (worse[1:, 2] < 0.5).all()
    assert (np.diff(worse[:, 0]) < 0).all()
    assert (better[:, 1] > 0.5).all()
    stages = {name: result.score.rate for name, result in names["stages"].items()}
    assert stages["opening"].low > 0.5
    assert stages["middle"].low < 0.5 < stages["middle"].high
    assert stages["end"].high < names["flat"]["flat, nine classes"][1, 1]


# By the clock


def test_by_the_clock_three_matches_are_decided_and_the_fourth_is_not(names):
    rates = {name: result.score.rate for name, result in names["clocked"].items()}
    nine = rates.pop("flat, nine classes")
    assert all(rate.low > 0.5 for rate in rates.values())
    assert nine.value < 0.5 < nine.high
    for value, _, high in names["flat"]["flat, nine classes"][1:]:
        assert nine.low < value < nine.high
        assert high < 0.45
    assert 180 < arena.games_needed(0.5 - nine.value, nine.value) < 220


def test_both_sides_had_the_same_time_for_a_choice(names):
    for result in names["clocked"].values():
        used = {}
        for name in result.names:
            clock, num_choices = result.clock(name), result.num_choices(name)
            used[name] = clock.seconds_per_move, clock.simulations / num_choices
            assert 0.1 < clock.seconds / num_choices < 0.1005
        assert used[result.names[0]] > used[result.names[1]]
        assert used[result.names[0]][1] > used[result.names[1]][1]


def test_roxannes_side_has_a_choice_more_often_near_the_end(names):
    result = names["clocked"]["UCT, nine classes"]
    late = dict.fromkeys(result.names, 0)
    for game in result.games:
        for state in game.states(result.first_state)[-11:-1]:
            late[game.players[state.current_player]] += len(state.legal_actions()) > 1
    assert late["uct:0.1s:roxanne"] > 1.2 * late["uct:0.1s"]


# Intervals and tests


def test_nearly_all_intervals_of_fifty_games_hold_the_score(names):
    points = names["points"]
    held = [
        low <= points.mean() <= high
        for low, high in (arena.wilson(fifty.sum(), 50) for fifty in names["fifties"])
    ]
    assert len(held) == 20
    assert sum(held) >= 17


def test_wilsons_interval_leaves_one_half_out_when_the_notebook_says_so(names):
    rng = np.random.default_rng(5)
    for _ in range(50):
        results = rng.integers(0, 2, 60)
        first = next(
            (
                number
                for number in range(20, 61)
                if not arena.wilson(results[:number].sum(), number, 1.96)[0]
                <= 0.5
                <= arena.wilson(results[:number].sum(), number, 1.96)[1]
            ),
            0,
        )
        assert names["first_alarm"](results) == first


@pytest.mark.parametrize("seed", range(3))
def test_looking_all_the_time_is_fooled_far_more_often(names, seed):
    rng = np.random.default_rng(seed)
    coins = rng.integers(0, 2, (600, 1_000))
    looking = np.mean([names["first_alarm"](results) > 0 for results in coins])
    once = np.mean(abs(coins.sum(axis=1) - 500) > 1.96 * math.sqrt(1_000) / 2)
    assert 0.36 < looking < 0.52
    assert once < 0.09


def test_the_sequential_test_stops_where_the_arena_would(names):
    sprt = arena.SPRT(0, 50)
    match = arena.match("reversi", "roxanne", "random", num_games=1_000, seed=9, sprt=sprt)
    number, decision = names["decided"](names["roxanne_random"], sprt)
    assert (len(match.games), match.decision.name) == (number, decision)


def test_a_repeated_game_is_only_two_games(names):
    conditions = {"num_games": 20, "seed": 3}
    first = names["FirstMove"]
    assert arena.match("reversi", first, first, **conditions).num_different_games == 2
    varied = arena.match("reversi", first, first, opening_plies=4, **conditions)
    assert varied.num_different_games > 10


# Bias and variance


@pytest.fixture(scope="module")
def examined(executed):
    """Other questions than the notebook's: from games of other players, with another seed."""
    names = executed(NOTEBOOK).names
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(names["questions"].__globals__, "rng", np.random.default_rng(77))
        patch.setitem(names["questions"].__globals__, "NUM_POSITIONS", 100)
        patch.setitem(names["questions"].__globals__, "flat_games", stored("09_flat5_400")[1])
        exams = {empty: names["questions"](empty) for empty in (6, 10)}
        picks = {
            (empty, name): [
                np.mean([names["share_right"](s, o, names["means"](s, policy, n)) for s, o in exam])
                for n in (1, 10, 300)
            ]
            for empty, exam in exams.items()
            for name, policy in names["ROLLOUTS"].items()
        }
        parts = {
            (empty, name): names["summary"](names["parts"](exam, policy))
            for empty, exam in exams.items()
            for name, policy in names["ROLLOUTS"].items()
        }
        yield names, exams, picks, parts


def test_questions_are_positions_where_it_matters(examined):
    _, exams, *_ = examined
    solver = EndgameSolver()
    for empty, exam in exams.items():
        assert len(exam) == 100
        for state, outcome in exam[:10]:
            assert 64 - sum(state.disc_counts()) == empty
            assert outcome == {
                action: (discs > 0) - (discs < 0)
                for action, discs in solver.solve_moves(state).items()
            }
            assert len(set(outcome.values())) > 1


def test_more_playouts_help_random_ones_and_hardly_roxannes(examined):
    *_, picks, _ = examined
    for empty in (6, 10):
        random, nine, five = (picks[empty, name] for name in ROLLOUT_NAMES)
        assert random[2] > random[0] + 0.15
        assert abs(nine[2] - nine[1]) < 0.08
        assert random[2] > five[2] > nine[2] - 0.05
        assert random[2] > nine[2] + 0.05
        assert nine[0] > random[0] - 0.08


ROLLOUT_NAMES = ("random", "nine classes", "five classes")


def test_roxanne_has_less_variance_and_more_bias_and_shouts(examined):
    *_, parts = examined
    for empty in (6, 10):
        random, nine, five = (parts[empty, name] for name in ROLLOUT_NAMES)
        assert nine[0] > random[0]
        assert nine[0] > five[0]
        assert nine[1] < five[1] < random[1]
        assert nine[2] > 1.7 * random[2]
        assert nine[3] < five[3] < random[3]


def test_the_variance_of_a_playout_is_nearly_one_minus_the_square_of_its_mean(examined):
    """In Reversi few games are drawn; this counts the results of single playouts."""
    _, exams, *_ = examined
    rng = np.random.default_rng(4)
    for state, _ in exams[6][:5]:
        action = state.legal_actions()[0]
        mover = state.current_player
        results = [
            search.rollout(state.child(action), search.uniform, rng)[mover] for _ in range(400)
        ]
        assert abs(np.var(results) - (1 - np.mean(results) ** 2)) < 0.2


def test_random_playouts_are_heard_late_and_roxannes_early(examined):
    names, *_ = examined
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(names["means"].__globals__, "rng", np.random.default_rng(8))
        for empty, least in ((44, 100), (28, 45)):
            states = [
                state for state, _ in zip(names["with_empty"](empty), range(25), strict=False)
            ]
            random, nine, five = (
                names["playouts_to_hear"](states, policy, 300)[0]
                for policy in names["ROLLOUTS"].values()
            )
            assert random > least
            assert nine < random / 3
            assert five < random / 2


@pytest.mark.parametrize("name", ROLLOUT_NAMES)
def test_in_the_tree_all_policies_get_it_right(examined, name):
    names, exams, picks, _ = examined
    policy = names["ROLLOUTS"][name]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(names["tree_share"].__globals__, "rng", np.random.default_rng(9))
        tree = names["tree_share"](exams[10], policy, 6_400)
    assert tree > 0.85
    assert tree > picks[10, "nine classes"][2] + 0.12


def test_a_clever_playout_costs_little_where_it_is_compiled(names):
    """Counted, not timed: its playouts are no longer than random ones."""
    rng = np.random.default_rng(1)
    plies = []
    for policy in names["ROLLOUTS"].values():
        state, number = games.Reversi(), 0
        while not state.is_terminal:
            state, number = state.child(policy(state, rng)), number + 1
        plies.append(number)
    assert max(plies) < 70
    assert not fast.why_not(games.Reversi(), search.rollout_evaluator(search.roxanne()))


# Books


def moves_known(result):
    """How many moves of a game the book spared its player."""
    own, other = (result.clock(player) for player in result.names)
    spared = other.simulations_per_move - own.simulations_per_move
    return spared / other.simulations_per_move * own.num_moves / len(result.games)


def test_a_book_helps_and_six_times_the_book_by_no_more_than_one_can_see():
    hour, small = (
        [stored(f"09_{book}{opening}")[1] for opening in ("", "_two_plies")]
        for book in ("book", "small_book")
    )
    intervals = [result.elo for result in (*hour, *small)]
    assert all(result.elo.low > 0 for result in hour)
    assert min(result.elo.value for result in hour) > 45
    assert max(result.elo.value for result in hour) < 65
    assert small[0].elo.value > hour[0].elo.value
    assert small[1].elo.low < 0 < small[1].elo.high
    common = min(elo.high for elo in intervals) - max(elo.low for elo in intervals)
    assert 30 < common < 40
    for large, few in zip(hour, small, strict=True):
        assert 0.9 < moves_known(large) - moves_known(few) < 1.3


# From nothing


@pytest.mark.filterwarnings("ignore:invalid value encountered:RuntimeWarning")
def test_everything_can_be_played_from_nothing(tmp_path):
    """With a few games of each match; so few questions come from them that some have no spread."""
    notebook = read(NOTEBOOK)
    budgets = notebook.cells[1]
    assert budgets.source.count("FROM_NOTHING = False") == 1
    assert budgets.source.count('"my_results"') == 1
    budgets.source = budgets.source.replace("FROM_NOTHING = False", "FROM_NOTHING = True").replace(
        '"my_results"', repr(str(tmp_path))
    )
    names = run_here(notebook).names

    written = {file.name for file in tmp_path.glob("*.jsonl")}
    assert written == {file.name for file in RESULTS if file.name.startswith("09_")} - BOOKS
    assert len(names["roxanne_random"].games) == 20
    for name in ("09_uct_100", "09_policy_greedy"):
        few = results_file.read(tmp_path / f"{name}.jsonl")
        kept, _ = stored(name)
        assert [game.actions for game in few.games] == [game.actions for game in kept.games[:20]]


BOOKS = {file.name for file in RESULTS if "book" in file.name}
"""Played with a book that took an hour, or with a smaller one; they are not made anew."""
