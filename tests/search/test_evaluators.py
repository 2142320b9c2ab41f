"""Evaluators: the mean of rollouts, priors from a function, and what is wrong with an answer."""

import math

import numpy as np
import pytest

from mctslab.games import TicTacToe
from mctslab.search import EvaluationError, rollout_evaluator, uniform_evaluator, with_priors
from mctslab.search.puct_search import evaluate
from tests.search.toys import Dictated, FunctionEvaluator, Turn, WrittenOut, play


def test_the_mean_of_so_many_rollouts():
    # Actions 0, 1, 2 by thirds; the fourth rollout is the second again.
    state = WrittenOut(Turn(1, (1, 0, -1)))
    draws = Dictated(0.1, 0.5, 0.9, 0.4)
    assert rollout_evaluator(num_rollouts=4)([state], draws) == ([(0.0, 0.0)], None)
    draws = Dictated(0.9, 0.9, 0.5)
    assert rollout_evaluator(num_rollouts=3)([state], draws).values == [(-2 / 3, 2 / 3)]
    # States one after the other.
    draws = Dictated(0.9, 0.5, 0.1)
    assert rollout_evaluator()([state] * 3, draws).values == [(-1, 1), (0, 0), (1, -1)]


def test_weights_of_moves_become_priors(rng):
    def middle(state):
        return [0.1875 if action == 4 else 0.0625 for action in state.legal_actions()]

    states = [TicTacToe(), TicTacToe().child(4)]
    assert uniform_evaluator()(states, rng) == ([(0.0, 0.0), (0.0, 0.0)], None)
    values, priors = with_priors(FunctionEvaluator(lambda state: 0.5), middle)(states, rng)
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
    assert evaluate(STATES, answering(np.zeros((3, 2))), rng).values == [(0.0, 0.0)] * 3
    # A net's sums are right to a few digits.
    evaluate(STATES[:1], answering(priors=[[0.1251] * 8]), rng)


def check_refused(evaluator, message, rng):
    """The message names the second state."""
    with pytest.raises(EvaluationError) as error:
        evaluate(STATES, evaluator, rng)
    assert message in str(error.value)
    assert str(STATES[1]) in str(error.value)
    assert str(STATES[0]) not in str(error.value)


@pytest.mark.parametrize(
    "value",
    [
        (math.nan, 0.0), (0.0, math.inf), (1.0001, -1.0), (0.0, -1.5), (0.0,), (0.0, 0.0, 0.0), (),
        0.5, None, "00", ("0.5", "-0.5"), (b"1", b"0"), (None, 0.0), (1j, 0.0), [[0.0], [0.5, 0.5]],
    ],
    ids=repr,
)  # fmt: skip
def test_a_value_is_a_number_from_minus_1_to_1_for_each_player(value, rng):
    values = [(0.0, 0.0), value, (0.0, 0.0)]
    message = f"returned the value {value!r}, but a value is a pair of numbers"
    check_refused(answering(values), message, rng)


@pytest.mark.parametrize(
    ("priors", "problem"),
    [
        ([0.125] * 8, "8 priors for 7 legal actions"),
        ([0.5, 0.5], "2 priors for 7 legal actions"),
        ([1.5, -0.5, 0, 0, 0, 0, 0], "the prior -0.5"),
        ([math.nan] + [1 / 6] * 6, "the prior nan"),
        ([math.inf] + [0.0] * 6, "priors with the sum inf"),
        ([0.5 / 7] * 7, "priors with the sum 0.5"),
        ([2 / 7] * 7, "priors with the sum 2"),
        *((priors, f"the priors {priors}") for priors in ([], None, ["1", 0.0], [None] * 7, 1.0)),
        ("1000000", "the priors '1000000'"),
    ],
)
def test_priors_are_probabilities_of_the_legal_actions(priors, problem, rng):
    message = f"returned {problem}, but each legal action needs a prior"
    check_refused(answering(priors=[[1 / 8] * 8, priors, [1 / 6] * 6]), message, rng)


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (([(0.0, 0.0)] * 2, None), "2 values for 3 positions"),
        (([(0.0, 0.0)] * 3, [[0.125] * 8]), "1 priors for 3 positions"),
        ((0.5, None), "0.5 instead of values for 3 positions"),
        ((np.array(0.5), None), "instead of values for 3 positions"),
        (([(0.0, 0.0)] * 3, 1), "1 instead of priors for 3 positions"),
        *((answer, "for 3 positions") for answer in (None, 0.5, "ab!", ([],), [(0.0, 0.0)] * 3)),
    ],
)
def test_there_is_one_answer_for_each_state(answer, problem, rng):
    with pytest.raises(EvaluationError, match=f"{problem}, the first:") as error:
        evaluate(STATES, lambda states, rng: answer, rng)
    assert str(STATES[0]) in str(error.value)


def test_an_evaluator_that_raises_is_named_with_its_position_unless_it_is_interrupted(rng):
    def failing(error):
        def evaluator(states, rng):
            raise error

        return evaluator

    with pytest.raises(EvaluationError) as caught:
        evaluate(STATES[1:2], failing(OSError("no power")), rng)
    assert "The evaluator failed with OSError('no power') for this position" in str(caught.value)
    assert str(STATES[1]) in str(caught.value)
    assert isinstance(caught.value.__cause__, OSError)
    with pytest.raises(KeyboardInterrupt):
        evaluate(STATES, failing(KeyboardInterrupt()), rng)
