"""The game panel with real widgets and without a browser: what each command and event does."""

import threading
import time
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from mctslab import players
from mctslab.boards.style import value_color
from mctslab.games import ConnectFour, Gomoku, IllegalActionError, Reversi, TicTacToe
from mctslab.players import Proposal
from mctslab.search import SearchResult
from mctslab.widgets import GamePanel, game_panel, wording
from mctslab.widgets.match import RecordError
from tests.widgets.browser_messages import record_messages, send
from tests.widgets.fake_players import FirstMovePlayer, PuppetPlayer, wait_for
from tests.widgets.test_match import BLACK_MUST_PASS

WHITE_MUST_PASS = "f5 f6 e6 f4 g4 d6 f7 h4 h3 f8 h5"


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch):
    monkeypatch.setattr(game_panel, "PAUSE_BEFORE_THINKING", 0.0)


@pytest.fixture
def make_panel():
    """Make panels that are on a page; all are taken off it at the end."""
    panels = []

    def make(game="reversi", black="human", white="human", **options):
        panel = GamePanel(game, black, white, rng=np.random.default_rng(1), **options)
        panels.append(panel)
        event(panel, "page_opened")
        event(panel, "view_opened")
        return panel

    yield make
    for panel in panels:
        event(panel, "page_opened", "no page")
        for player in panel._given.values():
            player.decide()  # a puppet that still waits for its thoughts would block the next test
        assert panel._thinker.wait(20)


def event(panel: GamePanel, name: str, page: str = "this page") -> None:
    send(panel, {"event": name, "page": page})


def command(panel: GamePanel, name: str, **more: object) -> None:
    send(panel, {"command": name, **more})


def click(panel: GamePanel, square: int) -> None:
    send(panel.board, {"chosen": square, "move_number": panel.board.move_number})


def search(state, num_simulations=200) -> Proposal:
    """What a search of `state` comes to."""
    player = players.make(f"uct:{num_simulations}", rng=np.random.default_rng(1))
    *_, thought = player.think(state)
    return thought


# Playing by hand


def test_at_the_start_the_first_player_is_asked():
    panel = GamePanel("reversi")
    assert panel.headline == "Your turn: Black"
    assert panel.board.legal_squares == [19, 26, 37, 44]
    assert [side["name"] for side in panel.sides] == ["Black", "White"]
    assert [side["choice"] for side in panel.sides] == ["human", "uct:2s"]
    assert [side["discs"] for side in panel.sides] == [2, 2]


def test_a_click_plays_and_the_other_is_asked(make_panel):
    panel = make_panel()
    click(panel, 19)
    assert panel.record == "d3"
    assert panel.headline == "White to move"
    assert panel.board.legal_squares == [18, 20, 34]
    assert panel.state == Reversi().child(19)


def test_a_second_click_on_the_old_position_is_dropped(make_panel):
    panel = make_panel()
    old = panel.board.move_number
    click(panel, 19)
    send(panel.board, {"chosen": 18, "move_number": old})
    assert panel.record == "d3"


def test_a_click_on_an_illegal_square_is_answered_and_changes_nothing(make_panel):
    panel = make_panel()
    click(panel, 0)
    assert (panel.record, panel.tone) == ("", "warning")
    assert panel.message == "Black can't play a1: the dots show where it can."
    click(panel, 19)
    assert panel.message == ""


def test_a_click_anywhere_in_a_column_that_is_full_is_answered(make_panel):
    panel = make_panel("connect_four")
    command(panel, "set_up", record="1 1 1 1 1 1")
    click(panel, 0)
    assert panel.message == "This column is full."


def test_dots_are_drawn_only_where_they_say_something(make_panel):
    assert "data-legal" in make_panel("reversi").board.picture
    for game in ("tictactoe", "connect_four", "gomoku"):
        assert "data-legal" not in make_panel(game).board.picture


def test_a_human_who_must_pass_sees_it_and_passes_with_one_click(make_panel):
    panel = make_panel()
    command(panel, "set_up", record=BLACK_MUST_PASS)
    assert panel.headline == "Black has to pass"
    assert panel.message == "Black has no legal move: press Pass."
    assert "pass" in panel.commands
    click(panel, 0)
    assert panel.record == BLACK_MUST_PASS
    command(panel, "pass")
    assert panel.record.endswith("pass")
    assert panel.message == "Black had no legal move and passed."
    assert "pass" not in panel.commands


def test_a_pass_that_is_not_due_does_nothing(make_panel):
    panel = make_panel()
    command(panel, "pass")
    assert (panel.record, panel.message) == ("", "")


def test_a_player_who_must_pass_does_so_and_it_is_told(make_panel):
    panel = make_panel(white=FirstMovePlayer())
    command(panel, "set_up", record=WHITE_MUST_PASS)
    wait_for(lambda: panel.record.endswith("pass"))
    assert panel.message == "White had no legal move and passed."
    assert panel.headline == "Your turn: Black"


def test_the_end_of_a_game_is_told(make_panel):
    panel = make_panel("tictactoe")
    for square in (0, 3, 1, 4, 2):
        click(panel, square)
    assert panel.headline == "X wins"
    assert panel.turn["player"] is None
    assert panel.estimate == {"share": 1.0}
    assert panel.board.legal_squares == []
    click(panel, 8)
    assert panel.message == "The game is over. Press New for another one."
    assert panel.commands == ["new", "swap", "undo"]
    command(panel, "undo")
    assert panel.estimate == {}


