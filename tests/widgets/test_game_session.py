"""A session of the game panel, without any widget: what each command and event does."""

import threading
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from mctslab import players
from mctslab.boards.style import value_color
from mctslab.games import Gomoku, Reversi
from mctslab.players import Proposal
from mctslab.search import SearchResult, mcts
from mctslab.widgets import game_session, wording
from mctslab.widgets.game_session import GameSession
from tests.widgets.fake_players import FirstMovePlayer, PuppetPlayer, SlowDrawing, wait_for
from tests.widgets.test_match import BLACK_MUST_PASS

WHITE_MUST_PASS = "f5 f6 e6 f4 g4 d6 f7 h4 h3 f8 h5"


class ShownSession(GameSession):
    """A session with what its views show at hand, such as `headline` of the status."""

    picture = property(lambda session: session.views["board"].picture())
    legal = property(lambda session: list(session.views["board"].legal_squares))
    choices = property(lambda session: [side["choice"] for side in session.views["menus"]["sides"]])

    def __getattr__(self, name):
        views = self.__dict__["views"]
        places = (views["status"], views["game"], views["menus"], views)
        return next(view[name] for view in places if name in view)


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch):
    monkeypatch.setattr(game_session, "PAUSE_BEFORE_THINKING", 0.0)


@pytest.fixture
def make_session():
    """Make sessions that are on a page; all are taken off it at the end."""
    sessions = []

    def make(game="reversi", black="human", white="human", **options):
        session = ShownSession(game, black, white, rng=np.random.default_rng(1), **options)
        sessions.append(session)
        session.watch(True)
        return session

    yield make
    for session in sessions:
        session.watch(False)
        for player in session._given.values():
            player.decide()  # a puppet that waits for its proposals would block the next test
        assert session.wait(20)


def command(session: GameSession, name: str, **more: object) -> None:
    session.handle({"command": name, **more})


def click(session: GameSession, *squares: int) -> None:
    """What clicks on squares do, whether these are legal or not."""
    for square in squares:
        if square in session.views["board"].legal_squares:
            session.choose_square(square)
        else:
            session.refuse_square(square)


def search(state, num_simulations=200, **changes) -> Proposal:
    """The decision of a search of `state`."""
    player = players.make(f"uct:{num_simulations}", rng=np.random.default_rng(1))
    *_, proposal = player.think(state)
    return replace(proposal, **changes)


@pytest.fixture
def thinking(make_session):
    """Begin a game of Tic-Tac-Toe against a puppet, which thinks about X's first move."""

    def make(**options):
        player = PuppetPlayer()
        session = make_session("tictactoe", white=player, **options)
        click(session, 4)
        wait_for(lambda: session.headline == "O is thinking")
        return session, player

    return make


@pytest.fixture
def searched(thinking):
    """A game in which the puppet has answered, and what it found."""
    session, player = thinking()
    found = search(session.state, seconds=0.1)
    player.decide(found)
    wait_for(lambda: len(session.moves) == 2)
    return session, player, found


# Playing by hand


def test_at_the_start_it_is_the_first_players_turn(make_session):
    session = ShownSession("reversi")
    assert (session.headline, session.legal) == ("Your turn: Black", [19, 26, 37, 44])
    assert [side["name"] for side in session.views["menus"]["sides"]] == ["Black", "White"]
    assert session.choices == ["human", "uct:2s"]
    assert [side["discs"] for side in session.sides] == [2, 2]
    for game in ("reversi", "tictactoe", "connect_four", "gomoku"):
        has_dots = "data-legal" in make_session(game).picture
        assert has_dots == (game == "reversi"), "only where they say something"
    session = make_session("connect_four")
    command(session, "set_up", record="1 1 1 1 1 1")
    click(session, 0)
    assert session.message == "This column is full."
    session = make_session(Reversi().child(19))
    for _ in range(2):
        assert session.headline == "White to move"
        click(session, 18)
        assert [move.player for move in session.moves] == [1]
        command(session, "new")


def test_a_click_plays_and_on_an_illegal_square_it_is_answered(make_session):
    session = make_session()
    click(session, 27)
    assert session.message == "d4 is taken."
    click(session, 0)
    assert (session.record, session.tone) == ("", "warning")
    assert session.message == "Black can't play a1: the dots show where it can."
    click(session, 19)
    assert (session.record, session.message) == ("d3", "")
    assert (session.headline, session.legal) == ("White to move", [18, 20, 34])
    assert session.state == Reversi().child(19)
    command(session, "pass")
    assert (session.record, session.message) == ("d3", ""), "no pass is due"


