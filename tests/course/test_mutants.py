"""Each change of a model answer is noticed by an input of its exercise, or makes no difference."""

import ast
import difflib
from dataclasses import replace

import numpy as np
import pytest

from mctslab.course.judging import _try, judge
from mctslab.course.mutants import mutants_of
from mctslab.course.result import Outcome
from tests.course.catalogue import EXERCISES, name_of
from tests.course.invented import answers_to, function_of

NO_DIFFERENCE = {
    "anytime": ["if spent >= num_simulations or clock() > deadline or stop():"],
    # What is done at exactly the deadline is left open.
    "bias_and_variance": [
        "biases = [value - np.mean(results) "
        "for results, value in zip(playouts, exact, strict=True)]"
    ],  # It is squared.
    "breakthrough_moves": ["for side in (-1, 1, 0):", "for side in (0, -1, 1):"],
    # The moves have no order.
    "deepen": [
        "if is_finished:",  # A search that has finished has a move.
        "action = legal_actions[-1]", "action = legal_actions[1]",  # Any legal move will do.
    ],
    "encode": ["planes[2].reshape(-2)[board.last_square] = 1"],  # NumPy takes any negative length.
    "frontier": ["inner = empty & INNER_COLUMNS"],  # It is the same in each round.
    "loss": ["value_part = ((values - returns) ** 2).mean()"],  # It is squared.
    "misjudged_position": ["value = evaluator([state], rng).values[-1][state.current_player]"],
    # Of one position there is one value.
    "misjudges": ["return (value * proven <= 0, favourite not in solutions)"],
    # No value is exactly 0.
    "mobility": ["for _ in range(6 + 1):", "for _ in range(7):"],  # A run of seven does not fit.
    "museum_expand": ["is_root = node.parent is None"],  # It is the same in each round.
    "museum_play": ["for _ in range(num_squares + 1):"],  # A full board ends the game.
    "museum_table": [
        "if (depth, state) in table:; return table[depth, state]; table[depth, state] = value"
    ],  # A key is a key in any order.
    "museum_values": [  # Only the first of the two players is used.
        f"players = (state.current_player, {other})"
        for other in (
            "0 - state.current_player", "1 + state.current_player", "state.current_player",
            "1 - (1 - state.current_player)", "1", "2 - state.current_player",
            "state.current_player - 1",
        )
    ],
    "promotion_gate": ["for _ in range((num_games + 1) // 2):"],  # The number of games is even.
    "rave_backup": ["played.add((node.mover, node.action))"],  # A set has each move once.
    "roxanne_move": ["return state.legal_actions()[-1]"],  # A pass is the only legal move.
    "symmetries": [
        "samples.append((turned, np.append(shares.reshape(-2), rest)))",
        "samples.append((turned[:, :, ::-1], np.append(shares[:, ::-1].reshape(-2), rest)))",
        "size = planes.shape[2]",  # A board is square, and NumPy takes any negative length.
    ],
}  # fmt: skip
"""By exercise: the lines after changes that no input can tell from the right ones, and why."""


@pytest.mark.parametrize("exercise", EXERCISES, ids=name_of)
def test_every_change_is_noticed_by_an_input_or_makes_no_difference(exercise):
    cases = [*exercise.cases(), *exercise.variations()]
    known = NO_DIFFERENCE.get(exercise.name, [])
    unnoticed = []
    for each in mutants_of(exercise):
        lines = lines_of(exercise, each)
        seconds = 20 if lines in known else enough(exercise)
        if all_right(cases, exercise.wrong_answer(each), seconds):
            unnoticed.append(lines)
    assert sorted(unnoticed) == sorted(known)


@pytest.mark.parametrize("exercise", EXERCISES, ids=name_of)
def test_of_the_answers_that_were_invented_the_right_ones_pass(exercise):
    cases, patient = [*exercise.cases(), *exercise.variations()], replace(exercise, seconds=20)
    answers = list(answers_to(exercise))
    assert sum(answer.is_right for answer in answers) >= 6, "that look different"
    for answer in answers:
        function = function_of(answer)
        if answer.is_right:
            result = judge(patient, function)
            assert result.outcome is Outcome.RIGHT, f"{answer.why}\n{result}"
        else:
            assert not all_right(cases, function, enough(exercise)), answer.why


def enough(exercise):
    """Seconds for an input, several times what is needed; only endless functions take as long."""
    return exercise.seconds / 20


def all_right(cases, function, seconds):
    with np.errstate(all="ignore"):
        return all(_try(case, function, seconds).is_right for case in cases)


def lines_of(exercise, mutant):
    """What stands in the lines that were changed."""
    (function,) = ast.parse(exercise.solution_source).body
    right = "\n".join(map(ast.unparse, function.body[1:])).splitlines()
    changes = difflib.ndiff(right, mutant.edits[0].new.splitlines())
    lines = [line for line in changes if line[0] in "+-"]
    return (
        "; ".join(line[2:].strip() for line in lines if line[0] == "+")
        or f"not {lines[0][2:].strip()}"
    )


# What a check says of the wrong answers that were invented


def _one_named(exercise):
    """Of the answers with one fault whose cause was named, as judged by hand, the middle one.

    Where there are two, all changes of the answer are tried, which takes long.
    """
    named = [answer for answer in answers_to(exercise) if answer.told == "cause"]
    named = [answer for answer in named if not answer.why.startswith("two faults")]
    return named[len(named) // 2 :][:1]


NAMED = [answer for exercise in EXERCISES for answer in _one_named(exercise)]


@pytest.mark.parametrize("answer", NAMED, ids=lambda answer: answer.exercise.name)
def test_the_cause_of_a_mistake_that_somebody_invented_is_named(answer):
    result = judge(answer.exercise, function_of(answer))

    assert result.outcome is Outcome.WRONG
    assert result.mistake
    assert "wrong only" not in result.looks_like


def test_so_many_of_them_were_judged_by_hand():
    told = [answer.told for exercise in EXERCISES for answer in answers_to(exercise)]

    assert len(NAMED) == 36
    assert (told.count("cause"), told.count("where"), told.count("input")) == (234, 9, 44)