def test_play_from_a_cell_raises_what_is_wrong(make_panel):
    panel = make_panel()
    with pytest.raises(IllegalActionError):
        panel.play(0)
    panel.play(19)
    assert panel.record == "d3"


# Commands


def test_new_undo_and_swap(make_panel):
    panel = make_panel(white=PuppetPlayer())
    assert panel.commands == ["hint", "new", "swap"]
    panel.set_player(1, "human")
    click(panel, 19)
    click(panel, 18)
    command(panel, "undo")
    assert panel.record == "d3"
    command(panel, "new")
    assert panel.record == ""
    assert "undo" not in panel.commands
    panel.set_player(1, PuppetPlayer("other"))
    command(panel, "swap")
    assert [side["choice"] for side in panel.sides] == ["other", "human"]


def test_undo_while_the_other_thinks_takes_the_own_move_back(make_panel):
    player = PuppetPlayer()
    panel = make_panel(white=player)
    click(panel, 19)
    wait_for(lambda: panel.headline == "White is thinking")
    command(panel, "undo")
    assert panel.record == ""
    assert panel.headline == "Your turn: Black"
    assert not panel.thinking
    player.decide(search(Reversi().child(19)))
    wait_for(lambda: player.num_given_up == 1)
    assert panel.record == ""


@pytest.mark.parametrize(
    "name", ["unknown", "play", "close", "__class__", "set_up", "set_player", "state"]
)
def test_only_commands_that_make_sense_now_are_obeyed(make_panel, name):
    panel = make_panel()
    command(panel, name)
    assert (panel.record, panel.message) == ("", "")
    assert panel.comm is not None


def test_a_command_that_makes_no_sense_now_does_nothing(make_panel):
    player = PuppetPlayer()
    panel = make_panel(white=player)
    for name in ("pause", "stop", "start", "undo"):
        assert name not in panel.commands
        command(panel, name)
    click(panel, 19)
    wait_for(lambda: player.asked_about)


@pytest.mark.parametrize(
    "content",
    [
        None,
        [],
        "new",
        {},
        {"command": 1},
        {"command": ["new"]},
        {"event": None},
        {"event": "view_closed"},
    ]
    + [{"command": "set_player", "side": side, "player": "random"} for side in (2, -1, "0")],
)
def test_what_is_no_command_is_dropped(make_panel, content):
    panel = make_panel()
    before = panel.get_state()
    send(panel, content)
    assert panel.get_state() == before


def test_an_unknown_player_is_answered(make_panel):
    panel = make_panel()
    command(panel, "set_player", side=1, player="nobody")
    assert panel.tone == "error"
    assert "There is no player 'nobody'" in panel.message
    assert panel.sides[1]["choice"] == "human"


def test_a_level_is_chosen_by_its_name(make_panel):
    panel = make_panel()
    assert {"value": "roxanne", "label": "Level 2: Roxanne"} in panel.choices
    click(panel, 19)
    command(panel, "set_player", side=1, player="roxanne")
    wait_for(lambda: len(panel.moves) == 2)
    assert panel.sides[1]["choice"] == "roxanne"


def test_a_player_given_as_an_object_can_be_chosen_again(make_panel):
    mine = PuppetPlayer("mine")
    panel = make_panel(white=mine)
    command(panel, "set_player", side=1, player="human")
    assert {"value": "mine", "label": "mine"} in panel.choices
    command(panel, "set_player", side=0, player="mine")
    wait_for(lambda: mine.asked_about)


def test_the_same_seed_gives_the_same_game(make_panel):
    records = []
    for _ in range(2):
        panel = make_panel("tictactoe", "random", "random")
        command(panel, "start")
        wait_for(lambda panel=panel: panel.turn["player"] is None)
        records.append(panel.record)
    assert records[0] == records[1]


# Records


def test_a_record_from_the_page_sets_up_or_names_its_bad_move(make_panel):
    panel = make_panel()
    command(panel, "set_up", record="1. d3 c3 2. d9")
    assert panel.record == ""
    assert panel.record_error.startswith("Move 3: 'd9' is no move of Reversi")
    command(panel, "set_up", record="1. d3 c3 2. c4")
    assert panel.record == "d3 c3 c4"
    assert panel.record_error == ""
    assert [move.notation for move in panel.moves] == ["d3", "c3", "c4"]
    with pytest.raises(RecordError):
        panel.set_up("d3 d3")


def test_a_position_of_gomoku_is_set_up_by_coordinates_and_a_wrong_one_loses_nothing(make_panel):
    panel = make_panel("gomoku")
    command(panel, "set_up", record="H8 I9 H9")
    assert panel.record == "H8 I9 H9"
    command(panel, "set_up", record="H8 I9 H99")
    assert panel.record == "H8 I9 H9"
    assert panel.record_error.startswith("Move 3: 'H99' is no move of Gomoku: moves run from A15")
    command(panel, "set_up", record="h8i9h8")
    assert panel.record == "H8 I9 H9"
    assert panel.record_error.startswith("Move 3, h8, is not legal: Black is to move")


# The rules of Gomoku


def rules_of(panel):
    return {menu["name"]: menu["value"] for menu in panel.rules}


def test_only_gomoku_has_rules_to_choose(make_panel):
    assert rules_of(make_panel("gomoku")) == {"size": 15, "in_a_row": 5, "exactly_five": False}
    for game in ("reversi", "tictactoe", "connect_four"):
        assert make_panel(game).rules == []


