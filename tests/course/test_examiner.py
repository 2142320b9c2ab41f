"""The examiner names planted faults, and finds none where there is none."""

from collections import Counter

import pytest

from mctslab import course, search
from mctslab.__main__ import main
from mctslab.course.examiner.faults import FAULTS
from mctslab.course.question import edited
from tests.course.examined import SEARCHES, faults_of, loaded, planted, report_on, source


def searched(**options):
    def by_package(state, num_simulations, rng):
        return search.mcts(state, num_simulations=num_simulations, rng=rng, **options)

    return by_package


def searched_with_net(**options):
    def by_package(state, num_simulations, rng, net):
        return search.puct_search(
            state,
            num_simulations=num_simulations,
            rng=rng,
            evaluator=course.evaluator_of(net),
            **options,
        )

    return by_package


def examine(function, **options):
    return course.examine(function, num_simulations=100, progress=str, **options)


def in_every_second_search():
    """The planted faults, each in half of the searches that can have it; `measure` takes all."""
    met = Counter()
    for module, name, text in planted():
        met[name] += 1
        if met[name] % 2:
            yield module, name, text


@pytest.mark.parametrize("module", SEARCHES)
def test_at_least_nine_of_ten_planted_faults_are_named_first(module):
    faulty = [each for each in in_every_second_search() if each[0] == module]
    found = {name: report_on(module, text, 100).faults[:1] for _, name, text in faulty}

    missed = {name: faults for name, faults in found.items() if faults != (name,)}
    assert len(missed) <= 0.1 * len(faulty), missed


def test_there_are_25_different_planted_faults_and_each_is_known():
    names = {name for _, name, _ in planted()}

    assert len(names) >= 25
    assert names <= set(FAULTS)


@pytest.mark.parametrize("module", SEARCHES)
def test_the_implementations_without_a_fault_are_right(module):
    report = report_on(module, source(module), 100)

    assert not report.findings, report
    assert "No fault was found" in str(report)


def with_tree_kept():
    kept = []

    def reusing(state, num_simulations, rng):
        root = kept[-1] if kept else None
        result = search.mcts(state, num_simulations=num_simulations, rng=rng, root=root)
        kept.append(result.root)
        return result.best_action, result.root

    return reusing


class FirstPlayUrgency(search.selection.UCB1):
    """UCB1, but a child without a visit counts 1.1."""

    def best_child(self, node):
        return max(node.children, key=lambda c: self.score(node, c).total if c.visit_count else 1.1)


RIGHT = {
    "the package's": searched(),
    "all children at once": searched(expansion="all"),
    "a solver": searched(solver=True),
    "little exploration": searched(selection=search.ucb1(0.2)),
    "much exploration": searched(selection=search.ucb1(3.0)),
    "first-play urgency": searched(selection=FirstPlayUrgency(0.7), expansion="all"),
    "several rollouts": searched(evaluator=search.rollout_evaluator(num_rollouts=3)),
    "max child": lambda *arguments: searched()(*arguments).max_child(),
    "the tree is kept": with_tree_kept(),
    "PUCT": searched_with_net(),
    "PUCT in batches with noise": searched_with_net(batch_size=8, noise=search.DirichletNoise(0.3)),
    "PUCT with a solver": searched_with_net(solver=True, selection=search.puct(1.25, fpu=-1.0)),
}


LAST_RULES = {"the package's": "most visits", "max child": "highest mean"}


@pytest.mark.parametrize("name", RIGHT)
def test_right_searches_give_no_alarm_and_how_they_play_in_the_end_is_a_note(name):
    report = examine(RIGHT[name])

    assert not report.findings, report
    assert "Not examined: a budget of time" in str(report)
    rule = LAST_RULES.get(name)
    assert rule is None or f"In the end it plays the move with the {rule}." in report.notes


class OwnNode:
    """A node with visits and wins only, under names of one's own."""

    def __init__(self, node):
        self.N, self.wins = node.visit_count, (node.visit_count + node.total_value) / 2
        self.children = {child.action: OwnNode(child) for child in node.children}


