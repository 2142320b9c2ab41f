"""A check answers in a sentence, whatever it is given."""

import itertools
import re
import sys
from dataclasses import replace

import numpy as np
import pytest
import torch

from mctslab.course.checking.cases import FROM_MODEL, MOST_SHOWN, Case, case, shown
from mctslab.course.checking.judging import Question, judge
from mctslab.course.result import Outcome
from tests.course.catalogue import mistakes_in


def mean(numbers):
    """The mean of some numbers."""
    return sum(numbers) / len(numbers)


(TOTAL,) = mistakes_in("""
    the sum instead of the mean
        Divide by how many there are.
         / len(numbers) =>
""")
MEAN = Question(
    model_answer=mean,
    cases=lambda: [
        case((1,), expected=1.0),
        Case(lambda: ([1, 2],), 1.5),
        Case(lambda: ([1, 2, 6],), 3.0),
    ],
    mistakes=(TOTAL,),
    seconds=0.2,
)


def check(answer):
    return judge(MEAN, answer)


def largest_first(numbers):
    """The numbers in falling order, and whether there are any."""
    return sorted(numbers, reverse=True), len(numbers) > 0


LARGEST_FIRST = Question(
    model_answer=largest_first,
    cases=lambda: [case((1,), expected=([1], True)), case((2, 3), expected=([3, 2], True))],
    mistakes=(),
)


@pytest.mark.parametrize(
    ("answer", "is_right"),
    [
        (lambda numbers: [tuple(sorted(numbers)[::-1]), 1], True),
        (lambda numbers: (np.sort(numbers)[::-1], np.bool_(1)), True),
        (lambda numbers: (np.array(sorted(numbers)[::-1], np.float32), np.int8(1)), True),
        (lambda numbers: (torch.tensor(sorted(numbers)[::-1]), torch.tensor(True)), True),
        (lambda numbers: (sorted(numbers)[::-1], 0), False),
        (lambda numbers: (sorted(numbers)[::-1], 2), False),
        (lambda numbers: (sorted(numbers)[::-1], "True"), False),
    ],
)
def test_what_means_the_same_is_right(answer, is_right):
    assert (judge(LARGEST_FIRST, answer).outcome is Outcome.RIGHT) == is_right


def one_by_one(numbers):
    yield from sorted(numbers)[::-1]


def test_an_iterator_is_as_good_as_a_list_unless_it_has_no_end():
    cases = [case((), expected=[]), case((2, 3), expected=[3, 2])]
    falling = replace(LARGEST_FIRST, cases=lambda: cases)
    for answer in (one_by_one, lambda numbers: map(int, one_by_one(numbers))):
        assert judge(falling, answer).outcome is Outcome.RIGHT
    assert judge(falling, lambda numbers: itertools.repeat(1)).outcome is Outcome.WRONG


@pytest.mark.parametrize(
    "body",
    [
        *("...", "pass", "return None", "return ...", "raise NotImplementedError"),
        '"""To do."""\n    raise NotImplementedError("to do")',
    ],
)
def test_what_was_not_written_was_not_attempted(body):
    names = {}
    exec(f"def mean(numbers):\n    {body}", names)

    for result in (check(names["mean"]), check(...), judge(MEAN)):
        assert result.outcome is Outcome.NOT_ATTEMPTED


def changes_its_argument(numbers):
    result = mean(numbers)
    if isinstance(numbers, list):
        numbers.sort(reverse=True)
    return result


def calls_itself(numbers):
    return calls_itself(numbers)


def a_generator(numbers):
    yield mean(numbers)


def endless(numbers):
    while numbers:
        pass


def raises(numbers):
    surplus = numbers[7]
    return surplus


def holds_itself(numbers):
    found = []
    found.append(found)
    return found


class WithoutEnd:
    """Not even looking at it comes to an end."""

    def __repr__(self):
        while True:
            pass


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda numbers: 0, "All 3 inputs gave a different result from the expected one."),
        (lambda numbers: numbers[0], "2 of 3 inputs gave a different result"),
        (lambda numbers: None if len(numbers) > 1 else 1, "Did you forget `return`?"),
        (lambda numbers: str(mean(numbers)), "returned a text, but here a number is expected."),
        (lambda numbers: True, "returned a truth value, but here a number is expected."),
        (a_generator, "Use `return` instead of `yield`."),
        (lambda numbers: WithoutEnd(), "still running after 0.2 seconds"),
        (holds_itself, "returned a list, but here a number is expected."),
        (raises, "IndexError: tuple index out of range, at the line: `surplus = numbers[7]`"),
        (lambda numbers: {}["a"], "KeyError: there is no entry 'a'"),
        (lambda numbers: sys.exit(), "It called exit()"),
        (lambda numbers: input(), "It called input()"),
        (lambda numbers: judge(MEAN, mean), "cannot start a check itself"),
        (calls_itself, "It called itself again and again"),
        (changes_its_argument, "It changed its argument numbers"),
        (endless, "still running after 0.2 seconds"),
        (lambda: 1, "It is called with one argument, numbers; yours is `<lambda>()`"),
        (1.5, "takes the function itself: `exercises.mean.check(mean)`"),
        ("mean", "a text, 'mean'"),
    ],
)
def test_a_wrong_answer_is_told_what_is_wrong_with_it(answer, words):
    result = check(answer)

    assert result.outcome is Outcome.WRONG
    assert words in str(result)
    assert "mctslab" not in result.message
    assert result._repr_html_()


