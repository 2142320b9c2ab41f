"""The examiner finds the phase of planted faults, and no fault where there is none."""

import pytest

from mctslab import course, search
from mctslab.__main__ import main
from tests.course.examined import SOURCE, function_of, is_named, planted, report_on


def searched(**options):
    def by_package(state, num_simulations, rng):
        result = search.mcts(state, num_simulations=num_simulations, rng=rng, **options)
        return result.best_so_far, result.root

    return by_package


ONE_FOR_EACH_SIGN = [
    "expand: an index is used as an action",
    "expand: a finished game is searched further",
    "expand: untried children are not tried",
    "choose the move: the wrong child is played",
    "the search: the tree of an earlier search",
    "the search: the number of simulations is wrong",
    "the search: random numbers from another source",
    "simulate: rollouts are not random",
    "simulate: rollouts start at the root",
    "simulate: the depth is limited",
    "simulate: draws have the wrong value",
    "simulate: the result of a finished game is ignored",
    "select: the exploration never fades",
    "select: no exploration",
]
"""Planted faults that show in different ways; `tests.measure examiner` takes all."""


@pytest.mark.parametrize("fault", ONE_FOR_EACH_SIGN)
def test_the_phase_of_a_planted_fault_is_named(fault):
    text = next(text for name, text in planted() if name == fault)
    report = report_on(text)
    assert is_named(fault, report), report


def test_visits_that_are_not_those_of_the_search_are_a_finding():
    def negated(*arguments):
        return {child.action: -child.visit_count for child in searched()(*arguments)[1].children}

    assert course.examine(negated).finding.phase == "choose the move"


class FirstPlayUrgency(search.selection.UCB1):
    """UCB1, but a child without a visit counts 1.1."""

    def best_child(self, node):
        return max(node.children, key=lambda c: self.score(node, c).total if c.visit_count else 1.1)


class OwnNode:
    """A node with visits and wins only, under names of one's own."""

    def __init__(self, node):
        self.N, self.wins = node.visit_count, (node.visit_count + node.total_value) / 2
        self.children = {child.action: OwnNode(child) for child in node.children}


URGENT = searched(selection=FirstPlayUrgency(0.7), expansion="all")
RIGHT = {
    "one that calls itself": function_of(SOURCE),
    "a solver and little exploration": searched(solver=True, selection=search.ucb1(0.2)),
    "four rollouts from every leaf": searched(evaluator=search.rollout_evaluator(num_rollouts=4)),
    "other names and urgency": lambda *arguments: OwnNode(URGENT(*arguments)[1]),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_searches_of_any_style_give_no_alarm(name):
    report = course.examine(RIGHT[name])

    assert report.finding is None, report
    assert "No fault was found" in str(report)


def endless(state, num_simulations, rng):
    while True:
        state.legal_actions()


class Hostile:
    """An object that fails whatever is done with it, except to show it."""

    def __repr__(self):
        return "Hostile()"

    def __getattr__(self, name):
        raise RuntimeError(name)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda state, num_simulations, rng: Hostile(), "It returned Hostile()"),
        (lambda state, num_simulations, rng: None, "forget `return`"),
        (lambda state, num_simulations, rng: 1 // 0, "ZeroDivisionError"),
        (lambda state: 0, "TypeError"),
        (endless, "in time"),
        (lambda state, num_simulations, rng: 0, "without looking"),
    ],
)
def test_whatever_a_search_does_is_a_finding(function, words):
    report = course.examine(function, seconds=0.3)

    assert report.finding.phase == ""
    assert words in str(report)


def test_a_report_names_the_game_and_the_phase_and_has_a_position_to_step_through():
    text = next(text for fault, text in planted() if "alternate" in fault)
    report = report_on(text)

    assert "player 0 moves, then player 0, and player 0 chooses" in str(report)
    assert "where a player moves twice, as after a pass, the sign must not flip" in str(report)
    assert "select → expand → simulate → [backpropagate] → choose the move" in str(report)
    assert "backpropagate" in report._repr_html_()
    assert len(report.stepper()._trace) == 30


def test_the_command_examines_a_function_in_a_file(tmp_path, capsys):
    file = tmp_path / "mine.py"
    file.write_text(SOURCE.replace("c=1.0", "c=0.0"), "utf-8")

    assert main(["course", "examine", f"{file}:search"]) == 1
    assert "[select]" in capsys.readouterr().out
    assert main(["course", "examine", f"{file}:nothing"]) == 1
    assert "has no function 'nothing'" in capsys.readouterr().err
    assert main(["course", "examine", str(file)]) == 1
    assert "names no function; expected my_search.py:uct" in capsys.readouterr().err
    file.write_text("1 / 0", "utf-8")
    assert main(["course", "examine", f"{file}:search"]) == 1
    assert "fails with ZeroDivisionError" in capsys.readouterr().err
