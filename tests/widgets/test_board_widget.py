"""The Python half of the live board: what is shown, and which clicks are believed."""

import json
from dataclasses import replace

import pytest

from mctslab.boards import Board, BoardStyle, board_svg, stone_svg
from mctslab.games import ConnectFour, Gomoku, Reversi, TicTacToe
from mctslab.widgets.board import BoardWidget
from mctslab.widgets.board_view import BoardView, describe_squares, legal_squares
from tests.widgets.browser_messages import click, record_messages, send


def view_of(state) -> BoardView:
    return BoardView(state.board(), legal_squares(state), state.current_player)


REVERSI = view_of(Reversi())


@pytest.fixture
def clicks():
    """The squares that were chosen, and those that were refused."""
    return [], []


@pytest.fixture
def widget(clicks):
    chosen, refused = clicks
    return BoardWidget(REVERSI, on_choose=chosen.append, on_refuse=refused.append)


def test_the_picture_is_the_one_that_every_other_board_has():
    for game in (TicTacToe, ConnectFour, Reversi, Gomoku):
        board = game().board()
        assert BoardWidget(BoardView(board)).picture == board_svg(board)
    assert 'data-legal="19"' in REVERSI.picture()
    assert "data-legal" not in replace(REVERSI, mark_legal=False).picture()
    heat = replace(REVERSI, heat={19: 3.0}).picture()
    assert heat.split(">")[0] == REVERSI.picture().split(">")[0], "it keeps its size"
    for mover, ghost in ((None, ""), (1, stone_svg(BoardStyle.DISCS, 1))):
        assert BoardWidget(replace(REVERSI, mover=mover)).squares["ghost"] == ghost


@pytest.mark.parametrize(
    ("shown", "is_same"),
    [
        (view_of(Reversi()), True),
        (replace(REVERSI, heat={19: 1.0}, hint_square=19), True),
        (view_of(Reversi().child(26)), False),
        (replace(REVERSI, legal_squares=(19,)), False),
        (replace(REVERSI, mover=1), False),
    ],
)
def test_a_click_meant_for_another_position_is_dropped(widget, clicks, shown, is_same):
    old = widget.squares["move_number"]
    widget.show(shown)
    send(widget, {"chosen": 19, "move_number": old})
    assert clicks == ([19] * is_same, [])
    click(widget, 18)
    click(widget, 63)
    assert len(clicks[0] + clicks[1]) == 2 + is_same
    assert 63 in clicks[1]


def test_what_is_no_click_on_this_board_is_dropped(widget, clicks):
    contents = [None, "chosen", {}, {"chosen": 19}]
    squares = (64, -1, "19", True, 19.0, None)
    for content in contents + [{"chosen": square, "move_number": 1} for square in squares]:
        send(widget, content)
    assert (widget.squares["move_number"], clicks) == (1, ([], []))


def test_heat_is_one_message_of_the_picture_alone(monkeypatch):
    view = view_of(Gomoku())
    widget = BoardWidget(view)
    messages = record_messages(widget, monkeypatch)
    for _ in range(2):
        widget.show(replace(view, heat={112: 10.0, 113: 5.0}))
    assert [set(message["state"]) for message in messages] == [{"picture"}]
    assert len(json.dumps(messages[0])) < 60_000
    widget.show(replace(view, hint_square=112))
    assert (widget.squares["hint"], "data-heat" in widget.picture) == (112, False)


def test_every_square_has_a_name_and_says_what_is_on_it():
    state = Reversi().child(19)
    labels = describe_squares(state.board(), state.legal_actions(), ("Black", "White"))
    assert labels[19] == "d3, Black, last move"
    assert labels[18] == "c3, empty, legal move"
    assert labels[0] == "a1, empty"
    labels = describe_squares(ConnectFour().board(), [38], ("Red", "Yellow"))
    assert labels[38] == "column 4, row 1, empty, legal move"
    won = Board(1, 3, BoardStyle.MARKS, (0, 0, 0), ("a", "b", "c"), ("1",), 2, (0, 1, 2))
    assert describe_squares(won, [], ("X", "O"))[2] == "c1, X, last move, winning line"
