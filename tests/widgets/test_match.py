"""A match without any widget: record, undo, clocks, results; and a line of play."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab import games
from mctslab.games import Gomoku, Reversi, TicTacToe
from mctslab.widgets.match import Match, Outcome, RecordError, must_pass

BLACK_MUST_PASS = "d3 c3 b3 b2 f5 a3 a1 c1"


def match_of(record, first_state=None):
    match = Match(first_state or Reversi())
    match.set_up(record)
    return match


STATES = [*map(games.make, games.by_name()), Reversi(size=4), Reversi().child(19)]
STATES += [match_of(f"{BLACK_MUST_PASS}{more}").state for more in ("", " pass")]


@given(first_state=st.sampled_from(STATES), data=st.data())
def test_any_record_can_be_set_up_and_undo_goes_back_to_where_a_human_chose(first_state, data):
    match, is_human = Match(first_state), data.draw(st.tuples(st.booleans(), st.booleans()))
    for _ in range(data.draw(st.integers(0, 70))):
        if not match.state.is_terminal:
            match.play(data.draw(st.sampled_from(match.state.legal_actions())))
    moves, states = match.moves, match.states
    again = match_of(as_people_write(match.record, data), first_state)
    assert (again.states, again.record) == (states, match.record)
    assert [move.action for move in again.moves] == [move.action for move in moves]
    chosen = [
        ply
        for ply, state in enumerate(states[:-1])
        if is_human[state.current_player] and not must_pass(state)  # a pass is no choice
    ]
    at = max(chosen, default=len(moves)) if any(is_human) else max(len(moves) - 1, 0)
    assert match.can_undo(is_human) == (at < len(moves))
    match.undo(is_human)
    assert (match.moves, match.state) == (moves[:at], states[at])


def as_people_write(record, data):
    """A record with other separators, capitals and numbers of moves, or without separators."""
    separators = [" ", ",", " ; ", "\n"]
    if any(sign.isalpha() for sign in record):  # in Connect Four a move is a number
        separators.append("")
    separator = data.draw(st.sampled_from(separators))
    number = data.draw(st.sampled_from(["{1}", "{0}.{1}", "{0}. {1}", "{0}... {1}"]))
    change = data.draw(st.sampled_from([str, str.upper, str.lower]))
    words = [change(word) for word in record.split()]
    if separator:
        words[::2] = [number.format(n, word) for n, word in enumerate(words[::2], start=1)]
    return separator.join(["", *words, ""])


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


LIMITS = st.sampled_from([None, 40, 60, 90])
HUMANS = st.tuples(st.booleans(), st.booleans())
DEEDS = st.one_of(
    st.just(("start",)),
    st.just(("play",)),
    *2 * [st.tuples(st.just("wait"), st.integers(1, 50))],
    st.tuples(st.just("limit"), LIMITS),
    st.tuples(st.just("undo"), HUMANS),
)


@given(limit=LIMITS, deeds=st.lists(DEEDS, min_size=10, max_size=30))
def test_a_clock_runs_for_the_player_to_move_who_loses_on_time(limit, deeds):
    now, times, used, limit_now, is_lost = 1000.0, [], None, limit, False
    match = Match(Gomoku(), seconds_per_move=limit, clock=lambda: now)
    for deed, *more in deeds:
        if deed == "wait":  # nobody loses by a clock that stands still
            now += more[0]
            used = used if used is None or is_lost else used + more[0]
        elif deed == "start":  # it is not set back
            match.start_clock()
            used = used or 0
        elif deed == "undo":
            (is_human,) = more
            at = len(times)
            if not (is_lost and is_human[at % 2]):
                chosen = [ply for ply in range(at) if is_human[ply % 2]]
                at = max(chosen, default=at) if any(is_human) else max(at - 1, 0)
            assert match.can_undo(is_human) == (is_lost or at < len(times))
            match.undo(is_human)
            times, used, limit_now, is_lost = times[:at], None, limit, False
        elif is_lost:
            with pytest.raises(ValueError, match="lost on time"):
                match.play(match.state.legal_actions()[0])
        elif deed == "play":
            match.play(match.state.legal_actions()[0])
            times, used, limit_now = [*times, used], None, limit
        else:
            limit = match.seconds_per_move = more[0]
            is_longer = limit_now is not None and (limit is None or limit > limit_now)
            if used is None or is_longer:  # a shorter one counts from the next move on
                limit_now = limit
        mover = len(times) % 2
        is_lost = is_lost or (None not in (used, limit_now) and used >= limit_now)
        assert match.check_time() == is_lost
        assert match.outcome == (Outcome(1 - mover, on_time=True) if is_lost else None)
        assert (match.seconds_of_this_move, match.clock_is_running) == (
            used,
            used is not None and not is_lost,
        )
        left = None if limit_now is None else max(0, limit_now - (used or 0))
        assert (match.limit_of_this_move, match.seconds_left) == (limit_now, left)
        assert [move.seconds for move in match.moves] == times
        totals = [sum(seconds or 0 for seconds in times[player::2]) for player in (0, 1)]
        totals[mover] += used or 0
        assert [match.total_seconds(player) for player in (0, 1)] == totals
