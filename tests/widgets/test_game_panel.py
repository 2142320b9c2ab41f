"""The game panel without a browser: what each command and event does, and what reaches the page.

Whole games are played on a page, in tests/browser/test_game_panel.py.
"""

import gc
import json
import threading
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from mctslab import games, players
from mctslab.boards import BoardStyle
from mctslab.players import Proposal
from mctslab.search import NotEnoughSimulationsError
from mctslab.widgets import GamePanel, game_panel, thinker, wording
from tests.widgets import browser_messages
from tests.widgets.browser_messages import event, record_messages, see
from tests.widgets.fake_players import PuppetPlayer, SlowDrawing, wait_for

WHITE_MUST_PASS = "f5 f6 e6 f4 g4 d6 f7 h4 h3 f8 h5"


class Page:
    """A panel on a page, with what it shows at hand, such as `headline`."""

    def __init__(self, *players, **options):
        self.panel = GamePanel(*players, rng=np.random.default_rng(1), **options)
        see(self.panel)

    def __getattr__(self, name):
        panel = self.panel
        return panel.view[name] if name in panel.view else getattr(panel, name)

    @property
    def legal(self):
        return self.panel.board.position["legal"]

    @property
    def heat(self):
        return dict(self.panel.board.heat["squares"])

    @property
    def choices(self):
        return [side["choice"] for side in self.sides]

    def command(self, name, **more):
        browser_messages.command(self.panel, name, **more)

    def click(self, *squares):
        for square in squares:
            browser_messages.click(self.panel.board, square)

    def show_section(self, name):
        self.command("open", section=name)
        return self.section

    def wait_for_moves(self, number):
        wait_for(lambda: len(self.panel.moves) == number)

    def leave(self):
        """Close the page; no puppet may wait for its thoughts and block the next test."""
        event(self.panel, "page_opened")
        for player in self.panel._given.values():
            player.decide()
        assert self.panel.wait(20)


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch):
    monkeypatch.setattr(game_panel, "PAUSE_BEFORE_THINKING", 0.0)


@pytest.fixture
def open_page():
    pages = []

    def open_page(game="reversi", black="human", white="human", **options):
        pages.append(Page(game, black, white, **options))
        return pages[-1]

    yield open_page
    for page in pages:
        page.leave()


def search(state, num_simulations=200, **changes):
    """The decision of a search of `state`."""
    player = players.make(f"uct:{num_simulations}", rng=np.random.default_rng(1))
    *_, proposal = player.think(state)
    return replace(proposal, **changes)


@pytest.fixture
def thinking(open_page):
    """A game of Tic-Tac-Toe against a puppet, which thinks about X's first move."""
    player = PuppetPlayer()
    page = open_page("tictactoe", white=player)
    page.click(4)
    wait_for(lambda: page.headline == "O is thinking")
    return page, player


def thought(action):
    return Proposal(action, progress=0.5)


# Who plays


def test_a_player_passes_at_once_without_being_asked(open_page):
    player = PuppetPlayer()
    page = open_page(white=player)
    page.command("set_up", record=WHITE_MUST_PASS)
    wait_for(lambda: page.record.endswith("pass"))
    assert (page.headline, player.asked_about) == ("Your turn: Black", [])


def test_a_player_is_chosen_by_name_also_one_given_as_an_object(open_page):
    assert Page("reversi").choices == ["human", "uct:2s"]
    mine = PuppetPlayer("mine")
    page = open_page(black=mine)
    page.command("set_player", side=0, player="human")
    mine.give(thought(19))  # with this it lets go, if it had begun to think
    page.click(19)
    page.command("set_player", side=1, player="roxanne")
    page.wait_for_moves(2)
    page.set_player(1, "alphabeta:1s")
    labels = dict(page.players)
    assert (labels["roxanne"], labels["mine"]) == ("Level 2: Roxanne", "mine")
    assert labels["alphabeta:1s"] == "Alpha-beta, 1 s a move"
    page.set_player(1, "human")
    page.command("set_player", side=0, player="mine")
    page.command("swap")
    assert page.choices == ["human", "mine"]


def test_the_same_seed_gives_the_same_game(open_page):
    records = set()
    for page in (open_page("tictactoe", "random", "random") for _ in range(2)):
        page.command("start")
        wait_for(lambda page=page: page.turn["player"] is None)
        assert page.estimate == (1 + page.state.returns()[0]) / 2
        records.add(page.record)
    assert len(records) == 1


