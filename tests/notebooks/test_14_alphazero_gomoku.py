"""What notebook 14 says is so; and it can question any family."""

import re

import pytest

from mctslab import players, search
from mctslab.arena import tactics
from mctslab.widgets.net_positions import named_positions
from tests.notebooks.reading import read
from tests.notebooks.running import run_here

# The family


FAMILIES = sorted({each.name.rpartition("_")[0] for each in players.shipped_nets()} - {"gomoku9"})


@pytest.mark.thorough
@pytest.mark.parametrize("family", FAMILIES)
def test_the_same_questions_go_to_any_family(family, notebook):
    changed = read(notebook)
    cell = next(cell for cell in changed.cells if cell.id == "family")
    assert cell.source.count('FAMILY = "gomoku9"') == 1
    cell.source = cell.source.replace('FAMILY = "gomoku9"', f'FAMILY = "{family}"')
    run = run_here(changed, until="hunt", folder=notebook.parent)
    own = [each.name for each in players.shipped_nets() if each.name.startswith(f"{family}_")][:4]

    assert run.names["AGES"] == run.names["panel"].fixed["names"] == own
    state = run.names["state"]
    assert run.names["ask"](own[-1], state)[0] * run.names["prove"](state) < 0
    assert ("There is no exam for this board" in run.text) == (not run.names["exam"])


def test_a_prediction_about_one_family_does_not_answer_for_another(cells):
    asked = re.findall(r"course\.predict\.\w+\(\s*(.+),", "\n".join(cells.values()))

    assert len(asked) == 6
    assert all("{FAMILY}" in name for name in asked)


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


# Proofs


def test_a_threat_value_of_one_is_a_win_but_not_every_win_has_it(names):
    proofs = {}
    for tactic in tactics.load():
        if tactic.kind != "block":
            proofs.setdefault(tactic.plies, []).append(names["prove"](tactic.state))

    assert set(proofs[1]) == {1}
    assert {*proofs[5], *proofs[7]} == {None}, "a win of five or seven plies is not seen"
