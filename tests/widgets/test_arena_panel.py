"""The arena panel with real matches and without a browser: what each button and event does."""

import re
import sys
import threading

import pytest

from mctslab import arena, games
from mctslab.arena import SPRT, Contestant
from mctslab.arena.results_file import ResultsFile
from mctslab.arena.settings import make_setup
from mctslab.widgets import ArenaPanel, arena_panel
from tests.arena.comparing import all_without_times
from tests.arena.odd_players import OddPlayer
from tests.widgets.browser_messages import command, event, see, send
from tests.widgets.fake_players import WAIT_SECONDS, wait_for

PLAYERS = ("uct:15", "random")
SETTINGS = {"num_games": 6, "seed": 3, "opening_plies": 1}


class Gate:
    """Lets a number of moves pass, one after the other."""

    def __init__(self) -> None:
        self.moves = threading.Semaphore(0)
        self.is_open = False

    def open(self, moves: int | None = None) -> None:
        self.is_open = moves is None
        self.moves.release(moves or 1_000)

    def player(self) -> Contestant:
        """A contestant who plays only when the gate lets it."""

        def action(_, state):
            assert self.is_open or self.moves.acquire(timeout=WAIT_SECONDS)
            return state.legal_actions()[0]

        return Contestant("waiting", type("Waiting", (OddPlayer,), {"odd_action": action}))


@pytest.fixture
def gate():
    gate = Gate()
    yield gate
    gate.open()


@pytest.fixture
def make_panel(gate, all_news):
    """Make panels that play in this process; all are stopped at the end."""
    panels = []

    def make(players=PLAYERS, game="tictactoe", **options):
        panel = ArenaPanel(game, players, **{**SETTINGS, "processes": None, **options})
        panels.append(panel)
        return panel

    yield make
    gate.open()
    for panel in panels:
        panel.stop()
        assert panel.wait(WAIT_SECONDS)


def played_to_the_end(panel):
    panel.start()
    assert panel.wait(WAIT_SECONDS)
    assert panel.result.is_complete
    wait_for(lambda: panel.charts)
    return panel


def test_nothing_plays_before_start(make_panel):
    panel = make_panel()
    assert (panel.commands, panel.headline) == (["start"], "Ready to play 6 games")
    assert panel.title == "uct:15 against random"
    assert panel.about == "Tic-Tac-Toe, 6 games, seed 3, 1 random plies at the start of each game"
    assert panel.progress == {"share": 0.0, "is_running": False, "left": None}
    assert (panel.score["num_games"], panel.players, panel.charts) == (0, {}, [])


@pytest.mark.parametrize("processes", [None, 2])
def test_it_plays_the_games_that_a_cell_would_play(make_panel, monkeypatch, processes):
    for name in ("__spec__", "__file__"):  # `%reset` deletes them as well
        monkeypatch.delattr(sys.modules["__main__"], name, raising=False)
    panel = make_panel(processes=processes)
    command(panel, "start")
    assert panel.wait(WAIT_SECONDS)
    expected = arena.match("tictactoe", *PLAYERS, **SETTINGS)
    assert all_without_times(panel.result.games) == all_without_times(expected.games)
    assert panel.progress == {"share": 1.0, "is_running": False, "left": None}
    assert panel.score["rate"] == list(expected.score.rate)
    assert len(panel.games) == 6
    wait_for(lambda: panel.charts)
    assert "Score as the games go on" in panel.charts[0]
    for _ in range(2):
        assert (panel.headline, panel.commands) == ("All 6 games have been played", [])
        panel.start()
    folder = panel._file.parent
    panel._own_folder.cleanup()
    assert not folder.exists(), "nothing stays behind"


def test_three_players_play_a_tournament(make_panel):
    panel = played_to_the_end(make_panel(("random", "uct:10", "uct:40"), num_games=2))
    assert panel.title == "3 players, each against every other"
    assert "2 games between any two" in panel.about
    assert panel.headline == "All 6 games have been played"
    assert (len(panel.standings["rows"]), panel.score, len(panel.charts)) == (3, {}, 2)


