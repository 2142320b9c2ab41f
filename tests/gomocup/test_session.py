"""What is answered to which line. No time passes here but what a test lets pass."""

import random

import numpy as np
import pytest

from mctslab.games import Gomoku
from mctslab.gomocup.session import Session
from mctslab.players import Player, Proposal


class Obedient(Player):
    """Notes what it is asked to prepare for."""

    name = "obedient"

    def __init__(self):
        self.prepared = []

    def prepare(self, state):
        self.prepared.append(state)

    def think(self, state):
        yield Proposal(state.legal_actions()[0], progress=0.0)


class Conversation:
    """A session whose player decides, thinks and fails, and whose clock moves, when told to."""

    def __init__(self, make_player=Obedient, **options):
        self.players = []

        def noted():
            self.players.append(make_player())
            return self.players[-1]

        self.session = Session(noted, rng=np.random.default_rng(1), **options)
        self.now = 100.0

    def say(self, *lines):
        """What is answered to these lines, without what is meant for people."""
        replies = [each for line in lines for each in self.session.receive(line, self.now)]
        return [reply for reply in replies if not reply.startswith("MESSAGE")]

    def refuses(self, *lines):
        """Whether the only answer is an error that says why."""
        [reply] = self.say(*lines)
        return reply.startswith("ERROR ") and len(reply) > 20 and "\n" not in reply

    def ask(self, *lines):
        """The answer after these lines, when the player has decided on the first free square."""
        assert self.say(*lines) == []
        return self.decide(self.state.legal_actions()[0])

    def decide(self, action):
        turn = self.session.turn
        assert self.session.consider(turn, Proposal(action, 1.0), self.now) == []
        [answer] = self.session.finish(turn, None, self.now)
        return answer

    def think(self, action):
        return self.session.consider(self.session.turn, Proposal(action, 0.5), self.now)

    def fail(self, error):
        return self.session.finish(self.session.turn, error, self.now)

    def wait(self, seconds):
        self.now += seconds
        return self.session.look(self.now)

    @property
    def seconds_left(self):
        return self.session.due - self.now

    @property
    def state(self):
        """The position that is thought about."""
        return self.session.turn.state


def started(size=15, **options):
    """A conversation in which a game has begun."""
    conversation = Conversation(**options)
    assert conversation.say(f"START {size}") == ["OK"]
    return conversation


# Beginning


def test_sizes_from_5_to_26_are_possible():
    conversation = Conversation()
    for size in ("", "4", "27", "x", "15 15", "20,20", "-15", "1.5", "0"):
        assert conversation.refuses(f"START {size}")
        assert conversation.refuses("BEGIN")
    assert conversation.refuses("RECTSTART 20,20")
    for size in (5, 26):
        assert conversation.say(f"START {size}") == ["OK"]
        conversation.say("BEGIN")
        assert conversation.state == Gomoku(size)


def test_start_gets_a_player_ready_for_both_rules():
    """The rule may come after START, when no time is left to compile anything."""
    prepared = [state for player in started(7).players for state in player.prepared]
    assert prepared == [Gomoku(7), Gomoku(7, exactly_five=True)]


def test_a_start_that_fails_leaves_no_game():
    class OnFifteen(Obedient):
        def think(self, state):
            if state.num_actions != 225:
                raise ValueError("I play\nsmall boards only")
            yield from super().think(state)

    conversation = started(make_player=OnFifteen)
    assert conversation.say("START 9") == [
        "ERROR the player cannot play this: I play small boards only"
    ]
    assert conversation.refuses("BEGIN")
    assert conversation.say("START 15") == ["OK"]
    assert conversation.ask("BEGIN") == "0,0"


def test_what_goes_before_start():
    conversation = Conversation()
    for command in ("BEGIN", "TURN 7,7", "BOARD", "SWAP2BOARD", "RESTART", "TAKEBACK 7,7"):
        assert conversation.refuses(command)
    assert conversation.say("", "   ", "INFO timeout_turn 5000", "INFO rule 1") == []
    [about] = conversation.say("ABOUT")
    assert about.startswith('name="mctslab", version="')
    assert conversation.say("START 9", "BEGIN") == ["OK"]
    assert conversation.state == Gomoku(9, exactly_five=True)


