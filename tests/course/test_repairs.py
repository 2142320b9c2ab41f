"""What is wrong in a student's own code is told, with its line, as far as it was tried."""

from dataclasses import replace

import pytest

from mctslab import search
from mctslab.course import exercises
from mctslab.course.checking.inputs import costs_of
from mctslab.course.checking.judging import judge
from mctslab.course.checking.repairs import Repairs
from mctslab.course.checking.trials import try_case
from mctslab.course.result import Outcome
from tests.course.invented import answers_to, function_of


def result_of(name, why):
    """What a check says of the invented answer whose fault begins with these words."""
    exercise = getattr(exercises, name)
    (answer,) = [each for each in answers_to(exercise) if each.why.startswith(why)]
    return judge(exercise, function_of(answer))


@pytest.mark.parametrize(
    ("name", "why", "lines", "words"),
    [
        ("ucb1", "sets the constant to 3, whatever was asked for", ["c = 3"], "one too many"),
        (
            *("playout", "the method is returned and not called"),
            *(["return state.returns"], "brackets after its name"),
        ),
        (
            *("self_play_targets", "one dictionary for all the positions"),
            *(["targets, policy = "], "Must `policy = {}` be done again in every round"),
        ),
        (
            "noisy_priors",
            "no noise where there should be some and the reverse, and the noise is sorted",
            ["if node.parent is None", "sorted(rng.dirichlet"],
            "With a change in both",
        ),
    ],
)
def test_the_line_of_a_fault_is_named_with_what_is_wrong_there(name, why, lines, words):
    result = result_of(name, why)

    assert result.outcome is Outcome.WRONG
    assert result.looks_like == "Look at"
    assert all(line in result.mistake for line in lines)
    assert words in result.explanation
    assert "give the expected result" in result.explanation


@pytest.mark.parametrize(
    ("name", "why", "mistake"),
    [
        ("backpropagate", "counts in a variable", "nothing changed"),
        (
            *("breakthrough_moves", "both squares exchanged, and captures straight ahead"),
            "own pieces captured and, in our solution, `(target, square)` in the place of "
            "`(square, target)`",
        ),
        ("museum_reward", "any game not won is lost", "still the same fault"),
    ],
)
def test_an_answer_that_does_the_same_as_a_known_mistake_is_told_so(name, why, mistake):
    assert result_of(name, why).mistake == mistake


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("gather", "saves N and W again at each walk"),  # once printed 21,152 characters
        ("misjudged_position", "returns where the net is right"),
        ("encode", "rows and columns of the last move exchanged"),
    ],
)
def test_a_check_takes_fifteen_lines(name, why):
    result = result_of(name, why)
    assert result.outcome is Outcome.WRONG
    assert len(str(replace(result, advice="Take a hint.")).splitlines()) <= 15
    assert max(map(len, str(result).splitlines())) < 1_000


def repairs_of(exercise, answer):
    trials = [try_case(case, answer, 1.0) for case in exercise.cases()]
    return Repairs(exercise, answer, trials, costs_of(exercise, exercise.cases()))


def test_a_function_that_does_more_than_calculate_is_never_changed():
    number = 2

    def with_a_value_of_its_surroundings(squares):
        return number, squares

    def with_a_file(squares):
        return open(squares)

    for answer in (with_a_value_of_its_surroundings, with_a_file, min):
        assert repairs_of(exercises.line_up_returns, answer).alone() is None


def test_no_change_puts_a_class_where_its_attributes_would_be_set():
    """With `new = search.Node` the next line would set the attribute of all nodes there are."""
    before = dict(vars(search.Node))
    result = result_of("reuse_tree", "a new node takes over the children")
    assert result.outcome is Outcome.WRONG
    assert vars(search.Node) == before


def test_what_is_told_depends_on_the_work_and_not_on_the_clock():
    why = "does not ask what is untried, has no state, and forgets the other children"
    assert len({str(result_of("expand", why)) for _ in range(3)}) == 1
