"""The line of a fault in a student's own code is told, with what is wrong there."""

import numpy as np
import pytest

from mctslab import search
from mctslab.course import exercises
from mctslab.course.checking.judging import judge
from mctslab.course.checking.repairs import Repairs
from mctslab.course.checking.trials import try_case
from mctslab.course.result import Outcome


def score_with_a_step_too_many(win_rate, visit_count, parent_visit_count, c):
    if visit_count == 0:
        return float("inf")
    c = 3
    return win_rate + c * np.sqrt(np.log(parent_visit_count) / visit_count)


def interval_with_two_faults(wins, draws, losses):
    number, points = wins + draws + losses, wins + draws / 3
    z = 2
    root = z * np.sqrt(points * (number - points) / number + z * z / 4)
    middle, whole = points + z * z / 2, number + z * z
    return points / number, (middle - root) / whole, (middle + root) / whole


def playout_that_calls_nothing(state, rng):
    while not state.is_terminal:
        state = state.child(rng.choice(state.legal_actions()))
    return state.returns


def expand_without_a_check(node, rng):
    action = int(rng.choice(node.untried_actions))
    node.untried_actions.remove(action)
    child = search.Node(parent=node, action=action)
    node.children = [child]
    return child


def samples_of_one_dictionary(positions, visits):
    returns, targets, policy = positions[-1].returns(), [], {}
    for state, counts in zip(positions, visits, strict=False):
        policy.clear()
        for action in counts:
            policy[action] = counts[action] / sum(counts.values())
        targets.append((policy, returns[state.current_player]))
    return targets


def breakthrough_moves_without_continue(stones, cols, player):
    step = -cols if player == 0 else cols
    moves = []
    for s, stone in enumerate(stones):
        if stone == player:
            for d in (-1, 0, 1):
                t = s + step + d
                if 0 <= s % cols + d < cols and 0 <= t < len(stones):  # noqa: SIM102
                    if d != 0 or stones[t] == -1:
                        moves.append((t, s))
    return moves


def noise_in_order_where_there_must_be_none(node, alpha, weight, rng):
    priors = [child.prior for child in node.children]
    if node.parent is None:
        return priors
    noise = sorted(rng.dirichlet([alpha] * len(priors)), reverse=True)
    return [(1 - weight) * p + weight * n for p, n in zip(priors, noise, strict=True)]


@pytest.mark.parametrize(
    ("answer", "lines", "words"),
    [
        (score_with_a_step_too_many, ["c = 3"], "one too many"),
        (interval_with_two_faults, ["draws / 3", "z = 2"], "With a change in both"),
        (playout_that_calls_nothing, ["return state.returns"], "brackets after its name"),
        (samples_of_one_dictionary, ["targets.append"], "a copy of it is needed"),
        (
            breakthrough_moves_without_continue,
            ["if d != 0 or stones[t] == -1:", "moves.append((t, s))"],
            "Are the values in `(t, s)` in the right order?",
        ),
        (
            noise_in_order_where_there_must_be_none,
            ["if node.parent is None", "sorted(rng.dirichlet"],
            "With a change in both",
        ),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_the_line_of_a_fault_is_named_with_what_is_wrong_there(answer, lines, words):
    name = {
        "score": "ucb1",
        "interval": "match_score",
        "samples": "self_play_targets",
        "noise": "noisy_priors",
        "breakthrough": "breakthrough_moves",
    }
    first, *_ = answer.__name__.split("_")
    exercise = getattr(exercises, name.get(first, first))
    result = judge(exercise, answer)

    assert result.outcome is Outcome.WRONG
    assert result.looks_like == "Look at"
    assert all(line in result.mistake for line in lines)
    assert words in result.explanation
    assert "give the expected result" in result.explanation


def repairs_of(exercise, answer):
    trials = [try_case(case, answer, 1.0) for case in exercise.cases()]
    return Repairs(exercise, answer, trials)


def test_a_function_that_does_more_than_calculate_is_never_changed():
    number = 2

    def with_a_value_of_its_surroundings(squares):
        return number, squares

    def with_a_file(squares):
        return open(squares)

    for answer in (with_a_value_of_its_surroundings, with_a_file, min):
        assert list(repairs_of(exercises.line_up_returns, answer).one()) == []


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


def test_what_is_told_depends_on_the_work_and_not_on_the_clock():
    results = {str(judge(exercises.expand, expand_without_a_check)) for _ in range(3)}
    assert len(results) == 1