def test_the_players_change_sides_at_random_in_about_half_of_the_games(open_page):
    page = open_page("gomoku", white="random", random_sides=True)
    humans = []
    for _ in range(40):
        page.command("new")
        humans.append(page.choices.index("human"))
        said = ("you are Black and move first.", "you are White and move second.")[humans[-1]]
        assert page.message == f"Drawn at random: {said}" or page.moves
    assert 8 <= sum(humans) <= 32
    assert 8 <= sum(before != now for before, now in pairwise(humans)) <= 32, "they don't alternate"
    for side in (0, 1):
        page.set_player(side, "human")
    page.command("new")
    assert page.message == "", "nobody cares between two humans"
    page.command("random_sides", value=False)
    told = "In the next new game, the players keep their sides."
    assert (page.message, page.random_sides) == (told, False)


# Thinking


def test_a_search_shows_its_progress_its_estimate_and_its_visits(thinking):
    page, player = thinking
    state, estimates = page.state, []
    found = search(state, seconds=0.1)
    share = pytest.approx(1 - (1 + found.result.value) / 2)
    player.give(replace(found, progress=0.25))
    wait_for(lambda: page.thinking.get("share") == 0.25)
    assert page.thinking["text"].endswith("so far, 200 simulations, 2,000/s")
    assert (page.effort, page.thinking["estimate"]) == ("", share)
    assert sum(page.heat.values()) == 200
    page.command("heat", value="values")
    assert page.heat == {}, "the new numbers come with the next thought"
    page.command("heat", value="priors")
    wait_for(lambda: player.give(found) or page.message == wording.SAME_PRIORS)
    assert page.heat == {}
    page.command("heat", value="visits")
    assert "stop" in page.commands
    for num_moves in (2, 4):
        player.decide(found)
        page.wait_for_moves(num_moves)
        assert (page.heat, page.thinking) == ({}, {})
        assert page.message == f"O played {state.action_to_string(found.action)}."
        event(page.panel, "view_opened")  # nothing changes
        estimates.append(page.estimate)
        assert page.effort.startswith("200 simulations, ")
        page.click(page.legal[0])
        assert page.effort == ""
        state = page.state
        found = search(state)
    assert estimates[0] == share != estimates[1]
    for estimate in (estimates[1], estimates[0], None):  # an undo takes it back as well
        page.command("undo")
        assert page.estimate == estimate


def test_a_click_and_a_thought_are_one_message_of_board_and_panel_and_a_thought_is_small(
    open_page, monkeypatch
):
    player = PuppetPlayer()
    page = open_page("gomoku")
    assert not page.board.position["mark_legal"], "dots on all squares would say nothing"
    of_panel = record_messages(page.panel, monkeypatch)
    of_board = record_messages(page.board, monkeypatch)
    page.click(112)
    assert [set(message["state"]) for message in of_panel] == [{"view"}]
    assert [set(message["state"]) for message in of_board] == [{"position"}]
    page.board.show(page.board.view)
    assert len(of_board) == 1, "nothing has changed"
    page.command("ping")
    assert of_panel[-1]["content"] == {"answer": "pong"}
    page.set_player(1, player)
    wait_for(lambda: page.headline == "White is thinking")
    found = search(page.state, 300)
    of_panel.clear()
    of_board.clear()
    player.give(found)
    wait_for(lambda: of_panel)
    assert [set(message["state"]) for message in of_panel] == [{"thinking"}]
    assert [set(message["state"]) for message in of_board] == [{"heat"}]
    assert len(json.dumps([of_panel[0]["state"], of_board[0]["state"]])) < 1_000
    player.decide(*(Proposal(0, progress=number / 5_000) for number in range(5_000)))
    page.wait_for_moves(2)
    assert len(of_panel) < 500, "not each of many thoughts is sent"


