"""Our engine as a program of its own, and a scripted manager that speaks to it.

What is checked of time is the order in which things happen, not how long they take. Whole games
are played with our own manager, in test_engine_player.
"""

import contextlib
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.gomocup.manager import ODD, OURS, Manager


@contextlib.contextmanager
def game(*words, command=ODD, **options):
    """A manager in a game whose engine ends by itself and says nothing more after END."""
    with Manager(*words, command=command, **options) as manager:
        assert manager.ask("START 9") == "OK"
        yield manager
        if not manager.process.stdin.closed:
            manager.send("END")
        assert manager.rest() == []
        assert manager.process.returncode == 0


def is_square(text):
    return re.fullmatch("[0-8],[0-8]", text) is not None


def test_the_same_seed_plays_the_same():
    answers = []
    for seed in ("5", "5", "6"):
        with game("--player", "random", "--seed", seed, command=OURS, end="\r") as manager:
            answers.append([manager.ask(line) for line in ("BEGIN", "RESTART") * 6])
    assert answers[0] == answers[1] != answers[2]


def test_a_search_is_stopped_by_the_clock():
    """It would go on for an hour, and gets a second."""
    with game("--player", "uct:3600s", "--seed", "1", command=OURS) as manager:
        manager.send("INFO timeout_turn 1000", "INFO timeout_match 60000")
        manager.send("INFO time_left 60000", "TURN 4,4")
        assert re.fullmatch(r"MESSAGE [1-9][\d,]* simulations, win rate \d+%", manager.line())
        assert is_square(manager.line())


@pytest.mark.parametrize("limit", ["timeout_turn 2000", "time_left 30000"])
def test_the_last_thought_before_the_limit_is_played(limit):
    """The player never ends by itself. Its first thought is another one than its later ones."""
    with game("tireless") as manager:
        assert manager.ask(f"INFO {limit}", "BEGIN") == "0,0"


def test_commands_are_heard_while_a_move_is_thought_about():
    with game("tireless") as manager:
        manager.send("TURN 4,4")  # without a limit
        assert manager.ask("ABOUT").startswith("name")
        assert manager.ask("TURN 5,5").startswith("ERROR")
        assert manager.ask("RESTART") == "OK"
        assert manager.ask("INFO timeout_turn 0", "TURN 0,0") == "8,8"  # a new first thought
        manager.send("INFO timeout_turn 60000", "TURN 7,7")
        assert manager.ask("ABOUT").startswith("name")
        assert manager.ask("INFO timeout_turn 0") in ("7,8", "1,0")


def test_a_player_without_a_thought_still_moves_in_time():
    with game("stuck") as manager:
        manager.send("INFO timeout_turn 300", "TURN 4,4")
        assert manager.line() == "MESSAGE no time for a search: played by the heuristic"
        first = manager.line()
        # It is stuck for good, and with it its thread; but the moves are legal.
        second = manager.ask("TURN 8,8" if first != "8,8" else "TURN 0,0")
        assert is_square(first)
        assert is_square(second)
        assert second not in ("4,4", first)


@pytest.mark.parametrize("player", ["tireless", "stuck"])
@pytest.mark.parametrize("closes", [False, True])
def test_the_end_in_mid_thought(player, closes):
    with game(player) as manager:
        manager.send("TURN 4,4")
        assert manager.ask("ABOUT").startswith("name")
        if closes:
            manager.process.stdin.close()


def test_the_end_while_the_player_gets_ready():
    with Manager("slow", command=ODD) as manager:
        manager.send("START 9", "END")
        assert manager.rest() == []
        assert manager.process.returncode == 0


@pytest.mark.parametrize("stderr", [subprocess.PIPE, subprocess.STDOUT])
def test_nothing_but_the_protocol_is_printed(stderr):
    """Errors that would go through the same pipe are swallowed."""
    with game("talking", stderr=stderr) as manager:
        assert manager.ask("BEGIN") == "0,0"
        manager.send("END")
        assert manager.rest() == []
        if stderr == subprocess.PIPE:
            errors = manager.process.stderr.read().decode().split()
            assert {"aloud", "complaining", "below"} <= set(errors)
        manager.process.stdin.close()


def test_a_player_that_is_none():
    with Manager("--player", "nobody") as manager:
        assert manager.rest() == []
        assert manager.process.returncode == 1
        assert b"gomocup: There is no player 'nobody'" in manager.process.stderr.read()


def test_the_program_that_piskvork_wants():
    """Its name begins with pbrain-, and it is started without arguments."""
    suffix = ".exe" if sys.platform == "win32" else ""
    program = Path(sysconfig.get_path("scripts"), f"pbrain-mctslab{suffix}")
    with Manager(command=(str(program),)) as manager:
        assert manager.ask("ABOUT").startswith('name="mctslab"')
