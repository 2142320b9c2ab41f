"""Our engine as a program of its own, and a scripted manager that plays whole games against it.

What is checked of time is the order in which things happen, not how long they take.
"""

import random
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from mctslab import games
from tests.gomocup.manager import ODD, Manager


def xy(action, size):
    return f"{action % size},{action // size}"


def read(text, size):
    col, row = map(int, text.split(","))
    assert 0 <= col < size
    assert 0 <= row < size
    return row * size + col


def board(state, chance):
    """BOARD and its stones, in any order, as they look to the player to move."""
    stones = [
        f"{xy(square, state.board().cols)},{1 if owner == state.current_player else 2}"
        for square, owner in enumerate(state.board().stones)
        if owner >= 0
    ]
    chance.shuffle(stones)
    return ("BOARD", *stones, "DONE")


def play(manager, state, ours, chance):
    """Play a game to its end; the engine is the player who is not `ours`. The last position."""
    size, is_new = state.board().cols, True
    while not state.is_terminal:
        if state.current_player == ours:
            state = state.child(chance.choice(state.legal_actions()))
            continue
        if state.last_action is None:
            question = ("BEGIN",)
        elif is_new and state.board().stones.count(-1) < size * size - 1:
            question = board(state, chance)
        else:
            question = (f"TURN {xy(state.last_action, size)}",)
        is_new = False
        action = read(manager.ask("INFO time_left 2147483647", *question), size)
        assert action in state.legal_actions()
        state = state.child(action)
    return state


@pytest.mark.parametrize(("size", "rule", "end"), [(6, 1, "\r"), (15, 0, "\r\n"), (20, 1, "\n")])
def test_whole_games_with_both_colours(size, rule, end):
    chance = random.Random(size)
    first_state = games.Gomoku(size, exactly_five=rule == 1)
    with Manager("--player", "random", "--seed", "1", end=end) as manager:
        assert manager.ask(f"START {size}") == "OK"
        manager.send("INFO timeout_turn 5000", "INFO game_type 1", f"INFO rule {rule}")
        opened = first_state
        for _ in range(6):
            opened = opened.child(chance.choice(opened.legal_actions()))
        for state in (first_state, opened):
            for ours in (0, 1):
                play(manager, state, ours, chance)
                assert manager.ask("RESTART") == "OK"
        manager.send("END")
        assert manager.rest() == []
        assert manager.process.returncode == 0


def test_the_same_seed_plays_the_same():
    games_played = []
    for seed in ("5", "5", "6"):
        with Manager("--player", "random", "--seed", seed) as manager:
            assert manager.ask("START 6") == "OK"
            games_played.append(play(manager, games.Gomoku(6), 0, random.Random(1)))
    assert games_played[0] == games_played[1] != games_played[2]


def test_a_search_is_stopped_by_the_clock():
    """It would go on for an hour, and gets a second."""
    with Manager("--player", "uct:3600s", "--seed", "1") as manager:
        assert manager.ask("START 15") == "OK"
        manager.send("INFO timeout_turn 1000", "INFO timeout_match 60000")
        manager.send("INFO time_left 60000")
        manager.send("TURN 7,7")
        assert re.fullmatch(r"MESSAGE [1-9][\d,]* simulations, win rate \d+%", manager.line())
        assert manager.line() != "7,7"
        assert manager.ask("RESTART") == "OK"
        read(manager.ask("INFO timeout_turn 0", "INFO time_left 59000", "BEGIN"), 15)


@pytest.mark.parametrize("limit", ["timeout_turn 2000", "time_left 30000"])
def test_the_last_thought_before_the_limit_is_played(limit):
    """The player never ends by itself. Its first thought is another one than its later ones."""
    with Manager("tireless", command=ODD) as manager:
        assert manager.ask("START 9") == "OK"
        assert manager.ask(f"INFO {limit}", "BEGIN") == "0,0"


def test_commands_are_heard_while_a_move_is_thought_about():
    with Manager("tireless", command=ODD) as manager:
        assert manager.ask("START 9") == "OK"
        manager.send("TURN 4,4")  # without a limit
        assert manager.ask("ABOUT").startswith("name")
        assert manager.ask("TURN 5,5").startswith("ERROR")
        assert manager.ask("RESTART") == "OK"
        assert manager.ask("INFO timeout_turn 0", "TURN 0,0") == "8,8"  # a new first thought
        manager.send("INFO timeout_turn 60000", "TURN 7,7")
        assert manager.ask("ABOUT").startswith("name")
        assert manager.ask("INFO timeout_turn 0") in ("7,8", "1,0")


def test_a_player_without_a_thought_still_moves_in_time():
    with Manager("stuck", command=ODD) as manager:
        assert manager.ask("START 9") == "OK"
        manager.send("INFO timeout_turn 300", "TURN 4,4")
        assert manager.line() == "MESSAGE no time for a search: played by the heuristic"
        first = read(manager.line(), 9)
        # It is stuck for good, and with it its thread; but the moves are legal.
        assert read(manager.ask(f"TURN {xy((first + 20) % 81, 9)}"), 9) not in (40, first)


@pytest.mark.parametrize("player", ["tireless", "stuck"])
@pytest.mark.parametrize("closes", [False, True])
def test_the_end_in_mid_thought(player, closes):
    with Manager(player, command=ODD) as manager:
        assert manager.ask("START 9") == "OK"
        manager.send("TURN 4,4")
        assert manager.ask("ABOUT").startswith("name")
        manager.process.stdin.close() if closes else manager.send("END")
        assert manager.rest() == []  # no answer any more
        assert manager.process.returncode == 0


def test_the_end_while_the_player_gets_ready():
    with Manager("slow", command=ODD) as manager:
        manager.send("START 9", "END")
        assert manager.rest() == []
        assert manager.process.returncode == 0


@pytest.mark.parametrize("stderr", [subprocess.PIPE, subprocess.STDOUT])
def test_nothing_but_the_protocol_is_printed(stderr):
    """Errors that would go through the same pipe are swallowed."""
    with Manager("talking", command=ODD, stderr=stderr) as manager:
        assert manager.ask("START 9") == "OK"
        assert manager.ask("BEGIN") == "0,0"
        manager.send("END")
        assert manager.rest() == []
        if stderr == subprocess.PIPE:
            errors = manager.process.stderr.read().decode().split()
            assert {"aloud", "complaining", "below"} <= set(errors)


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
        manager.send("END")
        assert manager.rest() == []
        assert manager.process.returncode == 0
