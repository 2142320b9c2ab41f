"""The game panel as a widget: what reaches the page, which messages it believes, who sees it."""

import gc

import numpy as np
import pytest

from mctslab.players import Proposal
from mctslab.widgets import GamePanel, game_session
from tests.widgets.browser_messages import click, command, event, record_messages, see, send
from tests.widgets.fake_players import FirstMovePlayer, PuppetPlayer, wait_for
from tests.widgets.test_game_session import search


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch):
    monkeypatch.setattr(game_session, "PAUSE_BEFORE_THINKING", 0.0)


@pytest.fixture
def make_panel():
    """Make panels that are on a page; all are taken off it at the end."""
    panels = []

    def make(game="reversi", black="human", white="human", **options):
        panel = GamePanel(game, black, white, rng=np.random.default_rng(1), **options)
        panels.append(panel)
        see(panel)
        return panel

    yield make
    for panel in panels:
        event(panel, "page_opened", "no page")
        for player in panel.session._given.values():
            player.decide()
        assert panel.session.wait(20)


def test_the_traits_are_the_views_of_the_session(make_panel, notebook_output):
    panel = make_panel(white=FirstMovePlayer())
    click(panel.board, 0)
    assert panel.status["message"].startswith("Black can't play a1")
    click(panel.board, 19)
    wait_for(lambda: len(panel.moves) == 2)
    for name in ("menus", "game", "status", "section", "statistics", "tree", "clocks"):
        assert getattr(panel, name) == panel.session.views[name]
    assert panel.board.view == panel.session.views["board"]
    assert panel.state == panel.session.state
    shown, line = notebook_output(panel)
    assert shown["application/vnd.jupyter.widget-view+json"]["model_id"] == panel.model_id
    assert "run this cell again" in line["text/html"]


def test_a_click_or_a_proposal_is_one_message_of_the_board_and_one_of_the_panel(
    make_panel, monkeypatch
):
    player = PuppetPlayer()
    panel = make_panel("gomoku")
    of_panel = record_messages(panel, monkeypatch)
    of_board = record_messages(panel.board, monkeypatch)
    click(panel.board, 112)
    assert [set(message["state"]) for message in of_panel] == [{"game", "status"}]
    assert [set(message["state"]) for message in of_board] == [{"picture", "squares"}]
    command(panel, "ping")
    assert of_panel[-1]["content"] == {"answer": "pong"}
    panel.session.set_player(1, player)
    wait_for(lambda: panel.status["headline"] == "White is thinking")
    found = search(panel.state, 300)
    of_panel.clear()
    of_board.clear()
    player.give(found)
    wait_for(lambda: of_panel)
    assert [set(message["state"]) for message in of_panel] == [{"status"}]
    assert [set(message["state"]) for message in of_board] == [{"picture"}]


def test_the_menus_are_published_when_a_choice_in_them_changes(make_panel, monkeypatch):
    panel = make_panel("gomoku", white=FirstMovePlayer())
    messages = record_messages(panel, monkeypatch)
    for change in (
        {"command": "swap"},
        {"command": "limit", "value": True},
        {"command": "heat", "value": "values"},
        {"command": "random_sides", "value": True},
        {"command": "set_rules", "rules": {"size": 9}},
        {"command": "set_player", "side": 0, "player": "human"},
    ):
        messages.clear()
        send(panel, change)
        assert any("menus" in message["state"] for message in messages), change
        assert panel.menus == panel.session.views["menus"]


def test_messages_go_where_the_page_sends_them_whichever_thread_sent_the_last():
    panel = GamePanel("tictactoe")
    for widget in (panel, panel.board):
        widget.comm._reply_subshell_id = None  # as ipykernel 7.4 notes it at every message
    panel.session.play(4)
    for widget in (panel, panel.board):
        assert not hasattr(widget.comm, "_reply_subshell_id")


def test_what_is_no_command_is_dropped(make_panel):
    panel = make_panel()
    before = panel.get_state()
    known = {"new", "undo", "swap", "start", "pause", "stop", "hint", "pass"}
    names = known - set(panel.game["commands"]) | {"close", "state"}
    contents = [None, [], "new", {}, {"command": 1}, {"command": ["new"]}, {"event": None}]
    contents += [{"event": "view_closed"}, {"command": "by_lot", "value": 1}]
    contents += [{"command": "set_player", "side": side, "player": "random"} for side in (2, "0")]
    for content in [*contents, *({"command": name} for name in names)]:
        send(panel, content)
        assert panel.get_state() == before, content
    assert panel.comm is not None


def test_an_error_is_shown_and_loses_nothing(make_panel):
    panel = make_panel("gomoku")
    click(panel.board, 112)
    before = panel.menus
    nobody = {"command": "set_player", "side": 1, "player": "nobody"}
    for message, words in (
        (nobody, "There is no player 'nobody'"),
        ({"command": "set_rules", "rules": {"size": 4}}, "in_a_row=5 is not possible"),
        ({"command": "heat", "value": "warmth"}, "'warmth' is not a valid Heat"),
    ):
        send(panel, message)
        assert panel.status["tone"] == "error"
        assert words in panel.status["message"]
        assert (panel.menus, panel.game["record"]) == (before, "H8")


def test_nothing_thinks_until_the_panel_is_on_a_page():
    player = PuppetPlayer()
    panel = GamePanel("reversi", black=player, white="human")
    event(panel, "page_opened")
    assert player.asked_about == []
    event(panel, "view_opened")
    wait_for(lambda: player.asked_about)
    event(panel, "view_closed")
    player.decide()


def test_a_panel_that_leaves_the_page_gives_the_search_up_and_comes_back(make_panel):
    player = PuppetPlayer()
    panel = make_panel(white=player)
    click(panel.board, 19)
    wait_for(lambda: len(player.asked_about) == 1)
    event(panel, "view_opened")  # a second view of the same panel
    event(panel, "view_closed")
    assert panel.status["headline"] == "White is thinking"
    event(panel, "view_closed")
    assert not panel.status["thinking"]
    assert not panel.game["turn"]["is_running"]
    player.give(Proposal(18, progress=0.5))
    wait_for(lambda: player.num_given_up == 1)
    event(panel, "view_opened")
    wait_for(lambda: len(player.asked_about) == 2)
    event(panel, "view_opened", "next page")  # the page before sent nothing when it went, and
    event(panel, "page_opened", "next page")  # messages can overtake each other
    assert panel.status["headline"] == "White is thinking"
    event(panel, "page_opened", "a page without the panel")
    assert not panel.status["thinking"]


@pytest.mark.parametrize("white", ["uct:2000", "puct+reuse:500"])
def test_a_panel_that_left_the_page_holds_no_tree(make_panel, white):
    """Otherwise each run of its cell would leave the trees of the run before in memory."""
    before = num_trees()
    panel = make_panel("gomoku", white=white, hint="puct+reuse:300")
    command(panel, "hint")
    wait_for(lambda: panel.session._searched is not None)
    click(panel.board, 112)
    wait_for(lambda: len(panel.moves) == 2)
    assert num_trees() > before
    event(panel, "view_closed")
    assert panel.session.wait(20)
    assert num_trees() == before
    event(panel, "view_opened")
    click(panel.board, panel.board.view.legal_squares[0])
    wait_for(lambda: len(panel.moves) == 4)


def num_trees() -> int:
    """How many trees of compiled searches are in memory."""
    gc.collect()
    return sum(type(thing).__name__ == "Tree" for thing in gc.get_objects())
