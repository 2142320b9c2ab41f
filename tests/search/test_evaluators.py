"""Evaluators: priors from a function, and what is wrong with an answer."""

import math

import numpy as np
import pytest

from mctslab.games import TicTacToe
from mctslab.search import (
    Evaluation,
    EvaluationError,
    rollout_evaluator,
    uniform_evaluator,
    with_priors,
)
from mctslab.search.checks import evaluate
from tests.search.toys import FunctionEvaluator, play


def test_weights_of_moves_become_priors(rng):
    def middle(state):
        return [0.1875 if action == 4 else 0.0625 for action in state.legal_actions()]

    states = [TicTacToe(), TicTacToe().child(4)]
    values, priors = with_priors(FunctionEvaluator(lambda state: 0.5), middle)(states, rng)
    assert values == [(0.5, -0.5), (-0.5, 0.5)]
    assert priors == [[1 / 11] * 4 + [3 / 11] + [1 / 11] * 4, [1 / 8] * 8]
    nothing = with_priors(uniform_evaluator(), lambda state: [0.0] * len(state.legal_actions()))
    with pytest.raises(EvaluationError, match="returned priors with the sum 0,"):
        evaluate(states, nothing, rng)


def test_rollouts_from_a_seed_are_those_of_its_generator_and_differ_from_each_other():
    (values,) = rollout_evaluator(num_rollouts=9)([TicTacToe()], 1).values
    assert rollout_evaluator(num_rollouts=9)([TicTacToe()], np.random.default_rng(1)).values == [
        values
    ]
    assert -1 < values[0] < 1


# What an evaluator returns is checked

STATES = [play(TicTacToe(), moves) for moves in ("b2", "b2 a1", "b2 a1 c3")]
ZEROS = [(0.0, 0.0)] * 3
EVEN = [[1 / 8] * 8, [1 / 7] * 7, [1 / 6] * 6]


def answered(values, priors, rng):
    return evaluate(STATES, lambda states, rng: (values, priors), rng)


def test_a_right_answer_is_passed_on_as_it_is(rng):
    values = [(0.25, -1.0), (1, 0), (np.float32(0.5), -0.5)]
    priors = [[0.125] * 8, np.full(7, 1 / 7), (1, 0, 0, 0, 0, 0.0)]
    answer = answered(values, priors, rng)
    assert answer.values == [(0.25, -1.0), (1.0, 0.0), (0.5, -0.5)]
    assert answer.priors == [[0.125] * 8, [1 / 7] * 7, [1.0, 0, 0, 0, 0, 0]]
    assert {type(number) for each in (*answer.values, *answer.priors) for number in each} == {float}
    assert answered(np.zeros((3, 2)), None, rng) == (ZEROS, None)
    answered(ZEROS, [[0.1251] * 8, *EVEN[1:]], rng)  # a net's sums are right to a few digits


VALUES = ((math.nan, 0.0), (0.0, -1.5), (0.0, 0.0, 0.0), "00")
PRIORS = {
    "8 priors for 7 legal actions": [0.125] * 8,
    "the prior -0.5": [1.5, -0.5, 0, 0, 0, 0, 0],
    "the prior nan": [math.nan] + [1 / 6] * 6,
    "priors with the sum 0.5": [0.5 / 7] * 7,
    **{f"the priors {each!r}": each for each in (None, [None] * 7, 1.0)},
}


@pytest.mark.parametrize(
    ("values", "priors", "problem"),
    [
        *(([ZEROS[0], value, ZEROS[0]], EVEN, f"the value {value!r}, but a value is a pair of")
          for value in VALUES),
        *((ZEROS, [EVEN[0], wrong, EVEN[2]], f"{problem}, but each legal action needs a prior")
          for problem, wrong in PRIORS.items()),
    ],
)  # fmt: skip
def test_what_is_no_value_or_no_prior_is_named_with_its_position(values, priors, problem, rng):
    with pytest.raises(EvaluationError) as error:
        answered(values, priors, rng)
    assert f"The evaluator returned {problem}" in str(error.value)
    assert str(STATES[1]) in str(error.value)
    assert str(STATES[0]) not in str(error.value)


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ((ZEROS[:2], None), "2 values for 3 positions"),
        ((ZEROS, EVEN[:1]), "1 priors for 3 positions"),
        ((np.array(0.5), None), "instead of values for 3 positions"),
        (None, "for 3 positions"),
        (ZEROS, "for 3 positions"),
    ],
)
def test_there_is_one_answer_for_each_state(answer, problem, rng):
    with pytest.raises(EvaluationError, match=f"{problem}, the first:") as error:
        evaluate(STATES, lambda states, rng: answer, rng)
    assert str(STATES[0]) in str(error.value)


def test_an_evaluator_that_raises_is_named_with_its_position_unless_it_is_interrupted(rng):
    def failing(states, rng):
        raise error

    error = OSError("no power")
    with pytest.raises(EvaluationError) as caught:
        evaluate(STATES[1:2], failing, rng)
    assert "The evaluator failed with OSError('no power') for this position" in str(caught.value)
    assert str(STATES[1]) in str(caught.value)
    assert caught.value.__cause__ is error
    error = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        evaluate(STATES, failing, rng)


def test_values_for_the_player_to_move_and_priors_of_all_actions_are_taken(rng):
    second = TicTacToe().child(4)  # O is to move
    for values in ([0.5], np.array([0.5]), np.array([[-0.5, 0.5]])):
        found = evaluate([second], lambda states, rng, found=values: (found, None), rng)
        assert [*map(tuple, found.values)] == [(-0.5, 0.5)]
    only_values = evaluate([second], lambda states, rng: np.array([0.5]), rng)
    assert only_values == Evaluation([(-0.5, 0.5)], None)
    weights = np.arange(9)[None]
    found = evaluate([second], lambda states, rng: ([0], weights), rng)
    assert found.priors == [[action / 32 for action in second.legal_actions()]]
