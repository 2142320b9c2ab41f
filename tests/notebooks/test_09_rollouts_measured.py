"""What the side road on rollouts says is so, and stays so with another seed."""

import numpy as np
import pytest

from mctslab import fast, games, search
from mctslab.arena import results_file
from mctslab.arena.settings import make_settings
from mctslab.fast import EndgameSolver
from tests.notebooks.reading import NOTEBOOKS
from tests.notebooks.test_results import RESULTS, assert_played_alike

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "09_rollouts_measured")

FACTS = {"100 for each move": (0.384, 0.030), "400 for each move": (0.364, 0.029)}
"""Scores that others have measured by another program, with their margins."""

POLICIES = ("random", "nine classes", "five classes")


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


def stored(name):
    return results_file.read(next(file for file in RESULTS if file.stem == name))


def states_of(name):
    """All positions of the games of a match."""
    return [state for game in stored(name).games for state in game.states(games.Reversi())]


# A hundred of what?


@pytest.mark.parametrize("name", FACTS)
def test_scores_agree_with_those_of_another_program(names, name):
    value, margin = FACTS[name]
    rate = names["rates"][name]
    assert rate.low - margin <= value <= rate.high + margin


@pytest.mark.parametrize(("number", "num_games"), [(100, 1_000), (400, 400)])
def test_games_with_so_many_rollouts_for_each_move_are_played_alike_anew(names, number, num_games):
    kept = stored(f"09_each_{number}")
    pair = names["each"](number, "roxanne"), names["each"](number, "uniform")
    settings = make_settings("reversi", pair, None, num_games=num_games, seed=9)

    assert kept.header.command == settings.call
    assert_played_alike(kept, settings)


def test_each_move_gets_as_many_rollouts_as_it_says(names):
    player = names["PerMove"](30, "uniform", rng=np.random.default_rng(1))
    state = games.Reversi()
    for _ in range(3):
        *_, thought = player.think(state)
        assert {child.visit_count for child in thought.result.children} == {30}
        state = state.child(thought.action)


def test_a_hundred_for_each_move_are_another_experiment_than_a_hundred_for_all(names):
    rates = names["rates"]
    assert rates["100 for each move"].high < rates["100 for all moves"].low
    assert rates["400 for each move"].high > rates["400 for all moves"].low
    assert [round(number, 3) for number in rates["100 for all moves"][:2]] == [0.469, 0.439]


# Bias and variance


NUM_POSITIONS = {6: 120, 10: 120, 14: 60}
"""By the number of empty squares: a position with 14 takes twenty times as long to solve."""


@pytest.fixture(scope="module")
def examined(executed):
    """Other questions than the notebook's: from games of other players, with another seed."""
    names = executed(NOTEBOOK).names
    with pytest.MonkeyPatch.context() as patch:
        known = names["questions"].__globals__
        patch.setitem(known, "rng", np.random.default_rng(77))
        patch.setitem(known, "all_states", states_of("09_flat5_400"))
        exams = {}
        for empty, number in NUM_POSITIONS.items():
            patch.setitem(known, "num_positions", number)
            exams[empty] = names["questions"](empty)
        rows = {
            (empty, name): names["parts"](exam, policy)
            for empty, exam in exams.items()
            for name, policy in names["POLICIES"].items()
        }
        yield names, exams, rows


def test_questions_are_positions_where_it_matters(examined):
    _, exams, _ = examined
    solver = EndgameSolver()
    for empty, exam in exams.items():
        assert len(exam) == NUM_POSITIONS[empty]
        for state, outcome in exam[:5]:
            assert 64 - sum(state.disc_counts()) == empty
            assert outcome == {
                action: (discs > 0) - (discs < 0)
                for action, discs in solver.solve_moves(state).items()
            }
            assert len(set(outcome.values())) > 1


def test_more_rollouts_help_random_ones_and_hardly_roxannes(examined):
    names, exams, _ = examined
    for empty in (6, 10):
        random, nine, five = (
            [
                np.mean([names["share_right"](s, o, names["means"](s, policy, n)) for s, o in exam])
                for n in (1, 10, 300)
            ]
            for exam in [exams[empty]]
            for policy in names["POLICIES"].values()
        )
        assert random[2] > random[0] + 0.15
        assert abs(nine[2] - nine[1]) < 0.08
        assert random[2] > max(nine[2], five[2]) + 0.04
        assert abs(nine[0] - random[0]) < 0.1


