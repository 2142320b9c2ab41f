"""The game panel without a browser: what each command and event does, and what reaches the page."""

import gc
import json
import threading
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from mctslab import players
from mctslab.players import Proposal
from mctslab.solvers import alphabeta
from mctslab.widgets import GamePanel, game_panel, wording
from mctslab.widgets.match import Move
from tests.widgets import browser_messages
from tests.widgets.browser_messages import event, record_messages, see, send
from tests.widgets.fake_players import PuppetPlayer, SlowDrawing, wait_for
from tests.widgets.test_match import BLACK_MUST_PASS

WHITE_MUST_PASS = "f5 f6 e6 f4 g4 d6 f7 h4 h3 f8 h5"


class Page:
    """A panel on a page, with what it shows at hand, such as `headline`."""

    def __init__(self, *players: Any, **options: Any) -> None:
        self.panel = GamePanel(*players, rng=np.random.default_rng(1), **options)
        see(self.panel)

    def __getattr__(self, name: str) -> Any:
        panel = self.panel
        return panel.view[name] if name in panel.view else getattr(panel, name)

    @property
    def moves(self) -> tuple[Move, ...]:
        return self.panel.moves

    @property
    def legal(self) -> list[int]:
        return self.panel.board.position["legal"]

    @property
    def heat(self) -> dict[int, float]:
        return dict(self.panel.board.heat["squares"])

    @property
    def choices(self) -> list[str]:
        return [side["choice"] for side in self.sides]

    def command(self, name: str, **more: Any) -> None:
        browser_messages.command(self.panel, name, **more)

    def click(self, *squares: int) -> None:
        for square in squares:
            browser_messages.click(self.panel.board, square)

    def wait_for_moves(self, number: int) -> None:
        wait_for(lambda: len(self.panel.moves) == number)

    def leave(self) -> None:
        """Close the page; no puppet may wait for its thoughts and block the next test."""
        event(self.panel, "page_opened", "no page")
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


def search(state, num_simulations=200, **changes) -> Proposal:
    """The decision of a search of `state`."""
    player = players.make(f"uct:{num_simulations}", rng=np.random.default_rng(1))
    *_, proposal = player.think(state)
    return replace(proposal, **changes)


@pytest.fixture
def thinking(open_page):
    """Begin a game of Tic-Tac-Toe against a puppet, which thinks about X's first move."""

    def make(**options):
        player = PuppetPlayer()
        page = open_page("tictactoe", white=player, **options)
        page.click(4)
        wait_for(lambda: page.headline == "O is thinking")
        return page, player

    return make


@pytest.fixture
def searched(thinking):
    """A game in which the puppet has answered, and what it found."""
    page, player = thinking()
    found = search(page.state, seconds=0.1)
    player.decide(found)
    page.wait_for_moves(2)
    return page, player, found


# Playing by hand; whole games are played on a page, in tests/browser


@pytest.mark.parametrize(
    ("game", "record", "square", "words"),
    [
        ("reversi", "", 27, "d4 is taken."),
        ("reversi", "", 0, "Black can't play a1: the dots show where"),
        ("reversi", BLACK_MUST_PASS, 0, "Black has no legal move: press Pass."),
        ("connect_four", "1 1 1 1 1 1", 0, "This column is full."),
        ("tictactoe", "a1 a2 b1 b2 c1", 8, "The game is over. Press New for another one."),
    ],
)
def test_a_click_that_is_no_move_is_answered(open_page, game, record, square, words):
    page = open_page(game)
    assert page.board.position["mark_legal"] == (game == "reversi"), "where dots say something"
    page.command("set_up", record=record)
    page.click(square)
    assert (page.record, page.tone) == (record, "warning")
    assert page.message.startswith(words)
    page.command("undo" if record else "new")
    assert (page.estimate, page.board.position["line"]) == (None, "")
    page.click(page.legal[0])
    assert (page.message, page.tone) == ("", "plain")


