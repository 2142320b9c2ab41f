"""What notebook 14 says is so, and stays so with another seed; and it can question any family."""

import itertools
import re

import numpy as np
import pytest

from mctslab import players, search
from mctslab.arena import tactics
from mctslab.course import exercises
from mctslab.players.shipped import header
from mctslab.widgets.net_positions import named_positions
from tests.notebooks.reading import read
from tests.notebooks.running import run_here

# The family


FAMILIES = sorted({each.name.rpartition("_")[0] for each in players.shipped_nets()} - {"gomoku9"})


@pytest.mark.parametrize("family", FAMILIES)
def test_the_same_questions_go_to_any_family(family, notebook):
    changed = read(notebook)
    cell = next(cell for cell in changed.cells if cell.id == "family")
    assert cell.source.count('FAMILY = "gomoku9"') == 1
    cell.source = cell.source.replace('FAMILY = "gomoku9"', f'FAMILY = "{family}"')
    run = run_here(changed, until="hunt", folder=notebook.parent)
    own = [each.name for each in players.shipped_nets() if each.name.startswith(f"{family}_")]

    assert run.names["AGES"] == run.names["panel"].fixed["names"] == own
    state = run.names["state"]
    assert run.names["ask"](own[-1], state)[0] * run.names["prove"](state) < 0
    assert ("There is no exam for this board" in run.text) == (not run.names["exam"])


def test_a_prediction_about_one_family_does_not_answer_for_another(cells):
    asked = re.findall(r"course\.predict\.\w+\(\s*(.+),", "\n".join(cells.values()))

    assert len(asked) == 6
    assert all("{FAMILY}" in name for name in asked)


def test_the_family_is_from_one_run_and_the_two_that_are_named_continue_from_another():
    starts = {
        each.name: header(each.file)["about"]["training"]["start_from"]
        for each in players.shipped_nets()
    }

    assert not any(starts[f"gomoku9_{age}"] for age in (1, 2, 3, 4))
    assert starts["gomoku8_4"] == starts["gomoku15_1"] == "gomoku9_4"
    assert not starts["gomoku8_3"]


# Asking


def test_the_ages_answer_the_open_three_as_told(names):
    state = names["asked"]
    assert search.find_threats(state, 0).open_four
    assert names["record"] == named_positions(names["board"])["an open three"]
    assert names["panel"].view["record"] != names["record"], "it would show what is to be predicted"
    stops = [state.string_to_action(move) for move in ("B5", "F5")]
    answers = {name: names["ask"](name, state) for name in names["AGES"]}
    shares = [sum(policy[action] for action in stops) for _, policy in answers.values()]

    assert all(value < -0.3 for value, _ in answers.values()), "all expect White to lose"
    assert shares[0] < 0.15, "the youngest has hardly any idea"
    assert all(share > 0.75 for share in shares[1:])
    assert names["favourite"] in stops


@pytest.mark.parametrize("far_away", ["A1", "B1", "I1"])
def test_it_is_the_three_that_makes_the_position_worse(names, far_away):
    """The control, with other squares for Black's last stone."""
    before, with_three = names["before"], names["asked"]
    without = before.child(before.string_to_action(far_away))
    for name in names["AGES"]:
        worse, bad = names["ask"](name, with_three)[0], names["ask"](name, without)[0]
        assert worse < bad - 0.15, "also for the youngest"
        assert bad < 0, "White is behind in any case"


# The exam


@pytest.fixture(scope="module")
def exam():
    return [tactic for tactic in tactics.load() if tactic.state.size == 9]


def test_the_curve_at_a_glance_is_as_told(names, exam):
    glances = [
        sum(names["at_a_glance"](name, tactic.state) in tactic.solutions for tactic in exam)
        for name in names["AGES"]
    ]

    assert len(exam) == 80
    assert glances == sorted(set(glances)), "each age solves more"
    assert 0.2 < glances[0] / 80 < 0.3, "about a quarter"
    assert 0.6 < glances[-1] / 80 < 0.72, "about two thirds"


def test_the_search_adds_more_to_the_youngest_net_than_to_the_oldest(names, exam, monkeypatch):
    monkeypatch.setitem(names, "rng", np.random.default_rng(2))
    gains, found = [], []
    for name in (names["youngest"], names["oldest"]):
        glances = [names["at_a_glance"](name, t.state) in t.solutions for t in exam[::2]]
        marks = [
            names["searched"](name, t.state, 100).best_action in t.solutions for t in exam[::2]
        ]
        gains.append(sum(marks) - sum(glances))
        found.append(np.mean(marks))

    assert gains[0] > gains[1] >= -2
    assert 0.4 < found[0] < 0.6, "about half"