def test_it_is_followed_and_stopped_and_resumed_and_no_game_is_lost_or_played_twice(
    make_panel, gate
):
    panel = make_panel((gate.player(), "random"))
    command(panel, "start")
    assert (panel.commands, panel.headline) == (["stop"], "0 of 6 games")
    gate.open(8)
    wait_for(lambda: panel.score["num_games"] >= 1)
    num_games = len(panel.result.games)
    assert panel.progress["is_running"]
    assert (panel.progress["share"], panel.headline) == (num_games / 6, f"{num_games} of 6 games")
    assert panel.progress["left"] > 0
    assert len(panel.games) == panel.score["num_games"]
    assert panel.charts == []
    command(panel, "pick", game=panel.games[0][0])
    command(panel, "show_ply", ply=3)
    shown = dict(panel.replay)
    command(panel, "stop")
    assert (panel.headline, panel.commands) == ("Stopping …", [])
    gate.open(1)  # it looks whether to stop between two moves
    assert panel.wait(WAIT_SECONDS)
    kept = panel.result.games
    assert 1 <= len(kept) < 6
    assert panel.headline == f"Stopped after {len(kept)} of 6 games"
    assert panel.commands == ["resume"]
    wait_for(lambda: panel.charts)
    gate.open()
    command(panel, "resume")
    assert panel.wait(WAIT_SECONDS)
    assert [game.number for game in panel.result.games] == list(range(6))
    assert set(kept) <= set(panel.result.games)
    assert panel.replay == shown, "the game on the board stays"


def test_a_sequential_test_ends_it(make_panel):
    panel = make_panel(("uct:40", "random"), num_games=200, sprt=SPRT(0, 200))
    assert panel.headline == "Ready to play at most 200 games"
    played_to_the_end(panel)
    assert re.fullmatch(r"Decided after \d+ games: Elo \+200 is accepted", panel.headline)
    assert panel.progress["share"] == 1.0
    assert panel.score["test"]["ratio"] >= panel.score["test"]["high"]


def test_a_new_panel_on_the_file_goes_on(make_panel, tmp_path):
    file = tmp_path / "games.jsonl"
    first = make_panel(file=file, num_games=2)
    assert not file.exists(), "nothing is written before the first game"
    played_to_the_end(first)
    again = make_panel(file=file, num_games=2)
    assert again.headline == "All 2 games have been played"
    assert again.charts
    more = make_panel(file=file, num_games=4)
    assert (more.headline, more.commands) == ("Stopped after 2 of 4 games", ["resume"])
    assert len(more.games) == 2
    played_to_the_end(more)
    assert more.result.games[:2] == first.result.games == again.result.games
    assert str(file) in more.about
    with pytest.raises(ValueError, match="contains another tournament: its seed is 3, not 4"):
        make_panel(file=file, seed=4)


def test_a_file_in_use_is_shown_waited_for_and_then_said(make_panel, tmp_path, monkeypatch):
    file = tmp_path / "games.jsonl"
    played_to_the_end(make_panel(file=file, num_games=2))
    monkeypatch.setattr(arena_panel, "PATIENCE", 0.2)
    with ResultsFile(file, make_setup("tictactoe", PLAYERS, None, **SETTINGS).settings):
        panel = make_panel(file=file)
        assert len(panel.result.games) == 2
        panel.start()
        assert panel.wait(WAIT_SECONDS)
        assert panel.message == f"Another program is writing into {file}."
        assert panel.commands == ["resume"]
        monkeypatch.setattr(arena_panel, "PATIENCE", WAIT_SECONDS)
        panel.start()
        assert panel.message == ""
    assert panel.wait(WAIT_SECONDS)
    assert panel.result.is_complete


def test_wrong_arguments_are_named_at_once(make_panel):
    for options, words in (
        ({"players": ("uct:15", "nobody")}, "no player 'nobody'"),
        ({"opening_plies": 9}, "opening_plies=9"),
        ({"players": ("random",) * 3, "sprt": SPRT(0, 9)}, "sequential test"),
        ({"processes": 0}, "processes = 0"),
    ):
        with pytest.raises(ValueError, match=words):
            make_panel(**options)


