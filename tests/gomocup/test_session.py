"""What is answered to which line. No time passes here but what a test lets pass."""

import random

import pytest

from mctslab.games import Gomoku
from mctslab.players import Proposal
from tests.gomocup.playing import Conversation, Obedient, started


def xy(action, size=15):
    return f"{action % size},{action // size}"


def is_error(replies):
    [reply] = replies
    return reply.startswith("ERROR ") and len(reply) > 20 and "\n" not in reply


# Beginning


@pytest.mark.parametrize("size", ["", "4", "27", "x", "15 15", "20,20", "-15", "1.5", "0"])
def test_a_size_that_is_not_possible(size):
    conversation = Conversation()
    assert is_error(conversation.say(f"START {size}"))
    assert is_error(conversation.say("BEGIN"))
    for possible in (5, 26):
        assert conversation.say(f"START {possible}") == ["OK"]
        conversation.say("BEGIN")
        assert conversation.state == Gomoku(possible)


def test_start_gets_a_player_ready_for_both_rules():
    """The rule may come after START, when no time is left to compile anything."""
    conversation = started(7)
    prepared = [state for player in conversation.players for state in player.prepared]
    assert prepared == [Gomoku(7), Gomoku(7, exactly_five=True)]


def test_a_player_that_cannot_play_is_no_answer_to_start():
    class NoGomoku(Obedient):
        def think(self, state):
            raise ValueError("I play\nReversi only")

    conversation = Conversation(NoGomoku)
    [reply] = conversation.say("START 15")
    assert reply == "ERROR the player cannot play this: I play Reversi only"
    assert is_error(conversation.say("BEGIN"))


def test_a_start_that_fails_leaves_no_game():
    class OnFifteen(Obedient):
        def prepare(self, state):
            if state.num_actions != 225:
                raise MemoryError

    conversation = started(make_player=OnFifteen)
    assert conversation.say("START 9") == ["ERROR the player cannot play this: MemoryError"]
    assert is_error(conversation.say("BEGIN"))
    assert conversation.say("START 15") == ["OK"]
    assert conversation.ask("BEGIN") == "0,0"


@pytest.mark.parametrize(
    "command", ["BEGIN", "TURN 7,7", "BOARD", "SWAP2BOARD", "RESTART", "TAKEBACK 7,7"]
)
def test_nothing_goes_before_start(command):
    assert is_error(Conversation().say(command))


def test_what_goes_before_start():
    conversation = Conversation()
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


@pytest.mark.parametrize(
    "command", ["HELLO", "PLAY 7,7", "DONE", "7,7", "YXSHOWINFO", "STARTS 15", "?"]
)
def test_unknown_commands(command):
    for conversation in (Conversation(), started()):
        [reply] = conversation.say(command)
        assert reply.startswith("UNKNOWN ")
    assert conversation.ask("BEGIN") == "0,0"


def test_boards_that_are_no_squares_are_refused():
    conversation = Conversation()
    assert is_error(conversation.say("RECTSTART 20,15"))
    assert is_error(conversation.say("RECTSTART 20,20"))
    assert conversation.say("START 20") == ["OK"]


@pytest.mark.parametrize("stones", [[], ["7,7", "8,7", "9,9"], ["7,7", "8,7", "9,9", "8,8", "8,6"]])
def test_swapping_is_answered_once_and_after_its_last_line(stones):
    conversation = started()
    assert conversation.say("SWAP2BOARD", *stones) == []
    [reply] = conversation.say("DONE")
    assert reply.startswith("UNKNOWN ")
    assert conversation.ask("BEGIN") == "0,0"


# Playing


def test_a_square_is_its_column_and_its_row():
    conversation = started()
    conversation.say("TURN 3,1")
    assert conversation.state == Gomoku().child(18)
    assert conversation.decide(17) == "2,1"
    conversation.say("TURN 0,14")
    assert conversation.state == Gomoku().child(18).child(17).child(210)


@pytest.mark.parametrize("we_begin", [True, False])
@pytest.mark.parametrize(("size", "rule"), [(6, 0), (6, 1), (15, 1), (20, 0)])
def test_whole_games(size, rule, we_begin):
    """Another Gomoku, moved on by what is said, always knows what our session thinks about."""
    chance = random.Random(size + rule + we_begin)
    conversation = started(size)
    conversation.say(f"INFO rule {rule}")
    for _ in range(3):
        state = Gomoku(size, exactly_five=rule == 1)
        ours = 0 if we_begin else 1
        while not state.is_terminal:
            action = chance.choice(state.legal_actions())
            if state.current_player != ours:
                after = state.child(action)
                if not after.is_terminal:
                    assert conversation.say(f"TURN {xy(action, size)}") == []
            else:
                if state.last_action is None:
                    conversation.say("BEGIN")
                assert conversation.state == state
                assert conversation.decide(action) == xy(action, size)
            state = state.child(action)
        assert conversation.say("RESTART") == ["OK"]


