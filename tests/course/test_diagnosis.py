"""The cause of a mistake is told where it was tried, and nothing that is not so."""

import itertools
import math
import re
import time
from dataclasses import replace

import numpy as np
import pytest

from mctslab import search
from mctslab.course import exercises
from mctslab.course.checking.cases import Case, OneOf, case
from mctslab.course.checking.judging import Question, judge
from mctslab.course.prose import source_with
from mctslab.course.tree_game import SPARSE, TreeGame, drawn, turn_of
from tests.course.catalogue import mistakes_in


def clipped(number, more):
    """The sum, but at least 0 and at most 10."""
    low = max(0, number + more)
    return min(10, low)


CLIPPED = Question(
    model_answer=clipped,
    cases=lambda: [case(n, 1, expected=clipped(n, 1)) for n in range(-4, 20)],
    mistakes=mistakes_in("""
        no lower end
            There is one.
            max(0, number + more) => number + more
        no upper end
            There is one.
            min(10, low) => low
    """),
    variation=lambda rng: case(int(rng.integers(-4, 20)), 1),
)


def without_ends(number, more):
    return number + more


def with_a_condition_too_many(number, more):
    if more == 1 and number + more > 4 and (number + more) % 4 == 3:
        return 5
    return min(10, max(0, number + more))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (with_a_condition_too_many, ""),
        (without_ends, "Your function behaves as if (1) no lower end and (2) no upper end. (1) "),
        (lambda number, more: max(0, number + more), "Your function behaves as if no upper end."),
        (lambda number, more: [3, 1, 4, 1, 5, 9, 2, 6][(7 * number) % 8], ""),
        (lambda number, more: 7 if number > 0 else 10 - number % 2, ""),
        (lambda number, more: None.parent, "a None where an object is needed"),
        (lambda number, more: str(number), "as if a text were asked for, not a number."),
        (
            lambda number, more: print(end=""),
            "Your function behaves as if nothing had to be returned.",
        ),
        (
            lambda number, more: clipped(number, more) if number < 5 else None,
            "On 58 of 84 inputs your function behaves as if nothing had to be returned.",
        ),
        (lambda number, more: str(number) if number < 5 else None, ""),
        (lambda number, more: frozenset({1}).add(2), "a change of something that never changes"),
    ],
)
def test_of_two_faults_both_are_named_and_of_what_follows_no_rule_nothing(answer, words):
    result = judge(CLIPPED, answer)
    assert words in str(result)
    assert bool(result.mistake) == bool(words)


def test_no_two_mistakes_are_told_of_a_result_that_is_always_the_same():
    mistakes = mistakes_in("""
        the smaller one at the lower end
            The larger one is needed.
            max(0, number + more) => min(0, number + more)
        the lower end twice
            The upper end is missing.
            min(10, low) => max(0, low)
    """)
    question = replace(CLIPPED, mistakes=mistakes)
    both = source_with(question.model_answer, [*mistakes[0].edits, *mistakes[1].edits])
    with_both = question.defined_by(both)
    assert with_both(5, 1) == with_both(-5, 1) == 0
    assert judge(question, with_both).mistake == ""


ENDLESS = mistakes_in("""
    a loop that goes on
        It has to end.
        - ...
        + while number < 99: pass
        + return 0
    a list that grows
        It has to end.
        - ...
        + numbers = [number]
        + for each in numbers: numbers.append(each)
        + return 0
""")


def test_mistakes_without_an_end_hold_up_no_check_and_can_be_what_an_answer_does():
    def loops(number, more):
        while number < 100:
            number += 0
        return number

    question = replace(CLIPPED, mistakes=ENDLESS * 20 + CLIPPED.mistakes, seconds=0.2)
    for answer, words in (
        (without_ends, ""),
        (loops, "Your function may behave as if a loop that goes on."),
    ):
        began = time.process_time()
        assert words in str(judge(question, answer))
        assert time.process_time() - began < 3
    both = judge(replace(question, mistakes=ENDLESS + CLIPPED.mistakes), without_ends)
    assert both.mistake == "(1) no lower end and (2) no upper end"


def move_of(state):
    """The last legal action."""
    return state.legal_actions()[-1]


