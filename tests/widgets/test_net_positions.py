"""The named positions are what their names say, judged by looking two plies ahead."""

import pytest

from mctslab.games import ConnectFour, Gomoku, Reversi, TicTacToe
from mctslab.widgets.net_positions import named_positions
from tests.widgets.test_records import state_after

NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five"}
IN_ROWS = [Gomoku(6, 4), Gomoku(8, 5), Gomoku(9, 5), Gomoku(), ConnectFour()]


def position(state, name):
    return state_after(named_positions(state)[name], state)


def wins_at_once(state):
    """The moves with which the player to move wins at once."""
    player = state.current_player
    after = {action: state.child(action) for action in state.legal_actions()}
    return {a for a, next_ in after.items() if next_.is_terminal and next_.returns()[player] == 1}


def can_make_two_threats(state):
    """Whether there is a move after which every reply loses at once."""
    return any(
        all(wins_at_once(child.child(reply)) for reply in child.legal_actions())
        for child in map(state.child, state.legal_actions())
        if not child.is_terminal
    )


@pytest.mark.parametrize("state", IN_ROWS, ids=repr)
def test_rows_and_threats_are_what_they_say(state):
    in_a_row = getattr(state, "in_a_row", 4)
    row, names = NUMBERS[in_a_row], named_positions(state)
    assert next(iter(names.values())) == ""
    complete, block = (position(state, f"a {row} to {name}") for name in ("complete", "block"))
    assert (complete.current_player, block.current_player) == (0, 1)
    assert len(wins_at_once(complete)) == 1
    assert not wins_at_once(block)
    replies = {action for action in block.legal_actions() if not wins_at_once(block.child(action))}
    assert len(replies) == 1
    opened = position(state, f"an open {NUMBERS[in_a_row - 2]}")
    assert opened.current_player == 1
    assert can_make_two_threats(opened.child(opened.legal_actions()[0]))
    assert ("a double threat" in names) == (state != Gomoku(6, 4)), "there is no room for it"
    if "a double threat" in names:
        double = position(state, "a double threat")
        assert double.current_player == 0
        assert not wins_at_once(double)
        assert can_make_two_threats(double)


def test_other_boards_have_their_first_position():
    for state in (TicTacToe(), Gomoku(9, exactly_five=True), Gomoku(6, 3), Reversi().child(19)):
        assert named_positions(state) == {"first position": ""}


@pytest.mark.parametrize("size", [6, 8])
def test_the_positions_of_reversi_are_about_a_corner(size):
    corners = {0, size - 1, size * (size - 1), size * size - 1}
    state = Reversi(size=size)
    assert corners & {*position(state, "a corner to take").legal_actions()}
    guard = position(state, "a corner to guard")
    assert not corners & {*guard.legal_actions()}
    gives = [corners & {*guard.child(action).legal_actions()} for action in guard.legal_actions()]
    assert any(gives)
    assert not all(gives)
