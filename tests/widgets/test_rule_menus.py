"""The rules of Gomoku to choose: what is offered, and what comes of a choice."""

import pytest

from mctslab.games import Gomoku, Reversi, State
from mctslab.widgets.rule_menus import menus, with_rules


def offered(state: State) -> dict[str, list[object]]:
    return {menu["name"]: [option["value"] for option in menu["options"]] for menu in menus(state)}


def test_every_size_and_row_that_users_know_is_offered():
    assert offered(Gomoku()) == {
        "size": list(range(6, 20)),
        "in_a_row": [3, 4, 5, 6],
        "exactly_five": [False, True],
    }


def test_whatever_is_offered_can_be_chosen():
    for size in offered(Gomoku())["size"]:
        for in_a_row in offered(with_rules(Gomoku(), size=size))["in_a_row"]:
            for exactly_five in (False, True):
                rules = {"size": size, "in_a_row": in_a_row, "exactly_five": exactly_five}
                state = with_rules(Gomoku(), **rules)
                assert {menu["name"]: menu["value"] for menu in menus(state)} == rules
                assert state == Gomoku(**rules)


@pytest.mark.parametrize("state", [Gomoku(5, 4), Gomoku(4, 3), Gomoku(21, 5), Gomoku(12, 8)])
def test_what_does_not_go_together_is_not_offered(state):
    for name, values in offered(state).items():
        for value in values:
            assert with_rules(state, **{name: value}).board().rows >= state.in_a_row - 3
    assert [menu["value"] for menu in menus(state)] == [state.size, state.in_a_row, False]
    assert state.size in offered(state)["size"]
    assert state.in_a_row in offered(state)["in_a_row"]


def test_what_is_not_given_stays():
    state = with_rules(Gomoku(9, 4, exactly_five=True).child(0), size=7)
    assert state == Gomoku(7, 4, exactly_five=True)


@pytest.mark.parametrize(
    ("state", "rules", "words"),
    [
        (Reversi(), {"size": 6}, "Reversi has no rules to choose"),
        (Gomoku(), {"colour": 1}, "no rule 'colour' to choose; it has size, in_a_row, exactly"),
        (Gomoku(), {"size": 4}, "in_a_row=5 is not possible"),
        (Gomoku(), {"size": "9"}, "size='9' is not possible"),
    ],
)
def test_what_cannot_be_chosen_is_named(state, rules, words):
    with pytest.raises(ValueError, match=words):
        with_rules(state, **rules)


def test_other_games_have_no_menus():
    assert menus(Reversi()) == []
