"""What notebook 01 says is so, and stays so with another seed."""

import math

import numpy as np
import pytest

from mctslab import games
from mctslab.search import minimax
from tests.notebooks.reading import NOTEBOOKS

NOTEBOOK = NOTEBOOKS[1]


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


def test_the_small_tree_is_as_it_is_told(names):
    late = names["late"]
    by_name = {late.action_to_string(action): action for action in late.legal_actions()}

    assert late.current_player == 0
    assert by_name == {"b1": 1, "a2": 3, "b3": 7}
    assert names["num_games"](late) == 5
    assert {name: minimax(late.child(action))[0] for name, action in by_name.items()} == {
        "a2": -1,
        "b1": 0,
        "b3": 1,
    }
    after_a2, after_b1 = late.child(by_name["a2"]), late.child(by_name["b1"])
    assert after_a2.child(1).returns() == (-1, 1)
    assert minimax(after_a2.child(7)) == minimax(after_b1.child(7)) == (0, 0)
    assert after_b1.child(3).legal_actions() == (7,)
    assert minimax(after_b1.child(3)) == late.child(7).returns() == (1, -1)


def test_the_paths_given_for_a_transposition_meet():
    first = games.TicTacToe()

    assert first.child(0).child(4).child(8) == first.child(8).child(4).child(0)


def test_the_curves_part_where_it_is_told(names):
    nodes, positions, _ = names["counts"].values()

    assert nodes[:3] == positions[:3]
    assert nodes[3] > positions[3]
    assert nodes.index(max(nodes)) >= len(nodes) - 2
    assert positions.index(max(positions)) == 6
    assert sum(nodes) / sum(positions) == pytest.approx(100, rel=0.05)


def test_nobody_ever_wins_against_perfect_play(names):
    at_random, perfect = names["at_random"], names["perfect"]

    assert {names["play"](at_random, perfect) for _ in range(300)} == {(-1, 1), (0, 0)}
    assert {names["play"](perfect, at_random) for _ in range(300)} == {(1, -1), (0, 0)}


def test_every_walk_of_the_small_tree_is_as_it_is_told(names):
    products = {math.prod(names["choices_on_a_walk"](names["late"])) for _ in range(60)}

    assert products == {3, 6}


@pytest.mark.parametrize("seed", range(3))
def test_the_claims_about_tree_sizes_hold_whatever_the_seed(names, seed, monkeypatch):
    walk = names["choices_on_a_walk"]
    monkeypatch.setitem(walk.__globals__, "rng", np.random.default_rng(seed))
    exponents = {
        game.title: np.mean([sum(map(math.log10, walk(game))) for _ in range(100)])
        for game in (games.TicTacToe(), games.ConnectFour(), games.Reversi(), games.Gomoku())
    }

    assert list(exponents.values()) == sorted(exponents.values())
    assert exponents["Tic-Tac-Toe"] < math.log10(1e9 * 3600 * 24) < exponents["Connect Four"]
    assert exponents["Reversi"] > 50
    assert exponents["Gomoku"] > 200


def test_white_wins_small_reversi(executed):
    assert minimax(games.Reversi(size=4)) == (-1, 1)
    assert "White wins. It took 62,789 positions" in executed(NOTEBOOK).text


def test_large_reversi_would_take_longer_than_the_universe_is_old(names):
    assert names["years"] > 1e10


def test_the_answers_to_the_predictions_are_what_was_counted(names):
    assert names["counted"].value == 255_168
    assert [sum(sizes) for sizes in names["counts"].values()] == [549_946, 5_478, 765]
    replies = [line.split("with ")[1].split(", ") for line in names["lines"]]
    assert replies[0] == ["b2"]
    assert [len(each) for each in replies] == [1, 4, 4]


def test_the_chart_has_only_tictactoe_left_of_a_day(names):
    in_a_day = math.log10(1e9 * 24 * 3600)
    assert [title for title, mean in names["means"].items() if mean < in_a_day] == ["Tic-Tac-Toe"]
    assert all(
        low < names["means"][title] < high for title, (low, high) in names["intervals"].items()
    )