def test_at_the_start_and_at_the_end_it_is_shown_what_can_be_done(open_page):
    page = Page("reversi")
    assert (page.choices, page.discs) == (["human", "uct:2s"], (2, 2))
    assert page.commands == ["hint", "new", "swap"]
    page = open_page("tictactoe")
    page.click(0, 3, 1, 4, 2)
    assert (page.turn["player"], page.estimate, page.legal) == (None, 1.0, [])
    assert (page.commands, page.board.position["winning"]) == (["new", "swap", "undo"], [0, 1, 2])


def test_a_player_passes_at_once(open_page):
    player = PuppetPlayer()
    page = open_page(white=player)
    page.command("set_up", record=WHITE_MUST_PASS)
    wait_for(lambda: page.record.endswith("pass"))
    assert page.message == "White had no legal move and passed."
    assert (page.headline, player.asked_about) == ("Your turn: Black", [])


def test_a_player_is_chosen_by_name_also_one_given_as_an_object(open_page):
    mine = PuppetPlayer("mine")
    page = open_page(black=mine)
    page.command("set_player", side=0, player="human")
    mine.give(Proposal(19, progress=0.5))  # with this it lets go, if it had begun to think
    page.click(19)
    page.command("set_player", side=1, player="roxanne")
    page.wait_for_moves(2)
    assert page.choices == ["human", "roxanne"]
    page.set_player(1, "alphabeta:1s")
    labels = dict(page.players)
    assert (labels["roxanne"], labels["mine"]) == ("Level 2: Roxanne", "mine")
    assert labels["alphabeta:1s"] == "Alpha-beta, 1 s a move"
    page.set_player(1, "human")
    page.command("set_player", side=0, player="mine")
    page.command("swap")
    assert page.choices == ["human", "mine"]


def test_the_same_seed_gives_the_same_game(open_page):
    records = []
    for _ in range(2):
        page = open_page("tictactoe", "random", "random")
        page.command("start")
        wait_for(lambda page=page: page.turn["player"] is None)
        records.append(page.record)
    assert records[0] == records[1]


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
    page.set_player(1, "human")
    page.set_player(0, "human")
    page.command("new")
    assert page.message == "", "nobody cares between two humans"
    page.command("random_sides", value=False)
    assert page.message == "In the next new game, the players keep their sides."
    assert not page.random_sides


# Thinking


def test_a_search_shows_its_progress_its_estimate_and_its_visits(thinking):
    page, player = thinking()
    state, estimates = page.state, []
    found = search(state, seconds=0.1)
    share = pytest.approx(1 - (1 + found.result.value) / 2)
    player.give(replace(found, progress=0.25))
    wait_for(lambda: page.thinking.get("share") == 0.25)
    assert page.thinking["text"].endswith("so far, 200 simulations, 2,000/s")
    assert (page.effort, page.thinking["estimate"]) == ("", share)
    assert sum(page.heat.values()) == 200
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


def test_of_priors_that_are_all_the_same_a_sentence_is_shown(thinking):
    page, player = thinking(heat="priors")
    found = search(page.state)
    wait_for(lambda: player.give(found) or page.message == wording.SAME_PRIORS)
    assert page.heat == {}


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


def test_a_player_that_fails_is_shown_and_can_be_tried_again(open_page):
    player = PuppetPlayer()
    page = open_page(white=player)
    page.click(19)
    player.give(RuntimeError("out of ideas"))
    wait_for(lambda: page.tone == "error")
    assert page.message == "White's player failed. RuntimeError: out of ideas"
    assert (page.record, page.turn["is_running"]) == ("d3", False)
    page.command("start")
    player.decide(Proposal(18, progress=1.0))
    wait_for(lambda: page.record == "d3 c3")
    assert page.tone == "plain"


def test_two_players_wait_for_start_and_can_be_paused(open_page):
    one, two = PuppetPlayer("one"), PuppetPlayer("two")
    page = open_page(black=one, white=two)
    assert (page.headline, page.commands) == ("Black is to move", ["new", "start", "swap"])
    assert one.asked_about == []
    page.command("start")
    assert "pause" in page.commands
    one.decide(Proposal(19, progress=1.0))
    wait_for(lambda: page.record == "d3")
    wait_for(lambda: two.asked_about)
    page.command("pause")
    two.give(Proposal(18, progress=1.0))
    wait_for(lambda: two.num_given_up == 1)
    assert page.record == "d3"
    page.command("start")
    two.decide(Proposal(18, progress=1.0))
    wait_for(lambda: page.record == "d3 c3")


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
    page.command("open", section="statistics")
    assert page.section["caption"].startswith("Hint for X: ")
    page.command("open", section="tree")
    wait_for(lambda: "svg" in page.section)
    page.click(8)
    page.command("undo")
    assert "svg" in page.section, "that search was of the position on the board"
    page.command("undo")
    assert page.section["remark"] == wording.TAKEN_BACK


