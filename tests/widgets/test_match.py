"""A match without any widget: record, undo, clocks, results; and a line of play."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab import games
from mctslab.games import ConnectFour, Gomoku, IllegalActionError, Reversi, TicTacToe
from mctslab.widgets.match import LineOfPlay, Match, Outcome, RecordError, must_pass

BLACK_MUST_PASS = "d3 c3 b3 b2 f5 a3 a1 c1"
BLACK_HUMAN, WHITE_HUMAN = (True, False), (False, True)
BOTH_HUMAN, NO_HUMAN = (True, True), (False, False)


class FakeClock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def match_of(record: str, first_state=None, **options) -> Match:
    match = Match(first_state or Reversi(), **options)
    match.set_up(record)
    return match


# Playing and records


@given(name=st.sampled_from(sorted(games.by_name())), data=st.data())
def test_the_record_of_any_game_sets_up_the_same_position(name, data):
    match = Match(games.make(name))
    for _ in range(data.draw(st.integers(0, 70))):
        if match.state.is_terminal:
            break
        match.play(data.draw(st.sampled_from(match.state.legal_actions())))
    again = match_of(match.record, games.make(name))
    assert again.state == match.state
    assert [move.action for move in again.moves] == [move.action for move in match.moves]
    assert again.record == match.record


def test_a_move_is_noted_with_its_player_notation_and_cost():
    match = match_of("d3")
    move = match.play(match.state.string_to_action("c3"), num_simulations=5, num_nodes=7)
    assert match.moves[1] == move
    with pytest.raises(IllegalActionError):
        match.play(0)
    told = [
        (m.player, m.notation, m.seconds, m.is_pass, m.num_simulations, m.num_nodes)
        for m in match.moves
    ]
    assert told == [(0, "d3", None, False, 0, 0), (1, "c3", None, False, 5, 7)]


def test_a_pass_stands_in_the_record():
    match = match_of(BLACK_MUST_PASS)
    assert must_pass(match.state)
    assert match.play(match.state.legal_actions()[0]).is_pass
    assert match.record == f"{BLACK_MUST_PASS} pass"


def test_records_are_read_as_people_write_them():
    for text in ("d3 c3 c4", " D3,C3 , C4 ", "1. d3 c3 2. c4", "1.d3 c3\n2.c4\n", "1... d3;c3; c4"):
        assert match_of(text).record == "d3 c3 c4"
    assert match_of("1. 4 4 2. 3", ConnectFour()).record == "4 4 3", "a column is no number"


@pytest.mark.parametrize(
    ("text", "state", "record"),
    [
        ("h8i9h9", Gomoku(), "H8 I9 H9"),
        ("H8I9 h9", Gomoku(), "H8 I9 H9"),
        ("1.h8 i9 2.h9j10", Gomoku(), "H8 I9 H9 J10"),
        ("H10H9A1", Gomoku(), "H10 H9 A1"),
        ("f5d6c3", Reversi(), "f5 d6 c3"),
        (BLACK_MUST_PASS.replace(" ", "") + "pass", Reversi(), f"{BLACK_MUST_PASS} pass"),
    ],
)
def test_moves_may_be_written_together(text, state, record):
    assert match_of(text, state).record == record


def test_what_a_game_writes_as_one_move_is_not_taken_apart():
    class OtherNames(TicTacToe):
        """Names its squares as shogi does."""

        def action_to_string(self, action: int) -> str:
            return f"{action}a{action}"

    assert match_of("4a4 0a0", OtherNames()).record == "4a4 0a0"


@pytest.mark.parametrize(
    ("first_state", "text", "words"),
    [
        (Reversi(), "d3 c3 z9", ["Move 3", "'z9'", "not a move of Reversi"]),
        (Reversi(), "d3 d3", ["Move 2, d3", "White is to move", "c3, e3, c5"]),
        (Reversi(), BLACK_MUST_PASS + " a8", ["Move 9, a8", "Black", "can play pass"]),
        (TicTacToe(), "a1 a2 b1 b2 c1 c3", ["Move 6, c3", "over after move 5"]),
        (Gomoku(size=9), "E5 E5", ["Move 2, E5", "and 68 more"]),
        (Gomoku(), "H8 I16 H9", ["Move 2", "'I16' is not a move of Gomoku", "A15 to O1"]),
        (Gomoku(), "h8i9p9", ["Move 3", "'p9' is not a move of Gomoku"]),
        (Gomoku(), "h8 and i9", ["Move 2", "'and' is not a move of Gomoku"]),
    ],
)
def test_a_bad_record_names_its_bad_move(first_state, text, words):
    match = Match(first_state)
    match.play(match.state.legal_actions()[0])
    before = match.record
    with pytest.raises(RecordError) as error:
        match.set_up(text)
    assert all(word in str(error.value) for word in words)
    assert match.record == before


# Results


def test_a_match_goes_on_until_its_game_is_over():
    for record, outcome in (
        ("", None),
        ("a1 a2 b1 b2 c1", Outcome(winner=0)),
        ("a1 b1 a2 b2 c3 b3", Outcome(winner=1)),
        ("b2 a1 a3 c1 b1 b3 a2 c2 c3", Outcome(winner=None)),
    ):
        match = match_of(record, TicTacToe())
        assert match.outcome == outcome
        match.start_clock()
        assert match.clock_is_running == (outcome is None), "the end of the game stops the clock"


# Undo


@pytest.mark.parametrize(
    ("record", "is_human", "left"),
    [
        ("d3 c3 c4", BLACK_HUMAN, "d3 c3"),  # while White thinks: only Black's own move
        ("d3 c3", BLACK_HUMAN, ""),  # Black to move: the reply and the move
        ("d3 c3 c4 c5", BLACK_HUMAN, "d3 c3"),
        ("d3 c3", WHITE_HUMAN, "d3"),  # while Black thinks
        ("d3 c3 c4", WHITE_HUMAN, "d3"),
        ("d3 c3 c4", BOTH_HUMAN, "d3 c3"),
        ("d3 c3 c4", NO_HUMAN, "d3 c3"),
        (BLACK_MUST_PASS, BLACK_HUMAN, "d3 c3 b3 b2 f5 a3"),
        # A pass is no choice: undo goes on to the move before it.
        (BLACK_MUST_PASS + " pass", BLACK_HUMAN, "d3 c3 b3 b2 f5 a3"),
        (BLACK_MUST_PASS + " pass", BOTH_HUMAN, "d3 c3 b3 b2 f5 a3 a1"),
    ],
)
def test_undo_goes_back_to_where_a_human_chose(record, is_human, left):
    match = match_of(record)
    assert match.can_undo(is_human)
    match.undo(is_human)
    assert match.record == left
    assert match.state == match_of(left).state


@pytest.mark.parametrize(
    ("record", "is_human"),
    [("", BLACK_HUMAN), ("", BOTH_HUMAN), ("", NO_HUMAN), ("", WHITE_HUMAN), ("d3", WHITE_HUMAN)],
)
def test_without_a_human_move_there_is_nothing_to_undo(record, is_human):
    match = match_of(record)
    assert not match.can_undo(is_human)
    match.undo(is_human)
    assert match.record == record


# Clocks


def test_the_clock_belongs_to_the_player_to_move():
    clock = FakeClock()
    match = Match(Reversi(), clock=clock)
    assert match.seconds_of_this_move is None
    for record in ("d3", "c3", "c4"):
        clock.now += 1000  # nobody loses by a clock that stands still
        assert not match.check_time()
        match.start_clock()
        clock.now += 5 if record != "c3" else 2
        match.play(match.state.string_to_action(record))
        assert not match.clock_is_running
    assert [move.seconds for move in match.moves] == [5, 2, 5]
    match.start_clock()
    clock.now += 1
    assert (match.total_seconds(0), match.total_seconds(1)) == (10, 3)
    match.start_clock()
    assert match.seconds_of_this_move == 1, "it was not set back"
    match.undo(BLACK_HUMAN)
    assert (match.record, match.total_seconds(0), match.total_seconds(1)) == ("d3 c3", 5, 2)
    assert not match.clock_is_running


def test_overstepping_the_limit_loses():
    match, clock = timed_match(60, used=59.9)
    assert match.seconds_left == pytest.approx(0.1)
    assert not match.check_time()
    assert match.outcome is None
    clock.now += 0.2
    assert match.check_time()
    assert match.outcome == Outcome(winner=0, on_time=True)
    for _ in range(2):
        assert match.total_seconds(1) == pytest.approx(60.1)
        clock.now += 100
    with pytest.raises(ValueError, match="lost on time"):
        match.play(match.state.legal_actions()[0])


@pytest.mark.parametrize(
    ("take_back", "left"),
    [
        (lambda match: match.undo(WHITE_HUMAN), "d3"),
        (lambda match: match.undo(BLACK_HUMAN), ""),
        (lambda match: match.set_up(""), ""),
    ],
)
def test_a_loss_on_time_can_be_taken_back(take_back, left):
    match, _ = timed_match(60, used=61)
    assert match.check_time()
    assert match.can_undo(WHITE_HUMAN)
    take_back(match)
    assert match.outcome is None
    assert match.record == left
    assert match.seconds_of_this_move is None


def test_without_a_limit_nobody_loses_on_time():
    match, _ = timed_match(None, used=1e6)
    assert match.seconds_left is None
    assert not match.check_time()


def timed_match(limit, *, used: float = 0) -> tuple[Match, FakeClock]:
    """A match in which the player to move, White, has used so much of the time."""
    clock = FakeClock()
    match = match_of("d3", seconds_per_move=limit, clock=clock)
    match.start_clock()
    clock.now += used
    return match, clock


def test_a_shorter_limit_counts_from_the_next_move_on():
    match, clock = timed_match(None, used=50)
    match.seconds_per_move = 40
    assert (match.seconds_per_move, match.limit_of_this_move) == (40, None)
    assert not match.check_time()
    match.play(match.state.legal_actions()[0])
    match.start_clock()
    clock.now += 41
    assert match.seconds_left == 0
    assert match.check_time()


@pytest.mark.parametrize("longer", [90, None])
def test_a_longer_limit_counts_at_once(longer):
    match, clock = timed_match(60, used=50)
    match.seconds_per_move = longer
    clock.now += 20
    assert not match.check_time()
    clock.now += 30
    assert match.check_time() == (longer == 90)


def test_a_limit_that_is_lifted_and_set_again_counts_from_the_next_move_on():
    match, clock = timed_match(60, used=50)
    match.seconds_per_move = None
    match.seconds_per_move = 60
    clock.now += 20
    assert not match.check_time()


def test_where_no_clock_runs_a_new_limit_counts_at_once():
    match = match_of("d3", seconds_per_move=None)
    match.seconds_per_move = 10
    assert match.limit_of_this_move == 10


def test_a_limit_that_nobody_could_keep_is_refused():
    for seconds in (0, -1, float("nan")):
        with pytest.raises(ValueError, match=f"seconds_per_move={seconds!r}"):
            Match(Reversi(), seconds_per_move=seconds)


@pytest.fixture
def line():
    made = LineOfPlay(Gomoku(size=6, in_a_row=4))
    made.set_up("A6 B5 F1")
    return made


def test_it_goes_back_and_forth(line):
    first = Gomoku(size=6, in_a_row=4)
    assert line.record == "A6 B5 F1"
    assert line.state == first.child(0).child(7).child(35)
    line.redo()
    assert line.record == "A6 B5 F1", "at its end nothing happens"
    line.undo()
    line.undo()
    assert line.record == "A6"
    assert line.state == first.child(0)
    line.redo()
    assert line.record == "A6 B5"
    assert line.can_undo()
    assert line.can_redo
    for _ in range(9):
        line.undo()
    assert line.record == ""
    assert not line.can_undo()
    assert line.state == line.first_state


def test_another_move_forgets_those_that_were_taken_back(line):
    line.undo()
    line.undo()
    line.play(20)
    assert line.record == "A6 C3"
    assert not line.can_redo
    line.undo()
    line.redo()
    assert line.record == "A6 C3"


def test_the_same_move_keeps_what_comes_after_it(line):
    line.undo()
    line.undo()
    line.play(7)
    assert line.can_redo
    line.redo()
    assert line.record == "A6 B5 F1"


def test_an_illegal_move_changes_no_line(line):
    line.undo()
    with pytest.raises(IllegalActionError):
        line.play(0)
    assert line.record == "A6 B5"
    assert line.can_redo


def test_a_record_is_set_up_or_nothing_changes(line):
    line.set_up("c3 d4")
    assert line.record == "C3 D4"
    assert not line.can_redo
    with pytest.raises(RecordError, match="Move 2"):
        line.set_up("a1 a1")
    assert line.record == "C3 D4"
