"""What the menus offer: opponents, with nets and without, and the rules of Gomoku."""

import re
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from mctslab import players
from mctslab.games import Gomoku, Reversi
from mctslab.widgets import GamePanel, menus
from tests.widgets.browser_messages import send

NINE, SIX, FIFTEEN = Gomoku(size=9), Gomoku(size=6, in_a_row=4), Gomoku()
SHIPPED = {NINE: ["nine_1", "nine_2", "nine_3"], SIX: ["six_1"]}


@pytest.fixture
def nets(monkeypatch):
    """As if these nets came with mctslab; nothing is loaded."""

    def shipped(state):
        first = type(state)(size=state.size, in_a_row=state.in_a_row)
        return [SimpleNamespace(name=name) for name in SHIPPED.get(first, [])]

    made = players.make

    def make(name, *, rng):
        player = made("random" if name.startswith("net:") else name, rng=rng)
        player.name = name
        return player

    monkeypatch.setattr(menus, "shipped_nets", shipped)
    monkeypatch.setattr(menus, "has_torch", lambda: True)
    monkeypatch.setattr(players, "make", make)


def test_the_levels_are_nets_by_age_and_then_by_simulations(nets):
    by_nets = menus.net_levels(NINE)
    assert [level.player.removeprefix("net:nine_") for level in by_nets] == [
        *("1:100", "2:100", "3:100", "3:400", "3:1600")
    ]
    assert by_nets[-1].label == "Level 5: net 3 of 3, 1,600 simulations"
    assert menus.levels(NINE)[: len(by_nets)] == by_nets
    assert [level.player for level in menus.levels(FIFTEEN)][:2] == ["random", "uct:1s"]


NET_SEVEN = "net:mine.safetensors:50"


@pytest.mark.parametrize(
    ("player", "before", "after", "expected"),
    [
        (None, None, NINE, "net:nine_2:100"),  # the usual net, which can be beaten
        (None, None, SIX, "net:six_1:400"),
        (None, None, FIFTEEN, "uct:1s"),
        ("net:nine_1:100", NINE, SIX, "net:six_1:100"),
        ("net:nine_3:1600", NINE, SIX, "net:six_1:1600"),
        ("net:six_1:400", SIX, NINE, "net:nine_2:100"),
        ("net:nine_1:100", NINE, FIFTEEN, "uct:1s"),
        ("uct:1s", NINE, SIX, "uct:1s"),
        (NET_SEVEN, NINE, SIX, NET_SEVEN),
    ],
)
def test_on_another_board_the_net_of_the_same_level_takes_over(
    nets, player, before, after, expected
):
    found = menus.on_another_board(player, before, after) if player else menus.usual_net(after)
    assert found[0] == expected
    assert (found[1] == menus.NO_NET) == (after == FIFTEEN)


def test_a_panel_takes_the_usual_net_offers_the_others_and_says_why_there_is_none(
    nets, monkeypatch
):
    def shown(panel):
        return panel.game["sides"][1], panel.game["said"].get("message", "")

    panel = GamePanel(NINE, white="net", rng=np.random.default_rng(1))
    assert shown(panel) == ("net:nine_2:100", "")
    assert dict(panel.about["players"])["net:nine_1:100"] == "Level 1: net 1 of 3, 100 simulations"
    send(panel, {"set_rules": {"size": 15, "in_a_row": 5}})
    assert shown(panel) == ("uct:1s", menus.NO_NET)
    send(panel, {"set_rules": {"size": 9}})
    assert shown(panel) == ("uct:1s", "")
    assert shown(GamePanel(FIFTEEN, white="net")) == ("uct:1s", menus.NO_NET)
    monkeypatch.setattr(menus, "has_torch", lambda: False)
    assert menus.net_levels(NINE) == ()
    choice, told = shown(GamePanel(NINE, white="net"))
    assert choice == "uct:1s"
    assert re.match("A net needs PyTorch, which is not installed.*run.py setup", told)


def test_whatever_is_offered_can_be_chosen_and_what_is_chosen_is_offered():
    assert menus.rule_menus(Reversi()) == []
    for size, in_a_row, exactly in product((5, 6, 9, 12, 19, 21), (3, 4, 5, 6, 8), (False, True)):
        if in_a_row > size:
            continue
        rules = {"size": size, "in_a_row": in_a_row, "exactly_five": exactly}
        shown = menus.rule_menus(Gomoku(**rules))
        assert {menu["name"]: menu["value"] for menu in shown} == rules
        offered = {menu["name"]: [value for value, _ in menu["options"]] for menu in shown}
        assert {*range(max(6, in_a_row), 20), size} == {*offered["size"]}
        assert {row for row in (3, 4, 5, 6, in_a_row) if row <= size} == {*offered["in_a_row"]}
        for name, values in offered.items():
            for value in values:  # what is not given stays
                state = menus.with_rules(Gomoku(**rules).child(0), **{name: value})
                assert state == Gomoku(**(rules | {name: value}))