# Clocks


def test_a_humans_first_move_is_not_timed(open_page):
    page = open_page(seconds_per_move=60)
    for square in (19, 18):
        assert not page.turn["is_running"]
        page.click(square)
    assert (page.turn["is_running"], page.turn["limit"]) == (True, 60)
    assert [move.seconds for move in page.moves] == [None, None]
    page.click(page.legal[0])
    assert page.moves[2].seconds >= 0
    page.command("set_up", record="d3 c3 c4 c5")
    assert not page.turn["is_running"]


def test_a_player_who_thinks_too_long_loses_and_that_can_be_taken_back(open_page):
    player = PuppetPlayer()
    page = open_page(white=player, seconds_per_move=0.05)
    page.click(19)
    wait_for(lambda: page.headline == "Black wins on time")
    assert page.thinking == {}
    player.decide(Proposal(18, progress=1.0))
    wait_for(lambda: player.num_given_up == 1)
    assert page.record == "d3"
    assert page.message == "White took longer than 0.05 s for this move."
    page.command("undo")
    assert page.headline == "Your turn: Black"
    page = open_page(seconds_per_move=0.05)
    page.click(19, 18)
    wait_for(lambda: page.headline == "White wins on time")
    assert page.legal == []


def test_the_limit_is_one_timer_stays_with_new_rules_and_is_switched(open_page):
    def all_timers():
        return {t for t in threading.enumerate() if isinstance(t, threading.Timer)}

    of_other_tests = all_timers()
    page, free = open_page("gomoku", seconds_per_move=9), open_page("gomoku")
    for each in (page, free):
        each.command("set_rules", rules={"size": 9})
        assert each.limit["is_on"] == (each is page)
    assert page.limit["seconds"] == 9
    for value, words in ((False, "There is no limit"), (True, "Whoever takes longer than 9 s")):
        page.command("limit", value=value)
        assert (page.limit["is_on"], page.message[: len(words)]) == (value, words)
    for _ in range(6):
        page.click(page.legal[0])
    wait_for(lambda: len(all_timers() - of_other_tests) <= 1)


# The sections


def test_a_section_shows_what_there_is_and_nothing_is_made_for_a_closed_one(searched, monkeypatch):
    page, _, found = searched
    messages = record_messages(page.panel, monkeypatch)
    assert page.section == {}
    page.command("open", section="statistics")
    assert page.section["rows"] == [list(row) for row in found.result.table().rows()]
    assert page.section["head"][-1] == "Win rate for O"
    move = page.moves[1].notation
    assert page.section["caption"].startswith(f"O: {move}, after 200 simulations in ")
    page.command("open", section="record")
    assert page.section == {"name": "record"}
    page.command("open", section="")
    messages.clear()
    page.click(page.legal[0])
    assert ["section" in message["state"] for message in messages] == [False]
    event(page.panel, "view_closed")
    page.command("open", section="statistics")
    assert page.section["remark"] == wording.NOTHING_SEARCHED, "without a view no tree is kept"


def test_the_clocks_are_right_after_undo_new_game_and_set_up(open_page):
    page = open_page()
    page.click(19, 18, 26)
    page.command("open", section="clocks")

    def wait_for_moves(*notations):
        rows = [*notations, "in total", "in total"]
        wait_for(lambda: [row[2] for row in page.section.get("rows", ())] == rows)

    wait_for_moves("d3", "c3", "c4")
    assert page.section["rows"][2][:2] == ["3", "Black"]
    page.click(34)
    wait_for_moves("d3", "c3", "c4", "c5")
    page.command("undo")
    wait_for_moves("d3", "c3", "c4")
    page.command("set_up", record="f5 d6")
    wait_for_moves("f5", "d6")
    page.command("new")
    nothing = "No time was measured and nothing was counted."
    wait_for(lambda: page.section["remark"] == nothing)


