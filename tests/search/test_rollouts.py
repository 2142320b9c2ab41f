"""Default policies: every draw is uniform, and Roxanne prefers the squares that it should."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab import games
from mctslab.games import ConnectFour, Reversi, TicTacToe
from mctslab.search import FIVE_CLASSES, NINE_CLASSES, rollout, roxanne, uniform
from mctslab.search.evaluators import random_item
from tests.search.toys import Dictated, play

# Rollouts


def test_a_rollout_is_played_to_the_end_and_gives_the_result_of_both(rng):
    for state in (TicTacToe(), ConnectFour(), Reversi(size=6), games.Gomoku(size=5)):
        for _ in range(20):
            first, second = rollout(state, uniform, rng)
            assert first in (-1, 0, 1)
            assert second == -first


def test_a_rollout_takes_one_draw_a_ply_and_leaves_the_state_alone():
    state = TicTacToe()
    draws = Dictated(*[0.0] * 7)  # always the first free square: X has a1, c1, b2, a3
    assert rollout(state, uniform, draws) == (1.0, -1.0)
    assert draws.left == []
    assert state == TicTacToe()


def test_a_rollout_from_the_end_is_the_result():
    assert rollout(play(TicTacToe(), "a1 a2 b1 b2 c1"), uniform, Dictated()) == (1.0, -1.0)


# Uniform


@given(st.integers(1, 400))
def test_no_draw_falls_beside_the_list(length):
    items = range(length)
    assert random_item(items, Dictated(0.0)) == 0
    assert random_item(items, Dictated(math.nextafter(1.0, 0.0))) == length - 1


@given(st.integers(1, 100), st.data())
def test_each_item_has_an_equal_part_of_the_line_from_0_to_1(length, data):
    place = data.draw(st.integers(0, length - 1))
    assert random_item(range(length), Dictated((place + 0.5) / length)) == place


@pytest.mark.parametrize("policy", [uniform, roxanne()])
def test_only_random_is_asked_of_the_generator(policy):
    # rng.choice and rng.integers are slower, and other numbers come out of compiled code.
    class OnlyRandom:
        def random(self):
            return 0.7

    rollout(Reversi(), policy, OnlyRandom())


# Roxanne

TABLES = {
    # The ranks of the squares in the upper left quarter, best first, as Canosa draws them.
    "nine": (
        NINE_CLASSES,
        [
            [1, 9, 4, 5],
            [9, 8, 6, 7],
            [4, 6, 2, 3],
            [5, 7, 3, 0],
        ],
    ),
    "five": (
        FIVE_CLASSES,
        [
            [1, 5, 3, 3],
            [5, 5, 4, 4],
            [3, 4, 2, 2],
            [3, 4, 2, 0],
        ],
    ),
}


def ranks_of(policy):
    """The 64 squares as an array of 8 x 8."""
    return np.array(policy.ranks[:64]).reshape(8, 8)


@pytest.mark.parametrize("name", TABLES)
def test_the_table_of_squares(name):
    classes, quarter = TABLES[name]
    ranks = ranks_of(roxanne(classes)) + 1
    for row in range(4):
        for col in range(4):
            if quarter[row][col]:  # the centre is taken from the start
                assert ranks[row, col] == quarter[row][col]


@pytest.mark.parametrize("classes", [NINE_CLASSES, FIVE_CLASSES])
def test_each_class_is_closed_under_the_eight_symmetries_of_the_board(classes):
    ranks = ranks_of(roxanne(classes))
    for turns in range(4):
        turned = np.rot90(ranks, turns)
        assert np.array_equal(turned, ranks)
        assert np.array_equal(np.fliplr(turned), ranks)


@pytest.mark.parametrize("classes", [NINE_CLASSES, FIVE_CLASSES])
def test_roxanne_plays_a_random_one_of_the_best_class(classes, rng):
    policy = roxanne(classes)
    ranks = [*policy.ranks]
    state = Reversi()
    while not state.is_terminal:
        legal = state.legal_actions()
        best = min(ranks[action] for action in legal)
        members = {action for action in legal if ranks[action] == best}
        chosen = {policy(state, rng) for _ in range(12 * len(members))}
        assert chosen == members
        state = state.child(policy(state, rng))


def test_roxanne_passes_when_it_has_to(rng):
    state = play(Reversi(), "d3 c3 b3 b2 f5 a3 a1 c1")
    assert roxanne()(state, rng) == state.pass_action


@pytest.mark.parametrize("state", [TicTacToe(), Reversi(size=6), games.Gomoku()])
def test_roxanne_plays_nothing_but_reversi_on_8_by_8(state, rng):
    with pytest.raises(ValueError, match="Reversi on 8 x 8, with its 65 actions") as error:
        roxanne()(state, rng)
    assert str(error.value).endswith(f"this is {state.title} with {state.num_actions}.")


NUM_GAMES = 1_500
"""So many that four standard errors are less than the difference that nine or five classes make."""


def results(black, white, rng):
    """What Black got in each of the games between two policies."""
    return np.array(
        [
            rollout(
                Reversi(), lambda state, rng: (black, white)[state.current_player](state, rng), rng
            )[0]
            for _ in range(NUM_GAMES)
        ]
    )


def check_share(share, expected, num_games):
    assert abs(share - expected) < 4 * math.sqrt(expected * (1 - expected) / num_games)


# The shares expected were measured with other code, over 200,000 games each.


def test_roxanne_beats_random_as_often_as_it_should(rng):
    check_share(np.mean(results(roxanne(FIVE_CLASSES), uniform, rng) > 0), 0.798, NUM_GAMES)
    check_share(np.mean(results(uniform, roxanne(NINE_CLASSES), rng) < 0), 0.757, NUM_GAMES)
