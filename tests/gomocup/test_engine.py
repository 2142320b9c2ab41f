"""Our engine: the answer to each line, and when it comes."""

import io
import itertools
import random
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np
import pytest

from mctslab import __main__, players
from mctslab.games import Gomoku
from mctslab.gomocup import engine
from mctslab.gomocup.engine import Engine
from mctslab.players import Player, Proposal


class Scripted(Player):
    """Thinks until it is stopped, in steps of 0.1 s on a clock of its own."""

    name = "scripted"

    def __init__(self):
        self.now = 100.0
        self.wanted = None
        self.states = []

    def monotonic(self):
        return self.now

    def think(self, state):
        self.states.append(state)
        for number in itertools.count():
            self.now += 0.1
            wanted = state.legal_actions()[0] if self.wanted is None else self.wanted
            yield Proposal(wanted, progress=min(1.0, 0.001 * number))


class Conversation:
    """An engine with a scripted player, and what it answers."""

    def __init__(self, monkeypatch, *lines):
        self.player = Scripted()
        monkeypatch.setattr(engine, "time", self.player)  # its clock
        self.engine = Engine(lambda: self.player, rng=np.random.default_rng(1))
        self.say("INFO timeout_turn 1000", *lines)

    def say(self, *lines):
        """What is answered to these lines."""
        return list(self.engine.converse(lines))

    def refuses(self, *lines):
        """Whether the only answer is an error that says why."""
        [answer] = self.say(*lines)
        return answer.startswith("ERROR ") and len(answer) > 20 and "\n" not in answer

    def seconds(self, *lines):
        """How long the player thinks about a move."""
        before = self.player.now
        assert re.fullmatch(r"\d+,\d+", self.say(*lines)[-1])
        return pytest.approx(self.player.now - before)

    @property
    def state(self):
        """The last position that the player has thought about."""
        return self.player.states[-1]


@pytest.fixture
def conversation(monkeypatch):
    return Conversation(monkeypatch, "START 15")


# What is answered


def test_before_start_and_at_start(monkeypatch):
    conversation = Conversation(monkeypatch)
    for command in ("BEGIN", "TURN 7,7", "RESTART"):
        assert conversation.refuses(command)
    assert conversation.refuses("BOARD", "7,7,2", "DONE")
    for size in ("", "4", "27", "x", "15 15", "20,20", "-15", "1.5", "0"):
        assert conversation.refuses(f"START {size}")
        assert conversation.refuses("BEGIN")
    assert conversation.say("", "   ", "INFO timeout_turn 5000", "INFO rule 1") == []
    [about] = conversation.say("ABOUT")
    assert about.startswith('name="mctslab", version="')
    for size in (5, 26):
        assert conversation.say(f"START {size}") == ["OK"]
        # The player has prepared for both rules: the rule may come after START.
        rules = (Gomoku(size), Gomoku(size, exactly_five=True))
        assert tuple(conversation.player.states[-2:]) == rules
        assert conversation.say("BEGIN") == ["0,0"]
        assert conversation.state == rules[1]


def test_any_case_blanks_and_what_is_unknown(conversation):
    assert conversation.say("start 9", "  Info\ttimeout_turn  900 ") == ["OK"]
    assert conversation.say("\tbegin ", "Turn  8 , 0") == ["0,0", "1,0"]
    assert conversation.say("board", "3,3,1 ", " 4 , 4 , 2", "done") == ["0,0"]
    assert conversation.say("restart", "Info RULE 1", "begin") == ["OK", "0,0"]
    assert conversation.state == Gomoku(9, exactly_five=True)
    for command in ("HELLO", "PLAY 7,7", "DONE", "7,7", "STARTS 15", "?", "RECTSTART 9,9"):
        assert conversation.say(command) == [f"UNKNOWN command {command.split()[0]}"]
    for info in ("", "rule", "rule x", "rule 1 1", "timeout_turn soon", "folder C:\\data", "x 3"):
        assert conversation.say(f"INFO {info}") == []
    assert conversation.say("end", "ABOUT") == []


@pytest.mark.parametrize("we_begin", [True, False])
@pytest.mark.parametrize(("size", "rule"), [(6, 0), (6, 1), (15, 1), (20, 0)])
def test_whole_games(monkeypatch, size, rule, we_begin):
    """Another Gomoku, played along, always has the position that our player thinks about."""
    conversation = Conversation(monkeypatch, f"START {size}", f"INFO rule {rule}")
    chance = random.Random(size + rule + we_begin)
    for _ in range(3):
        state, question = Gomoku(size, exactly_five=rule == 1), "BEGIN"
        while not state.is_terminal:
            action = chance.choice(state.legal_actions())
            square = f"{action % size},{action // size}"
            if (state.current_player == 0) == we_begin:
                conversation.player.wanted = action
                assert conversation.say(question) == [square]
                assert conversation.state == state
            else:
                question = f"TURN {square}"
            state = state.child(action)
        if (state.current_player == 0) == we_begin:
            assert conversation.say(question) == ["ERROR the game on this board is over"]
        assert conversation.say("RESTART") == ["OK"]