def test_the_oldest_net_knows_the_winner_more_often_than_the_move(names, exam):
    won = [tactic for tactic in exam if tactic.kind != "block"]
    wrong_winners, wrong_moves = {}, {}
    for name in (names["youngest"], names["oldest"]):
        wrong_winners[name] = np.mean([names["ask"](name, t.state)[0] < 0 for t in won])
        wrong_moves[name] = np.mean(
            [names["at_a_glance"](name, t.state) not in t.solutions for t in won]
        )

    assert wrong_winners[names["youngest"]] > 1 / 2, "most of them"
    assert wrong_winners[names["oldest"]] < 1 / 8, "only a few"
    assert wrong_moves[names["oldest"]] > 2 * wrong_winners[names["oldest"]]


def test_the_value_of_young_nets_solves_more_than_their_policy_and_of_older_ones_about_as_much(
    names, exam
):
    gains = {
        name: sum(names["by_value"](name, t.state) in t.solutions for t in exam)
        - sum(names["at_a_glance"](name, t.state) in t.solutions for t in exam)
        for name in names["AGES"]
    }
    young, old = [*gains.values()][:2], [*gains.values()][2:]

    assert min(young) >= 8
    assert max(map(abs, old)) <= 4


def test_the_values_of_the_youngest_net_single_out_the_favourite_of_the_oldest(names):
    state, rng = names["asked"], np.random.default_rng(1)
    for name in (names["youngest"], names["oldest"]):
        values = names["value_of_each_move"](names["nets"][name], state, rng)
        assert max(values, key=values.get) == names["favourite"]
    rates = sorted(
        (1 + value) / 2
        for value in names["value_of_each_move"](
            names["nets"][names["youngest"]], state, rng
        ).values()
    )
    shares = sorted(names["ask"](names["youngest"], state)[1].values())
    assert rates[-1] / rates[-2] > shares[-1] / shares[-2] > 1, "the policy is flatter"


# Trees


@pytest.mark.parametrize("seed", [1, 2])
def test_the_tree_of_a_net_is_narrow_only_where_it_expects_to_win(names, seed, monkeypatch):
    monkeypatch.setitem(names, "rng", np.random.default_rng(seed))
    ahead = names["searched"](names["oldest"], names["before"], 200)
    behind = names["searched"](names["oldest"], names["asked"], 200)
    uct = search.mcts(names["before"], num_simulations=200, rng=np.random.default_rng(seed))
    visits = [child.visit_count for child in uct.children]

    assert ahead.root_value > 0.5
    assert names["num_tried"](ahead) < 10
    assert behind.root_value < -0.5
    assert names["num_tried"](behind) == len(behind.children) == 76
    assert 1 <= min(visits) <= max(visits) <= 6, "a few visits each"


# Proofs


@pytest.fixture(scope="module")
def many(names):
    """Values and errors of each age about many positions, from other seeds than the notebook's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(names, "rng", np.random.default_rng(5))
        positions = names["proven_positions"](200)
    proofs = [names["prove"](state) for state in positions]
    found = {}
    for name in names["AGES"]:
        values = np.array([names["ask"](name, state)[0] for state in positions])
        found[name] = values, values * proofs < 0
    return found


def test_older_nets_have_the_wrong_winner_less_often(many):
    shares = [wrong.mean() for _, wrong in many.values()]

    assert shares == sorted(shares, reverse=True)
    assert shares[0] > 0.3
    assert 0 < shares[-1] < 0.2


def test_older_nets_are_less_sure_when_they_are_wrong_but_some_errors_look_sure(many):
    gaps = [
        np.abs(values[~wrong]).mean() - np.abs(values[wrong]).mean()
        for values, wrong in many.values()
    ]

    assert abs(gaps[0]) < 0.15, "of the youngest, the difference is small"
    assert all(gap > 0.1 for gap in gaps[1:])
    assert all(gap > 0.2 for gap in gaps[2:])
    assert max(np.abs(values[wrong]).max() for values, wrong in many.values()) > 0.5


# The hunt


@pytest.mark.parametrize("seed", [1, 2])
def test_every_age_can_be_caught_and_one_simulation_repeats_what_the_net_says(names, seed):
    board, hunter = names["board"], exercises.misjudged_position.model_answer
    for name in names["AGES"]:
        moves = hunter(names["nets"][name], board, names["prove"], np.random.default_rng(seed))
        *_, state = itertools.accumulate(moves, type(board).child, initial=board)
        value, _ = names["ask"](name, state)
        assert value * names["prove"](state) < 0
        assert names["searched"](name, state, 1).root_value == pytest.approx(value, abs=1e-3)
