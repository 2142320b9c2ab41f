"""What the menus offer: opponents, with nets and without, and the rules of Gomoku."""

from types import SimpleNamespace

import numpy as np
import pytest

from mctslab import players
from mctslab.games import ConnectFour, Gomoku, Reversi, State
from mctslab.widgets import GamePanel, menus
from mctslab.widgets.menus import (
    NO_NET,
    levels,
    net_levels,
    on_another_board,
    rule_menus,
    usual_net,
    with_rules,
)  # fmt: skip

NINE, SIX, FIFTEEN = Gomoku(size=9), Gomoku(size=6, in_a_row=4), Gomoku()
SHIPPED = {NINE: ["nine_1", "nine_2", "nine_3"], SIX: ["six_1"]}


@pytest.fixture
def nets(monkeypatch):
    """As if these nets came with mctslab; nothing is loaded."""

    def shipped(state):
        first = type(state)(size=state.size, in_a_row=state.in_a_row)
        return [SimpleNamespace(name=name) for name in SHIPPED.get(first, [])]

    monkeypatch.setattr(menus, "shipped_nets", shipped)
    monkeypatch.setattr(menus, "has_torch", lambda: True)
    made = players.make

    def make(name, *, rng):
        player = made("random", rng=rng) if name.startswith("net:") else made(name, rng=rng)
        player.name = name
        return player

    monkeypatch.setattr(players, "make", make)


def test_the_levels_are_nets_by_age_and_then_by_simulations(nets):
    assert [(level.label, level.player) for level in net_levels(NINE)] == [
        ("Level 1: net 1 of 3, 100 simulations", "net:nine_1:100"),
        ("Level 2: net 2 of 3, 100 simulations", "net:nine_2:100"),
        ("Level 3: net 3 of 3, 100 simulations", "net:nine_3:100"),
        ("Level 4: net 3 of 3, 400 simulations", "net:nine_3:400"),
        ("Level 5: net 3 of 3, 1,600 simulations", "net:nine_3:1600"),
    ]
    labels = [level.label for level in levels(NINE)][5:]
    assert labels == ["random", "UCT, 1 s a move", "threats, at sight", "PUCT 6,400, by threats"]
    assert net_levels(FIFTEEN) == ()
    assert [level.player for level in levels(FIFTEEN)][:2] == ["random", "uct:1s"]


@pytest.mark.parametrize("state", [ConnectFour(), Reversi(), Reversi(size=6)], ids=repr)
def test_in_other_games_every_player_beside_the_nets_plays_that_game(monkeypatch, state):
    monkeypatch.setattr(menus, "shipped_nets", lambda state: [SimpleNamespace(name="net_1")])
    monkeypatch.setattr(menus, "has_torch", lambda: True)
    offered = levels(state)
    by_nets = [level for level in offered if level.player.startswith("net:")]

    assert [level.player for level in by_nets] == [
        "net:net_1:100",
        "net:net_1:400",
        "net:net_1:1600",
    ]
    numbers = [
        level.label.partition(":")[0] for level in offered if level.label.startswith("Level")
    ]
    assert numbers == [f"Level {number}" for number in range(1, len(numbers) + 1)]
    for level in offered:
        if level not in by_nets:
            name = level.player.replace("1s", "10").replace("2s", "10")
            player = players.make(name, rng=np.random.default_rng(1))
            assert player.choose(state) in state.legal_actions(), level
    if state == Reversi():
        assert [level.player for level in offered[:2]] == ["random", "roxanne"]


def test_without_pytorch_there_are_no_net_levels(nets, monkeypatch):
    monkeypatch.setattr(menus, "has_torch", lambda: False)
    assert net_levels(NINE) == ()
    player, sentence = usual_net(NINE)
    assert player == "uct:1s"
    assert sentence.startswith("A net needs PyTorch, which is not installed")
    assert "run.py setup" in sentence
    panel = panel_with_net(NINE)
    assert panel.menus["sides"][1]["choice"] == player
    assert panel.status["message"] == sentence


def test_the_usual_net_is_one_that_can_be_beaten(nets):
    assert usual_net(NINE) == ("net:nine_2:100", "")
    assert usual_net(SIX) == ("net:six_1:400", "")
    assert usual_net(FIFTEEN) == ("uct:1s", NO_NET)