def test_a_human_who_must_pass_sees_it_and_passes_with_one_click(make_session):
    session = make_session()
    command(session, "set_up", record=BLACK_MUST_PASS)
    assert session.headline == "Black has to pass"
    assert session.message == "Black has no legal move: press Pass."
    assert "pass" in session.commands
    click(session, 0)
    assert session.record == BLACK_MUST_PASS
    command(session, "pass")
    assert session.record.endswith("pass")
    assert session.message == "Black had no legal move and passed."
    assert "pass" not in session.commands


def test_a_player_who_must_pass_does_so_without_a_search_and_it_is_told(make_session):
    player = PuppetPlayer()
    session = make_session(white=player)
    command(session, "set_up", record=WHITE_MUST_PASS)
    wait_for(lambda: session.record.endswith("pass"))
    assert session.message == "White had no legal move and passed."
    assert session.headline == "Your turn: Black"
    assert player.asked_about == []


def test_the_end_of_a_game_is_told(make_session):
    session = make_session("tictactoe")
    click(session, 0, 3, 1, 4, 2)
    assert session.headline == "X wins"
    assert (session.turn["player"], session.estimate, session.legal) == (None, 1.0, [])
    click(session, 8)
    assert session.message == "The game is over. Press New for another one."
    assert session.commands == ["new", "swap", "undo"]
    command(session, "undo")
    assert session.estimate is None


def test_new_undo_and_swap(make_session):
    session = make_session(white=PuppetPlayer())
    assert session.commands == ["hint", "new", "swap"]
    session.set_player(1, "human")
    click(session, 19, 18)
    command(session, "undo")
    assert session.record == "d3"
    command(session, "new")
    assert session.record == ""
    assert "undo" not in session.commands
    session.set_player(1, PuppetPlayer("other"))
    command(session, "swap")
    assert session.choices == ["other", "human"]


def test_undo_while_the_other_thinks_takes_the_own_move_back(thinking):
    session, player = thinking()
    assert "hint" not in session.commands
    session.hint()
    click(session, 0)
    assert session.record == "b2"
    assert session.message.startswith("It is O's turn.")
    command(session, "undo")
    assert (session.record, session.headline) == ("", "Your turn: X")
    assert not session.thinking
    player.decide(Proposal(0, 1.0))
    wait_for(lambda: player.num_given_up == 1)
    assert session.record == ""


def test_a_player_is_chosen_by_name_also_one_given_as_an_object(make_session):
    mine = PuppetPlayer("mine")
    session = make_session(black=mine)
    command(session, "set_player", side=0, player="human")
    mine.give(Proposal(19, progress=0.5))  # with this it lets go, if it had begun to think
    click(session, 19)
    command(session, "set_player", side=1, player="roxanne")
    wait_for(lambda: len(session.moves) == 2)
    assert session.choices == ["human", "roxanne"]
    session.set_player(1, "alphabeta:1s")
    labels = {player["value"]: player["label"] for player in session.players}
    assert labels["roxanne"] == "Level 2: Roxanne"
    assert (labels["mine"], labels["alphabeta:1s"]) == ("mine", "Alpha-beta, 1 s a move")
    session.set_player(1, "human")
    mine.asked_about.clear()
    command(session, "set_player", side=0, player="mine")
    wait_for(lambda: mine.asked_about)


def test_the_same_seed_gives_the_same_game(make_session):
    records = []
    for _ in range(2):
        session = make_session("tictactoe", "random", "random")
        command(session, "start")
        wait_for(lambda session=session: session.turn["player"] is None)
        records.append(session.record)
        command(session, "undo")
        assert session.record == records[0].rpartition(" ")[0], "one move, as nobody is human"
        assert "start" in session.commands
    assert records[0] == records[1]


def test_a_record_from_the_page_sets_up_or_names_its_bad_move(make_session):
    session = make_session()
    command(session, "set_up", record="1. d3 c3 2. d9")
    assert session.record == ""
    assert session.record_error.startswith("Move 3: 'd9' is not a move of Reversi")
    command(session, "set_up", record="1. d3 c3 2. c4")
    assert (session.record, session.record_error) == ("d3 c3 c4", "")