def test_commands_in_any_case_and_with_blanks():
    conversation = Conversation()
    assert conversation.say("start 9", "  Info\ttimeout_turn  100 ") == ["OK"]
    assert conversation.ask("\tbegin ") == "0,0"
    assert conversation.ask("Turn  8 , 0") == "1,0"
    assert conversation.ask("board", "3,3,1 ", " 4 , 4 , 2", "done") == "0,0"
    assert conversation.say("takeBack 3,3", "restart", "Info RULE 1", "begin") == ["OK", "OK"]
    assert conversation.state == Gomoku(9, exactly_five=True)
    conversation.say("end")
    assert conversation.session.is_over


def test_unknown_commands_and_swapping_are_answered_once():
    for conversation in (Conversation(), started()):
        for command in ("HELLO", "PLAY 7,7", "DONE", "7,7", "STARTS 15", "?"):
            [reply] = conversation.say(command)
            assert reply.startswith("UNKNOWN ")
    for stones in ([], ["7,7", "8,7", "9,9"]):
        assert conversation.say("SWAP2BOARD", *stones) == []
        [reply] = conversation.say("DONE")
        assert reply.startswith("UNKNOWN ")
    assert conversation.ask("BEGIN") == "0,0"


# Playing


@pytest.mark.parametrize("we_begin", [True, False])
@pytest.mark.parametrize(("size", "rule"), [(6, 0), (6, 1), (15, 1), (20, 0)])
def test_whole_games(size, rule, we_begin):
    """Another Gomoku, moved on by what is said, always knows what our session thinks about."""
    chance = random.Random(size + rule + we_begin)
    conversation = started(size)
    conversation.say(f"INFO rule {rule}")
    for _ in range(3):
        state = Gomoku(size, exactly_five=rule == 1)
        while not state.is_terminal:
            action = chance.choice(state.legal_actions())
            square = f"{action % size},{action // size}"
            after = state.child(action)
            if (state.current_player == 0) == we_begin:
                if state.last_action is None:
                    conversation.say("BEGIN")
                assert conversation.state == state
                assert conversation.decide(action) == square
            else:
                over = ["ERROR the game on this board is over"]
                assert conversation.say(f"TURN {square}") == (over if after.is_terminal else [])
            state = after
        assert conversation.say("RESTART") == ["OK"]


def test_squares_that_are_none_or_occupied():
    conversation = started()
    conversation.ask("TURN 1,0")
    for square in ("", "15,0", "-1,3", "7,7,1", "x,y", f"{10**20},1"):
        assert conversation.refuses(f"TURN {square}")
        assert conversation.refuses(f"TAKEBACK {square}")
    assert conversation.refuses("TURN 1,0")
    assert conversation.refuses("TURN 0,0")
    assert conversation.refuses("BEGIN")  # which is for an empty board
    conversation.say("TURN 2,0")
    assert conversation.state == Gomoku().child(1).child(0).child(2)


def test_rules_that_are_not_played():
    """The manager reads nothing after INFO; so it hears of it when it asks for a move."""
    conversation = started()
    for rule in (2, 8, -1):
        assert conversation.say(f"INFO rule {rule}") == []
        [reply] = conversation.say("BEGIN")
        assert reply.startswith(f"ERROR rule {rule} is not supported")
        assert conversation.refuses("BOARD", "7,7,2", "DONE")
        assert conversation.refuses("TURN 7,7")
    assert conversation.say("INFO rule 0", "TURN 7,7") == []


