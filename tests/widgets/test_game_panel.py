"""What the game panel answers to its page: the rules, the players and the searches.

What the page makes of it is tested in tests/browser: test_session.py and test_game_panel.py.
"""

import gc
import json
import threading

import numpy as np
import pytest

from mctslab import players
from mctslab.players import Proposal
from mctslab.search import NotEnoughSimulationsError
from mctslab.widgets import GamePanel, game_panel
from tests.widgets.browser_messages import answer_of, event, record_messages, see, send
from tests.widgets.fake_players import PuppetPlayer, SlowDrawing, wait_for


class Page:
    """A panel on a page, and what it told the page."""

    def __init__(self, *arguments, **options):
        self.panel = GamePanel(*arguments, rng=np.random.default_rng(1), **options)
        self.told = []
        self.panel.send = lambda content, buffers=None: self.told.append(content)
        see(self.panel)

    @property
    def game(self):
        return self.panel.game

    @property
    def actions(self):
        return [move["move"] for move in self.game["moves"]]

    def put(self, turn=None, **changes):
        turn = self.game["turn"] if turn is None else turn
        send(self.panel, {"put": changes, "turn": turn, "next": True})

    def play(self, *actions):
        for action in actions:
            self.put(moves=[*self.game["moves"], {"move": action, "seconds": 1.5}])

    def think(self, name="puppet", side=1, *, is_hint=False, turn=None):
        turn = self.game["turn"] if turn is None else turn
        wanted = {"turn": turn, "side": side, "player": name, "is_hint": is_hint}
        send(self.panel, {"think": wanted})

    def wait_for(self, part):
        """The first message with `part`, and everything told until then is forgotten."""
        wait_for(lambda: any(part in each for each in self.told))
        found = next(each for each in self.told if part in each)
        self.told.clear()
        return found[part]

    def section(self, name):
        send(self.panel, {"section": name})
        return self.wait_for("section")


@pytest.fixture
def open_page():
    pages = []

    def open_page(game="reversi", black="human", white="human", **options):
        pages.append(Page(game, black, white, **options))
        return pages[-1]

    yield open_page
    for page in pages:  # no puppet may wait for its thoughts and block the next test
        event(page.panel, "view_closed")
        for player in page.panel._given.values():
            player.decide()
        assert page.panel.wait(20)


@pytest.fixture
def thinking(open_page):
    """A game of Tic-Tac-Toe against a puppet, which thinks about X's first move."""
    player = PuppetPlayer()
    page = open_page("tictactoe", white=player)
    page.play(4)
    page.think()
    assert page.wait_for("stage") == "started"
    return page, player


def thought(action, **more):
    return Proposal(action, progress=0.5, **more)


def search(state, num_simulations=200):
    """The decision of a search of `state`."""
    player = players.make(f"uct:{num_simulations}", rng=np.random.default_rng(1))
    *_, proposal = player.think(state)
    return proposal


# The game


def test_of_two_tabs_the_first_to_move_counts_and_both_get_one_message(open_page, monkeypatch):
    page = open_page()
    messages = record_messages(page.panel, monkeypatch)
    turn = page.game["turn"]
    for action in (19, 26):
        page.put(turn, moves=[{"move": action}])
    assert page.actions == [19]
    page.put(moves=[{"move": 0}])
    assert page.wait_for("error").startswith("IllegalActionError: Action 0 is not legal")
    assert page.actions == [19]
    assert [set(each["state"]) for each in messages] == [{"game"}]
    json.dumps(messages)


def test_players_are_chosen_by_name_or_given(open_page):
    mine = PuppetPlayer("mine")
    page = open_page(black=mine, white="alphabeta:1s")
    assert page.game["sides"] == ["mine", "alphabeta:1s"]
    labels = dict(page.panel.about["players"])
    assert (labels["roxanne"], labels["mine"]) == ("Level 2: Roxanne", "mine")
    assert labels["alphabeta:1s"] == "Alpha-beta, 1 s a move"
    assert page.game["is_paused"], "two players wait for Start"


def test_the_same_seed_gives_the_same_answers():
    found = [answer_of(GamePanel("reversi", rng=np.random.default_rng(1)), 0, "random")["move"]]
    found += [answer_of(GamePanel("reversi", rng=np.random.default_rng(1)), 0, "random")["move"]]
    assert found[0] == found[1]


# Searches


def test_a_search_tells_what_it_finds_once_for_all_tabs(thinking):
    page, player = thinking
    page.think()  # another tab asks as well
    found = search(page.panel.state)
    player.give(found)
    told = page.wait_for("progress")
    assert told["simulations"] == 200
    assert sum(child["visits"] for child in told["children"]) == 200
    assert len(json.dumps(told)) < 1_000
    player.decide(*(Proposal(0, progress=number / 5_000) for number in range(5_000)), found)
    wait_for(lambda: any("answer" in each for each in page.told))
    assert len(page.told) < 500, "not each of many thoughts is told"
    answers = [each["answer"] for each in page.told if "answer" in each]
    assert [answer["move"] for answer in answers] == [found.action]
    assert 0 < answers[0]["took"] < 100
    assert len(player.asked_about) == 1


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([None], "ValueError: puppet stopped thinking without choosing a move."),
        ([RuntimeError("out of ideas")], "RuntimeError: out of ideas"),
        ([NotEnoughSimulationsError("0 of 8 moves")], "NotEnoughSimulationsError: 0 of 8 moves"),
        ([thought(4), None], "IllegalActionError: Action 4 is not legal: O"),
        ([thought(5), NotEnoughSimulationsError("3 of 8 moves were tried")], ""),
    ],
)
def test_a_player_that_fails_says_so_and_can_be_tried_again(thinking, given, told):
    page, player = thinking
    player.give(*given)
    if told:
        assert page.wait_for("error").startswith(told)
        page.think()
        player.decide(thought(5))
    assert page.wait_for("answer")["move"] == 5