def test_other_rules_begin_a_new_game(make_session):
    session = make_session("gomoku")
    session.seconds_per_move = 7
    click(session, 112)
    command(session, "set_rules", rules={"size": 9})
    assert (session.record, session.state) == ("", Gomoku(9))
    assert (session.views["board"].board.rows, len(session.legal)) == (9, 81)
    click(session, 80)
    command(session, "set_rules", rules={"in_a_row": 4, "exactly_five": True})
    assert session.state == Gomoku(9, 4, exactly_five=True)
    assert [menu["value"] for menu in session.rules] == [9, 4, True]
    assert session.seconds_per_move == 7
    command(session, "new")
    assert session.state == Gomoku(9, 4, exactly_five=True)


def test_the_players_change_sides_at_random_in_about_half_of_the_games(make_session):
    session = make_session("gomoku", white=FirstMovePlayer(), random_sides=True)
    humans = []
    for _ in range(40):
        command(session, "new")
        human = session.choices.index("human")
        humans.append(human)
        said = ("you are Black and move first.", "you are White and move second.")[human]
        assert session.message == f"Drawn at random: {said}" or session.moves
    assert 8 <= sum(humans) <= 32
    assert 8 <= sum(before != now for before, now in pairwise(humans)) <= 32, "they don't alternate"


def test_random_sides_are_switched_and_count_from_the_next_new_game_on(make_session):
    session = make_session("gomoku", white=FirstMovePlayer())
    command(session, "random_sides", value=True)
    assert session.message == "In the next new game, it is decided at random who moves first."
    for _ in range(20):
        session.set_up("H8 I9")
        assert session.choices[0] == "human", "a record is set up for the sides as they are"
    session.set_player(1, "human")
    command(session, "new")
    assert session.message == "", "nobody cares between two humans"
    command(session, "random_sides", value=False)
    assert session.message == "In the next new game, the players keep their sides."
    assert not session.random_sides


# Thinking


def test_a_search_shows_its_progress_its_estimate_and_its_visits(thinking):
    session, player = thinking()
    state = session.state
    found = search(state, seconds=0.1)
    share = pytest.approx(1 - (1 + found.result.value) / 2)
    player.give(replace(found, progress=0.25))
    wait_for(lambda: session.thinking.get("share") == 0.25)
    assert session.thinking["text"].endswith("so far, 200 simulations, 2,000/s")
    assert (session.effort, session.estimate) == ("", share)
    wait_for(lambda: "data-heat" in session.picture)
    assert "stop" in session.commands
    player.decide(found)
    wait_for(lambda: len(session.moves) == 2)
    assert "data-heat" not in session.picture
    assert not session.thinking
    assert session.message == f"O played {state.action_to_string(found.action)}."
    assert (session.effort, session.estimate) == ("200 simulations, 2,000/s", share)
    session.watch(False)
    session.watch(True)
    assert session.effort == "200 simulations, 2,000/s", "it stays with the message"
    click(session, session.legal[0])
    assert session.effort == ""


def test_undo_takes_the_estimate_back_as_well(make_session):
    player = PuppetPlayer()
    session = make_session("tictactoe", white=player)
    estimates = []
    for num_moves in (2, 4):
        session.play(session.state.legal_actions()[0])
        player.decide(search(session.state))
        wait_for(lambda number=num_moves: len(session.moves) == number)
        estimates.append(session.estimate)
    assert estimates[0] != estimates[1]
    command(session, "undo")
    assert session.estimate == estimates[0]
    command(session, "undo")
    assert session.estimate is None


def test_a_player_without_a_search_has_no_speed_and_no_statistics(make_session):
    session = make_session("tictactoe", white=FirstMovePlayer())
    click(session, 4)
    wait_for(lambda: len(session.moves) == 2)
    assert (session.message, session.effort) == ("O played a1.", "")
    wait_for(lambda: session.statistics)
    assert session.statistics["rows"] == []
    assert "played without a search" in session.statistics["caption"]


def test_visits_priors_and_values_are_shown_where_wanted(thinking):
    session, player = thinking(heat="nothing")
    found = search(session.state)
    best = max(found.result.children, key=lambda child: child.visit_count)

    def wait_for_heat(heat, *parts):
        command(session, "heat", value=heat)
        assert "data-heat" not in session.picture
        wait_for(lambda: player.give(found) or all(part in session.picture for part in parts))

    player.give(found)
    wait_for(lambda: session.thinking.get("share") == 1.0)
    wait_for_heat("visits", "data-heat", f">{best.visit_count}<")
    value = best.mean_value
    wait_for_heat("values", f">{(1 + value) / 2:.0%}<", f'fill="{value_color(value)}"')
    wait_for_heat("priors")
    wait_for(lambda: player.give(found) or session.message == wording.SAME_PRIORS)
    assert "data-heat" not in session.picture
    root = mcts(session.state, num_simulations=200, rng=np.random.default_rng(1)).root
    for child in root.children:
        child.prior = 0.65 if child.action == 0 else 0.05
    found = replace(found, result=SearchResult(root, num_simulations=200, seconds=0.1))
    wait_for_heat("priors", ">65%<", ">5.0%<")