def test_information_that_means_nothing_to_us():
    conversation = started()
    for information in (
        "", "rule", "rule x", "rule 1 1", "timeout_turn soon", "folder C:\\data", "evaluate 3,4",
        "game_type 2", "max_memory", "thread_num 4", "caution_factor 1.5",
    ):  # fmt: skip
        assert conversation.say(f"INFO {information}") == []
    conversation.say("BEGIN")
    assert conversation.state == Gomoku()
    assert conversation.session.due is None


# Boards


@pytest.mark.parametrize(
    "stones",
    [["7,7"], ["7,7,3"], ["7,7,0"], ["7,7,"], ["15,7,2"], ["7,7,2", "7,7,1"], ["7,7,1"],
     ["7,7,2", "8,8,2"], ["hello"], ["7,7,2", "BEGIN"],
     ["1,1,2", "2,1,2", "3,1,2", "4,1,2", "5,1,2", "1,3,1", "2,4,1", "3,4,1", "4,4,1"]],
)  # fmt: skip
def test_a_board_that_cannot_be_is_refused_and_the_one_before_stays(stones):
    conversation = started()
    conversation.ask("BEGIN")
    assert conversation.refuses("BOARD", *stones, "DONE")
    conversation.say("TURN 8,8")
    assert conversation.state == Gomoku().child(0).child(8 * 15 + 8)


def test_a_board_takes_the_place_of_the_one_before():
    conversation = started()
    conversation.ask("BEGIN")
    conversation.say("BOARD", "3,3,2", "DONE")
    assert conversation.state == Gomoku().child(48)
    conversation.say("BOARD", "DONE")
    assert conversation.state == Gomoku()
    conversation.say("BOARD", "7,7,2", "INFO rule 1", "DONE")
    assert conversation.state == Gomoku(exactly_five=True).child(7 * 16)


def test_taking_moves_back():
    conversation = started()
    conversation.ask("TURN 7,7")
    conversation.ask("TURN 8,8")
    assert conversation.refuses("TAKEBACK 9,9")
    # The last two moves, as a manager does it: ours first. The other way round is as good.
    for order in (["1,0", "8,8"], ["8,8", "1,0"]):
        assert conversation.say(*(f"TAKEBACK {square}" for square in order)) == ["OK", "OK"]
        conversation.say("TURN 8,8")
        assert conversation.state == Gomoku().child(7 * 16).child(0).child(8 * 16)
        conversation.decide(1)
    conversation.say("TAKEBACK 1,0")
    assert conversation.refuses("TURN 9,9")  # it is our turn now


# While a move is thought about


@pytest.mark.parametrize(
    ("command", "replies"),
    [("RESTART", ["OK"]), ("TAKEBACK 7,7", ["OK"]), ("START 9", ["OK"]), ("BOARD", []),
     ("SWAP2BOARD", []), ("END", [])],
)  # fmt: skip
def test_what_ends_the_thinking(command, replies):
    """Without an answer, also when the player comes with one later."""
    conversation = started()
    conversation.say("INFO timeout_turn 1000", "TURN 7,7")
    session, turn = conversation.session, conversation.session.turn
    assert conversation.think(0) == []
    assert conversation.say(command) == replies
    assert (session.turn, session.due) == (None, None)
    assert conversation.wait(10) == []
    assert session.consider(turn, Proposal(1, 1.0), conversation.now) == []
    assert session.finish(turn, None, conversation.now) == []
    assert session.finish(turn, ValueError("no"), conversation.now) == []


def test_what_does_not_end_it():
    conversation = started()
    conversation.say("TURN 7,7")
    state = conversation.state
    conversation.say(
        "BEGIN", "TURN 3,3", "RECTSTART 9,9", "TAKEBACK 3,3", "ABOUT", "HELLO", "INFO x 3", ""
    )
    assert conversation.state is state
    assert conversation.decide(0) == "0,0"


# Time


