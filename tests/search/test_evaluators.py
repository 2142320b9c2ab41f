"""Evaluators: the mean of rollouts, priors from a function, and what is wrong with an answer."""

import math

import numpy as np
import pytest

from mctslab.games import TicTacToe
from mctslab.search import (
    EvaluationError,
    rollout_evaluator,
    roxanne,
    uniform_evaluator,
    with_priors,
)
from mctslab.search.puct_search import evaluate
from tests.search.toys import Dictated, FunctionEvaluator, Turn, WrittenOut, play


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


def test_a_leaf_needs_a_rollout():
    for number in [0, -3]:
        with pytest.raises(ValueError, match=f"num_rollouts must be 1 or more, got {number}"):
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


def test_an_evaluator_that_knows_nothing(rng):
    states = [TicTacToe(), TicTacToe().child(4)]
    assert uniform_evaluator()(states, rng) == ([(0.0, 0.0), (0.0, 0.0)], None)
    assert uniform_evaluator() == uniform_evaluator()


def test_weights_of_moves_become_priors(rng):
    def middle(state):
        return [3.0 if action == 4 else 1.0 for action in state.legal_actions()]

    evaluator = with_priors(FunctionEvaluator(lambda state: 0.5), middle)
    values, priors = evaluator([TicTacToe(), TicTacToe().child(4)], rng)
    assert values == [(0.5, -0.5), (-0.5, 0.5)]
    assert priors == [[1 / 11] * 4 + [3 / 11] + [1 / 11] * 4, [1 / 8] * 8]


def test_all_moves_without_a_weight_are_no_priors(rng):
    nothing = with_priors(uniform_evaluator(), lambda state: [0.0] * len(state.legal_actions()))
    with pytest.raises(EvaluationError, match="returned priors with the sum 0,"):
        evaluate([TicTacToe()], nothing, rng)


# What is asked is checked

STATES = [play(TicTacToe(), moves) for moves in ("b2", "b2 a1", "b2 a1 c3")]


def answering(values=None, priors=None):
    """An evaluator that gives these values and priors, or right ones."""

    def evaluator(states, rng):
        right = [[1 / len(state.legal_actions())] * len(state.legal_actions()) for state in states]
        return (
            [(0.0, 0.0)] * len(states) if values is None else values,
            right if priors is None else priors,
        )

    return evaluator


def test_a_right_answer_is_passed_on_as_it_is(rng):
    values = [(0.25, -1.0), (1, 0), (np.float32(0.5), -0.5)]
    priors = [[0.125] * 8, np.full(7, 1 / 7), (1, 0, 0, 0, 0, 0.0)]
    answer = evaluate(STATES, answering(values, priors), rng)
    assert answer.values == [(0.25, -1.0), (1.0, 0.0), (0.5, -0.5)]
    assert answer.priors == [[0.125] * 8, [1 / 7] * 7, [1.0, 0, 0, 0, 0, 0]]
    assert {type(number) for value in answer.values for number in value} == {float}
    assert {type(number) for each in answer.priors for number in each} == {float}
    in_arrays = answering(np.zeros((3, 2)))
    assert evaluate(STATES, in_arrays, rng).values == [(0.0, 0.0)] * 3
    assert evaluate(STATES, uniform_evaluator(), rng) == ([(0.0, 0.0)] * 3, None)
    # A net's sums are right to a few digits.
    evaluate(STATES[:1], answering(priors=[[0.1251] * 8]), rng)


def test_a_value_is_a_number_from_minus_1_to_1_for_each_player(rng):
    for value in [
        (math.nan, 0.0),
        (0.0, math.inf),
        (-math.inf, 0.0),
        (1.0001, -1.0),
        (0.0, -1.5),
        (0.0,),
        (0.0, 0.0, 0.0),
        (),
        0.5,
        None,
        "00",
        ("0.5", "-0.5"),
        (b"1", b"0"),
        (None, 0.0),
        (1j, 0.0),
        [[0.0], [0.5, 0.5]],
    ]:
        values = [(0.0, 0.0), value, (0.0, 0.0)]
        with pytest.raises(EvaluationError) as error:
            evaluate(STATES, answering(values), rng)
        assert f"returned the value {value!r}, but a value is a pair of numbers" in str(error.value)
        assert str(STATES[1]) in str(error.value)
        assert str(STATES[0]) not in str(error.value)


def test_priors_are_probabilities_of_the_legal_actions(rng):
    for priors, problem in [
        ([0.125] * 8, "8 priors for 7 legal actions"),
        ([0.5, 0.5], "2 priors for 7 legal actions"),
        ([1.5, -0.5, 0, 0, 0, 0, 0], "the prior -0.5"),
        ([math.nan] + [1 / 6] * 6, "the prior nan"),
        ([math.inf] + [0.0] * 6, "priors with the sum inf"),
        ([0.5 / 7] * 7, "priors with the sum 0.5"),
        ([2 / 7] * 7, "priors with the sum 2"),
        ([0.0] * 7, "priors with the sum 0"),
        ([], "the priors []"),
        (None, "the priors None"),
        ("1000000", "the priors '1000000'"),
        (["1", *[0.0] * 6], "the priors ['1', 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]"),
        ([None] * 7, "the priors [None, None, None, None, None, None, None]"),
        (1.0, "the priors 1.0"),
    ]:
        with pytest.raises(EvaluationError) as error:
            evaluate(STATES, answering(priors=[[1 / 8] * 8, priors, [1 / 6] * 6]), rng)
        assert f"returned {problem}, but each legal action needs a prior" in str(error.value)
        assert str(STATES[1]) in str(error.value)
        assert str(STATES[0]) not in str(error.value)


def test_there_is_one_answer_for_each_state(rng):
    for values, priors, problem in [
        ([(0.0, 0.0)] * 2, None, "2 values for 3 positions"),
        ([], None, "0 values for 3 positions"),
        (None, [[0.125] * 8], "1 priors for 3 positions"),
        (0.5, None, "0.5 instead of values for 3 positions"),
        (np.array(0.5), None, "instead of values for 3 positions"),
        (None, 1, "1 instead of priors for 3 positions"),
    ]:
        with pytest.raises(EvaluationError) as error:
            evaluate(STATES, answering(values, priors), rng)
        assert problem in str(error.value)
        assert str(STATES[0]) in str(error.value)


def test_an_answer_is_values_and_priors(rng):
    for answer in [None, 0.5, "ab!", ([],), [(0.0, 0.0)] * 3]:
        with pytest.raises(EvaluationError) as error:
            evaluate(STATES, lambda states, rng, answer=answer: answer, rng)
        assert "for 3 positions, the first:" in str(error.value)
        assert str(STATES[0]) in str(error.value)


def test_an_evaluator_that_raises_is_named_with_its_position(rng):
    def fail(states, rng):
        raise OSError("no power")

    with pytest.raises(EvaluationError) as error:
        evaluate(STATES[1:2], fail, rng)
    assert "The evaluator failed with OSError('no power') for this position" in str(error.value)
    assert str(STATES[1]) in str(error.value)
    assert isinstance(error.value.__cause__, OSError)
    assert isinstance(error.value, ValueError)


def test_an_interruption_is_no_failure(rng):
    for interruption in [KeyboardInterrupt, SystemExit]:

        def interrupted(states, rng, interruption=interruption):
            raise interruption

        with pytest.raises(interruption):
            evaluate(STATES, interrupted, rng)