@pytest.mark.parametrize(
    "square",
    ["", "15,0", "0,15", "-1,3", "3,-1", "7", "7,7,1", "x,y", "7 7", "7;7", "1e1,2", f"{10**20},1"],
)  # fmt: skip
@pytest.mark.parametrize("command", ["TURN", "TAKEBACK"])
def test_squares_that_are_none(square, command):
    conversation = started()
    conversation.ask("BEGIN")
    assert is_error(conversation.say(f"{command} {square}"))
    conversation.say("TURN 5,0")
    assert conversation.state == Gomoku().child(0).child(5)


def test_an_occupied_square():
    conversation = started()
    conversation.ask("TURN 1,0")
    assert is_error(conversation.say("TURN 1,0"))
    assert is_error(conversation.say("TURN 0,0"))
    conversation.say("TURN 2,0")
    assert conversation.state == Gomoku().child(1).child(0).child(2)


def test_begin_is_for_an_empty_board():
    conversation = started()
    conversation.ask("TURN 7,7")
    assert is_error(conversation.say("BEGIN"))
    assert conversation.session.turn is None


def test_a_turn_out_of_turn():
    """After a move was taken back it is our turn, and not the opponent's."""
    conversation = started()
    conversation.ask("TURN 7,7")
    assert conversation.say("TAKEBACK 0,0") == ["OK"]
    assert is_error(conversation.say("TURN 8,8"))
    assert conversation.say("TAKEBACK 7,7") == ["OK"]
    conversation.say("TURN 8,8")
    assert conversation.state == Gomoku().child(8 * 15 + 8)


def test_after_the_end_of_the_game_there_is_no_move():
    conversation = started(9)
    conversation.say("BEGIN")
    for col in range(4):
        conversation.decide(col)
        assert conversation.say(f"TURN {col},5") == []
    assert conversation.decide(4) == "4,0"
    [reply] = conversation.say("TURN 8,8")
    assert reply == "ERROR the game on this board is over"
    assert conversation.say("RESTART") == ["OK"]


def test_six_in_a_row_and_the_rule():
    six = ["0,0,2", "1,0,2", "2,0,2", "4,0,2", "5,0,2", "0,5,1", "2,5,1", "4,5,1", "0,7,1", "2,7,1"]
    for rule in (0, 1):
        conversation = started(9)
        conversation.say(f"INFO rule {rule}", "BOARD", *six, "DONE")
        conversation.decide(80)
        replies = conversation.say("TURN 3,0")
        assert replies == ([] if rule == 1 else ["ERROR the game on this board is over"])


@pytest.mark.parametrize("rule", [2, 3, 4, 5, 8, 9, -1])
def test_rules_that_are_not_played(rule):
    """The manager reads nothing after INFO; so it hears of it when it asks for a move."""
    conversation = started()
    assert conversation.say(f"INFO rule {rule}") == []
    [reply] = conversation.say("BEGIN")
    assert reply.startswith(f"ERROR rule {rule} is not supported")
    assert is_error(conversation.say("BOARD", "7,7,2", "DONE"))
    assert is_error(conversation.say("TURN 7,7"))
    assert conversation.say("INFO rule 0", "TURN 7,7") == []


@pytest.mark.parametrize(
    "information",
    ["", "rule", "rule x", "rule 1 1", "timeout_turn soon", "folder C:\\data", "evaluate 3,4",
     "game_type 2", "max_memory", "thread_num 4", "caution_factor 1.5"],
)  # fmt: skip
def test_information_that_means_nothing_to_us(information):
    conversation = started()
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
    assert conversation.say("BOARD", *stones) == []
    assert is_error(conversation.say("DONE"))
    conversation.say("TURN 8,8")
    assert conversation.state == Gomoku().child(0).child(8 * 15 + 8)


def test_a_board_takes_the_place_of_the_one_before():
    conversation = started()
    conversation.ask("BEGIN")
    conversation.say("BOARD", "3,3,2", "DONE")
    assert conversation.state == Gomoku().child(48)
    conversation.say("BOARD", "DONE")
    assert conversation.state == Gomoku()