def test_a_player_that_compiles_says_so(make_session):
    player = PuppetPlayer()
    player.is_ready.clear()
    session = make_session("tictactoe", white=player)
    click(session, 4)
    wait_for(lambda: session.headline == "O is getting ready")
    assert session.message == wording.PREPARING
    assert not session.turn["is_running"]
    player.is_ready.set()
    wait_for(lambda: session.headline == "O is thinking")
    assert session.message == ""


def test_stop_does_not_wait_for_a_player_that_is_slow(thinking):
    session, player = thinking()
    found = search(session.state)
    player.give(replace(found, progress=0.1))
    wait_for(lambda: session.thinking.get("share") == 0.1)
    command(session, "stop")  # and the player goes on with its next thought for ever
    wait_for(lambda: len(session.moves) == 2)
    assert session.moves[1].action == found.action
    assert session.headline == "Your turn: X"
    command(session, "new")
    click(session, 0)
    wait_for(lambda: session.headline == "Waiting for another search")
    assert not session.turn["is_running"]
    player.give(found)
    wait_for(lambda: session.headline == "O is thinking")
    assert session.record == "a1"


def test_a_player_that_fails_is_shown_and_can_be_tried_again(make_session):
    player = PuppetPlayer()
    session = make_session(white=player)
    click(session, 19)
    player.give(RuntimeError("out of ideas"))
    wait_for(lambda: session.tone == "error")
    assert session.message == "White's player failed. RuntimeError: out of ideas"
    assert session.record == "d3"
    assert not session.turn["is_running"]
    command(session, "start")
    player.decide(Proposal(18, progress=1.0))
    wait_for(lambda: session.record == "d3 c3")
    assert session.tone == "plain"


def test_two_players_wait_for_start_and_can_be_paused(make_session):
    one, two = PuppetPlayer("one"), PuppetPlayer("two")
    session = make_session(black=one, white=two)
    assert session.commands == ["new", "start", "swap"]
    assert one.asked_about == []
    command(session, "start")
    assert "pause" in session.commands
    one.decide(Proposal(19, progress=1.0))
    wait_for(lambda: session.record == "d3")
    wait_for(lambda: two.asked_about)
    command(session, "pause")
    assert "start" in session.commands
    two.give(Proposal(18, progress=1.0))
    wait_for(lambda: two.num_given_up == 1)
    assert session.record == "d3"
    command(session, "start")
    two.decide(Proposal(18, progress=1.0))
    wait_for(lambda: session.record == "d3 c3")


# Hints


@pytest.fixture
def hinting(make_session):
    """A game of Tic-Tac-Toe in which an adviser, a puppet, looks for a hint."""
    adviser = PuppetPlayer("adviser")
    session = make_session("tictactoe", hint=adviser)
    command(session, "hint")
    assert session.headline == "Looking for a hint"
    wait_for(lambda: adviser.asked_about)
    return session, adviser


def test_a_hint_is_marked_and_told(hinting):
    session, adviser = hinting
    assert "hint" not in session.commands
    found = search(session.state)
    adviser.decide(found)
    wait_for(lambda: "hint" in session.commands)
    assert session.views["board"].hint_square == found.action
    assert session.tone == "hint"
    assert session.effort == wording.speed(found) != ""
    assert session.message.startswith("Hint: ")
    assert session.headline == "X to move"
    assert session.statistics["caption"].startswith("Hint for X: ")


def test_a_hint_that_fails_is_shown_and_the_game_goes_on(hinting):
    session, adviser = hinting
    adviser.give(RuntimeError("out of ideas"))
    wait_for(lambda: session.tone == "error")
    assert session.message == "The search for a hint failed. RuntimeError: out of ideas"
    click(session, 4)
    assert session.record == "b2"


# Clocks