def test_other_rules_begin_a_new_game(make_panel):
    panel = make_panel("gomoku")
    panel.seconds_per_move = 7
    click(panel, 112)
    command(panel, "set_rules", rules={"size": 9})
    assert (panel.record, panel.state) == ("", Gomoku(9))
    assert (panel.board.shape["rows"], len(panel.board.legal_squares)) == (9, 81)
    click(panel, 80)
    command(panel, "set_rules", rules={"in_a_row": 4, "exactly_five": True})
    assert panel.state == Gomoku(9, 4, exactly_five=True)
    assert rules_of(panel) == {"size": 9, "in_a_row": 4, "exactly_five": True}
    assert panel.seconds_per_move == 7
    command(panel, "new")
    assert panel.state == Gomoku(9, 4, exactly_five=True)


def test_exactly_five_is_played_as_it_says(make_panel):
    six = "A1 A9 B1 B9 C1 C9 E1 E9 F1 I9 D1"
    panel = make_panel(Gomoku(9))
    panel.set_up(six)
    assert panel.headline == "Black wins"
    panel.set_rules(exactly_five=True)
    panel.set_up(six)
    assert panel.headline == "White to move"


def test_rules_that_do_not_go_together_are_refused_and_lose_nothing(make_panel):
    panel = make_panel("gomoku")
    click(panel, 112)
    command(panel, "set_rules", rules={"size": 4})
    assert panel.tone == "error"
    assert "in_a_row=5 is not possible" in panel.message
    assert panel.record == "H8"
    with pytest.raises(ValueError, match="Reversi has no rules"):
        make_panel("reversi").set_rules(size=6)


def test_a_search_ends_when_the_rules_change(make_panel):
    player = PuppetPlayer()
    panel = make_panel("gomoku", white=player)
    click(panel, 112)
    wait_for(lambda: panel.headline == "White is thinking")
    command(panel, "set_rules", rules={"size": 9})
    player.decide(search(Gomoku().child(112), 300))
    wait_for(lambda: player.num_given_up == 1)
    assert (panel.record, panel.thinking, panel.estimate) == ("", {}, {})


def test_a_draw_is_told(make_panel):
    panel = make_panel(Gomoku(3, 3))
    panel.set_up("B2 A1 A3 C1 B1 B3 A2 C2 C3")
    assert panel.headline == "Draw"


# The first move by lot


def test_by_lot_the_players_change_sides_in_about_half_of_the_games(make_panel):
    panel = make_panel("gomoku", white=FirstMovePlayer(), by_lot=True)
    humans = []
    for _ in range(40):
        command(panel, "new")
        human = [side["choice"] for side in panel.sides].index("human")
        humans.append(human)
        assert (
            panel.message
            == (
                "By lot you are Black and move first.",
                "By lot you are White and move second.",
            )[human]
            or panel.moves
        )
    assert 8 <= sum(humans) <= 32
    assert 8 <= sum(before != now for before, now in pairwise(humans)) <= 32, "it is no turn-taking"


def test_without_the_lot_everybody_stays(make_panel):
    panel = make_panel("gomoku", white=FirstMovePlayer())
    for _ in range(20):
        command(panel, "new")
        assert panel.sides[0]["choice"] == "human"


def test_the_lot_is_switched_and_counts_from_the_next_new_game_on(make_panel):
    panel = make_panel("gomoku", white=FirstMovePlayer())
    command(panel, "by_lot", value=True)
    assert panel.by_lot
    assert panel.message == "In the next new game, the lot decides who moves first."
    assert panel.sides[0]["choice"] == "human"
    command(panel, "by_lot", value=False)
    assert not panel.by_lot
    assert panel.message == "In the next new game, the players keep their sides."


def test_two_humans_cast_no_lots(make_panel):
    panel = make_panel("gomoku", by_lot=True)
    command(panel, "new")
    assert panel.message == ""


def test_a_record_is_set_up_without_a_lot(make_panel):
    panel = make_panel("gomoku", white=FirstMovePlayer(), by_lot=True)
    for _ in range(20):
        panel.set_up("H8 I9")
        assert panel.sides[0]["choice"] == "human"


def test_a_player_replies_to_a_position_that_was_set_up(make_panel):
    panel = make_panel(white=FirstMovePlayer())
    command(panel, "set_up", record="d3")
    wait_for(lambda: len(panel.moves) == 2)


def test_a_panel_can_begin_anywhere(make_panel):
    panel = make_panel(Reversi().child(19))
    assert panel.headline == "White to move"
    click(panel, 18)
    assert [move.player for move in panel.moves] == [1]
    command(panel, "new")
    assert panel.headline == "White to move"


# Thinking


def test_a_search_shows_its_progress_its_estimate_and_its_visits(make_panel):
    player = PuppetPlayer()
    panel = make_panel("tictactoe", white=player)
    click(panel, 4)
    state = panel.state
    wait_for(lambda: panel.headline == "O is thinking")
    found = search(state)
    found = replace(found, seconds=0.1)
    player.give(replace(found, progress=0.25))
    wait_for(lambda: panel.thinking.get("share") == 0.25)
    assert panel.thinking["text"].endswith("so far, 200 simulations, 2,000/s")
    assert panel.effort == ""
    assert panel.estimate["share"] == pytest.approx(1 - (1 + found.result.value) / 2)
    wait_for(lambda: "data-heat" in panel.board.picture)
    assert "stop" in panel.commands
    player.decide(found)
    wait_for(lambda: len(panel.moves) == 2)
    assert "data-heat" not in panel.board.picture
    assert not panel.thinking
    assert panel.message == f"O played {state.action_to_string(found.action)}."
    assert panel.effort == "200 simulations, 2,000/s"
    assert panel.estimate["share"] == pytest.approx(1 - (1 + found.result.value) / 2)