def test_at_the_limit_of_a_turn_the_last_thought_is_played():
    conversation = started()
    conversation.say("INFO timeout_turn 2000", "BEGIN")
    assert conversation.think(1) == []
    assert conversation.wait(1.0) == []
    assert conversation.think(2) == []
    assert conversation.seconds_left < 1
    assert conversation.wait(0.8) == []
    assert conversation.wait(0.1) == ["2,0"]
    conversation.say("TURN 9,9")
    assert conversation.state == Gomoku().child(2).child(9 * 16)
    conversation.now += 1.9
    assert conversation.think(4) == ["4,0"]  # it comes at the limit


def test_without_a_thought_what_looks_best_is_played():
    """With four in a row, and the opponent with four as well, that is not hard to see."""
    conversation = started()
    four = [f"{col},{row},{whose}" for whose, row in ((1, 3), (2, 9)) for col in range(4)]
    conversation.say("INFO timeout_turn 2000", "BOARD", *four, "DONE")
    assert conversation.wait(1.9) == [
        "MESSAGE no time for a search: played by the heuristic",
        "4,3",
    ]
    conversation.say("RESTART", "TURN 0,14")
    assert conversation.wait(1.9)[-1] in ("0,13", "1,13", "1,14")
    conversation.say("TURN 5,5")
    assert conversation.state.board().stones.count(-1) == 225 - 3


def test_limits_that_change_while_a_move_is_thought_about():
    conversation = started()
    conversation.say("BEGIN")
    conversation.think(4)
    assert conversation.session.due is None  # only the player's own budget counts
    for number in (10**20, 10**900):  # beyond all measure
        for key in ("timeout_turn", "timeout_match", "time_left", "max_memory"):
            conversation.say(f"INFO {key} -{number}", f"INFO {key} {number}")
        assert conversation.wait(10**6) == []
    assert conversation.say("INFO timeout_turn 3000") == []
    assert conversation.wait(0) == ["4,0"]
    conversation.say("INFO timeout_turn 0", "RESTART", "BEGIN")
    assert conversation.think(4) == ["4,0"]  # as fast as possible is the first thought


def test_only_a_restart_gives_the_time_back_and_brings_a_new_player():
    conversation = started()
    conversation.say("INFO timeout_match 10000", "BEGIN")
    player = conversation.session.turn.player
    conversation.wait(9.9)  # no thought
    conversation.now += 100  # the opponent's time
    conversation.say("TURN 9,9")
    conversation.think(0)
    assert conversation.seconds_left < 0.1
    conversation.say("RESTART", "BEGIN")
    conversation.think(0)
    assert conversation.seconds_left > 0.4
    assert conversation.session.turn.player is not player


# Memory


def test_a_tree_that_grows_too_large_is_searched_no_further():
    used = [1_000]
    conversation = started(memory_in_use=lambda: used[0])
    conversation.say("INFO max_memory 2000", "BEGIN")
    assert conversation.think(1) == []
    used[0] = 2_001
    assert conversation.think(2) == ["2,0"]
    # A limit that was never kept is told, and then forgotten; 0 is no limit.
    [message] = conversation.session.receive("TURN 5,5", conversation.now)
    assert message == "MESSAGE 2,001 bytes are in use, but only 2,000 are allowed"
    assert conversation.think(1) == []
    conversation.say("RESTART", "INFO max_memory 0")
    assert conversation.session.receive("BEGIN", conversation.now) == []
    assert conversation.think(1) == []


# Players that fail


def test_of_a_player_that_fails_the_last_thought_is_played():
    conversation = started()
    conversation.say("TURN 7,7")
    assert conversation.fail(RuntimeError("lost\nmy way")) == [
        "ERROR the player fails: lost my way"
    ]
    assert conversation.session.turn is None
    conversation.say("RESTART", "TURN 7,7")
    conversation.think(3)
    assert conversation.fail(RuntimeError()) == ["3,0"]


def test_a_player_that_chooses_no_legal_move():
    conversation = started()
    for action in (7 * 16, 225, None, "a1"):
        conversation.say("RESTART", "TURN 7,7")
        assert conversation.decide(action).startswith("ERROR the player chose")
        assert conversation.session.turn is None
