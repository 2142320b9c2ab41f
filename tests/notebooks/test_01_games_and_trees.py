"""What notebook 01 says is so, and stays so with another seed."""

import math

import numpy as np
import pytest

from mctslab import games


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


def test_the_claims_about_tree_sizes_hold_with_another_seed(names, monkeypatch):
    monkeypatch.setitem(names, "rng", np.random.default_rng(7))
    exponents = {
        game.title: np.mean(
            [sum(map(math.log10, names["choices_on_a_walk"](game))) for _ in range(100)]
        )
        for game in (games.TicTacToe(), games.ConnectFour(), games.Reversi(), games.Gomoku())
    }

    assert list(exponents.values()) == sorted(exponents.values())
    assert exponents["Tic-Tac-Toe"] < math.log10(1e9 * 3600 * 24) < exponents["Connect Four"]
    assert exponents["Reversi"] > 50
    assert exponents["Gomoku"] > 200


def test_white_wins_small_reversi_and_the_large_one_takes_longer_than_the_universe_is_old(
    names, shown
):
    assert "White wins. It took 62,789 positions" in shown
    assert names["years"] > 1e10


def test_the_answers_to_the_predictions_are_what_was_counted(names):
    assert names["counted"].value == 255_168
    assert [sum(sizes) for sizes in names["counts"].values()] == [549_946, 5_478, 765]
    replies = [line.split("with ")[1].split(", ") for line in names["lines"]]
    assert replies[0] == ["b2"]
    assert [len(each) for each in replies] == [1, 4, 4]