def test_undo_takes_the_estimate_back_as_well(make_panel):
    player = PuppetPlayer()
    panel = make_panel("tictactoe", white=player)
    estimates = []
    for num_moves in (2, 4):
        panel.play(panel.state.legal_actions()[0])
        player.decide(search(panel.state))
        wait_for(lambda number=num_moves: len(panel.moves) == number)
        estimates.append(panel.estimate)
    assert estimates[0] != estimates[1]
    command(panel, "undo")
    assert panel.estimate == estimates[0]
    command(panel, "undo")
    assert panel.estimate == {}


def test_what_was_searched_is_told_until_something_else_happens(make_panel):
    player = PuppetPlayer()
    panel = make_panel("tictactoe", white=player)
    click(panel, 4)
    player.decide(replace(search(panel.state), seconds=0.1))
    wait_for(lambda: len(panel.moves) == 2)
    event(panel, "view_closed")
    event(panel, "view_opened")
    assert panel.effort == "200 simulations, 2,000/s", "it goes with the message"
    click(panel, panel.board.legal_squares[0])
    assert panel.effort == ""


def test_a_player_without_a_search_tells_no_speed(make_panel):
    panel = make_panel("tictactoe", white=FirstMovePlayer())
    click(panel, 4)
    wait_for(lambda: len(panel.moves) == 2)
    assert panel.message == "O played a1."
    assert panel.effort == ""


def test_visits_are_shown_only_where_wanted(make_panel):
    player = PuppetPlayer()
    panel = make_panel("tictactoe", white=player)
    command(panel, "heat", value="nothing")
    click(panel, 4)
    found = search(panel.state)
    player.give(found)
    wait_for(lambda: panel.thinking.get("share") == 1.0)
    assert "data-heat" not in panel.board.picture
    command(panel, "heat", value="visits")
    assert panel.heat == "visits"
    wait_for(lambda: player.give(found) or "data-heat" in panel.board.picture)
    command(panel, "heat", value="nothing")
    assert "data-heat" not in panel.board.picture


def test_priors_and_values_are_shown_where_wanted(make_panel):
    player = PuppetPlayer()
    panel = make_panel("tictactoe", white=player, heat="values")
    click(panel, 4)
    found = search(panel.state)
    player.give(found)
    wait_for(lambda: "data-heat" in panel.board.picture)
    best = max(found.result.children, key=lambda child: child.visit_count)
    assert f">{(1 + best.mean_value) / 2:.0%}<" in panel.board.picture
    assert f'fill="{value_color(best.mean_value)}"' in panel.board.picture
    command(panel, "heat", value="priors")
    wait_for(lambda: player.give(found) or panel.message == wording.SAME_PRIORS)
    assert "data-heat" not in panel.board.picture
    command(panel, "heat", value="warmth")
    assert (panel.heat, panel.tone) == ("priors", "error")


def test_priors_that_differ_are_shown_in_percent(make_panel):
    player = PuppetPlayer()
    panel = make_panel("tictactoe", white=player, heat="priors")
    click(panel, 4)
    found = search(panel.state)
    for child in found.result.root.children:
        child.prior = 0.65 if child.action == 0 else 0.05
    result = SearchResult(found.result.root, num_simulations=200, seconds=0.1)
    player.give(replace(found, result=result))
    wait_for(lambda: "data-heat" in panel.board.picture)
    assert ">65%<" in panel.board.picture
    assert ">5.0%<" in panel.board.picture


def test_visits_are_shown_where_the_stone_would_lie(make_panel):
    player = PuppetPlayer()
    panel = make_panel("connect_four", white=player)
    click(panel, 38)
    player.give(search(panel.state))
    wait_for(lambda: 'data-heat="31"' in panel.board.picture)  # on top of the first piece
    assert 'data-heat="38"' not in panel.board.picture


def test_stop_plays_the_best_so_far(make_panel):
    player = PuppetPlayer()
    panel = make_panel("gomoku", white=player)
    click(panel, 112)
    wait_for(lambda: panel.headline == "White is thinking")
    command(panel, "stop")
    player.give(Proposal(113, progress=0.1))
    wait_for(lambda: panel.record == "H8 I8")


def test_a_player_that_compiles_says_so(make_panel):
    player = PuppetPlayer()
    player.is_ready.clear()
    panel = make_panel("tictactoe", white=player)
    click(panel, 4)
    wait_for(lambda: panel.headline == "O is getting ready")
    assert panel.message == wording.PREPARING
    assert not panel.turn["is_running"]
    player.is_ready.set()
    wait_for(lambda: panel.headline == "O is thinking")
    assert panel.message == ""


def test_stop_does_not_wait_for_a_player_that_is_slow(make_panel):
    player = PuppetPlayer()
    panel = make_panel("tictactoe", white=player)
    click(panel, 4)
    found = search(panel.state)
    player.give(replace(found, progress=0.1))
    wait_for(lambda: panel.thinking.get("share") == 0.1)
    command(panel, "stop")  # and the player goes on with its next thought for ever
    wait_for(lambda: len(panel.moves) == 2)
    assert panel.moves[1].action == found.action
    assert panel.headline == "Your turn: X"
    command(panel, "new")
    click(panel, 0)
    wait_for(lambda: panel.headline == "Waiting for another search")
    player.give(found)
    wait_for(lambda: panel.headline == "O is thinking")
    assert panel.record == "a1"