def test_a_player_that_compiles_says_so(open_page):
    player = PuppetPlayer()
    player.is_ready.clear()
    page = open_page("tictactoe", white=player)
    page.think(side=0)
    assert page.wait_for("stage") == "preparing"
    player.is_ready.set()
    assert page.wait_for("stage") == "started"


@pytest.mark.parametrize("is_given_up", [False, True])
def test_stop_takes_the_last_thought_without_waiting_for_the_next(thinking, is_given_up):
    page, player = thinking
    player.give(thought(3))
    page.wait_for("progress")
    for _ in range(3):
        send(page.panel, {"stop": page.game["turn"]})
    if is_given_up:
        page.put(moves=[])  # an undo while it thinks
    else:
        assert page.wait_for("answer")["move"] == 3
        assert not page.panel.wait(0), "it is in the middle of its next thought"
    player.decide(thought(5))
    assert page.panel.wait(20)
    assert not any("answer" in each for each in page.told)


@pytest.mark.parametrize("is_given_up", [False, True])
def test_one_search_at_a_time_in_the_whole_process(thinking, open_page, is_given_up):
    page, player = thinking
    threads = [each for each in threading.enumerate() if each.name == "mctslab thinking"]
    assert [each.daemon for each in threads] == [True], "it does not keep a program from ending"
    second = PuppetPlayer("second")
    other = open_page("tictactoe", white=second)
    other.play(4)
    other.think("second")
    assert other.wait_for("stage") == "waiting"
    if is_given_up:
        other.put(moves=[])
        assert other.panel.wait(20)
    player.decide(thought(1))
    page.wait_for("answer")
    if not is_given_up:
        second.decide(thought(2))
        assert other.wait_for("answer")["move"] == 2
    assert len(second.asked_about) == (not is_given_up)


# The sections


def test_a_section_shows_the_last_search_and_no_click_waits_for_a_tree(thinking, monkeypatch):
    page, player = thinking
    assert page.section("statistics") == {"name": "statistics"}
    player.decide(found := search(page.panel.state))
    page.wait_for("answer")
    table = page.section("statistics")
    assert table["rows"] == [list(row) for row in found.result.table().rows()]
    assert table["head"][-1] == "Win rate for O"
    assert table["caption"].startswith("O: ")
    drawing = SlowDrawing(game_panel.draw.tree)
    monkeypatch.setattr(game_panel.draw, "tree", drawing)
    assert page.section("tree")["remark"] == "Drawing the tree …"
    page.play(found.action)
    assert len(page.actions) == 2
    assert not drawing.done.is_set(), "the move did not have to wait for it"
    drawing.told.set()
    assert "svg" in page.wait_for("section")
    page.think("random", side=0)
    page.wait_for("answer")
    told = "X has shown no search, so there is nothing to see here."
    assert [page.section(name)["remark"] for name in ("tree", "statistics")] == [told] * 2
    assert page.section("clocks")["rows"][0][:3] == ["1", "X", "b2"]


# Who sees the panel


def test_a_panel_stops_when_no_page_shows_it_any_more(thinking):
    page, player = thinking
    event(page.panel, "view_opened", "two")
    event(page.panel, "view_closed", "two")
    assert page.panel._thinking, "the other view still shows it"
    event(page.panel, "view_closed")
    player.give(thought(5))
    wait_for(lambda: player.num_given_up == 1)
    assert not any("answer" in each for each in page.told)


def test_of_two_tabs_the_one_that_stays_keeps_its_search(thinking):
    """The second tab is a page that is opened; the first one's view answers that it lives."""
    page, player = thinking
    event(page.panel, "page_opened")
    event(page.panel, "view_opened", "two")
    assert {"question": "who shows this?"} in page.told
    event(page.panel, "view_opened", "one")
    event(page.panel, "view_closed", "two")
    player.decide(thought(5))
    assert page.wait_for("answer")["move"] == 5


@pytest.mark.parametrize("white", ["uct:2000", "puct+reuse:500"])
def test_a_panel_that_left_the_page_holds_no_tree(open_page, white):
    """Otherwise each run of its cell would leave the trees of the run before in memory."""
    before = num_trees()
    page = open_page("gomoku", white=white)
    page.play(112)
    page.think(white)
    page.wait_for("answer")
    assert num_trees() > before
    event(page.panel, "view_closed")
    assert page.panel.wait(20)
    assert num_trees() <= before


def num_trees():
    """How many trees of compiled searches are in memory."""
    gc.collect()
    return sum(type(thing).__name__ == "Tree" for thing in gc.get_objects())