def test_on_another_board_the_net_of_the_same_level_takes_over(nets):
    assert on_another_board("net:nine_1:100", NINE, SIX) == ("net:six_1:100", "")
    assert on_another_board("net:nine_3:1600", NINE, SIX) == ("net:six_1:1600", "")
    assert on_another_board("net:six_1:400", SIX, NINE) == ("net:nine_2:100", "")
    assert on_another_board("net:nine_1:100", NINE, FIFTEEN) == ("uct:1s", NO_NET)
    assert on_another_board("uct:1s", NINE, SIX) == ("uct:1s", "")
    assert on_another_board("net:mine.safetensors:50", NINE, SIX)[0] == "net:mine.safetensors:50"


def panel_with_net(game):
    return GamePanel(game, white="net", rng=np.random.default_rng(1))


def test_a_panel_takes_the_usual_net_and_offers_the_others(nets):
    panel = panel_with_net(NINE)
    assert [side["choice"] for side in panel.menus["sides"]] == ["human", "net:nine_2:100"]
    level = {"value": "net:nine_1:100", "label": "Level 1: net 1 of 3, 100 simulations"}
    assert level in panel.menus["players"]
    assert panel.status["message"] == ""
    panel.session.set_rules(size=6, in_a_row=4)
    assert panel.menus["sides"][1]["choice"] == "net:six_1:400"
    panel.session.set_rules(size=15, in_a_row=5)
    assert panel.menus["sides"][1]["choice"] == "uct:1s"
    assert panel.status["message"] == NO_NET
    panel.session.set_rules(size=9)
    assert panel.status["message"] == ""


@pytest.mark.parametrize("game", [FIFTEEN, ConnectFour()])
def test_a_panel_without_a_net_says_so(nets, game, monkeypatch):
    monkeypatch.setattr(menus, "shipped_nets", lambda state: [])
    panel = panel_with_net(game)
    assert panel.menus["sides"][1]["choice"] == "uct:1s"
    assert panel.status["message"] == NO_NET


def offered(state: State) -> dict[str, list[object]]:
    menus = rule_menus(state)
    return {menu["name"]: [option["value"] for option in menu["options"]] for menu in menus}


def test_whatever_is_offered_can_be_chosen():
    sizes, rows = list(range(6, 20)), [3, 4, 5, 6]
    every = {"size": sizes, "in_a_row": rows, "exactly_five": [False, True]}
    assert offered(Gomoku()) == every
    assert rule_menus(Reversi()) == []
    for size in sizes:
        for in_a_row in offered(with_rules(Gomoku(), size=size))["in_a_row"]:
            for exactly_five in (False, True):
                rules = {"size": size, "in_a_row": in_a_row, "exactly_five": exactly_five}
                state = with_rules(Gomoku(), **rules)
                assert {menu["name"]: menu["value"] for menu in rule_menus(state)} == rules
                assert state == Gomoku(**rules)
    state = with_rules(Gomoku(9, 4, exactly_five=True).child(0), size=7)
    assert state == Gomoku(7, 4, exactly_five=True), "what is not given stays"


@pytest.mark.parametrize("state", [Gomoku(5, 4), Gomoku(4, 3), Gomoku(21, 5), Gomoku(12, 8)])
def test_what_does_not_go_together_is_not_offered(state):
    for name, values in offered(state).items():
        for value in values:
            assert with_rules(state, **{name: value}).board().rows >= state.in_a_row - 3
    assert [menu["value"] for menu in rule_menus(state)] == [state.size, state.in_a_row, False]
    assert state.size in offered(state)["size"]
    assert state.in_a_row in offered(state)["in_a_row"]


@pytest.mark.parametrize(
    ("state", "rules", "words"),
    [
        (Reversi(), {"size": 6}, "Reversi has no rules to choose"),
        (Gomoku(), {"colour": 1}, "no rule 'colour'; it has size, in_a_row, exactly"),
        (Gomoku(), {"size": 4}, "in_a_row=5 is not possible"),
        (Gomoku(), {"size": "9"}, "size='9' is not possible"),
    ],
)
def test_what_cannot_be_chosen_is_named(state, rules, words):
    with pytest.raises(ValueError, match=words):
        with_rules(state, **rules)
