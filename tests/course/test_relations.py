"""What is wrong with the results themselves is named in every exercise."""

import re
import time
from collections import Counter

import pytest

from mctslab.course import exercises
from mctslab.course.checking.cases import Near, OneOf, Shares, Tally
from mctslab.course.checking.judging import judge
from mctslab.course.checking.relations import of_results
from mctslab.course.result import Outcome
from tests.course.test_diagnosis import CLIPPED


def named(pairs):
    """The name of the mistake in results, given as pairs: what is right, and what was found."""
    cause = of_results(pairs)
    return cause.name if cause else None


def of_each(rights, change):
    return [(right, change(right)) for right in rights]


COIN = Shares({(1, -1): 0.7, (-1, 1): 0.3})


@pytest.mark.parametrize(
    ("pairs", "name"),
    [
        (of_each([1, 2, 3], lambda n: -n), "the result were that of the other player"),
        (of_each([0.12, 0.57, 3.9], round), "the result had to be rounded"),
        (of_each([0.1, -0.5, 0.0], lambda v: (1 + v) / 2), "the result were on another scale"),
        (of_each([3, 4, 7], lambda n: n + 1), "one more or one fewer belonged to the result"),
        (of_each([3, 4, 7], lambda n: 2 * n), "the result had another factor"),
        (
            of_each([True, False, True], lambda b: not b),
            "True and False were in each other's places",
        ),
        (of_each([3, 0, 2], lambda n: [7] * n), "the things themselves were asked for"),
        ([(2, 0b101), (0, 0), (3, 0b1110), (1, 64)], "the things themselves were asked for"),
        (
            of_each([(1, 2), (3, 5), (0, 9)], lambda p: p[1]),
            "one part of the result were all of it",
        ),
        (of_each([(1, 2, 3), (3, 5, 4)] * 2, lambda p: p[:2]), "2 parts were asked for"),
        (
            of_each([OneOf([(1, 2, 4), (1, 2, 3)])] * 3, lambda _: (2, 1, 3)),
            "the parts of the result were in another order",
        ),
        (
            [(COIN, Tally(Counter({(-1, 1): 700, (1, -1): 300})))] * 3,
            "the parts of the result were in another order",
        ),
        (
            of_each([[1, 2, 3, 5]] * 3, lambda p: p[::-1]),
            "the list went from the last to the first",
        ),
        (of_each([1, 2, 3], lambda n: [n]), "the result belonged into a list of its own"),
        (of_each([1, 2, 3], str), "a text were asked for"),
        (of_each([1, 2, 3], lambda _: None), "nothing had to be returned"),
        ([(None, -1), (0, 0), (None, -1), (1, 1), (None, -1)], "-1 stood for None"),
        (
            of_each([{"N": 2, "W": 1}] * 3, lambda d: d | {"W": -1}),
            "the result were that of the other player",
        ),
        ([(1, 2), (2, 3)], None),
        ([(1, 2), (2, 3), (3, 3), (4, 1)], None),
        (of_each([Near(1.0, 1e-5)] * 3, lambda _: 1.7), None),
    ],
)
def test_results_that_are_the_right_ones_in_another_form_are_named(pairs, name):
    assert named(pairs) == name


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


def test_a_result_that_contains_itself_takes_no_longer_than_others():
    def careful(state, rng):
        found = []
        found.append(found)
        return found

    began = time.process_time()
    assert judge(exercises.careful, careful).outcome is Outcome.WRONG
    assert time.process_time() - began < 3