def test_a_player_that_compiles_says_so(open_page):
    player = PuppetPlayer()
    player.is_ready.clear()
    page = open_page("tictactoe", white=player)
    page.click(4)
    wait_for(lambda: page.headline == "O is getting ready")
    assert (page.message, page.turn["is_running"]) == (wording.PREPARING, False)
    player.is_ready.set()
    wait_for(lambda: page.headline == "O is thinking")
    assert page.message == ""


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
def test_a_player_that_fails_is_shown_and_can_be_tried_again(thinking, given, told):
    page, player = thinking
    player.give(*given)
    wait_for(lambda: page.tone == "error" or not told)
    if told:
        assert page.message.startswith(f"O's player failed. {told}")
        assert (page.record, page.turn["is_running"]) == ("b2", False)
        page.command("start")
        player.decide(thought(5))
    wait_for(lambda: page.record == "b2 c2")
    assert page.tone == "plain"


def test_two_players_wait_for_start_and_can_be_paused(open_page):
    one, two = PuppetPlayer("one"), PuppetPlayer("two")
    page = open_page(black=one, white=two)
    assert (page.headline, page.commands) == ("Black is to move", ["new", "start", "swap"])
    assert one.asked_about == []
    page.command("start")
    assert "pause" in page.commands
    one.decide(thought(19))
    wait_for(lambda: page.record == "d3")
    wait_for(lambda: two.asked_about)
    page.command("pause")
    two.give(thought(18))
    wait_for(lambda: two.num_given_up == 1)
    assert page.record == "d3"
    page.command("start")
    two.decide(thought(18))
    wait_for(lambda: page.record == "d3 c3")
    told = "White has shown no search, so there is nothing to see here."
    assert [page.show_section(name).get("remark") for name in ("tree", "statistics")] == [told] * 2
    page.command("swap")
    assert "start" in page.commands
    page.command("undo")  # without a human it is one move
    assert page.record == "d3"


def test_a_hint_is_marked_and_told_and_its_search_is_shown_until_it_is_taken_back(open_page):
    adviser = PuppetPlayer("adviser")
    page = open_page("tictactoe", hint=adviser)
    page.click(4, 0)
    page.command("open", section="tree")
    page.command("hint")
    assert page.headline == "Looking for a hint"
    wait_for(lambda: adviser.asked_about)
    assert "hint" not in page.commands
    found = search(page.state)
    adviser.give(found)
    wait_for(lambda: page.heat)
    adviser.decide(found)
    wait_for(lambda: "hint" in page.commands)
    assert (page.board.position["hint"], page.heat) == (found.action, {})
    assert (page.tone, page.effort, page.headline) == ("hint", wording.speed(found), "X to move")
    best = max(found.result.children, key=lambda child: child.visit_count)
    name, rate = page.state.action_to_string(best.action), (1 + best.mean_value) / 2
    said = f"Hint: {name}, win rate {rate:.0%} in {best.visit_count} simulations."
    assert page.message == said
    assert page.show_section("statistics")["caption"].startswith("Hint for X: ")
    page.command("open", section="tree")
    wait_for(lambda: "svg" in page.section)
    share = pytest.approx((1 + found.result.value) / 2)
    assert page.estimate == share
    page.click(8)
    assert page.estimate is None, "the hint was for the position before"
    page.command("undo")
    assert "svg" in page.section, "that search was of the position on the board"
    assert page.estimate == share
    page.set_player(1, "random")
    page.command("swap")
    page.wait_for_moves(3)
    assert page.estimate is None
    page.set_player(0, "human")
    page.command("undo")
    page.command("undo")
    assert page.section["remark"] == wording.TAKEN_BACK
    page.command("new")
    page.click(4, 0)
    assert page.estimate is None, "the searches of the game before are forgotten"


@pytest.mark.parametrize("is_given_up", [False, True])
def test_stop_takes_the_last_thought_once_without_waiting_for_the_next(open_page, is_given_up):
    adviser = PuppetPlayer("adviser")
    page = open_page("tictactoe", hint=adviser)
    page.command("hint")
    adviser.give(thought(3))
    wait_for(lambda: page.thinking.get("text") == "a2 so far")
    for _ in range(3):
        page.command("stop")
    if is_given_up:
        page.click(4)
    else:
        wait_for(lambda: page.tone == "hint")  # it is in the middle of its next thought
        assert not page.wait(0)
    adviser.decide(thought(5))
    assert page.wait(20)
    wait_for(lambda: not timers("_decide_for"))
    assert page.board.position["hint"] == (None if is_given_up else 3)
    assert page.message == ("" if is_given_up else "Hint: a2.")