def test_impossible_moves_and_rules(conversation):
    assert conversation.say("TURN 1,0") == ["0,0"]
    impossible = ("", "7", "7,", ",7", "7 7", "7.0,7", "15,0", "0,15", "-1,3", "7,7,1", "x,y")
    for square in (*impossible, f"{10**20},1", "1,0", "0,0"):
        assert conversation.refuses(f"TURN {square}")
    assert conversation.refuses("BEGIN")  # which is for an empty board
    assert conversation.say("TURN 2,0") == ["3,0"]
    assert conversation.state == Gomoku().child(1).child(0).child(2)
    assert conversation.say("RESTART") == ["OK"]
    for rule in (2, 8, -1):
        [answer] = conversation.say(f"INFO rule {rule}", "BEGIN")
        assert answer.startswith(f"ERROR rule {rule} is not supported")
        assert conversation.refuses("TURN 7,7")
    conversation.player.wanted = 7 * 16
    assert conversation.refuses("INFO rule 0", "TURN 7,7")  # the player has chosen this square


def test_an_impossible_board_is_refused_and_the_one_before_stays(conversation):
    assert conversation.say("BEGIN") == ["0,0"]
    for stones in (
        "7,7", "7,7,3", "7,7,0", "7,7,", "15,7,2", "7,7,2 7,7,1", "7,7,1", "7,7,2 8,8,2", "hello",
        "7,7,2 BEGIN", "1,1,2 2,1,2 3,1,2 4,1,2 5,1,2 1,3,1 2,4,1 3,4,1 4,4,1",
    ):  # fmt: skip
        assert conversation.refuses("BOARD", *stones.split(), "DONE"), stones
    conversation.say("TURN 8,8")
    assert conversation.state == Gomoku().child(0).child(8 * 15 + 8)


def test_the_order_of_the_stones_does_not_matter(conversation):
    chance = random.Random(1)
    for number in range(40):  # of an odd number of stones the opponent played the first
        state = Gomoku()
        for _ in range(number):
            state = state.child(chance.choice(state.legal_actions()))
        stones = [
            f"{square % 15},{square // 15},{1 if stone == state.current_player else 2}"
            for square, stone in enumerate(state.board().stones)
            if stone in (0, 1)
        ]
        conversation.say("BOARD", *chance.sample(stones, len(stones)), "DONE")
        assert conversation.state == state


# When it is answered


def test_a_move_ends_before_its_limit(conversation):
    assert conversation.seconds("INFO timeout_turn 5000", "BEGIN") == 4.8
    assert conversation.seconds("INFO timeout_turn 0", "TURN 8,8") == 0.1  # the first proposal
    assert conversation.seconds("INFO timeout_turn 400", "TURN 9,9") == 0.2
    assert conversation.seconds("INFO timeout_turn 200", "TURN 10,9") == 0.0  # no time to search
    # What is left for the game is divided.
    conversation.say("INFO timeout_turn 60000")
    assert conversation.seconds("INFO time_left 60000", "TURN 11,9") == 2.8
    conversation.say("INFO time_left 2147483647", "INFO timeout_turn 2000")
    assert conversation.seconds("RESTART", "TURN 12,9") == 1.8


def test_moves_without_a_search_look_at_threats(conversation):
    four = [f"{col},{row},{whose}" for whose, row in ((1, 3), (2, 9)) for col in range(4)]
    assert conversation.say("INFO timeout_turn 100", "BOARD", *four, "DONE") == ["4,3"]


def test_only_a_restart_gives_the_time_back(conversation):
    conversation.say("INFO timeout_turn 60000")
    assert conversation.seconds("INFO timeout_match 60000", "BEGIN") == 2.8
    assert conversation.seconds("TURN 9,9") == 2.7
    conversation.player.now += 100  # the opponent's time
    assert conversation.seconds("TURN 8,9") == 2.5
    assert conversation.seconds("RESTART", "BEGIN") == 2.8


@pytest.mark.parametrize("milliseconds", [300, 1_000, 10_000, 600_000])
@pytest.mark.parametrize("turn", [0, 500, 10**5])
def test_the_time_of_a_match_is_never_used_up(conversation, milliseconds, turn):
    conversation.say(f"INFO timeout_turn {turn}", f"INFO timeout_match {milliseconds}")
    began = conversation.player.now
    for _ in range(300):
        before = conversation.player.now
        conversation.say("BOARD", "DONE")  # without a RESTART the match goes on
        assert conversation.player.now - before < 0.11 + milliseconds / 20_000
    assert conversation.player.now - began < milliseconds / 1_000


# As a command


@pytest.fixture
def answers(capfd, monkeypatch):
    """A function that runs the command with a manager's lines: what it answers."""

    def run(*lines, words=()):
        text = "".join(f"{line}\r\n" for line in (*lines, "END"))
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert __main__.main(["gomocup", *words]) == 0
        return capfd.readouterr().out.split("\r\n")[:-1]

    return run


def test_the_same_seed_plays_the_same(answers):
    lines = ("START 9", *("BEGIN", "RESTART") * 6)
    first, second, other = (
        answers(*lines, words=("--player", "random", "--seed", seed)) for seed in ("5", "5", "6")
    )
    assert first == second != other


def test_only_the_protocol_is_printed(answers, monkeypatch):
    class Talking(Scripted):
        def think(self, state):
            print("thinking aloud")
            yield Proposal(state.legal_actions()[0], progress=1.0)

    monkeypatch.setattr(players, "make", lambda name, rng: Talking())
    assert answers("START 9", "BEGIN") == ["OK", "0,0"]


def test_the_program_for_piskvork():
    """Its name begins with pbrain-, and it is started without arguments."""
    suffix = ".exe" if sys.platform == "win32" else ""
    program = Path(sysconfig.get_path("scripts"), f"pbrain-mctslab{suffix}")
    done = subprocess.run([program], input=b"ABOUT\r\nEND\r\n", capture_output=True, check=True)
    assert done.stdout.startswith(b'name="mctslab"')
    assert done.stdout.endswith(b"\r\n")