def test_the_only_move_takes_no_search(make_panel):
    player = PuppetPlayer()
    panel = make_panel("tictactoe")
    command(panel, "set_up", record="b2 a1 a3 c1 b1 b3 a2 c2")
    panel.set_player(0, player)
    wait_for(lambda: panel.headline == "Draw")
    assert player.asked_about == []


def test_a_click_while_the_other_thinks_is_answered(make_panel):
    panel = make_panel(white=PuppetPlayer())
    click(panel, 19)
    wait_for(lambda: panel.headline == "White is thinking")
    click(panel, 18)
    assert panel.record == "d3"
    assert panel.message.startswith("It is White's turn.")


def test_nobody_thinks_and_no_clock_runs_until_the_panel_is_on_a_page():
    player = PuppetPlayer()
    panel = GamePanel("reversi", black=player, white="human")
    assert not panel.turn["is_running"]
    event(panel, "page_opened")
    assert player.asked_about == []
    event(panel, "view_opened")
    wait_for(lambda: player.asked_about)
    event(panel, "view_closed")
    player.decide()


def test_a_panel_that_leaves_the_page_gives_the_search_up_and_comes_back(make_panel):
    player = PuppetPlayer()
    panel = make_panel(white=player)
    click(panel, 19)
    wait_for(lambda: len(player.asked_about) == 1)
    event(panel, "view_opened")  # a second view of the same panel
    event(panel, "view_closed")
    assert panel.headline == "White is thinking"
    event(panel, "view_closed")
    assert not panel.thinking
    assert not panel.turn["is_running"]
    player.give(Proposal(18, progress=0.5))
    wait_for(lambda: player.num_given_up == 1)
    event(panel, "view_opened")
    wait_for(lambda: len(player.asked_about) == 2)
    assert panel.record == "d3"


def test_a_page_that_is_loaded_again_counts_its_views_anew(make_panel):
    player = PuppetPlayer()
    panel = make_panel(white=player)
    event(panel, "page_opened", "next page")  # without a word from the page before
    event(panel, "view_opened", "next page")
    click(panel, 19)
    wait_for(lambda: panel.headline == "White is thinking")
    event(panel, "view_closed", "next page")
    assert not panel.thinking


def test_a_page_that_is_loaded_again_without_the_panel_ends_its_search(make_panel):
    panel = make_panel(white=PuppetPlayer())
    click(panel, 19)
    wait_for(lambda: panel.headline == "White is thinking")
    event(panel, "page_opened", "next page")
    assert not panel.thinking


def test_messages_of_a_page_may_overtake_each_other(make_panel):
    player = PuppetPlayer()
    panel = make_panel(white=player)
    event(panel, "view_opened", "next page")
    event(panel, "page_opened", "next page")
    click(panel, 19)
    wait_for(lambda: player.asked_about)


def test_a_panel_without_a_view_keeps_no_tree(make_panel):
    player = PuppetPlayer()
    panel = make_panel("tictactoe", white=player)
    click(panel, 4)
    player.decide(search(panel.state))
    wait_for(lambda: panel.last_result is not None)
    event(panel, "view_closed")
    assert panel.last_result is None


def test_a_player_that_fails_is_shown_and_can_be_tried_again(make_panel):
    player = PuppetPlayer()
    panel = make_panel(white=player)
    click(panel, 19)
    player.give(RuntimeError("out of ideas"))
    wait_for(lambda: panel.tone == "error")
    assert panel.message == "White's player failed. RuntimeError: out of ideas"
    assert panel.record == "d3"
    assert not panel.turn["is_running"]
    command(panel, "start")
    player.decide(Proposal(18, progress=1.0))
    wait_for(lambda: panel.record == "d3 c3")
    assert panel.tone == "plain"


def test_an_illegal_decision_is_shown(make_panel):
    player = PuppetPlayer()
    panel = make_panel(white=player)
    click(panel, 19)
    player.decide(Proposal(0, progress=1.0))
    wait_for(lambda: panel.tone == "error")
    assert "IllegalActionError: Action 0 is not legal" in panel.message


def test_two_panels_wait_for_each_other(make_panel):
    one, two = PuppetPlayer("one"), PuppetPlayer("two")
    first, second = make_panel(white=one), make_panel(white=two)
    click(first, 19)
    wait_for(lambda: first.headline == "White is thinking")
    click(second, 19)
    wait_for(lambda: second.headline == "Waiting for another search")
    assert not second.turn["is_running"]
    one.decide(Proposal(18, progress=1.0))
    wait_for(lambda: second.headline == "White is thinking")
    assert second.turn["is_running"]
    two.decide(Proposal(20, progress=1.0))
    wait_for(lambda: second.record == "d3 e3")
    wait_for(lambda: first.record == "d3 c3")


def test_a_thought_is_two_messages_at_most(make_panel, monkeypatch):
    player = PuppetPlayer()
    panel = make_panel("gomoku", white=player)
    click(panel, 112)
    wait_for(lambda: panel.headline == "White is thinking")
    found = search(panel.state, 300)
    messages = record_messages(panel, monkeypatch)
    heat = record_messages(panel.board, monkeypatch)
    player.give(found)
    wait_for(lambda: heat)
    assert [set(m["state"]) for m in messages] == [{"thinking", "estimate"}]
    assert [set(m["state"]) for m in heat] == [{"picture"}]


