"""Evaluators: the mean of rollouts, and a function of one's own."""

import pytest

from mctslab.games import Reversi, TicTacToe
from mctslab.search import function_evaluator, mcts, rollout_evaluator, roxanne
from tests.search.toys import Dictated, Turn, WrittenOut


def test_a_list_of_states_gets_a_list_of_values_in_the_same_order():
    states = [WrittenOut(Turn(0, (value, value))) for value in (1, -1, 0)]
    values, priors = rollout_evaluator()(states, Dictated(0.5, 0.5, 0.5))
    assert list(values) == [(1.0, -1.0), (-1.0, 1.0), (0.0, 0.0)]
    assert priors is None


def test_the_mean_of_so_many_rollouts():
    # Actions 0, 1, 2 by thirds; the fourth rollout is the second again.
    state = WrittenOut(Turn(1, (1, 0, -1)))
    draws = Dictated(0.1, 0.5, 0.9, 0.4)
    assert rollout_evaluator(num_rollouts=4)([state], draws).values == [(0.0, 0.0)]
    draws = Dictated(0.9, 0.9, 0.5)
    assert rollout_evaluator(num_rollouts=3)([state], draws).values == [(-2 / 3, 2 / 3)]


@pytest.mark.parametrize("number", [0, -3])
def test_a_leaf_needs_a_rollout(number):
    with pytest.raises(ValueError, match=f"num_rollouts={number} is too few"):
        rollout_evaluator(num_rollouts=number)


def test_rollouts_follow_the_policy_they_are_given(rng):
    def last(state, chance):
        return state.legal_actions()[-1]

    # X c3, O b3, X a3, O c2, X b2, O a2, X c1: X has the diagonal a3, b2, c1.
    assert rollout_evaluator(last)([TicTacToe()], rng).values == [(1.0, -1.0)]
    # After X a1 it is O who plays c3, then X b3, O a3, X c2, O b2, X a2, O c1: O has the diagonal.
    assert rollout_evaluator(last)([TicTacToe().child(0)], rng).values == [(-1.0, 1.0)]


def test_equal_evaluators_are_equal():
    assert rollout_evaluator() == rollout_evaluator()
    assert rollout_evaluator(roxanne()) == rollout_evaluator(roxanne())
    assert rollout_evaluator() != rollout_evaluator(num_rollouts=2)


def test_the_value_of_a_function_is_for_the_player_to_move(rng):
    def discs_ahead(state):
        first, second = state.disc_counts()
        lead = first - second if state.current_player == 0 else second - first
        return lead / 64

    state = Reversi().child(19)  # Black has 4 discs, White 1, White is to move
    assert function_evaluator(discs_ahead)([state], rng).values == [(3 / 64, -3 / 64)]
    assert mcts(state, num_simulations=20, evaluator=function_evaluator(discs_ahead), rng=rng)


@pytest.mark.parametrize("value", [1.01, -2, float("nan"), 64])
def test_a_value_has_to_be_in_range(value, rng):
    def lead(state):
        return value

    with pytest.raises(ValueError, match=r"but a value lies in \[-1, 1\]") as error:
        mcts(TicTacToe(), num_simulations=5, evaluator=function_evaluator(lead), rng=rng)
    assert f"lead gave {float(value)!r} for this position" in str(error.value)
    assert "O to move" in str(error.value)


def test_the_limits_and_whole_numbers_are_in_range(rng):
    state = TicTacToe()
    assert function_evaluator(lambda state: 1)([state], rng).values == [(1.0, -1.0)]
    assert function_evaluator(lambda state: -1)([state.child(4)], rng).values == [(1.0, -1.0)]