def test_a_tree_is_drawn_when_its_section_is_open_and_no_click_waits_for_it(searched, monkeypatch):
    page, player, _ = searched
    page.command("open", section="tree")
    wait_for(lambda: "svg" in page.section)
    first = page.section["svg"]
    page.click(page.legal[0])
    assert page.section["svg"] == first
    drawing = SlowDrawing(game_panel.draw.tree)
    monkeypatch.setattr(game_panel.draw, "tree", drawing)
    player.decide(search(page.state))
    wait_for(drawing.begun.is_set)
    assert page.section["remark"] == "Drawing the tree …"
    page.click(page.legal[0])
    assert len(page.moves) == 5
    assert not drawing.done.is_set(), "the click did not have to wait for it"
    page.command("new")
    drawing.told.set()
    wait_for(lambda: not [t for t in threading.enumerate() if t.name == "mctslab drawing"])
    assert page.section == {"name": "tree", "remark": wording.NOTHING_SEARCHED}, "it comes too late"


def test_after_alpha_beta_or_no_search_the_sections_say_what_is_true(thinking):
    page, player = thinking()
    result = alphabeta(page.state, depth=3)
    found = Proposal(result.best_action, 1.0, num_nodes=result.num_nodes, alphabeta=result)
    player.decide(found)
    page.wait_for_moves(2)
    assert page.moves[1].num_nodes == result.num_nodes
    page.command("open", section="statistics")
    table = page.section
    assert [row[0] for row in table["rows"]] == ["3", "2", "1"]
    page.command("open", section="tree")
    assert page.section["remark"].startswith(table["caption"])
    assert page.section["remark"].endswith("keeps no tree; Statistics shows its iterations.")
    page.click(page.legal[0])
    player.decide(Proposal(page.state.legal_actions()[0], 1.0))
    page.wait_for_moves(4)
    for section in ("tree", "statistics"):
        page.command("open", section=section)
        expected = "O has shown no search, so there is nothing to see here."
        assert page.section["remark"] == expected
    assert page.effort == ""


# Messages, and who sees the panel


def test_an_error_is_shown_and_loses_nothing(open_page):
    page = open_page("gomoku")
    page.click(112)
    before = page.view
    for command, words in (
        ({"player": "nobody", "side": 1, "command": "set_player"}, "There is no player 'nobody'"),
        ({"command": "set_rules", "rules": {"size": 4}}, "in_a_row=5 is not possible"),
        ({"command": "heat", "value": "warmth"}, "heat='warmth' can't be shown on the board"),
    ):
        send(page.panel, command)
        assert (page.tone, words in page.message) == ("error", True)
        assert page.sides == before["sides"]
        assert (page.rules, page.record) == (before["rules"], "H8")


def test_a_panel_thinks_only_while_it_is_on_a_page(open_page):
    player = PuppetPlayer()
    GamePanel("reversi", player, "human")
    assert player.asked_about == []
    page = open_page(white=player)
    panel = page.panel
    page.click(19)
    wait_for(lambda: len(player.asked_about) == 1)
    event(panel, "view_opened")  # a second view of the same panel
    event(panel, "view_closed")
    assert page.headline == "White is thinking"
    event(panel, "view_closed")
    assert (page.thinking, page.turn["is_running"]) == ({}, False)
    player.give(Proposal(18, progress=0.5))
    wait_for(lambda: player.num_given_up == 1)
    event(panel, "view_opened")
    wait_for(lambda: len(player.asked_about) == 2)
    event(panel, "view_opened", "next page")  # the page before sent nothing when it went, and
    event(panel, "page_opened", "next page")  # messages can overtake each other
    assert page.headline == "White is thinking"
    event(panel, "page_opened", "a page without the panel")
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
    assert num_trees() == before
    event(page.panel, "view_opened")
    page.click(page.legal[0])
    page.wait_for_moves(4)


def num_trees() -> int:
    """How many trees of compiled searches are in memory."""
    gc.collect()
    return sum(type(thing).__name__ == "Tree" for thing in gc.get_objects())