def timers(function):
    """The timers that will call a function."""
    found = (t for t in threading.enumerate() if isinstance(t, threading.Timer))
    return {timer for timer in found if timer.function.__name__ == function}


@pytest.mark.parametrize("is_given_up", [False, True])
def test_one_search_at_a_time_in_the_whole_process(thinking, open_page, is_given_up):
    page, player = thinking
    threads = [each for each in threading.enumerate() if each.name == "mctslab thinking"]
    assert [each.daemon for each in threads] == [True], "it does not keep a program from ending"
    second = PuppetPlayer("second")
    other = open_page("tictactoe", white=second)
    other.click(4)
    wait_for(lambda: other.headline == "Waiting for another search")
    if is_given_up:
        other.command("undo")
        assert other.wait(20)
    player.decide(thought(1))
    page.wait_for_moves(2)
    if not is_given_up:
        second.decide(thought(2))
        other.wait_for_moves(2)
    assert len(second.asked_about) == (not is_given_up)


# Clocks


def test_a_player_who_thinks_too_long_loses_and_that_can_be_taken_back(open_page):
    player = PuppetPlayer()
    page = open_page(white=player, seconds_per_move=0.05)
    page.click(19)
    wait_for(lambda: page.headline == "Black wins on time")
    assert page.thinking == {}
    player.decide(thought(18))
    wait_for(lambda: player.num_given_up == 1)
    assert page.record == "d3"
    assert page.message == "White took longer than 0.05 s for this move."
    page.command("undo")
    assert page.headline == "Your turn: Black"
    page = open_page(seconds_per_move=0.05)
    page.click(19, 18)
    wait_for(lambda: page.headline == "White wins on time")
    assert page.legal == []


def test_the_limit_is_one_timer_stays_with_new_rules_and_is_switched(open_page, monkeypatch):
    monkeypatch.setattr(thinker, "PATIENCE_WITH_PREPARING", 1000.0)
    old = timers("_check_time") | timers("_call")  # of panels of other tests
    page, free = open_page("gomoku", white="random", seconds_per_move=9e3), open_page("gomoku")
    for each in (page, free):
        each.command("set_rules", rules={"size": 9})
        assert each.limit["is_on"] == (each is page)
    assert page.limit["seconds"] == 9e3
    for value, words in ((False, "There is no limit"), (True, "Whoever takes longer than 9000 s")):
        page.command("limit", value=value)
        assert (page.limit["is_on"], page.message[: len(words)]) == (value, words)
    for num_moves in (2, 4, 6):
        page.click(page.legal[0])
        page.wait_for_moves(num_moves)
    wait_for(lambda: len(timers("_check_time") - old) <= 1)
    wait_for(lambda: not timers("_call") - old)


# The sections


def test_a_humans_first_move_is_not_timed_and_clocks_are_right_after_undo_new_and_set_up(open_page):
    page = open_page(seconds_per_move=60)
    for square, is_timed in ((19, False), (18, False), (26, True)):
        assert (page.turn["is_running"], page.board.position["mark_legal"]) == (is_timed, True)
        page.click(square)
    assert page.turn["limit"] == 60
    assert [move.seconds is None for move in page.panel.moves] == [True, True, False]
    page.command("open", section="clocks")
    for command, notations in (
        ({}, ["d3", "c3", "c4"]),
        ({"name": "undo"}, ["d3", "c3"]),
        ({"name": "set_up", "record": "f5 d6"}, ["f5", "d6"]),
    ):
        if command:
            page.command(**command)
        rows = [*notations, "in total", "in total"]
        wait_for(lambda rows=rows: [row[2] for row in page.section.get("rows", ())] == rows)
        assert page.section["rows"][0][:2] == ["1", "Black"]
    assert not page.turn["is_running"]
    page.command("new")
    nothing = "No time was measured and nothing was counted."
    wait_for(lambda: page.section["remark"] == nothing)


