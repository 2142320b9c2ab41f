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
from mctslab.search.checks import checked
from tests.search.toys import FunctionEvaluator, play


def test_weights_of_moves_become_priors(rng):
    def middle(state):
        return [0.1875 if action == 4 else 0.0625 for action in state.legal_actions()]

    states = [TicTacToe(), TicTacToe().child(4)]
    values, priors = with_priors(FunctionEvaluator(lambda state: 0.5), middle)(states, rng)
    assert values == [(0.5, -0.5), (-0.5, 0.5)]
    assert priors == [[1 / 11] * 4 + [3 / 11] + [1 / 11] * 4, [1 / 8] * 8]
    nothing = with_priors(uniform_evaluator(), lambda state: [0.0] * len(state.legal_actions()))
    with pytest.raises(
        EvaluationError, match="returned 9 priors with the sum 0, the lowest 0, for 9 legal"
    ):
        checked(nothing(states, rng), states)


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


def answered(values, priors):
    return checked((values, priors), STATES)


def test_a_right_answer_is_passed_on_as_it_is():
    values = [(0.25, -1.0), (1, 0), (np.float32(0.5), -0.5)]
    priors = [[0.125] * 8, np.full(7, 1 / 7), (1, 0, 0, 0, 0, 0.0)]
    answer = answered(values, priors)
    assert answer.values == [(0.25, -1.0), (1.0, 0.0), (0.5, -0.5)]
    assert answer.priors == [[0.125] * 8, [1 / 7] * 7, [1.0, 0, 0, 0, 0, 0]]
    assert {type(number) for each in (*answer.values, *answer.priors) for number in each} == {float}
    assert answered(np.zeros((3, 2)), None) == (ZEROS, None)
    answered(ZEROS, [[0.1251] * 8, *EVEN[1:]])  # a net's sums are right to a few digits


VALUES = ((math.nan, 0.0), (0.0, -1.5), (0.0, 0.0, 0.0), None)
PRIORS = {
    "8 priors with the sum 1, the lowest 0.125, for 7 legal actions": [0.125] * 8,
    "7 priors with the sum 1, the lowest -0.5": [1.5, -0.5, 0, 0, 0, 0, 0],
    "7 priors with the sum nan": [math.nan] + [1 / 6] * 6,
    "7 priors with the sum 0.5": [0.5 / 7] * 7,
    **{f"the priors {each!r}": each for each in (None, 1.0)},
}


@pytest.mark.parametrize(
    ("values", "priors", "problem"),
    [
        *(([ZEROS[0], value, ZEROS[0]], EVEN, f"the value {value!r}, but a value is a pair of")
          for value in VALUES),
        *((ZEROS, [EVEN[0], wrong, EVEN[2]], problem) for problem, wrong in PRIORS.items()),
    ],
)  # fmt: skip
def test_what_is_no_value_or_no_prior_is_named_with_its_position(values, priors, problem):
    with pytest.raises(EvaluationError) as error:
        answered(values, priors)
    assert f"The evaluator returned {problem}" in str(error.value)
    assert str(STATES[1]) in str(error.value)
    assert str(STATES[0]) not in str(error.value)


@pytest.mark.parametrize(
    "answer", [(ZEROS[:2], None), (ZEROS, EVEN[:1]), (np.array(0.5), None), None, ZEROS]
)
def test_there_is_one_answer_for_each_state(answer):
    with pytest.raises(EvaluationError, match="with an entry for each of 3 positions") as error:
        checked(answer, STATES)
    assert repr(answer) in str(error.value)
    assert str(STATES[0]) in str(error.value)


def test_values_for_the_player_to_move_and_priors_of_all_actions_are_taken():
    second = TicTacToe().child(4)  # O is to move
    for values in ([0.5], np.array([0.5]), np.array([[-0.5, 0.5]])):
        found = checked((values, None), [second])
        assert [*map(tuple, found.values)] == [(-0.5, 0.5)]
    assert checked(np.array([0.5]), [second]) == Evaluation([(-0.5, 0.5)], None)
    found = checked(([0], np.arange(9)[None]), [second])
    assert found.priors == [[action / 32 for action in second.legal_actions()]]
