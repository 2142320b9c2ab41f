"""A test that a student writes is scored on right and on faulty functions."""

from dataclasses import replace

import numpy as np
import pytest

from mctslab import course, search
from mctslab.course import exercises
from mctslab.course.assignments import share_of
from mctslab.course.catch import Catch
from mctslab.course.checking.judging import try_case
from mctslab.course.result import Outcome
from mctslab.games import TicTacToe
from tests.course.catalogue import EXERCISES, name_of, solution_of

pytestmark = pytest.mark.usefixtures("home")

CATCHES = [exercise for exercise in EXERCISES if isinstance(exercise, Catch)]
every_catch = pytest.mark.parametrize("catch", CATCHES, ids=name_of)


@every_catch
def test_the_known_faults_of_the_exercise_are_the_versions_and_the_model_answer_tells_all(catch):
    tested = getattr(exercises, catch.name.removeprefix("catches_"))
    names = [*dict.fromkeys(known.name for known in tested.mistakes)]
    faults = len(names)
    assert [each.words for each in catch.versions if not each.is_right] == names
    cases = [*tested.cases(), *tested.variations()]
    for version in catch.versions:
        function = version.make()
        assert all(try_case(each, function, 1).is_right for each in cases) == version.is_right

    result = catch.check(solution_of(catch))
    assert str(result).startswith(f"✓ {catch.name}: right. {faults} of {faults} faults caught; no ")
    assert catch.slipped(catch.model_answer) is None
    for known in catch.mistakes:
        assert catch.check(catch.wrong_answer(known)).mistake == known.name


def test_the_fault_that_slips_through_can_be_put_into_a_search_and_filmed():
    def only_the_root(backpropagate):
        root = search.Node(TicTacToe())
        backpropagate(search.Node(parent=root, action=0), (1.0, -1.0))
        return root.visit_count == 1

    catch = exercises.catches_backpropagate
    result = catch.check(only_the_root)
    assert ("Slips through", "the leaf took no part") in result.facts
    assert "Look at the fault that slips through." in str(result)
    assert "The walk begins at the leaf" not in str(result)
    assert "The walk begins at the leaf" in str(catch.check(only_the_root))
    faulty, trace = catch.slipped(only_the_root), search.Trace()
    find = course.assemble(search.select, search.expand, search.rollout, faulty)
    root = find(TicTacToe(), 5, np.random.default_rng(1), trace=trace)
    assert len(trace) == 5
    assert [child.visit_count for child in root.children] == [0] * 5


_FAULTS = len({each.name for each in exercises.backpropagate.mistakes})


def endless(function):
    while True:
        len("x")


def spoiling(function):
    """It changes what it is given, and would notice if it were given that again."""
    is_new = not hasattr(function, "seen")
    function.seen = True
    return is_new


@pytest.mark.parametrize(
    ("answer", "outcome", "words"),
    [
        (lambda function: 1 // 0, Outcome.WRONG, "ZeroDivisionError"),
        (endless, Outcome.WRONG, "still running after 0.2 seconds"),
        (lambda function: print("!"), Outcome.WRONG, "returned None"),
        (lambda: len("x") == 1, Outcome.WRONG, "called with one argument"),
        (lambda function: ..., Outcome.NOT_ATTEMPTED, ""),
        (3, Outcome.WRONG, ""),
        (
            lambda function: len("x") == 1,
            Outcome.WRONG,
            f"0 of {_FAULTS} faults caught; no correct",
        ),
        (
            lambda function: len("x") == 2,
            Outcome.WRONG,
            f"{_FAULTS} of {_FAULTS} faults caught; 5 of 5",
        ),
        (lambda function: len("x") == 2, Outcome.WRONG, "Accused:    the model answer"),
        (spoiling, Outcome.WRONG, f"0 of {_FAULTS} faults caught; no correct"),
    ],
)
def test_whatever_a_test_does_is_answered(answer, outcome, words):
    catch = exercises.catches_backpropagate
    result = replace(catch, seconds=0.2).check(answer)
    assert result.outcome is outcome
    assert words in str(result)
    assert catch.check(solution_of(catch)).outcome is Outcome.RIGHT


@every_catch
def test_verdicts_that_are_inverted_are_named(catch):
    result = catch.check(lambda function: not catch.model_answer(function))
    assert result.mistake == "True and False were the wrong way round"


@every_catch
def test_a_share_of_the_points_is_for_the_faults_that_are_caught(catch):
    faults = sum(not version.is_right for version in catch.versions)
    shares = [
        (lambda _: True, 0),  # of the inputs, the correct versions are right
        (lambda _: False, 0),  # rejects every correct version
    ]
    for test, caught in shares:
        result = catch.check(test)
        assert (result.num_right, result.num_inputs) == (caught, faults)
    missed = next(version for version in catch.versions if not version.is_right)
    seen = (catch.model_answer(case.arguments()[0]) for case in catch.cases())
    verdicts = list(seen)
    assert verdicts.count(True) == len(catch.versions) - faults
    verdicts[catch.versions.index(missed)] = True
    given = iter(verdicts)
    result = catch.check(lambda _: next(given))
    assert (result.num_right, result.num_inputs) == (faults - 1, faults)
    assert share_of(result, faults) == faults - 1


def test_an_error_on_a_faulty_function_has_caught_it():
    def failing(encode):
        return 1 // exercises.catches_encode.model_answer(encode) == 1

    assert exercises.catches_encode.check(failing).outcome is Outcome.RIGHT