def test_information_and_the_end_inside_a_board():
    conversation = started()
    conversation.say("BOARD", "7,7,2", "INFO rule 1", "DONE")
    assert conversation.state == Gomoku(exactly_five=True).child(7 * 16)
    assert conversation.say("BOARD", "7,7,2", "END") == []
    assert conversation.session.is_over
    assert conversation.session.turn is None


def test_taking_moves_back():
    conversation = started()
    conversation.ask("TURN 7,7")
    conversation.ask("TURN 8,8")
    assert is_error(conversation.say("TAKEBACK 9,9"))
    # The last two moves, as a manager does it: ours first. The other way round is as good.
    for order in (["1,0", "8,8"], ["8,8", "1,0"]):
        assert conversation.say(*(f"TAKEBACK {square}" for square in order)) == ["OK", "OK"]
        conversation.say("TURN 8,8")
        assert conversation.state == Gomoku().child(7 * 16).child(0).child(8 * 16)
        conversation.decide(1)


def test_a_restart_brings_a_new_player():
    conversation = started()
    conversation.say("BEGIN")
    before = conversation.session.turn.player
    conversation.say("RESTART", "BEGIN")
    assert conversation.session.turn.player is not before
    assert conversation.state == Gomoku()


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
    turn = conversation.session.turn
    assert conversation.think(0) == []
    assert conversation.say(command) == replies
    session = conversation.session
    assert session.turn is None
    assert session.due is None
    assert conversation.wait(10) == []
    assert session.consider(turn, Proposal(1, 1.0), conversation.now) == []
    assert session.finish(turn, None, conversation.now) == []
    assert session.finish(turn, ValueError("no"), conversation.now) == []


@pytest.mark.parametrize(
    "command",
    ["BEGIN", "TURN 3,3", "RECTSTART 9,9", "TAKEBACK 3,3", "ABOUT", "HELLO", "INFO x 3", ""],
)  # fmt: skip
def test_what_does_not_end_it(command):
    conversation = started()
    conversation.say("TURN 7,7")
    state = conversation.state
    conversation.say(command)
    assert conversation.state is state
    assert conversation.decide(0) == "0,0"


def test_an_old_answer_is_not_taken_for_a_new_one():
    conversation = started()
    conversation.say("TURN 7,7")
    old = conversation.session.turn
    conversation.say("RESTART", "TURN 8,8")
    assert conversation.session.finish(old, None, conversation.now) == []
    assert conversation.decide(5) == "5,0"


# Time


def test_at_the_limit_of_a_turn_the_last_thought_is_played():
    conversation = started()
    conversation.say("INFO timeout_turn 2000", "BEGIN")
    assert conversation.think(1) == []
    assert conversation.wait(1.0) == []
    assert conversation.think(2) == []
    assert conversation.session.due - conversation.now < 1
    assert conversation.wait(0.8) == []
    assert conversation.wait(0.1) == ["2,0"]
    conversation.say("TURN 9,9")
    assert conversation.state == Gomoku().child(2).child(9 * 16)


def test_a_thought_that_comes_at_the_limit_is_played():
    conversation = started()
    conversation.say("INFO timeout_turn 2000", "BEGIN")
    conversation.think(1)
    conversation.now += 1.9
    assert conversation.think(2) == ["2,0"]


def test_without_a_thought_what_looks_best_is_played():
    """With four in a row, and the opponent with four as well, that is not hard to see."""
    conversation = started()
    four = [f"{col},{row},{whose}" for whose, row in ((1, 3), (2, 9)) for col in range(4)]
    conversation.say("INFO timeout_turn 2000", "BOARD", *four, "DONE")
    *message, answer = conversation.wait(1.9)
    assert answer == "4,3"
    assert message == ["MESSAGE no time for a search: played by the heuristic"]
    conversation.say("RESTART", "TURN 0,14")
    *_, answer = conversation.wait(1.9)
    assert answer in ("0,13", "1,13", "1,14")
    conversation.say("TURN 5,5")
    assert conversation.state.board().stones.count(-1) == 225 - 3


def test_as_fast_as_possible_is_the_first_thought():
    conversation = started()
    conversation.say("INFO timeout_turn 0", "BEGIN")
    assert conversation.session.due is None
    assert conversation.wait(0.5) == []
    assert conversation.think(4) == ["4,0"]