def test_what_goes_wrong_is_said_on_the_panel(make_panel, gate):
    panel = make_panel((gate.player(), "random"), processes=1)
    command(panel, "start")
    assert panel.wait(WAIT_SECONDS)
    assert "cannot be sent to another process" in panel.message
    assert "processes=None" in panel.message
    assert panel.commands == ["start"]
    panel._fail(KeyError("oops"))
    assert panel.message == "KeyError: 'oops'"


def test_losses_by_accident_stop_nothing_and_are_told(make_panel):
    class Failing(OddPlayer):
        def odd_action(self, state):
            raise RuntimeError("out of ideas")

    panel = played_to_the_end(make_panel((Contestant("failing", Failing), "random")))
    assert panel.players["head"][-1] == "by an exception"
    assert [row[-1] for row in panel.players["rows"]] == ["6", "0"]
    expected = "failing lost 6 by an exception: RuntimeError: out of ideas"
    assert panel.warnings[0].startswith(expected)


def test_it_starts_when_it_is_seen_unless_it_was_stopped(make_panel):
    panel, stopped = make_panel(start=True), make_panel(start=True)
    assert panel.commands == ["start"]
    stopped.stop()
    for each in (panel, stopped):
        see(each)
        assert each.wait(WAIT_SECONDS)
    assert (panel.result.is_complete, stopped.result.is_complete) == (True, False)


def test_it_stops_when_it_leaves_the_page_and_goes_on_when_it_comes_back(make_panel, gate):
    panel = make_panel((gate.player(), "random"))
    see(panel)
    event(panel, "view_opened")
    command(panel, "start")
    event(panel, "view_closed")
    assert panel.commands == ["stop"], "it is still seen somewhere"
    event(panel, "view_closed")
    assert panel.headline == "Stopping …"
    gate.open(1)
    assert panel.wait(WAIT_SECONDS)
    event(panel, "view_opened")
    command(panel, "stop")
    gate.open()
    assert panel.wait(WAIT_SECONDS)
    event(panel, "view_closed")
    event(panel, "view_opened")
    assert not panel.progress["is_running"], "whoever has stopped it is not overruled"


def test_what_is_no_command_is_dropped(make_panel):
    panel = make_panel()
    before = panel.get_state()
    contents = [None, [], "start", {}, {"command": 1}, {"command": "unknown"}]
    contents += [{"event": "view_opened"}, {"command": "pick"}, {"command": "pick", "game": 1}]
    contents += [{"command": "pick", "game": "0-1-9"}, {"command": "show_ply", "ply": "1"}]
    for content in contents:
        send(panel, content)
        assert panel.get_state() == before, content


def test_a_game_is_replayed_ply_by_ply(make_panel):
    panel = played_to_the_end(make_panel(("uct:15", "random"), game="reversi", num_games=2))
    command(panel, "pick", game=panel.games[1][0])
    game = panel.result.games[1]
    assert panel.replay["title"] == "Game 1. Black: random, White: uct:15"
    assert (panel.replay["ply"], panel.replay["num_plies"]) == (0, len(game.actions))
    command(panel, "show_ply", ply=5)
    assert panel.replay["move"].startswith("5. Black played ")
    assert panel.board.picture.count("data-player") == 9
    assert panel.board.view.legal_squares == (), "nothing can be played on it"
    assert panel.replay["end"] == ""
    command(panel, "show_ply", ply=10_000)
    assert panel.replay["ply"] == len(game.actions)
    white = game.states(games.Reversi())[-1].disc_counts()[1]
    assert panel.replay["end"].split()[-1] == str(white)
    command(panel, "show_ply", ply=-3)
    assert panel.replay["ply"] == 0


def test_a_picture_takes_its_place_and_is_renewed(make_panel, notebook_output):
    panel = make_panel(num_games=2)
    shown, still = notebook_output(panel)
    assert shown["application/vnd.jupyter.widget-view+json"]["model_id"] == panel.model_id
    assert "<img" not in still["text/html"]
    assert "uct:15 against random. Run this cell again" in still["text/plain"]
    renewed = []
    panel._still_handle.update = lambda data, **_: renewed.append(data)
    played_to_the_end(panel)
    wait_for(lambda: renewed)
    assert "<img" in renewed[-1]["text/html"]
    assert "won " in renewed[-1]["text/plain"]
