"""Records of games: read as people write them, or the bad move is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab import games
from mctslab.games import Gomoku, Reversi, TicTacToe
from mctslab.widgets.records import RecordError, read_record

BLACK_MUST_PASS = "d3 c3 b3 b2 f5 a3 a1 c1"


def state_after(record, first_state=None):
    """The position after the moves of `record`."""
    state = first_state or Reversi()
    for action in read_record(record, state):
        state = state.child(action)
    return state


STATES = [*map(games.make, games.by_name()), Reversi(size=4), Reversi().child(19)]
STATES += [state_after(f"{BLACK_MUST_PASS}{more}") for more in ("", " pass")]


@given(first_state=st.sampled_from(STATES), data=st.data())
def test_any_record_can_be_read(first_state, data):
    state, actions, notations = first_state, [], []
    for _ in range(data.draw(st.integers(0, 70))):
        if not state.is_terminal:
            actions.append(data.draw(st.sampled_from(state.legal_actions())))
            notations.append(state.action_to_string(actions[-1]))
            state = state.child(actions[-1])
    assert read_record(as_people_write(" ".join(notations), data), first_state) == actions


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
    with pytest.raises(RecordError) as error:
        read_record(text, first_state)
    assert all(word in str(error.value) for word in words)
