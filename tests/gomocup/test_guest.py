"""Engines as players: what they receive, what they can answer, and that they always end."""

import contextlib
import sys
from pathlib import Path

import numpy as np
import psutil
import pytest

from mctslab import arena, players
from mctslab.arena.game import Reason
from mctslab.games import Gomoku, Reversi
from mctslab.gomocup import GomocupPlayer
from mctslab.gomocup.guest import EngineError, split_command

PATIENCE = 120
"""Seconds that a busy machine may take."""
ODD = Path(__file__).with_name("odd_engine.py")


def command(kind, *log):
    words = [sys.executable, ODD, kind, *log]
    return " ".join(f'"{word}"' for word in words)


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


@pytest.fixture
def engine(log):
    """Makes players whose engines end with the test."""
    made = []

    def make(kind, seconds=60):
        made.append(GomocupPlayer(command(kind, log), seconds))
        return made[-1]

    yield make
    for player in made:
        player.end()


def play(state, *squares):
    """The position after moves such as `3,4`."""
    for square in squares:
        col, row = map(int, square.split(","))
        state = state.child(row * state.board().cols + col)
    return state


def gone(pid):
    """Wait until a process has ended; fails after a long time."""
    with contextlib.suppress(psutil.NoSuchProcess):
        psutil.Process(pid).wait(PATIENCE)
    return True


def received(log):
    return log.read_text("utf-8").splitlines()


def processes(log):
    """The numbers of the processes that an engine has noted."""
    return [
        int(line.split()[1]) for line in received(log) if line.split()[0] in ("engine", "child")
    ]


# Names


def test_colons_belong_to_the_command_and_blanks_need_quotes(tmp_path):
    for name, unknown in (
        (r"gomocup:C:\engines\pbrain-x.exe", r"C:\engines\pbrain-x.exe"),
        (r"gomocup:5s:C:\engines\pbrain-x.exe --level 3", r"C:\engines\pbrain-x.exe --level 3"),
        ("gomocup:there/is/none:of:this", "there/is/none:of:this"),
        ("gomocup:5s:", "5s:"),
    ):
        with pytest.raises(ValueError, match="There is no program") as caught:
            players.make(name, rng=np.random.default_rng(1))
        assert repr(unknown) in str(caught.value)
    program, python = tmp_path / "my engine.exe", sys.executable
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for line, words in (
        (f'"{program}" -a "b c"', [str(program), "-a", "b c"]),
        (rf"{python} 'it is' #1", [python, "it is", "#1"]),
    ):
        assert split_command(line) == tuple(words)
    for line in ("", f"{python} 'it"):
        with pytest.raises(ValueError, match="There is no program"):
            split_command(line)


# What an engine receives


def test_a_game_is_followed_by_turns(engine, log):
    player = engine("first", seconds=2.5)
    assert player.name.startswith("gomocup:2.5s:")
    state = Gomoku(20, exactly_five=True)
    player.prepare(state)
    for reply in ("9,9", "9,8", "9,7"):
        [thought] = player.think(state)
        assert thought.progress == 1.0
        assert thought.seconds > 0
        state = play(state.child(thought.action), reply)
    assert received(log)[1:] == [
        "START 20", "INFO timeout_turn 2500", "INFO timeout_match 0", "INFO max_memory 0",
        "INFO game_type 1", "INFO rule 1",
        "INFO time_left 2147483647", "BEGIN",
        "INFO time_left 2147483647", "TURN 9,9",
        "INFO time_left 2147483647", "TURN 9,8",
    ]  # fmt: skip


def test_another_position_is_a_board(engine, log):
    player = engine("first")
    for squares in (
        ["3,4"],
        ["5,5", "6,6", "7,7"],
        ["9,9", "3,3", "1,1", "2,2", "0,0"],  # the last move is the last stone of the board
        [],
    ):
        player.choose(play(Gomoku(), *squares))
    # The move that was chosen is not played.
    assert player.choose(play(Gomoku(), "5,5", "0,0")) == 1
    assert [line for line in received(log) if "," in line or line in ("BEGIN", "DONE", "END")] == [
        "TURN 3,4", "END",
        "5,5,2", "6,6,1", "7,7,2", "DONE", "END",
        "1,1,2", "2,2,1", "3,3,1", "9,9,2", "0,0,2", "DONE", "END",
        "BEGIN", "END",
        "5,5,1", "0,0,2", "DONE",
    ]  # fmt: skip


