"""The named positions are what their names say, judged by the threats on the board."""

import pytest

from mctslab.boards.board import square_bits
from mctslab.games import ConnectFour, Gomoku, Reversi, TicTacToe
from mctslab.search.knowledge.threats import find_threats
from mctslab.widgets.net_panel import Line
from mctslab.widgets.net_positions import named_positions

BOARDS = [(6, 4), (8, 5), (9, 5), (15, 5)]
NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five"}
STATES = [*(Gomoku(*board) for board in BOARDS), ConnectFour(), Reversi(), Reversi(size=6)]


def position(state, name):
    line = Line(state)
    line.set_up(named_positions(state)[name])
    return line.state


@pytest.mark.parametrize(("size", "in_a_row"), BOARDS)
def test_rows_and_threats_are_what_they_say(size, in_a_row):
    state, number = Gomoku(size=size, in_a_row=in_a_row), NUMBERS[in_a_row]
    for mover, name in enumerate((f"a {number} to complete", f"a {number} to block")):
        row = position(state, name)
        assert row.current_player == mover
        assert len(square_bits(find_threats(row, 0).five)) == 1
        assert not find_threats(row, 1).five
    kinds = {f"an open {NUMBERS[in_a_row - 2]}": "open_four"}
    if size >= in_a_row + 3:  # there is room for it
        kinds["a double threat"] = "double_four"
    for mover, (name, kind) in zip((1, 0), kinds.items(), strict=False):
        reached = position(state, name)
        assert reached.current_player == mover
        assert getattr(find_threats(reached, 0), kind)
        assert not find_threats(reached, 0).five
        assert not find_threats(reached, 1).four


@pytest.mark.parametrize("state", STATES, ids=repr)
def test_the_first_one_is_the_first_position_and_none_is_the_end(state):
    records = named_positions(state)
    assert next(iter(records.values())) == ""
    assert len(records) >= 3
    for name, record in records.items():
        reached = position(state, name)
        assert not reached.is_terminal
        num_stones = sum(stone != -1 for stone in reached.board().stones)
        before = sum(stone != -1 for stone in state.board().stones)
        assert num_stones - before == len(record.split()), name


def test_other_boards_have_their_first_position():
    for state in (TicTacToe(), Gomoku(9, exactly_five=True), Gomoku(6, 3), Reversi().child(19)):
        assert named_positions(state) == {"first position": ""}


def wins_at_once(state):
    """The moves with which the player to move wins at once."""
    player = state.current_player
    return {
        action
        for action in state.legal_actions()
        if state.child(action).is_terminal and state.child(action).returns()[player] == 1
    }


def test_the_positions_of_connect_four_are_what_they_say():
    state = ConnectFour()
    complete, block = (position(state, f"a four to {name}") for name in ("complete", "block"))
    assert len(wins_at_once(complete)) == 1
    assert not wins_at_once(block)
    replies = {action for action in block.legal_actions() if not wins_at_once(block.child(action))}
    assert len(replies) == 1
    for name, mover in (("a double threat", 0), ("an open two", 1)):
        double = position(state, name)
        assert double.current_player == mover
        after = [double] if mover == 0 else [double.child(double.legal_actions()[0])]
        assert any(  # a move after which every reply loses at once
            all(wins_at_once(child.child(reply)) for reply in child.legal_actions())
            for before in after
            for child in map(before.child, before.legal_actions())
        )


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