def test_a_section_shows_what_there_is_only_while_it_is_open_and_no_click_waits_for_a_tree(
    thinking, monkeypatch
):
    page, player = thinking
    player.decide(found := search(page.state, seconds=0.1, num_nodes=300))
    page.wait_for_moves(2)
    assert page.section == {}
    table = page.show_section("statistics")
    assert table["rows"] == [list(row) for row in found.result.table().rows()]
    assert table["head"][-1] == "Win rate for O"
    move = page.panel.moves[1]
    assert (move.num_simulations, move.num_nodes) == (200, 300)
    assert table["caption"].startswith(f"O: {move.notation}, after 200 simulations in ")
    assert page.show_section("record") == {"name": "record"}
    page.command("open", section="")
    messages = record_messages(page.panel, monkeypatch)
    page.click(page.legal[0])
    assert ["section" in message["state"] for message in messages] == [False]
    page.command("open", section="tree")
    wait_for(lambda: "svg" in page.section)
    drawing = SlowDrawing(game_panel.draw.tree)
    monkeypatch.setattr(game_panel.draw, "tree", drawing)
    player.decide(search(page.state))
    wait_for(drawing.begun.is_set)
    wait_for(lambda: page.section.get("remark") == "Drawing the tree …")
    page.click(page.legal[0])
    assert len(page.moves) == 5
    assert not drawing.done.is_set(), "the click did not have to wait for it"
    page.command("new")
    drawing.told.set()
    wait_for(lambda: not [t for t in threading.enumerate() if t.name == "mctslab drawing"])
    assert page.section == {"name": "tree", "remark": wording.NOTHING_SEARCHED}, "it comes too late"
    page.command("open", section="")
    assert page.show_section("tree")["remark"] == wording.NOTHING_SEARCHED


def test_only_a_game_that_counts_its_discs_shows_their_number():
    class Mine(games.TicTacToe):
        def board(self):
            return replace(super().board(), style=BoardStyle.DISCS)

    assert GamePanel("reversi").view["discs"] == (2, 2)
    assert GamePanel(Mine()).view["discs"] is None


# Who sees the panel


def test_a_panel_thinks_only_while_it_is_on_a_page(open_page):
    player = PuppetPlayer()
    GamePanel("reversi", player, "human")
    assert player.asked_about == []
    page = open_page(white=player)
    panel = page.panel
    page.click(19)
    wait_for(lambda: len(player.asked_about) == 1)
    event(panel, "view_opened", "two")  # a second view of the same panel
    event(panel, "view_closed", "two")
    assert page.headline == "White is thinking"
    event(panel, "view_closed")
    assert (page.thinking, page.turn["is_running"]) == ({}, False)
    player.give(thought(18))
    wait_for(lambda: player.num_given_up == 1)
    event(panel, "view_opened")
    wait_for(lambda: len(player.asked_about) == 2)
    event(panel, "page_opened")  # the page before sent nothing when it went
    assert page.thinking == {}


@pytest.mark.parametrize("closed", [0, 1])
def test_of_two_tabs_the_one_that_stays_gets_its_replies(open_page, monkeypatch, closed):
    """The second tab is a page that is opened; the first one's view answers that it lives."""
    player, page = PuppetPlayer(), open_page()
    panel, tabs = page.panel, ["one", "two"]
    messages = record_messages(panel, monkeypatch)
    page.set_player(1, player)
    event(panel, "page_opened")
    event(panel, "view_opened", "two")
    asked = [each["content"] for each in messages if each["method"] == "custom"]
    assert asked == [{"question": "who shows this?"}]
    event(panel, "view_opened", "one")
    event(panel, "view_closed", tabs[closed])
    page.click(19)
    wait_for(lambda: len(player.asked_about) == 1)
    event(panel, "view_closed", tabs[1 - closed])
    assert page.thinking == {}


@pytest.mark.parametrize("white", ["uct:2000", "puct+reuse:500"])
def test_a_panel_that_left_the_page_holds_no_tree(open_page, white):
    """Otherwise each run of its cell would leave the trees of the run before in memory."""
    before = num_trees()
    page = open_page("gomoku", white=white, hint="puct+reuse:300")
    page.command("hint")
    wait_for(lambda: page.tone == "hint")
    page.click(112)
    page.wait_for_moves(2)
    assert num_trees() > before
    event(page.panel, "view_closed")
    assert page.wait(20)
    assert num_trees() <= before
    event(page.panel, "view_opened")
    page.click(page.legal[0])
    page.wait_for_moves(4)


def num_trees():
    """How many trees of compiled searches are in memory."""
    gc.collect()
    return sum(type(thing).__name__ == "Tree" for thing in gc.get_objects())
