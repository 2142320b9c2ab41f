"""The game panel as a widget: what reaches the page, which messages it believes, who sees it."""

import gc
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mctslab.games import ConnectFour, Gomoku, Reversi, TicTacToe
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


# Messages to the page


def test_the_traits_are_the_views_of_the_session(make_panel):
    panel = make_panel(white=FirstMovePlayer())
    click(panel.board, 19)
    wait_for(lambda: len(panel.moves) == 2)
    for name in ("menus", "game", "status", "section", "statistics", "tree", "clocks"):
        assert getattr(panel, name) == panel.session.views[name]
    assert panel.board.view == panel.session.views["board"]
    assert panel.state == panel.session.state


def test_a_click_is_one_message_of_the_board_and_one_of_the_panel_without_menus(
    make_panel, monkeypatch
):
    panel = make_panel()
    of_panel = record_messages(panel, monkeypatch)
    of_board = record_messages(panel.board, monkeypatch)
    click(panel.board, 19)
    assert [set(message["state"]) for message in of_panel] == [{"game", "status"}]
    assert [set(message["state"]) for message in of_board] == [{"picture", "squares"}]
    command(panel, "ping")
    assert of_panel[-1]["content"] == {"answer": "pong"}


def test_a_proposal_is_two_messages_at_most(make_panel, monkeypatch):
    player = PuppetPlayer()
    panel = make_panel("gomoku", white=player)
    click(panel.board, 112)
    wait_for(lambda: panel.status["headline"] == "White is thinking")
    found = search(panel.state, 300)
    of_panel = record_messages(panel, monkeypatch)
    of_board = record_messages(panel.board, monkeypatch)
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


# Messages from the page


def test_a_second_click_on_the_old_position_is_dropped(make_panel):
    panel = make_panel()
    old = panel.board.squares["move_number"]
    click(panel.board, 19)
    send(panel.board, {"chosen": 18, "move_number": old})
    assert panel.game["record"] == "d3"
    click(panel.board, 0)
    assert panel.status["message"].startswith("White can't play a1")


def test_what_is_no_command_is_dropped(make_panel):
    panel = make_panel()
    before = panel.get_state()
    known = {"new", "undo", "swap", "start", "pause", "stop", "hint", "pass"}
    does_not_fit = known - set(panel.game["commands"])
    contents = [None, [], "new", {}, {"command": 1}, {"command": ["new"]}, {"event": None}]
    contents += [{"event": "view_closed"}, {"command": "by_lot", "value": 1}]
    contents += [{"command": "set_player", "side": side, "player": "random"} for side in (2, "0")]
    contents += [{"command": name} for name in (*does_not_fit, "close", "state")]
    for content in contents:
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


def test_an_illegal_decision_of_a_player_is_shown(make_panel):
    player = PuppetPlayer()
    panel = make_panel(white=player)
    click(panel.board, 19)
    player.decide(Proposal(0, progress=1.0))
    wait_for(lambda: panel.status["tone"] == "error")
    assert "IllegalActionError: Action 0 is not legal" in panel.status["message"]


# On the page and off it


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
    assert panel.game["record"] == "d3"


def test_a_page_that_is_loaded_again_counts_its_views_anew(make_panel):
    player = PuppetPlayer()
    panel = make_panel(white=player)
    event(panel, "view_opened", "next page")  # the page before sent nothing when it went, and
    event(panel, "page_opened", "next page")  # messages can overtake each other
    click(panel.board, 19)
    wait_for(lambda: player.asked_about)
    event(panel, "view_closed", "next page")
    assert not panel.status["thinking"]
    player.give(Proposal(18, progress=0.5))
    wait_for(lambda: player.num_given_up == 1)
    event(panel, "view_opened", "next page")
    wait_for(lambda: panel.status["headline"] == "White is thinking")
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


def test_the_panel_shows_itself_with_a_line_for_when_there_is_no_kernel(notebook_output):
    panel = GamePanel("tictactoe")
    shown, line = notebook_output(panel)
    assert shown["application/vnd.jupyter.widget-view+json"]["model_id"] == panel.model_id
    assert "run this cell again" in line["text/html"]


def test_wrong_arguments_are_named():
    for game, options, words in (
        ("chess", {}, "no game 'chess'"),
        ("reversi", {"white": "nobody"}, "no player 'nobody'"),
        ("reversi", {"seconds_per_move": 0}, "seconds_per_move=0"),
        ("reversi", {"heat": "warmth"}, "warmth"),
    ):
        with pytest.raises(ValueError, match=words):
            GamePanel(game, **options)


def test_every_game_has_a_panel():
    for game in (TicTacToe(), ConnectFour(), Reversi(), Gomoku()):
        panel = GamePanel(game)
        assert panel.menus["title"] == game.title
        assert panel.status["headline"] == f"Your turn: {game.player_names[0]}"


CLICKS = """\
import json
from tests.measure import click_trip
games = ("reversi", "gomoku")
trips = [click_trip(game, white="random") for game in games]
print(json.dumps([[sorted(files), sorted(functions)] for files, functions in trips]))
"""


def test_a_click_passes_few_files_and_none_for_the_menus():
    # In a process of its own, since threads that other tests have left here would be counted.
    project = Path(__file__).resolve().parents[2]
    process = subprocess.run(
        [sys.executable, "-c", CLICKS], cwd=project, capture_output=True, text=True, timeout=200
    )
    assert process.returncode == 0, process.stderr
    for files, functions in json.loads(process.stdout):
        assert len(files) <= 20, files
        assert not any("menus.py" in name or "shipped.py" in name for name in functions)
        assert "widgets/game_session.py" in files
