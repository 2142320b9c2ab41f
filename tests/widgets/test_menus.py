"""What the menus offer: opponents, with nets and without, and the rules of Gomoku."""

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from mctslab import players
from mctslab.games import Gomoku, Reversi, State
from mctslab.widgets import GamePanel, menus
from tests.widgets.browser_messages import command

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


def test_without_pytorch_there_are_no_net_levels(nets, monkeypatch):
    monkeypatch.setattr(menus, "has_torch", lambda: False)
    assert menus.net_levels(NINE) == ()
    panel = panel_with_net(NINE)
    assert panel.view["sides"][1]["choice"] == "uct:1s"
    told = panel.view["message"]
    assert told.startswith("A net needs PyTorch, which is not installed")
    assert "run.py setup" in told


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


def panel_with_net(game):
    return GamePanel(game, white="net", rng=np.random.default_rng(1))


def test_a_panel_takes_the_usual_net_and_offers_the_others(nets):
    panel = panel_with_net(NINE)
    assert [side["choice"] for side in panel.view["sides"]] == ["human", "net:nine_2:100"]
    assert dict(panel.view["players"])["net:nine_1:100"] == "Level 1: net 1 of 3, 100 simulations"
    assert panel.view["message"] == ""
    command(panel, "set_rules", rules={"size": 15, "in_a_row": 5})
    assert panel.view["sides"][1]["choice"] == "uct:1s"
    assert panel.view["message"] == menus.NO_NET
    command(panel, "set_rules", rules={"size": 9})
    assert panel.view["message"] == ""
    assert panel_with_net(FIFTEEN).view["message"] == menus.NO_NET


def offered(state: State) -> dict[str, list[object]]:
    shown = menus.rule_menus(state)
    return {menu["name"]: [value for value, _ in menu["options"]] for menu in shown}


def test_whatever_is_offered_can_be_chosen():
    sizes, rows = list(range(6, 20)), [3, 4, 5, 6]
    every = {"size": sizes, "in_a_row": rows, "exactly_five": [False, True]}
    assert offered(Gomoku()) == every
    assert menus.rule_menus(Reversi()) == []
    for size, exactly_five in product(sizes, (False, True)):
        for in_a_row in offered(menus.with_rules(Gomoku(), size=size))["in_a_row"]:
            rules = {"size": size, "in_a_row": in_a_row, "exactly_five": exactly_five}
            state = menus.with_rules(Gomoku(), **rules)
            assert {menu["name"]: menu["value"] for menu in menus.rule_menus(state)} == rules
            assert state == Gomoku(**rules)
    state = menus.with_rules(Gomoku(9, 4, exactly_five=True).child(0), size=7)
    assert state == Gomoku(7, 4, exactly_five=True), "what is not given stays"


@pytest.mark.parametrize("state", [Gomoku(5, 4), Gomoku(21, 5), Gomoku(12, 8)])
def test_what_does_not_go_together_is_not_offered(state):
    for name, values in offered(state).items():
        for value in values:
            menus.with_rules(state, **{name: value})
    chosen = {menu["name"]: menu["value"] for menu in menus.rule_menus(state)}
    assert chosen == {"size": state.size, "in_a_row": state.in_a_row, "exactly_five": False}
    assert all(value in offered(state)[name] for name, value in chosen.items())