def test_a_humans_first_move_is_not_timed(make_session):
    session = make_session(seconds_per_move=60)
    assert not session.turn["is_running"]
    click(session, 19)
    assert not session.turn["is_running"]
    click(session, 18)
    assert (session.turn["is_running"], session.turn["limit"]) == (True, 60)
    assert [move.seconds for move in session.moves] == [None, None]
    click(session, session.legal[0])
    assert session.moves[2].seconds >= 0
    command(session, "set_up", record="d3 c3 c4 c5")
    assert not session.turn["is_running"]


def test_who_thinks_too_long_loses(make_session):
    session = make_session(seconds_per_move=0.05)
    click(session, 19, 18)
    wait_for(lambda: session.headline == "White wins on time")
    assert session.message == "Black took longer than 0.05 s for this move."
    assert (session.legal, session.sides[0]["seconds"] >= 0.05) == ([], True)
    command(session, "undo")
    assert (session.record, session.headline) == ("d3 c3", "Black to move")


def test_a_player_who_thinks_too_long_loses(make_session):
    player = PuppetPlayer()
    session = make_session(white=player, seconds_per_move=0.05)
    click(session, 19)
    wait_for(lambda: session.headline == "Black wins on time")
    assert not session.thinking
    player.decide(Proposal(18, progress=1.0))
    wait_for(lambda: player.num_given_up == 1)
    assert session.record == "d3"


def test_unless_asked_for_no_timer_is_started_and_a_minute_is_offered(make_session):
    def all_timers():
        return {t for t in threading.enumerate() if isinstance(t, threading.Timer)}

    of_other_tests = all_timers()

    def timers():
        return [*all_timers() - of_other_tests]

    session = make_session()
    click(session, 19, 18)
    assert (session.turn["is_running"], session.turn["limit"]) == (True, None)
    assert timers() == []
    assert session.limit == {"seconds": 60, "is_on": False}
    command(session, "new")
    command(session, "limit", value=True)
    assert session.seconds_per_move == 60
    assert session.message == "Whoever takes longer than 60 s for a move loses."
    for _ in range(6):
        click(session, session.legal[0])
    wait_for(lambda: len(timers()) <= 1)


def test_the_limit_is_switched_on_the_page(make_session):
    session = make_session(seconds_per_move=5)
    click(session, 19, 18)
    assert session.turn["limit"] == 5
    command(session, "limit", value=False)
    assert session.seconds_per_move is session.turn["limit"] is None
    assert session.limit == {"seconds": 5, "is_on": False}
    assert session.message == "There is no limit for a move now."
    command(session, "limit", value=True)
    assert (session.seconds_per_move, session.turn["limit"]) == (5, None)
    told = "Whoever takes longer than 5 s for a move loses, from the next move on."
    assert session.message == told
    click(session, session.legal[0])
    assert session.turn["limit"] == 5
    with pytest.raises(ValueError, match="seconds_per_move=-1"):
        session.seconds_per_move = -1
    assert session.limit == {"seconds": 5, "is_on": True}


def test_every_move_keeps_what_it_cost(thinking):
    session, player = thinking()
    player.decide(Proposal(0, 1.0, num_simulations=700))
    wait_for(lambda: len(session.moves) == 2)
    click(session, 8)
    player.decide(Proposal(1, 1.0, num_nodes=9_000))
    wait_for(lambda: len(session.moves) == 4)
    assert [move.num_simulations for move in session.moves] == [0, 700, 0, 0]
    assert [move.num_nodes for move in session.moves] == [0, 0, 0, 9_000]
    assert session.effort == "9,000 nodes"
    assert session.statistics["caption"].startswith("O visited 9,000 nodes in ")


def test_the_clocks_are_right_after_undo_new_game_and_set_up(make_session):
    session = make_session()
    click(session, 19, 18, 26)
    assert session.clocks == {}, "nobody sees them"
    command(session, "open_section", section="clocks")
    (chart,) = session.clocks["charts"]
    assert f"Black: {session.clocks['rows'][2][3]} in total" in chart
    assert "White: " not in chart, "the first two were not timed"
    assert session.clocks["rows"][2][:2] == ["3", "Black"]
    click(session, 34)
    assert [row[2] for row in session.clocks["rows"]] == ["d3", "c3", "c4", "c5"]
    command(session, "undo")
    assert len(session.clocks["rows"]) == 3
    command(session, "set_up", record="f5 d6")
    assert session.clocks["rows"] == [["1", "Black", "f5"], ["2", "White", "d6"]]
    assert session.clocks["charts"] == []
    command(session, "new")
    assert session.clocks["remark"] == "No time was measured and nothing was counted."


