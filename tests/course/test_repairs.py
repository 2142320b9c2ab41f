"""The place of a fault in a student's own code is told, and what is said of it is true."""

from pathlib import Path

import numpy as np
import pytest

from mctslab import search
from mctslab.course import exercises
from mctslab.course.judging import judge
from mctslab.course.repairs import Repairs
from mctslab.course.result import Outcome


def score_with_a_step_too_many(win_rate, visit_count, parent_visit_count, c):
    """The c that is given is overwritten."""
    if visit_count == 0:
        return float("inf")
    c = 3
    return win_rate + c * np.sqrt(np.log(parent_visit_count) / visit_count)


def interval_with_two_faults(wins, draws, losses):
    """A draw is a third of a point, and z is 2."""
    number, points = wins + draws + losses, wins + draws / 3
    z = 2
    root = z * np.sqrt(points * (number - points) / number + z * z / 4)
    middle, whole = points + z * z / 2, number + z * z
    return points / number, (middle - root) / whole, (middle + root) / whole


@pytest.mark.parametrize(
    ("exercise", "answer", "lines"),
    [
        (exercises.ucb1, score_with_a_step_too_many, ["c = 3"]),
        (exercises.match_score, interval_with_two_faults, ["draws / 3", "z = 2"]),
    ],
    ids=lambda each: getattr(each, "__name__", None),
)
def test_the_line_of_a_fault_is_named_and_not_its_correction(exercise, answer, lines):
    result = judge(exercise, answer)
    told = f"{result.mistake} {result.explanation}"

    assert result.outcome is Outcome.WRONG
    assert "every input that was tried gives the expected result" in told
    assert all(line in told for line in lines)


def test_a_line_that_an_error_comes_from_is_told_with_what_the_error_means():
    def rollout(state, policy, rng):
        while not state.is_terminal:
            state = state.child(policy(rng, state))
        return state.returns()

    result = judge(exercises.rollout, rollout)

    assert "the random generator" in result.mistake
    assert "the arguments of `policy(rng, state)` in another order" in result.explanation


def changed_copies(exercise, answer):
    return list(Repairs(exercise, answer).of_one())


def test_every_change_is_in_the_line_that_is_told():
    source = [line.strip() for line in Path(__file__).read_text("utf-8").splitlines()]
    copies = changed_copies(exercises.ucb1, score_with_a_step_too_many)

    assert len(copies) > 50
    assert all(line in source for copy in copies for line in copy.lines)


def test_a_function_that_does_more_than_calculate_is_never_changed():
    number = 2

    def with_a_value_of_its_surroundings(squares):
        return number, squares

    def with_a_file(squares):
        return open(squares)

    assert changed_copies(exercises.line_up_returns, with_a_value_of_its_surroundings) == []
    assert changed_copies(exercises.line_up_returns, with_a_file) == []
    assert changed_copies(exercises.line_up_returns, min) == []


def test_a_set_of_squares_is_never_used_as_a_number_of_steps():
    """`own << own` would need more memory than there is."""

    def mobility(own, opponent):
        moves = 0
        for step in (1, 8):
            moves |= own << step & opponent
        return moves.bit_count()

    copies = changed_copies(exercises.mobility, mobility)

    assert copies
    assert not any("another variable" in copy.described for copy in copies)


def test_no_change_puts_a_class_where_its_attributes_would_be_set():
    """With `new = search.Node` the next line would set the attribute of all nodes there are."""

    def reuse_tree(root, state):
        waiting = [root]
        while waiting:
            node = waiting.pop()
            if node.state == state:
                new = search.Node(state)
                new.children = node.children
                for child in new.children:
                    child.parent = new
                new.visit_count = 1 + sum(child.visit_count for child in new.children)
                new.total_value = sum(child.total_value for child in new.children)
                return new
            waiting.extend(node.children)
        return search.Node(state)

    before = dict(vars(search.Node))
    assert judge(exercises.reuse_tree, reuse_tree).outcome is Outcome.WRONG
    assert vars(search.Node) == before