def test_another_size_or_rule_is_another_process(engine, log):
    player = engine("first")
    for state in (Gomoku(), Gomoku(9), Gomoku(9, exactly_five=True), Gomoku(9, exactly_five=True)):
        player.prepare(state)
        assert player.choose(state) == 0
    starts = [line for line in received(log) if line.startswith("START")]
    assert starts == ["START 15", "START 9", "START 9", "START 9"]
    *others, last = processes(log)
    assert all(gone(pid) for pid in others)
    assert psutil.pid_exists(last)


# What an engine can answer


def test_an_engine_that_talks_is_understood(engine):
    player = engine("chatty")
    state = Gomoku(9)
    for number in range(3):
        action = player.choose(state)
        assert action == number
        state = state.child(action).child(80 - number)


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("dead", "has ended with status 7"),
        ("illegal", r"played 0,0, which is occupied"),
        ("outside", r"should have answered with a square, but said '9,0'"),
        ("giving up", r"should have answered with a square, but said 'ERROR this is too hard'"),
        ("dead at start", "has ended with status 3"),
        ("refusing", r"answered START 9 with 'ERROR only 19, please'"),
    ],
)
def test_engines_that_fail(engine, log, kind, says):
    player = engine(kind)
    for number in (1, 2):  # it is started anew
        with pytest.raises(EngineError, match=rf"^The engine .*odd_engine.py.* {says}\.$"):
            player.choose(play(Gomoku(9), "0,0"))
        assert len(processes(log)) == number
        assert all(gone(pid) for pid in processes(log))


def test_a_silent_engine_is_ended(engine, log, monkeypatch):
    with pytest.raises(EngineError, match=r"gave no answer within 2\.1 s"):
        engine("silent", seconds=0.1).choose(Gomoku(9))
    monkeypatch.setattr("mctslab.gomocup.guest.START_SECONDS", 1.0)
    with pytest.raises(EngineError, match="gave no answer within 1 s"):
        engine("silent at start").prepare(Gomoku(9))
    assert all(gone(pid) for pid in processes(log))


def test_other_games(engine):
    player = engine("first")
    for state in (Reversi(), Gomoku(9, in_a_row=4), Gomoku(9, in_a_row=6)):
        for ask in (player.prepare, player.choose):
            with pytest.raises(ValueError, match="Engines of Gomocup play only Gomoku with five"):
                ask(state)


# The end of an engine


@pytest.mark.parametrize("kind", ["first", "deaf"])
def test_an_engine_goes_with_its_player(kind, log):
    player = GomocupPlayer(command(kind, log))
    assert player.choose(Gomoku(9)) == 0
    numbers = processes(log)
    assert len(numbers) == (2 if kind == "deaf" else 1)
    assert all(psutil.pid_exists(pid) for pid in numbers)
    del player
    assert all(gone(pid) for pid in numbers)
    assert received(log)[-1] == "END"


# In the arena


def test_a_worker_that_is_ended_takes_its_engine_along(log):
    silent = f"gomocup:60s:{command('silent', log)}"
    result = arena.match(
        Gomoku(9), silent, "random", num_games=2, seed=1, processes=1, seconds_per_move=0.5
    )
    assert [game.reason for game in result.games] == [Reason.TIME] * 2
    assert len(processes(log)) == 2
    assert all(gone(pid) for pid in processes(log))


@pytest.mark.parametrize(("processes", "exactly_five"), [(1, False), (None, True)])
def test_our_engine_is_our_guest(processes, exactly_five):
    """Both directions of the bridge: the arena plays against our player in another program."""
    guest = f'gomocup:60s:"{sys.executable}" -m mctslab gomocup --player random --seed 1'
    state = Gomoku(7, exactly_five=exactly_five)
    options = {"num_games": 2, "seed": 1, "opening_plies": 3, "processes": processes}
    result = arena.match(state, guest, "random", **options)
    assert [game.reason for game in result.games] == [Reason.RULES] * 2, str(result)
