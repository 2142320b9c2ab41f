"""A match without any widget: record, undo, clocks, results; and a line of play."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab import games
from mctslab.games import ConnectFour, Gomoku, Reversi, TicTacToe
from mctslab.widgets.match import Match, Outcome, RecordError, must_pass

BLACK_MUST_PASS = "d3 c3 b3 b2 f5 a3 a1 c1"
BLACK_HUMAN, WHITE_HUMAN = (True, False), (False, True)


class FakeClock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def match_of(record: str, first_state=None, **options) -> Match:
    match = Match(first_state or Reversi(), **options)
    match.set_up(record)
    return match


STATES = [*map(games.make, games.by_name()), Reversi(size=4), Reversi().child(19)]


def drawn_match(data, first_state) -> Match:
    """Some moves by the rules; in Reversi, also some around a pass."""
    match = Match(first_state)
    if first_state == Reversi():
        match.set_up(data.draw(st.sampled_from(["", BLACK_MUST_PASS, f"{BLACK_MUST_PASS} pass"])))
    for _ in range(data.draw(st.integers(0, 70))):
        if not match.state.is_terminal:
            match.play(data.draw(st.sampled_from(match.state.legal_actions())))
    return match


@given(first_state=st.sampled_from(STATES), data=st.data())
def test_the_record_of_any_game_sets_up_the_same_position(first_state, data):
    match = drawn_match(data, first_state)
    again = match_of(match.record, first_state)
    assert (again.state, again.record) == (match.state, match.record)
    assert [move.action for move in again.moves] == [move.action for move in match.moves]


@given(
    first_state=st.sampled_from(STATES),
    is_human=st.tuples(st.booleans(), st.booleans()),
    data=st.data(),
)
def test_undo_goes_back_to_where_a_human_chose(first_state, is_human, data):
    match = drawn_match(data, first_state)
    before = match.moves
    states = match.states
    chosen = [
        ply
        for ply, state in enumerate(states[:-1])
        if is_human[state.current_player] and not must_pass(state)  # a pass is no choice
    ]
    at = max(chosen, default=len(before)) if any(is_human) else max(len(before) - 1, 0)
    assert match.can_undo(is_human) == (at < len(before))
    match.undo(is_human)
    assert match.moves == before[:at]
    assert match.state == states[at]


@pytest.mark.parametrize(
    ("state", "text", "record"),
    [
        *((Reversi(), text, "d3 c3 c4") for text in (" D3,C3 , C4 ", "1. d3 c3 2. c4", "d3c3c4")),
        *((Reversi(), text, "d3 c3 c4") for text in ("1.d3 c3\n2.c4\n", "1... d3;c3; c4")),
        (Reversi(), BLACK_MUST_PASS.replace(" ", "") + "pass", f"{BLACK_MUST_PASS} pass"),
        (ConnectFour(), "1. 4 4 2. 3", "4 4 3"),  # a column is no number of a move
        (Gomoku(), "H8I9 h9", "H8 I9 H9"),
        (Gomoku(), "1.h8 i9 2.h9j10", "H8 I9 H9 J10"),
        (Gomoku(), "H10H9A1", "H10 H9 A1"),
    ],
)
def test_records_are_read_as_people_write_them(state, text, record):
    assert match_of(text, state).record == record


@pytest.mark.parametrize(
    ("first_state", "text", "words"),
    [
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


# Clocks


def test_the_clock_belongs_to_the_player_to_move():
    clock = FakeClock()
    match = Match(Reversi(), clock=clock)
    for record, seconds in (("d3", 5), ("c3", 2), ("c4", 5)):
        clock.now += 1000  # nobody loses by a clock that stands still
        assert not match.check_time()
        match.start_clock()
        clock.now += seconds
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
    assert (match.clock_is_running, match.seconds_of_this_move) == (False, None)


@pytest.mark.parametrize(("is_human", "left"), [(WHITE_HUMAN, "d3"), (BLACK_HUMAN, "")])
def test_overstepping_the_limit_loses_and_can_be_taken_back(is_human, left):
    match, clock = timed_match(60, used=59.9)
    assert match.seconds_left == pytest.approx(0.1)
    assert not match.check_time()
    clock.now += 0.2
    assert match.check_time()
    assert match.outcome == Outcome(winner=0, on_time=True)
    clock.now += 100
    assert match.total_seconds(1) == pytest.approx(60.1), "it stands still now"
    with pytest.raises(ValueError, match="lost on time"):
        match.play(match.state.legal_actions()[0])
    assert match.can_undo(is_human)
    match.undo(is_human)
    assert (match.outcome, match.record, match.seconds_of_this_move) == (None, left, None)


def timed_match(limit, *, used: float = 0) -> tuple[Match, FakeClock]:
    """A match in which the player to move, White, has used so much of the time."""
    clock = FakeClock()
    match = match_of("d3", seconds_per_move=limit, clock=clock)
    match.start_clock()
    clock.now += used
    return match, clock


@pytest.mark.parametrize(
    ("limit", "deeds", "is_lost"),
    [
        (None, (1e6, "limit 40"), False),
        (None, (1e6, "limit 40", "play", 39), False),  # a shorter one counts from the next move on
        (None, (1e6, "limit 40", "play", 41), True),
        (60, (50, "limit 90", 20), False),  # a longer one at once
        (60, (50, "limit 90", 50), True),
        (60, (50, "limit None", "limit 60", 50), False),
    ],
)
def test_a_new_limit_counts_at_once_if_it_is_longer(limit, deeds, is_lost):
    match, clock = timed_match(limit)
    for deed in deeds:
        if deed == "play":
            match.play(match.state.legal_actions()[0])
            match.start_clock()
        elif isinstance(deed, str):
            seconds = deed.removeprefix("limit ")
            match.seconds_per_move = None if seconds == "None" else int(seconds)
        else:
            clock.now += deed
    assert match.check_time() == is_lost
    assert (match.seconds_left == 0) == is_lost