def test_roxanne_has_less_variance_and_nine_classes_more_bias(examined):
    names, exams, rows = examined
    for empty in exams:
        random = rows[empty, "random"]
        differences = {
            name: (
                names["summary"](rows[empty, name]) - names["summary"](random),
                names["margins"](rows[empty, name], random),
            )
            for name in POLICIES[1:]
        }
        (nine, nine_margins), (five, five_margins) = differences.values()
        assert nine[1] < five[1] < -five_margins[1]
        assert five[0] < five_margins[0]
        if empty < 14:
            assert nine[0] > nine_margins[0]


def test_with_fourteen_empty_squares_more_bias_is_seen_in_some_games_only(
    names, examined, monkeypatch
):
    """In the notebook's own positions, and not in those of the other players' games."""
    own_names = {"all_states": names["all_states"], "num_positions": 100}
    for name, value in {**own_names, "rng": np.random.default_rng(5)}.items():
        monkeypatch.setitem(names["questions"].__globals__, name, value)
    exam = names["questions"](14)
    own = [names["parts"](exam, names["POLICIES"][name]) for name in POLICIES[:2]]
    _, _, rows = examined
    others = [rows[14, name] for name in POLICIES[:2]]
    (own_more, own_margin), (more, margin) = (
        (
            (names["summary"](nine) - names["summary"](random))[0],
            names["margins"](nine, random)[0],
        )
        for random, nine in (own, others)
    )

    assert own_more > own_margin - 0.02
    assert more < margin


def test_roxanne_shouts_and_nine_classes_are_less_often_right(examined):
    names, exams, rows = examined
    for empty in exams:
        random, nine, five = (names["summary"](rows[empty, name]) for name in POLICIES)
        assert nine[2] > five[2] > 1.5 * random[2]
        if empty < 14:
            order = random[3] - nine[3]
            margin = names["margins"](rows[empty, "nine classes"], rows[empty, "random"])[3]
            assert order > margin


def test_comparing_on_the_same_positions_gives_narrower_intervals(examined):
    names, _, rows = examined
    pair = rows[10, "nine classes"], rows[10, "random"]
    together = names["margins"](*pair)[0]
    apart = np.hypot(*(names["margins"](each)[0] for each in pair))
    assert together < apart


def test_the_variance_of_a_rollout_is_nearly_one_minus_the_square_of_its_mean(examined):
    """In Reversi few games are drawn; this counts the results of single rollouts."""
    _, exams, _ = examined
    rng = np.random.default_rng(4)
    for state, _ in exams[6][:5]:
        action = state.legal_actions()[0]
        mover = state.current_player
        results = [
            search.rollout(state.child(action), search.uniform, rng)[mover] for _ in range(400)
        ]
        assert abs(np.var(results) - (1 - np.mean(results) ** 2)) < 0.2


def test_five_classes_leave_more_to_chance_than_nine(examined):
    names, exams, _ = examined
    seen = [state for exam in exams.values() for state, _ in exam]
    more = [
        names["num_choices"](state, search.FIVE_CLASSES)
        - names["num_choices"](state, search.NINE_CLASSES)
        for state in seen
    ]
    assert min(more) >= 0
    assert np.mean(more) > 1.96 * np.std(more) / len(more) ** 0.5 + 0.1


# The opening, and the price


def test_random_rollouts_are_heard_late_and_roxannes_early(examined):
    names, *_ = examined
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(names["means"].__globals__, "rng", np.random.default_rng(8))
        for empty, least in ((44, 100), (28, 45)):
            states = names["with_empty"](empty)[:25]
            random, nine, five = (
                names["rollouts_to_hear"](states, policy, 300)[0]
                for policy in names["POLICIES"].values()
            )
            assert random > least
            assert nine < random / 3
            assert five < random / 2


def test_near_the_end_random_rollouts_are_heard_too(examined):
    names, *_ = examined
    states = names["with_empty"](10)[:40]
    assert names["rollouts_to_hear"](states, search.uniform, 300)[0] < 400 / 9


def test_a_clever_rollout_costs_little_where_it_is_compiled(names):
    """Counted, not timed: its rollouts are no longer than random ones."""
    rng = np.random.default_rng(1)
    plies = []
    for policy in names["POLICIES"].values():
        state, number = games.Reversi(), 0
        while not state.is_terminal:
            state, number = state.child(policy(state, rng)), number + 1
        plies.append(number)
    assert max(plies) < 70
    assert not fast.why_not(games.Reversi(), search.rollout_evaluator(search.roxanne()))