@pytest.mark.parametrize("number", [10**20, 10**900])
def test_numbers_beyond_all_measure(number):
    conversation = started()
    for key in ("timeout_turn", "timeout_match", "time_left", "max_memory"):
        conversation.say(f"INFO {key} {number}", f"INFO {key} -{number}", f"INFO {key} {number}")
    conversation.say("BEGIN")
    conversation.think(3)
    assert conversation.wait(10**6) == []
    assert conversation.decide(4) == "4,0"


def test_limits_that_change_while_a_move_is_thought_about():
    conversation = started()
    conversation.say("INFO timeout_turn 60000", "BEGIN")
    conversation.think(4)
    assert conversation.wait(5) == []
    assert conversation.say("INFO timeout_turn 3000") == []
    assert conversation.wait(0) == ["4,0"]


def test_without_limits_the_player_s_own_budget_counts():
    conversation = started()
    conversation.say("BEGIN")
    conversation.think(4)
    assert conversation.session.due is None
    assert conversation.wait(3_600) == []
    assert conversation.decide(5) == "5,0"


@pytest.mark.parametrize("is_told", [True, False])
def test_a_game_s_time_is_never_used_up(is_told):
    """Moves until the board is full, each at the last moment that is allowed."""
    # Two of a colour, then two of the other, in every line but columns: nobody gets five.
    ours = [square for square in range(400) if (square + 2 * (square // 20)) % 4 < 2]
    theirs = [square for square in range(400) if square not in ours]
    conversation = started(20)
    conversation.say("INFO timeout_turn 5000", "INFO timeout_match 60000")
    left = 60.0
    for move in range(200):
        if is_told:
            conversation.say(f"INFO time_left {int(1_000 * left)}")
        said = conversation.say(f"TURN {xy(theirs[move], 20)}" if move else "BEGIN")
        if said:  # the board is full
            break
        conversation.think(ours[move])
        seconds = conversation.session.due - conversation.now
        assert 0 <= seconds < min(5, left)
        *_, answer = conversation.wait(seconds)
        assert answer == xy(ours[move], 20)
        left -= seconds
        conversation.now += 100  # the opponent's time
    assert move > 150
    assert 0 < left < 1


def test_a_restart_gives_the_time_back():
    conversation = started()
    conversation.say("INFO timeout_match 10000", "BEGIN")
    conversation.wait(9.9)  # no thought
    conversation.say("TURN 9,9")
    conversation.think(0)
    assert conversation.session.due - conversation.now < 0.1
    conversation.say("RESTART", "BEGIN")
    conversation.think(0)
    assert conversation.session.due - conversation.now > 0.4


# Memory


def test_a_tree_that_grows_too_large_is_searched_no_further():
    used = [1_000]
    conversation = started(memory_in_use=lambda: used[0])
    conversation.say("INFO max_memory 2000", "BEGIN")
    assert conversation.think(1) == []
    used[0] = 2_001
    assert conversation.think(2) == ["2,0"]


def test_a_limit_that_was_never_kept_is_told_and_then_forgotten():
    conversation = started(memory_in_use=lambda: 3_000)
    conversation.say("INFO max_memory 2000")
    [message] = conversation.session.receive("BEGIN", conversation.now)
    assert message == "MESSAGE 3,000 bytes are in use, but only 2,000 are allowed"
    assert conversation.think(1) == []
    assert conversation.decide(2) == "2,0"


def test_no_limit_of_memory():
    conversation = started(memory_in_use=lambda: 10**12)
    conversation.say("INFO max_memory 0")
    assert conversation.session.receive("BEGIN", conversation.now) == []
    assert conversation.think(1) == []


# Players that fail


def test_a_player_that_fails_has_no_answer():
    conversation = started()
    conversation.say("TURN 7,7")
    session = conversation.session
    [reply] = session.finish(session.turn, RuntimeError("lost\nmy way"), conversation.now)
    assert reply == "ERROR the player fails: lost my way"
    assert session.turn is None
    assert conversation.say("RESTART") == ["OK"]


def test_of_a_player_that_fails_later_the_last_thought_is_played():
    conversation = started()
    conversation.say("TURN 7,7")
    conversation.think(3)
    session = conversation.session
    assert session.finish(session.turn, RuntimeError(), conversation.now) == ["3,0"]


@pytest.mark.parametrize("action", [7 * 16, 225, -1, None, "a1"])
def test_a_player_that_chooses_no_legal_move(action):
    conversation = started()
    conversation.say("TURN 7,7")
    session = conversation.session
    session.consider(session.turn, Proposal(action, 1.0), conversation.now)
    assert is_error(session.finish(session.turn, None, conversation.now))
    assert session.turn is None