def test_a_move_is_one_message_of_the_board(make_panel, monkeypatch):
    panel = make_panel()
    messages = record_messages(panel.board, monkeypatch)
    click(panel, 19)
    assert len(messages) == 1


# Watching


def test_two_players_wait_for_start_and_can_be_paused(make_panel):
    one, two = PuppetPlayer("one"), PuppetPlayer("two")
    panel = make_panel(black=one, white=two)
    assert panel.commands == ["new", "start", "swap"]
    assert one.asked_about == []
    command(panel, "start")
    assert "pause" in panel.commands
    one.decide(Proposal(19, progress=1.0))
    wait_for(lambda: panel.record == "d3")
    wait_for(lambda: two.asked_about)
    command(panel, "pause")
    assert "start" in panel.commands
    two.give(Proposal(18, progress=1.0))
    wait_for(lambda: two.num_given_up == 1)
    assert panel.record == "d3"
    command(panel, "start")
    two.decide(Proposal(18, progress=1.0))
    wait_for(lambda: panel.record == "d3 c3")


@pytest.mark.parametrize("game", ["tictactoe", "connect_four", Reversi(size=4), Gomoku(size=6)])
def test_two_players_play_any_game_to_its_end(make_panel, game):
    panel = make_panel(game, "random", FirstMovePlayer())
    command(panel, "start")
    wait_for(lambda: panel.turn["player"] is None)
    assert panel.state.is_terminal


def test_undo_while_watching_takes_one_move_back_and_waits(make_panel):
    panel = make_panel("tictactoe", FirstMovePlayer(), FirstMovePlayer())
    command(panel, "start")
    wait_for(lambda: panel.turn["player"] is None)
    moves = len(panel.moves)
    command(panel, "undo")
    assert len(panel.moves) == moves - 1
    assert "start" in panel.commands


# Hints


def test_a_hint_is_marked_and_told(make_panel):
    adviser = PuppetPlayer("adviser")
    panel = make_panel("tictactoe", hint=adviser)
    command(panel, "hint")
    assert panel.headline == "Looking for a hint"
    assert "hint" not in panel.commands
    found = search(panel.state)
    adviser.decide(found)
    wait_for(lambda: "hint" in panel.commands)
    assert panel.board.hint_square == found.action
    assert panel.tone == "hint"
    assert panel.effort == wording.speed(found) != ""
    assert panel.message.startswith("Hint: ")
    assert panel.headline == "X to move"
    assert panel.statistics["caption"].startswith("Hint for X: ")


def test_playing_ends_the_search_for_a_hint(make_panel):
    adviser = PuppetPlayer("adviser")
    panel = make_panel("tictactoe", hint=adviser)
    command(panel, "hint")
    wait_for(lambda: adviser.asked_about)
    click(panel, 4)
    adviser.decide(Proposal(0, progress=1.0))
    wait_for(lambda: adviser.num_given_up == 1)
    assert panel.board.hint_square is None
    assert panel.record == "b2"


def test_stop_gives_the_hint_found_so_far(make_panel):
    adviser = PuppetPlayer("adviser")
    panel = make_panel("tictactoe", hint=adviser)
    command(panel, "hint")
    wait_for(lambda: adviser.asked_about)
    command(panel, "stop")
    adviser.give(Proposal(2, progress=0.1))
    wait_for(lambda: panel.board.hint_square == 2)


def test_a_hint_that_fails_is_shown_and_the_game_goes_on(make_panel):
    adviser = PuppetPlayer("adviser")
    panel = make_panel("tictactoe", hint=adviser)
    command(panel, "hint")
    adviser.give(RuntimeError("out of ideas"))
    wait_for(lambda: panel.tone == "error")
    assert panel.message == "The search for a hint failed. RuntimeError: out of ideas"
    click(panel, 4)
    assert panel.record == "b2"


def test_there_is_no_hint_for_a_player_or_at_the_end(make_panel):
    panel = make_panel("tictactoe", white=PuppetPlayer())
    click(panel, 4)
    assert "hint" not in panel.commands
    panel.hint()
    assert panel.headline != "Looking for a hint"


# Clocks


def test_a_humans_first_move_is_not_timed(make_panel):
    panel = make_panel()
    assert not panel.turn["is_running"]
    click(panel, 19)
    assert not panel.turn["is_running"]
    click(panel, 18)
    assert panel.turn["is_running"]
    assert panel.turn["limit"] == 60
    assert [move.seconds for move in panel.moves] == [None, None]
    click(panel, panel.board.legal_squares[0])
    assert panel.moves[2].seconds >= 0


def test_a_humans_first_move_after_a_set_up_is_not_timed(make_panel):
    panel = make_panel()
    command(panel, "set_up", record="d3 c3 c4 c5")
    assert not panel.turn["is_running"]


def test_a_timer_that_goes_off_during_a_move_changes_nothing(make_panel):
    panel = make_panel(seconds_per_move=0.1)
    with panel._lock:
        click(panel, 19)
        click(panel, 18)
        late = panel._timer
        wait_for(lambda: panel._match.seconds_left == 0)
        time.sleep(0.05)  # so that it has gone off and waits for the lock; all holds without it too
        panel.play(panel.state.legal_actions()[0])
        mine = panel._timer
    late.join()
    assert panel._timer is mine


