"""What a student sees of an exercise: checks, hints, solutions, and progress."""

import html
import re

import pytest

from mctslab import search
from mctslab.course import exercises
from mctslab.course.checking.judging import try_case
from mctslab.course.keeping.progress import load
from mctslab.course.result import Outcome, Result
from tests.course.catalogue import EXERCISES, THREE, name_of, solution_of

pytestmark = pytest.mark.usefixtures("home")


def half(win_rate, visit_count, parent_visit_count, c):
    return 0.5


@pytest.mark.parametrize("own", [exercises.select, exercises.select.model_answer, search.select])
def test_a_function_of_the_course_solves_nothing(own):
    result = exercises.select.check(own)
    assert result.outcome is Outcome.NOT_ATTEMPTED
    assert "is the course's own" in result.message
    assert load().exercises == {}


def test_a_check_is_remembered_and_says_how_to_go_on():
    wrong = exercises.ucb1.check(half)
    assert wrong.outcome is Outcome.WRONG
    assert "exercises.ucb1.hint()" in str(wrong)
    assert load().exercises["ucb1"].solved is None

    right = exercises.ucb1.check(solution_of(exercises.ucb1))
    assert right.outcome is Outcome.RIGHT
    assert exercises.ucb1.when_right in str(right)
    assert load().exercises["ucb1"].solved


def test_the_first_check_says_what_a_function_does_and_the_second_or_a_hint_says_why():
    known = exercises.ucb1.mistakes[0]
    answer = exercises.ucb1.wrong_answer(known)
    first = exercises.ucb1.check(answer)
    assert (first.mistake, first.explanation) == (known.name, "")
    assert "Your function behaves as if" in str(first)
    assert "Which line of yours" in str(first)
    assert known.explanation in str(exercises.ucb1.hint())
    assert known.explanation not in str(exercises.ucb1.hint(2))
    second = exercises.ucb1.check(answer)
    assert second.explanation == known.explanation
    assert "Which line of yours" not in str(second)
    exercises.ucb1.check(solution_of(exercises.ucb1))
    assert known.explanation not in str(exercises.ucb1.hint())
    assert exercises.ucb1.check(answer).explanation == ""


@pytest.mark.parametrize("exercise", THREE, ids=name_of)
def test_an_exercise_introduces_itself_its_hints_and_its_solution(exercise):
    count = len(exercise.all_hints)
    for level in range(1, count + 1):
        text = str(exercise.hint(level))
        assert f"Hint {level} of {count}" in text
        following = f"hint({level + 1})" if level < count else "solution()"
        assert f"exercises.{exercise.name}.{following}" in text
    assert str(exercise.hint()) == str(exercise.hint(1))
    for level in (0, 9, "2"):
        assert f"There are {count} hints" in str(exercise.hint(level))

    markdown = exercise.solution()._repr_markdown_()
    assert markdown == f"```python\n{exercise.solution_source}\n```"

    assert exercise.title in repr(exercise)
    for call in ("check", "hint", "solution"):
        assert f"exercises.{exercise.name}.{call}(" in repr(exercise)


def test_a_tab_completes_to_the_exercises_and_a_name_that_is_not_there_is_answered():
    assert {"select", "ucb1"} <= set(dir(exercises))
    with pytest.raises(AttributeError, match="ubc1"):
        exercises.ubc1  # noqa: B018


# The bug museum

EXHIBITS = [exercise for exercise in EXERCISES if exercise.faulty]


@pytest.mark.parametrize("exhibit", EXHIBITS, ids=name_of)
def test_the_faulty_function_is_wrong_and_its_line_is_confirmed_but_solves_nothing(exhibit):
    faulty = exhibit.defined_by(exhibit.stub)
    cases = (*exhibit.cases(), *exhibit.variations())
    assert not all(try_case(each, faulty, 2).is_right for each in cases)

    lines = exhibit.stub.splitlines()
    at = [line.strip() for line in lines].index(exhibit.faulty)
    confirmed = exhibit.check(at + 1)
    assert str(confirmed).startswith(f"✓ {exhibit.name}: found. Yes, the fault is")
    assert f"{at + 1:>3}  {lines[at]}" in str(exhibit.show())
    for wrong in (0, -1, len(lines) + 1):
        assert exhibit.check(wrong).outcome is Outcome.WRONG
    assert load().exercises == {}, "a guess leaves what is stored as it is"


# The box around a result


WITH_MARKUP = Result(
    "ucb1",
    Outcome.WRONG,
    "It gives <b>5 & 6</b>.",
    facts=(("Input", "a < b\nc"), ("Got", "<script>")),
    mistake="`min` and `max`",
    explanation="1 < 2",
    advice="Try & see.",
    notes=("A <note>.",),
)


def test_what_a_student_wrote_is_shown_and_not_interpreted_in_text_and_box():
    markup = WITH_MARKUP._repr_html_()

    told = re.sub("<[^>]*>", "", markup)
    assert told.startswith("✗ wrong ucb1: It gives"), "not told by the colour only"
    assert "<script>" not in markup
    assert "<b>" not in markup
    assert "<strong><code>min</code> and <code>max</code></strong>" in markup
    for text in ("<b>5 & 6</b>", "a < b\nc", "Try & see.", "A <note>."):
        assert html.escape(text) in markup
    shown = html.unescape(re.sub("<[^>]*>", " ", markup))
    assert all(word in shown for word in re.findall(r"\w+", str(WITH_MARKUP)))
    for text in (str(WITH_MARKUP), shown):
        assert text.index("max") < text.index("a < b"), "the cause stands before the input"


def test_the_last_hint_is_a_right_answer_to_be_put_in_order():
    shuffled = 0
    for exercise in EXERCISES:
        for hint in exercise.all_hints[len(exercise.hints) :]:
            lines = hint.split("```python\n")[1].removesuffix("\n```").split("\n")
            solution = [line for line in exercise.solution_source.splitlines() if line.strip()]
            assert sorted(lines) == sorted(solution[-len(lines) :])
            assert lines != solution[-len(lines) :]
            shuffled += 1
    assert shuffled > 30
