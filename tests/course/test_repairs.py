"""What is wrong in a student's own code is told, with its line, as far as it was tried."""

import functools
import time
from dataclasses import replace

import pytest

from mctslab import search
from mctslab.course import exercises
from mctslab.course.checking.inputs import Costs
from mctslab.course.checking.judging import judge
from mctslab.course.checking.repairs import of_own_lines
from mctslab.course.checking.trials import try_case
from mctslab.course.keeping import kept
from mctslab.course.question import Question, case
from mctslab.course.result import Outcome
from tests.course.invented import answers_to, function_of


@functools.cache
def result_of(name, why, **changes):
    """What a check says of the invented answer whose fault begins with these words."""
    exercise = replace(getattr(exercises, name), **changes)
    (answer,) = [each for each in answers_to(exercise) if each.why.startswith(why)]
    return judge(exercise, function_of(answer))


CHANGES_NOTHING = "a function that changes nothing"
ONE_KIND = "one kind of input goes wrong"
SAID = [
    ("ucb1", "sets the constant to 3, whatever was asked", "the line `c = 3`", "one too many"),
    ("playout", "the method is returned and not", "return state.returns`", "after its name"),
    ("backpropagate", "counts in a variable", CHANGES_NOTHING, "assign to the node"),
    ("museum_reward", "any game not won is lost", "the same fault", "they are the same as"),
    ("encode", "rows and columns of the last move exchanged", "", ""),
]
WITHOUT_A_LIST = [
    ("museum_labels", "returns after the first position", "for player in", "or only after it?"),
    ("minimax", "only finished games are written down", ONE_KIND, "in the memo, also where the"),
    ("noisy_priors", "every child has its own draw of one component", ONE_KIND, "still sum to 1."),
    ("roxanne_move", "by the package, which knows the", ONE_KIND, "another action than 64."),
]
ROWS = [*((row, {}) for row in SAID), *((row, {"mistakes": ()}) for row in WITHOUT_A_LIST)]


@pytest.mark.parametrize(("row", "changes"), ROWS)
def test_a_cause_is_named_with_its_line_in_at_most_fifteen_lines(row, changes):
    name, why, mistake, words = row
    result = result_of(name, why, **changes)
    assert result.outcome is Outcome.WRONG
    assert mistake in result.mistake
    assert words in result.explanation
    assert len(str(replace(result, advice="Take a hint.")).splitlines()) <= 15
    assert max(map(len, str(result).splitlines())) < 1_000


WITH_ONE_FAULT = [
    (
        "minimax",
        "the best child is chosen for the player to move in",
        "player = after.current_player",
    ),
    ("select", "always takes one step before it looks", "node = rule.best_child(node)"),
    (
        "puct_simulation",
        "children hang on the root",
        "root.children.append(search.Node(parent=leaf, action=action, prior=prior))",
    ),
    ("museum_best_move", "the sign turns at each move in", "sign = -sign if player == 1 else sign"),
    (
        "principal_variation",
        "stops at the first node that still",
        "while node.children and node.is_fully_expanded:",
    ),
]


@pytest.mark.parametrize(("name", "why", "line"), WITH_ONE_FAULT)
def test_one_fault_is_told_as_one_and_at_its_own_line(name, why, line):
    result = result_of(name, why, mistakes=())

    assert result.outcome is Outcome.WRONG
    assert result.mistake == f"the line `{line}`"
    assert "missing" not in result.explanation


def test_a_case_that_is_there_in_another_form_is_not_called_missing():
    result = result_of("hex_connected", "the goal is the row `size`", mistakes=())
    assert result.mistake == "the line `if (row, col)[player] == size:`"
    assert "off by one" in result.explanation


def cause_in(question, answer, cases):
    trials = [try_case(each, answer, 1.0) for each in cases]
    return of_own_lines(question, answer, trials, Costs(question, cases))


def test_a_change_that_fits_only_the_inputs_of_a_check_is_not_told():
    def doubled(number):
        """Twice the number."""
        return number + number

    def wrong_where_it_is_large(number):
        return 2 * number if number < 98 else 99

    question = Question(
        model_answer=doubled,
        cases=lambda: [case(98)],
        mistakes=(),
        variation=lambda rng: case(int(rng.integers(80, 100))),
    )
    tried = [each for each in question.variations() if each.expected < 196]
    found = cause_in(question, wrong_where_it_is_large, [*question.cases(), *tried])
    assert "Is there a condition too many" in found.explanation


def test_a_function_that_does_more_than_calculate_is_never_changed():
    number = 2

    def with_a_value_of_its_surroundings(squares):
        return number, squares

    def with_a_file(squares):
        return open(squares)

    exercise = exercises.line_up_returns
    for answer in (with_a_value_of_its_surroundings, with_a_file, min):
        assert cause_in(exercise, answer, exercise.cases()) is None


def test_a_name_that_only_the_right_answer_has_is_missing_in_copies_as_well():
    """With it, any change that makes no difference would make all inputs right."""
    source = f"from mctslab import search\n\n{exercises.is_trap.solution_source}"
    result = judge(exercises.is_trap, kept.load("is_trap", source))
    assert result.mistake == "a name that Python does not know"


def test_no_change_puts_a_class_where_its_attributes_would_be_set():
    """With `new = search.Node` the next line would set the attribute of all nodes there are."""
    before = dict(vars(search.Node))
    result = result_of("reuse_tree", "a new node takes over the children")
    assert result.outcome is Outcome.WRONG
    assert vars(search.Node) == before


def test_what_is_told_depends_on_the_work_and_not_on_the_clock(monkeypatch):
    """Also where a computer is so slow that a second of work takes it ten."""
    asked = "puct_simulation", "children hang on the root"
    told, now = result_of(*asked, mistakes=()), time.process_time
    began = now()
    monkeypatch.setattr(time, "process_time", lambda: began + 10 * (now() - began))
    assert result_of.__wrapped__(*asked, mistakes=()) == told