def test_who_thinks_too_long_loses(make_panel):
    panel = make_panel(seconds_per_move=0.05)
    click(panel, 19)
    click(panel, 18)
    wait_for(lambda: panel.headline == "White wins on time")
    assert panel.message == "Black took longer than 0.05 s for this move."
    assert panel.board.legal_squares == []
    assert panel.sides[0]["seconds"] >= 0.05
    command(panel, "undo")
    assert (panel.record, panel.headline) == ("d3 c3", "Black to move")


def test_a_player_who_thinks_too_long_loses(make_panel):
    player = PuppetPlayer()
    panel = make_panel(white=player, seconds_per_move=0.05)
    click(panel, 19)
    wait_for(lambda: panel.headline == "Black wins on time")
    assert not panel.thinking
    player.decide(Proposal(18, progress=1.0))
    wait_for(lambda: player.num_given_up == 1)
    assert panel.record == "d3"


def test_without_a_limit_no_timer_is_started(make_panel):
    panel = make_panel(seconds_per_move=None)
    click(panel, 19)
    click(panel, 18)
    assert panel.turn["is_running"]
    assert panel.turn["limit"] is None
    assert not [t for t in threading.enumerate() if isinstance(t, threading.Timer)]


def test_a_move_stops_the_timer(make_panel):
    panel = make_panel(seconds_per_move=30)
    for _ in range(6):
        click(panel, panel.board.legal_squares[0])
    wait_for(lambda: sum(isinstance(t, threading.Timer) for t in threading.enumerate()) <= 1)


def test_the_limit_is_switched_on_the_page(make_panel):
    panel = make_panel(seconds_per_move=5)
    click(panel, 19)
    click(panel, 18)
    assert panel.turn["limit"] == 5
    assert panel.limit == {"seconds": 5, "is_on": True}
    command(panel, "limit", value=False)
    assert panel.seconds_per_move is None
    assert panel.turn["limit"] is None
    assert panel.limit == {"seconds": 5, "is_on": False}
    assert panel.message == "There is no limit for a move now."
    command(panel, "limit", value=True)
    assert panel.seconds_per_move == 5
    assert panel.turn["limit"] is None
    assert panel.message == "Who takes longer than 5 s for a move loses, from the next move on."
    click(panel, panel.board.legal_squares[0])
    assert panel.turn["limit"] == 5


def test_a_panel_without_a_limit_offers_a_minute(make_panel):
    panel = make_panel(seconds_per_move=None)
    assert panel.limit == {"seconds": 60, "is_on": False}
    command(panel, "limit", value=True)
    assert panel.seconds_per_move == 60
    assert panel.message == "Who takes longer than 60 s for a move loses."


def test_a_limit_that_is_lifted_no_longer_loses(make_panel):
    panel = make_panel(seconds_per_move=0.2)
    click(panel, 19)
    click(panel, 18)
    timer = panel._timer
    panel.seconds_per_move = None
    timer.join(20)
    assert panel._match.outcome is None
    panel.seconds_per_move = 0.01
    click(panel, panel.board.legal_squares[0])
    wait_for(lambda: panel.headline == "Black wins on time")
    assert panel.message == "White took longer than 0.01 s for this move."


def test_a_limit_below_zero_is_refused_and_changes_nothing(make_panel):
    panel = make_panel(seconds_per_move=5)
    with pytest.raises(ValueError, match="seconds_per_move=-1"):
        panel.seconds_per_move = -1
    assert panel.limit == {"seconds": 5, "is_on": True}


# What the moves cost


def test_every_move_keeps_what_it_cost(make_panel):
    player = PuppetPlayer()
    panel = make_panel("tictactoe", white=player)
    click(panel, 4)
    player.decide(Proposal(0, 1.0, num_simulations=700))
    wait_for(lambda: len(panel.moves) == 2)
    click(panel, 8)
    player.decide(Proposal(1, 1.0, num_nodes=9_000))
    wait_for(lambda: len(panel.moves) == 4)
    assert [move.num_simulations for move in panel.moves] == [0, 700, 0, 0]
    assert [move.num_nodes for move in panel.moves] == [0, 0, 0, 9_000]
    assert panel.effort == "9,000 nodes"
    assert panel.statistics["caption"].startswith("O visited 9,000 nodes in ")


def test_the_clocks_are_drawn_where_anybody_looks(make_panel):
    panel = make_panel()
    for square in (19, 18, 26):
        click(panel, square)
    assert panel.clocks == {}
    command(panel, "open_section", section="clocks")
    assert len(panel.clocks["charts"]) == 1
    assert panel.clocks["charts"][0].count("data-ply") == 1, "the first two were not timed"
    assert [row[:3] for row in panel.clocks["rows"]] == [
        ["1", "Black", "d3"],
        ["2", "White", "c3"],
        ["3", "Black", "c4"],
    ]


def test_the_clocks_are_right_after_undo_new_game_and_set_up(make_panel):
    panel = make_panel()
    command(panel, "open_section", section="clocks")
    assert panel.clocks["remark"] == "No clock ran, and nothing was counted."
    for square in (19, 18, 26, 34):
        click(panel, square)
    assert [row[2] for row in panel.clocks["rows"]] == ["d3", "c3", "c4", "c5"]
    before = panel.clocks["totals"]
    command(panel, "undo")
    assert [row[2] for row in panel.clocks["rows"]] == ["d3", "c3", "c4"]
    assert panel.clocks["charts"][0].count("data-ply") == 1
    assert panel.clocks["totals"] != before
    command(panel, "set_up", record="f5 d6")
    assert panel.clocks["rows"] == [["1", "Black", "f5"], ["2", "White", "d6"]]
    assert panel.clocks["charts"] == []
    command(panel, "new")
    assert panel.clocks["rows"] == []


