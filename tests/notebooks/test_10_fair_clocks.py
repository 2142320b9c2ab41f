"""What the side road on fair clocks says is so."""

import math
from dataclasses import replace

import numpy as np
import pytest

from mctslab import arena, games
from mctslab.arena.playing import play
from mctslab.arena.settings import fixture, make_settings
from mctslab.fast import EndgameSolver
from tests.games.playing import random_game
from tests.notebooks.reading import NOTEBOOKS, PROJECT

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "10_fair_clocks")


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


def stored(name):
    return PROJECT / "notebooks" / "more" / "results" / f"10_{name}.jsonl"


# The players


def test_from_twelve_empty_squares_on_it_plays_perfectly(names):
    solver = EndgameSolver()
    for num_empty in (8, 10, 12):
        rng = np.random.default_rng(num_empty)
        state = next(
            state
            for _ in range(50)
            for state in random_game(games.Reversi(), rng)
            if 64 - sum(state.disc_counts()) == num_empty and not state.is_terminal
        )
        values = solver.solve_moves(state)
        assert values[names["Steady"](50).choose(state)] == max(values.values())


@pytest.mark.parametrize(("pairing", "number"), [((0, 1), 0), ((1, 4), 1), ((2, 8), 0)])
def test_a_sample_of_the_tournament_plays_again(names, pairing, number):
    kept = next(
        game
        for game in arena.read(stored("one_clock")).games
        if (game.pairing, game.number) == (pairing, number)
    )
    settings = make_settings(
        games.Reversi(), names["entries"], num_games=number + 1, seed=10, opening_plies=6
    )
    assert play(settings, fixture(pairing, number, seed=10)).actions == kept.actions


def test_every_match_has_its_file(names):
    for how, by_time in names["clocked"].items():
        word = names["rollouts"][how][1:] or "uct"
        for seconds in by_time:
            assert stored(f"clock_{word}_{seconds}").is_file()


# The tournament


def test_alphabeta_is_ahead_at_every_effort(names):
    ratings = names["ratings"]
    for effort in names["EFFORTS"]:
        for how in names["rollouts"]:
            opponent = names["by_mcts"][effort, how]
            ahead = ratings.difference(names["by_alphabeta"][2 * effort], opponent)
            assert ahead.value > 400
            assert ahead.low > 200
        five, uniform = (names["by_mcts"][effort, how] for how in ("five classes", "uniform"))
        assert ratings.difference(five, uniform).low > 0
        by_rollout = [ratings.difference(names["by_mcts"][effort, how], uniform).value
                      for how in ("Roxanne", "five classes")]  # fmt: skip
        assert 0 < by_rollout[0] < by_rollout[1]
    few = ratings.difference("alpha-beta 50", names["by_mcts"][25_000, "five classes"])
    assert few.low < 0 < few.high


# On a real clock


def clocked(names):
    """Each of the matches by the clock, with its rollouts and the seconds that were set."""
    for how, by_time in names["clocked"].items():
        for seconds, result in by_time.items():
            yield how, seconds, result


def test_by_the_clock_alphabeta_loses_no_game(names):
    results = [result for *_, result in clocked(names)]
    assert sum(len(result.games) for result in results) == 660
    assert sum(result.score.draws for result in results) == 2
    assert sum(result.score.losses for result in results) == names["lost"] == 0


def test_better_rollouts_lose_by_fewer_discs_and_more_time_changes_nothing(names):
    discs = {how: [] for how in names["clocked"]}
    for how, _, result in clocked(names):
        discs[how].append(names["lead"](result))
    for leads in discs.values():
        assert max(low for _, low, _ in leads) < min(high for *_, high in leads)
    for uniform, five in zip(discs["uniform"], discs["five classes"], strict=False):
        assert 5 < uniform[0] - five[0] < 9.5
        assert uniform[1] > five[2]


def test_a_lead_is_told_from_the_first_players_side(names):
    for *_, result in clocked(names):
        value, low, high = names["lead"](replace(result, games=result.games[:2]))
        assert low <= value <= high
        assert value > 0
        ends = [game.states(result.first_state)[-1].disc_counts() for game in result.games[:2]]
        assert value == np.mean([abs(black - white) for black, white in ends])


def test_the_clock_and_the_tournament_do_not_contradict_each_other(names):
    for how, by_time in names["clocked"].items():
        least = max(result.elo.low for result in by_time.values())
        for effort in names["EFFORTS"]:
            pair = names["by_alphabeta"][2 * effort], names["by_mcts"][effort, how]
            difference = names["ratings"].difference(*pair)
            assert difference.high > least > 280
    for how in names["clocked"]:
        for less, more in ((250, 2_500), (2_500, 25_000)):
            gain = names["ratings"].difference(*(names["by_mcts"][n, how] for n in (more, less)))
            assert 200 < gain.value < 300


def test_mcts_used_all_its_time_and_alphabeta_more_in_all(names):
    for _, seconds, result in clocked(names):
        alphabeta, mcts = (result.clock(side) for side in result.names)
        own, others = (result.num_choices(side) for side in result.names)
        assert 1.03 < alphabeta.seconds / mcts.seconds < 1.55
        assert seconds < mcts.seconds / others < seconds + 0.001
        assert (alphabeta.seconds / own < 0.87 * seconds) == (seconds > 0.01)
        assert 0.6 < others / mcts.num_moves < 0.75
        assert own / alphabeta.num_moves > 0.96


def test_the_tournament_has_everybody_against_everybody(names):
    assert len(names["one_clock"].games) == 8 * math.comb(len(names["entries"]), 2)