def test_a_root_of_nodes_with_other_names_is_understood():
    def own(state, num_simulations, rng):
        return OwnNode(search.mcts(state, num_simulations=num_simulations, rng=rng).root)

    assert examine(own).faults == ()


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
    ("function", "fault", "words"),
    [
        (lambda state, num_simulations, rng: Hostile(), "it returns something else", "Hostile"),
        (lambda state, num_simulations, rng: None, "it returns something else", "forget `return`"),
        (lambda state, num_simulations, rng: 1 // 0, "it fails", "ZeroDivisionError"),
        (lambda state: 0, "it fails", "TypeError"),
        (lambda state, num_simulations, rng: "b2", "it returns something else", "'b2'"),
        (endless, "it does not return", "in time"),
        (lambda state, num_simulations, rng: 0, "nothing is searched", "without looking"),
    ],
)
def test_whatever_a_search_does_is_a_finding(function, fault, words):
    report = examine(function, seconds=0.3)

    assert report.faults == (fault,)
    assert words in str(report)


def test_a_report_shows_the_phase_and_a_position_to_step_through():
    module, name, text = next(each for each in planted() if "finished" in each[1])
    report = report_on(module, text, 100)

    assert report.faults == (name,)
    assert "select → [expand] → simulate → backpropagate → choose the move" in str(report)
    assert name in report._repr_html_()
    assert "svg" in report.tree().svg
    assert len(report.stepper()._trace) == 30
    without_a_fault = course.examiner.Report("uct", ["nothing"], [])
    assert without_a_fault.position is None
    with pytest.raises(ValueError, match="has not shown a fault"):
        without_a_fault.tree()


@pytest.mark.parametrize("wrong", [{"search": 3}, {"search": print, "num_simulations": 50}])
def test_wrong_arguments_are_named(wrong):
    with pytest.raises(ValueError, match="must be"):
        course.examine(**wrong)


# Self-play


def report_on_self_play(text):
    names = loaded(text)
    return course.examine_self_play(names["play"], match=names["match"], augment=names["augment"])


def test_self_play_without_a_fault_is_right():
    report = report_on_self_play(source("loop"))

    assert not report.findings, report
    assert "noise in matches" in str(report)


@pytest.mark.parametrize("fault", faults_of("loop"), ids=lambda each: each.name)
def test_faults_of_self_play_are_named(fault):
    report = report_on_self_play(edited(source("loop"), fault.edits))

    assert report.faults == (fault.name,), report
    assert f"[{FAULTS[fault.name].place}]" in str(report)


@pytest.mark.parametrize(
    ("play", "fault"),
    [
        (lambda state, net, rng: None, "it returns something else"),
        (lambda state, net, rng: [(state, {3: 1.0})], "it returns something else"),
        (lambda state, net, rng: net("board"), "it fails"),
    ],
)
def test_whatever_self_play_does_is_a_finding(play, fault):
    assert course.examine_self_play(play).faults == (fault,)


def test_values_from_0_to_1_and_arrays_are_right_as_well():
    play = loaded(source("loop"))["play"]

    def scaled(state, net, rng):
        samples = play(state, net, rng)
        return [
            (each, [policy.get(action, 0.0) for action in range(26)], (1 + value) / 2)
            for each, policy, value in samples
        ]

    assert not course.examine_self_play(scaled).findings


def test_the_command_examines_a_function_in_a_file(tmp_path, capsys):
    file = tmp_path / "mine.py"
    file.write_text(source("recursive").replace("c=1.0", "c=0.0"), "utf-8")

    assert main(["course", "examine", f"{file}:search"]) == 1
    assert "no exploration" in capsys.readouterr().out
    assert main(["course", "examine", f"{file}:nothing"]) == 1
    assert "has no function 'nothing'" in capsys.readouterr().err
    file.write_text("1 / 0", "utf-8")
    assert main(["course", "examine", f"{file}:search"]) == 1
    assert "fails with ZeroDivisionError" in capsys.readouterr().err
