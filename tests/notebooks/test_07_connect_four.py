"""What notebook 07 says is so, and stays so with another seed."""

import json
import math
from functools import partial

import numpy as np
import pytest

from mctslab import arena, fast, games
from mctslab.fast import ConnectFourSolver
from tests.notebooks.reading import PROJECT

RESULTS = PROJECT / "notebooks" / "results"
EXAM = json.loads((RESULTS / "07_questions.json").read_text("utf-8"))
START = games.ConnectFour()


# What a search knows


# A budget


@pytest.mark.parametrize("seed", range(3))
def test_the_search_settles_on_the_middle_column_without_being_sure(seed):
    shares = []
    for num_simulations in (300, 10_000):
        rng = np.random.default_rng(seed)
        result = fast.mcts(START, num_simulations=num_simulations, rng=rng)
        visits = {child.action: child.visit_count for child in result.children}
        shares.append(visits[3] / num_simulations)

    assert result.best_action == 3
    assert shares[1] > shares[0]
    assert (1 + result.value) / 2 < 0.67


# The examination


def test_there_are_two_hundred_positions_where_it_matters():
    assert len(EXAM) == len({question["moves"] for question in EXAM}) == 200
    assert all(12 <= len(question["moves"]) <= 18 for question in EXAM)
    assert sum(question["plies"] is not None for question in EXAM) > 150, "in most one can win"
    more = RESULTS.parent / "more" / "results"
    assert (more / "07_questions.json").read_bytes() == (RESULTS / "07_questions.json").read_bytes()


def test_a_question_and_its_answer_are_the_solvers(names):
    solver = ConnectFourSolver()
    for question in [each for each in EXAM if len(each["moves"]) >= 16][::8]:
        state = names["position_after"](question["moves"])
        solved = fast.SolvedPosition(state, solver.solve_moves(state))
        assert solved.matters
        assert question["right"] == sorted(solved.outcome_keeping)
        assert question["plies"] == solver.distance(state)


def examine(names, budgets, monkeypatch, c=2**0.5):
    """Half of the questions, searched with another seed: right, differ and value."""
    exam = [question | {"state": names["position_after"](question["moves"])} for question in EXAM]
    monkeypatch.setitem(names, "exam", exam[::2])
    random = np.random.default_rng  # the cells begin with seed 1, here with another
    monkeypatch.setattr(np.random, "default_rng", lambda seed: random(seed + 10))
    robust, highest, values = np.moveaxis(names["examine"](budgets, c), 2, 0)
    return names["are_right"](robust), robust != highest, values


@pytest.fixture(scope="module")
def examined(names):
    with pytest.MonkeyPatch.context() as patch:
        return examine(names, (10, 300, 1_000, 10_000, 100_000), patch)


def test_the_first_thousand_simulations_bring_most_and_then_it_levels_off(examined):
    ten, _, thousand, _, last = examined[0].mean(axis=0)

    assert thousand > ten + 0.2
    assert -0.03 < last - thousand < 0.12
    assert 0.8 < last < 0.94, "it errs in about one of eight"


def test_near_wins_are_seen_and_far_ones_look_nearly_even(examined):
    right, _, values = examined
    plies = np.array([question["plies"] or 0 for question in EXAM[::2]])
    near, far = (plies % 2 == 1) & (plies < 10), (plies > 10)
    rates = (1 + values[:, -1]) / 2

    assert right[near, -1].mean() > 0.95 > right[far, -1].mean()
    assert rates[near].mean() > 0.9
    assert 0.53 < rates[far].mean() < 0.68


def test_random_games_from_far_wins_end_early_and_are_nearly_even(names, monkeypatch):
    monkeypatch.setitem(names, "rng", np.random.default_rng(11))
    far = [each for each in EXAM if (each["plies"] or 0) % 2 and each["plies"] > 10][::2]
    states = [names["position_after"](each["moves"]) for each in far]
    won, num_plies = names["random_games"](states, 30)

    assert 0.45 < won < 0.58
    assert num_plies < 0.75 * np.mean([each["plies"] for each in far])


def test_robust_child_and_max_child_seldom_differ(examined):
    assert examined[1].mean(axis=0).max() < 0.15
    assert examined[1][:, 2:].mean() < 0.04


def test_a_tiny_c_is_bad_and_a_large_one_does_little_harm(names, monkeypatch):
    tiny, half, usual, large = (
        examine(names, (10_000,), monkeypatch, c)[0].mean() for c in (0.01, 0.5, math.sqrt(2), 10.0)
    )
    assert tiny < min(half, usual, large) - 0.05
    assert abs(large - usual) < 0.1
    assert abs(half - usual) < 0.1


# The student's search in the arena


def test_at_equal_simulations_only_chance_decides_and_at_equal_time_the_compiled_one_wins(names):
    own = partial(names["my_player"], 100)
    equal = arena.match("connect_four", own, "uct:100", num_games=40, opening_plies=4, seed=21)
    # In the time of 100 simulations of the readable search the compiled one makes some ten
    # thousand; a fixed number makes the test the same on any machine.
    timed = arena.match("connect_four", own, "uct:10000", num_games=20, opening_plies=4, seed=21)

    assert equal.score.rate.low < 0.5 < equal.score.rate.high
    assert timed.score.rate.value < 0.25


# The kept tree


def test_more_is_kept_by_a_larger_budget_and_by_a_smaller_c(names, monkeypatch):
    monkeypatch.setitem(names, "rng", np.random.default_rng(77))

    def kept(budget, c):
        return np.mean([names["kept_share"](budget, c) for _ in range(12)])

    assert kept(300, math.sqrt(2)) < 10 < kept(10_000, math.sqrt(2)) < 50
    assert 15 < kept(300, 0.3) < 35, "about a quarter"


def test_the_stored_matches_say_what_the_page_says():
    matches = [arena.load(RESULTS / f"07_reuse_{name}.jsonl") for name in ("usual", "small")]

    assert matches[0].score.rate.low < 0.5 < matches[0].score.rate.high
    assert matches[1].score.rate.low > 0.5
    for match in matches:
        assert len(match.games) == 2_000
        elo = match.score.elo
        assert 13 < (elo.high - elo.low) / 2 < 18, "about fifteen Elo on either side"
        keeps, starts_over = (match.cost(name).seconds_per_move for name in match.names)
        assert keeps > 2.5 * starts_over


# The picture


def test_the_picture_shows_a_search_that_finds_the_only_winning_column_in_the_end(names):
    state, solver = names["position_after"]("3575255336144"), ConnectFourSolver()
    winning = [action for action, verdict in solver.solve_moves(state).items() if verdict == 1]
    *before, last = [int(caption.split()[-1]) - 1 for caption in names["pictures"]]

    assert state.player_names[state.current_player] == "Yellow"
    assert winning == [last] == [2]
    assert solver.distance(state) == 29
    assert 2 not in before
    assert len(set(before)) > 1
