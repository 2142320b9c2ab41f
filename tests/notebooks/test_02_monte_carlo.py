"""What notebook 02 says is so, and stays so with another seed."""

from fractions import Fraction

import numpy as np
import pytest

from mctslab import games, search
from tests.notebooks.reading import NOTEBOOKS

NOTEBOOK = NOTEBOOKS[2]


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


def move(state, name):
    return state.child(state.string_to_action(name))


def test_the_example_by_hand_is_right(names):
    results = [1, 1, -1, 1]
    squares = [(result - 0.5) ** 2 for result in results]

    assert squares == [0.25, 0.25, 2.25, 0.25]
    assert sum(squares) / 4 == 0.75
    assert names["mean_and_margin"](results) == pytest.approx((0.5, 0.85), abs=0.005)


def test_the_exact_shares_are_those_of_uniformly_random_play(names):
    assert names["exact"] == [Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420)]


@pytest.mark.parametrize("seed", range(3))
def test_with_ten_thousand_playouts_red_is_ahead_by_far_more_than_the_margin(names, seed):
    state, rng = names["state"], np.random.default_rng(seed)
    results = [search.rollout(state, search.uniform, rng)[0] for _ in range(10_000)]

    assert state.current_player == 0
    assert np.mean(results) > 3 * 1.96 * np.std(results) / np.sqrt(len(results))


def test_one_percent_takes_about_ten_thousand_games(names):
    win = float(names["exact"][0])

    assert 1.96 * np.sqrt(win * (1 - win) / 10_000) == pytest.approx(0.01, rel=0.05)


def test_the_centre_then_the_corners_then_the_edges(names):
    def mean(action):
        win, _, loss = names["exact_shares"](names["first"].child(action), {})
        return win - loss

    centre, corners, edges = mean(4), mean(0), mean(1)

    assert centre > corners > edges
    assert {mean(action) for action in (0, 2, 6, 8)} == {corners}
    assert {mean(action) for action in (1, 3, 5, 7)} == {edges}


def test_the_trap_is_one(names):
    trap = names["trap"]
    for_o = {
        trap.action_to_string(action): loss - win
        for action in trap.legal_actions()
        for win, _, loss in [names["exact_shares"](trap.child(action), {})]
    }
    holding = [
        trap.action_to_string(action)
        for action in trap.legal_actions()
        if search.minimax(trap.child(action))[1] >= 0
    ]

    assert sorted(for_o, key=for_o.get, reverse=True)[:2] == ["b2", "c3"]
    assert (for_o["b2"], for_o["c3"]) == (Fraction(1, 6), Fraction(1, 15))
    assert holding == ["c3"]


def test_the_full_run_tells_the_two_moves_apart(names):
    # The margin of a mean of 10,000 results in [-1, 1] is 0.02 at most; the means are 0.1 apart.
    assert 2 * 1.96 / np.sqrt(10_000) < 1 / 6 - 1 / 15
    assert names["num_playouts"] < 10_000, "the short run is on"


def test_a_random_opponent_finds_the_refutation_once_in_five_times(names):
    after = move(names["trap"], "b2")
    double = move(after, "a3")

    assert len(after.legal_actions()) == 5
    assert search.minimax(double)[0] == 1
    wins = [
        move(double.child(reply), square)
        for reply in double.legal_actions()
        for square in ("a2", "c3")
        if double.action_to_string(reply) != square
    ]
    assert sum(state.is_terminal and state.returns()[0] == 1 for state in wins) >= 4


@pytest.mark.parametrize("seed", range(10))
def test_a_tree_finds_the_way_out_whatever_the_seed(names, seed):
    trap = names["trap"]
    result = search.mcts(trap, num_simulations=2_000, rng=np.random.default_rng(seed))
    centre = next(child for child in result.root.children if child.action == 4)
    reply = max(centre.children, key=lambda child: child.visit_count)

    assert trap.action_to_string(result.best_action) == "c3"
    assert centre.state.action_to_string(reply.action) == "a3"


def test_the_position_of_the_trap_can_be_reached_by_the_moves_given():
    trap = games.TicTacToe().child(0).child(2).child(7)

    assert trap.current_player == 1


def test_the_picture_shows_the_reply_that_the_text_speaks_of(names):
    centre = names["centre"]
    assert centre.state == move(names["trap"], "b2")
    # Whatever the seed, a3 is among the three most visited replies, and so in the picture.
    for seed in range(20):
        result = search.mcts(names["trap"], num_simulations=2_000, rng=np.random.default_rng(seed))
        centre = next(child for child in result.root.children if child.action == 4)
        replies = sorted(centre.children, key=lambda child: -child.visit_count)
        assert centre.state.action_to_string(replies[0].action) == "a3"
        assert replies[0].visit_count > centre.visit_count / 2


def test_the_answers_to_the_predictions_hold(names):
    trap = names["trap"]
    assert trap.action_to_string(names["result"].best_action) == "c3"
    best = max(names["estimates"], key=lambda action: names["estimates"][action][0])
    assert trap.action_to_string(best) == "b2"
    assert [truth for truth in names["truths"] if "draws" in truth] == ["c3 draws"]
    assert len(names["truths"]) == 6


def test_the_margin_shrinks_with_the_root(names):
    few, many = (
        names["mean_and_margin"](names["results_for_mover"](names["state"], number))[1]
        for number in (100, 10_000)
    )
    assert few / many == pytest.approx(10, rel=0.3)