def test_the_statistics_of_the_last_search(searched):
    session, _, found = searched
    assert session.statistics["rows"] == [list(row) for row in found.result.table().rows()]
    assert session.statistics["head"][-1] == "Win rate for O"
    move = session.moves[1].notation
    assert session.statistics["caption"].startswith(f"O: {move}, after 200 simulations in ")
    assert session._searched.result is found.result
    session.watch(False)
    assert session._searched is None, "a panel without a view keeps no tree"


def test_the_tree_is_drawn_when_its_section_is_open(searched):
    session, player, _ = searched
    # Before the kernel answers the page already has a true sentence: something was searched.
    assert session.tree == {"remark": "Drawing the tree …"}
    command(session, "open_section", section="tree")
    assert session.section == "tree"
    wait_for(lambda: "svg" in session.tree)
    assert session.tree["svg"].startswith("<svg")
    first = session.tree["svg"]
    click(session, session.legal[0])
    player.decide(search(session.state))
    wait_for(lambda: session.tree.get("svg") not in (None, first))
    command(session, "new")
    assert (session.statistics, session.tree, session.estimate) == ({}, {}, None)
    assert session._searched is None


@pytest.mark.parametrize("is_open_before", [True, False])
def test_a_click_is_answered_while_the_tree_is_drawn(thinking, monkeypatch, is_open_before):
    drawing = SlowDrawing(game_session.draw.tree)
    monkeypatch.setattr(game_session.draw, "tree", drawing)
    session, player = thinking()
    if is_open_before:
        command(session, "open_section", section="tree")
    player.decide(search(session.state))
    wait_for(lambda: len(session.moves) == 2)
    if not is_open_before:
        command(session, "open_section", section="tree")
    wait_for(drawing.begun.is_set)
    click(session, session.legal[0])
    assert len(session.moves) == 3
    assert not drawing.done.is_set(), "the click did not have to wait for it"
    drawing.told.set()
    wait_for(lambda: "svg" in session.tree)


def test_after_alpha_beta_the_tree_section_says_what_is_true(thinking):
    session, player = thinking()
    command(session, "open_section", section="tree")
    player.decide(Proposal(0, 1.0, num_nodes=387_437, seconds=2.0))
    wait_for(lambda: len(session.moves) == 2)
    assert session.tree == {
        "remark": "O searched 387,437 nodes by alpha-beta, which does not keep them as a tree."
    }


def test_a_search_of_a_position_that_is_taken_back_is_shown_no_more(make_session):
    adviser = PuppetPlayer("adviser")
    session = make_session("tictactoe", hint=adviser)
    click(session, 4, 0)
    command(session, "open_section", section="tree")
    command(session, "hint")
    adviser.decide(search(session.state))
    wait_for(lambda: "svg" in session.tree)
    command(session, "undo")
    for shown in (session.tree["remark"], session.statistics["caption"]):
        assert shown == "The last search was of a position that has been taken back."
    assert session._searched is None

    command(session, "hint")
    adviser.decide(search(session.state))
    wait_for(lambda: "svg" in session.tree)
    click(session, 8)
    command(session, "undo")
    assert "svg" in session.tree, "that search was of the position on the board"


def test_a_tree_that_is_drawn_too_late_is_not_shown(searched, monkeypatch):
    drawing = SlowDrawing(game_session.draw.tree)
    monkeypatch.setattr(game_session.draw, "tree", drawing)
    session, _, _ = searched
    command(session, "open_section", section="tree")
    wait_for(drawing.begun.is_set)
    command(session, "new")
    drawing.told.set()
    wait_for(lambda: not [t for t in threading.enumerate() if t.name == "mctslab drawing"])
    assert session.tree == {}


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("<class '.*Reversi'> is not a position of a game: give one, such as", {"game": Reversi}),
        ("None cannot play: give .human., a short name", {"white": None}),
        ("7 cannot play", {"hint": 7}),
        ("seconds_per_move='1' is not possible: give a number above 0", {"seconds_per_move": "1"}),
        ("heat='wins' can't be shown on the board; it is one of visits, priors", {"heat": "wins"}),
    ],
)
def test_what_cannot_be_played_is_named_with_what_can(words, options):
    with pytest.raises(ValueError, match=words):
        GameSession(**{"game": "reversi"} | options)
    with pytest.raises(ValueError, match="side=2 does not exist"):
        GameSession("reversi").set_player(2, "random")