LAST_MOVE = Question(
    model_answer=move_of,
    cases=lambda: [
        case(TreeGame(turn_of(0, *[drawn()] * n), (), SPARSE), expected=SPARSE[n - 1])
        for n in range(1, 7)
    ],
    mistakes=(),
)


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("rng.choice(state.legal_actions)", "a function where its result is needed"),
        ("state.is_terminal()", "a value with brackets after it"),
        ("state.legal_action()", "a name that does not exist"),
        ("state.child(0)", "an action that is not legal here"),
        ("state.returns()", "`returns()` of a game that is not over"),
        ("state.legal_actions()[99]", "an index that does not exist"),  # of a tuple
        ("math.log(0)", "a logarithm or a root that does not exist"),
        ("1 / 0", "a division by zero"),
        ("None.parent", "a None where an object is needed"),
        ("max([])", "a choice where there is nothing to choose from"),
        ("move_of()", "a call with the wrong number of arguments"),
        ("unknown", "a name that Python does not know"),
        ("state.is_fully_expanded", "something else where a node is needed"),
    ],
)
def test_an_error_is_explained(body, name):
    names = {**globals(), "rng": np.random.default_rng(1), "math": math, "search": search}
    assert name in judge(LAST_MOVE, eval(f"lambda state: {body}", names)).mistake


@pytest.mark.parametrize(
    ("call", "mistake"),
    [
        ("maximum(0, number)", "a name of another language"),
        ("top(0, number)", "a name that Python"),
        ("int('1 hundred')", "a text where a number is needed"),
        ("max([])", "a choice where there is nothing"),
    ],
)
def test_an_error_about_another_name_or_with_another_text_is_another_error(call, mistake):
    mistakes = mistakes_in("""
        a name of another language
            Here it is called `max`.
            max(0, number + more) => maximum(0, number + more)
        a text where a number is needed
            It is a number already.
            max(0, number + more) => int('20 or so')
    """)
    answer = eval(f"lambda number, more: {call}")
    assert mistake in judge(replace(CLIPPED, mistakes=mistakes), answer).mistake


def test_chance_is_told_in_a_wrong_answer_and_in_one_that_only_seems_right():
    rng, seeds = np.random.default_rng(1), itertools.count(1)
    small_or_large = itertools.cycle((4, 4, 4, 8))

    def select(root, rule):
        while root.children and root.is_fully_expanded:
            root = root.children[rng.integers(len(root.children))]
        return root

    def uct(state, num_simulations, given):
        return exercises.uct.model_answer(
            state, num_simulations, np.random.default_rng(next(seeds))
        )

    def draw(many, rng):
        """A random number below many."""
        return int(rng.integers(many))

    def principal_variation(root, moves=[]):  # noqa: B006
        for child in root.children[:1]:
            moves.append(child.action)
        return moves

    cases = [Case(lambda: (9, np.random.default_rng(1)), True, use=_is_below_nine)]
    drawing = Question(model_answer=draw, cases=lambda: cases, mistakes=())
    rounded = [replace(cases[0], expected=OneOf((0, 1)), use=_half)]
    halves = Question(model_answer=draw, cases=lambda: rounded, mistakes=())

    assert (
        judge(exercises.select, select).mistake == "its result depended on more than its arguments"
    )
    shared = judge(exercises.principal_variation, principal_variation)
    assert shared.mistake == "its result depended on more than its arguments"
    assert judge(exercises.uct, uct).mistake == "its random numbers came from another source"
    assert judge(drawing, draw).outcome == "right"
    assert judge(halves, draw).outcome == "right"
    assert judge(halves, lambda many, rng: next(small_or_large)).outcome == "wrong"


def _is_below_nine(function, many, rng):
    return 0 <= function(many, rng) < 9


def _half(function, many, rng):
    """Many other random numbers give the same."""
    return function(many, rng) // 5


def test_a_loop_that_ends_after_its_first_round_is_named():
    def flat_monte_carlo(state, num_playouts, rng):
        means = {}
        for action in state.legal_actions():
            total = sum(
                exercises.playout(state.child(action), rng)[state.current_player]
                for _ in range(num_playouts)
            )
            means[action] = total / num_playouts
            return means

    assert judge(exercises.flat_monte_carlo, flat_monte_carlo).mistake == (
        "its loop ended after the first round"
    )


def test_a_mistake_that_explains_nearly_all_results_is_named_with_their_number():
    def with_one_more_fault(number, more):
        return 3 if number == 7 else max(0, number + more)

    result = judge(CLIPPED, with_one_more_fault)
    assert re.fullmatch(r"On \d\d of 84 inputs your function behaves as if", result.looks_like)
    assert result.mistake == "no upper end"