# Statistics and tree


def test_the_statistics_of_the_last_search(make_panel):
    player = PuppetPlayer()
    panel = make_panel("tictactoe", white=player)
    click(panel, 4)
    state = panel.state
    found = search(state)
    player.decide(found)
    wait_for(lambda: panel.statistics)
    assert panel.statistics["rows"] == [list(row) for row in found.result.table().rows()]
    assert panel.statistics["head"][-1] == "Win rate for O"
    move = state.action_to_string(found.action)
    assert panel.statistics["caption"].startswith(f"O: {move}, after 200 simulations in ")
    assert panel.last_result is found.result


def test_a_player_without_a_search_has_no_statistics(make_panel):
    panel = make_panel("tictactoe", white=FirstMovePlayer())
    click(panel, 4)
    wait_for(lambda: panel.statistics)
    assert panel.statistics["rows"] == []
    assert "played without a search" in panel.statistics["caption"]


def test_the_tree_is_drawn_when_its_section_is_open(make_panel):
    player = PuppetPlayer()
    panel = make_panel("tictactoe", white=player)
    click(panel, 4)
    player.decide(search(panel.state))
    wait_for(lambda: len(panel.moves) == 2)
    assert panel.tree == {}
    command(panel, "open_section", section="tree")
    assert panel.section == "tree"
    wait_for(lambda: "svg" in panel.tree)
    assert panel.tree["svg"].startswith("<svg")
    first = panel.tree["svg"]
    click(panel, panel.board.legal_squares[0])
    player.decide(search(panel.state))
    wait_for(lambda: panel.tree.get("svg") not in (None, first))


def test_a_tree_that_cannot_be_drawn_says_why(make_panel, monkeypatch):
    player = PuppetPlayer()
    panel = make_panel("tictactoe", white=player)
    click(panel, 4)
    player.decide(search(panel.state))
    wait_for(lambda: len(panel.moves) == 2)

    class Undrawable:
        @property
        def svg(self):
            raise ValueError("no renderer")

    monkeypatch.setattr(game_panel.draw, "tree", lambda _: Undrawable())
    command(panel, "open_section", section="tree")
    wait_for(lambda: panel.tree == {"remark": "The tree could not be drawn. no renderer"})


def test_a_drawing_that_comes_too_late_is_dropped(make_panel, monkeypatch):
    player, is_drawn = PuppetPlayer(), threading.Event()
    panel = make_panel("tictactoe", white=player)
    click(panel, 4)
    player.decide(search(panel.state))
    wait_for(lambda: len(panel.moves) == 2)

    class SlowTree:
        @property
        def svg(self):
            assert is_drawn.wait(20)
            return "<svg/>"

    monkeypatch.setattr(game_panel.draw, "tree", lambda _: SlowTree())
    command(panel, "open_section", section="tree")
    (drawing,) = [t for t in threading.enumerate() if t.name == "mctslab drawing"]
    command(panel, "new")
    is_drawn.set()
    drawing.join()
    assert panel.tree == {}


def test_a_new_game_forgets_the_search(make_panel):
    player = PuppetPlayer()
    panel = make_panel("tictactoe", white=player)
    click(panel, 4)
    player.decide(search(panel.state))
    wait_for(lambda: panel.statistics)
    command(panel, "new")
    assert (panel.statistics, panel.tree, panel.estimate) == ({}, {}, {})
    assert panel.last_result is None


# In a notebook


def test_the_panel_shows_itself_with_a_line_for_when_there_is_no_kernel():
    InteractiveShell.instance()
    panel = GamePanel("tictactoe")
    with capture_output() as captured:
        panel._ipython_display_()
    shown, line = [output.data for output in captured.outputs]
    assert shown["application/vnd.jupyter.widget-view+json"]["model_id"] == panel.model_id
    assert "run this cell again" in line["text/html"]
    InteractiveShell.clear_instance()


def test_the_page_can_ask_whether_anybody_is_there(make_panel, monkeypatch):
    panel = make_panel()
    messages = record_messages(panel, monkeypatch)
    command(panel, "ping")
    assert messages[-1]["content"] == {"answer": "pong"}


def test_messages_go_where_the_page_sends_them_whoever_spoke_last():
    panel = GamePanel("tictactoe")
    for widget in (panel, panel.board):
        widget.comm._reply_subshell_id = None  # as ipykernel 7.4 notes it at every message
    panel.play(4)
    for widget in (panel, panel.board):
        assert not hasattr(widget.comm, "_reply_subshell_id")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"game": "chess"}, "no game 'chess'"),
        ({"game": "reversi", "white": "nobody"}, "no player 'nobody'"),
        ({"game": "reversi", "seconds_per_move": 0}, "seconds_per_move=0"),
    ],
)
def test_wrong_arguments_are_named(arguments, words):
    with pytest.raises(ValueError, match=words):
        GamePanel(**arguments)


@pytest.mark.parametrize("game", [TicTacToe(), ConnectFour(), Reversi(), Gomoku()])
def test_every_game_has_a_panel(game):
    panel = GamePanel(game)
    assert panel.title == game.title
    assert panel.headline == f"Your turn: {game.player_names[0]}"