def test_it_is_told_how_many_inputs_end_with_the_same_error():
    assert "The same happened with the other input." in str(judge(LARGEST_FIRST, raises))


def test_the_smallest_input_that_fails_is_told():
    result = check(lambda numbers: mean(numbers) if len(numbers) < 3 else 4)

    assert dict(result.facts) == {"Input": "mean(numbers=[1, 2, 6])", "Expected": "3", "Got": "4"}
    assert result.mistake == ""


ELEVEN = {f"fact {number}": number for number in range(11)}


@pytest.mark.parametrize(
    ("found", "told"),
    [
        ({key: each for key, each in ELEVEN.items() if each}, ("fact 0: 0", "nothing")),
        (
            {"mean": 1} | {key: each for key, each in ELEVEN.items() if each},
            ("fact 0: 0", "mean: 1"),
        ),
        (
            dict.fromkeys(ELEVEN, 0.5),
            ("fact 0: 0\nfact 1: 1\n(and 9 more)", "fact 0: 0.5\nfact 1: 0.5"),
        ),
    ],
)
def test_of_several_facts_at_most_two_that_differ_are_told(found, told):
    cases = [Case(lambda: ((1,),), ELEVEN, use=lambda function, numbers: found)]
    result = judge(replace(MEAN, cases=lambda: cases), lambda numbers: 0)
    assert result.facts[1:] == (*zip(("Expected", "Got"), told, strict=True),)


def test_a_value_is_shown_in_a_few_words_and_what_a_right_answer_prints():
    talks = check(lambda numbers: print("numbers:", numbers) or mean(numbers))
    assert (talks.outcome, dict(talks.facts)["It printed"][:12]) == ("right", "numbers: (1,")
    assert [shown(value) for value in (1 / 3, {"a": [0.5]}, 10**5000)] == [
        *("0.333333", "{'a': [0.5]}", "a number with about 5,000 digits")
    ]
    fits = "x" * (MOST_SHOWN - 2)
    assert shown(fits) == f"'{fits}'"
    assert shown(fits + "x") == f"'{fits}"[:-3] + " ..."
    assert re.fullmatch(r"\[0, 1, .*\d, \.\.\.\]", shown(list(range(200))))


def numbers_at_random(rng):
    numbers = rng.integers(0, 90, rng.integers(1, 40)).tolist()
    return Case(lambda: (list(numbers),), FROM_MODEL)


def test_a_failing_input_that_was_made_at_random_is_made_smaller():
    at_random = replace(MEAN, variation=numbers_at_random)
    wrong = judge(at_random, lambda numbers: mean(numbers[:4]))
    failing = judge(at_random, lambda numbers: mean(numbers) if len(numbers) < 6 else 1 / 0)

    assert re.fullmatch(r"mean\(numbers=\[\d(, \d){4}\]\)", dict(wrong.facts)["Input"])
    assert re.fullmatch(r"mean\(numbers=.{18}\)", dict(failing.facts)["Input"])


KINDS = Question(
    model_answer=mean,
    cases=lambda: [
        case((1,), expected=1),
        case((7,), expected=7).with_about("It is odd."),
        case((9,), expected=9).with_about("It is odd."),
        case((4,), expected=4).with_about("It is even."),
    ],
    mistakes=(),
)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ((7,), "Only one kind of input goes wrong. It is odd."),
        ((7, 9), "Only one kind of input goes wrong. It is odd."),
        ((4,), "Only one kind of input goes wrong. It is even."),
        ((9, 4), "Look at the input below. It is odd."),
        ((1, 7), ""),
        ((1,), ""),
    ],
)
def test_what_is_special_about_inputs_is_said_if_it_is_known_of_all_that_go_wrong(wrong, words):
    result = judge(KINDS, lambda numbers: -1 if numbers[0] in wrong else numbers[0])
    assert words in str(result)
    assert bool(result.mistake) == bool(words)
