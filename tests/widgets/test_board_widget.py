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


def test_a_ghost_is_there_only_when_a_square_can_be_chosen():
    for mover, ghost in ((None, ""), (1, stone_svg(BoardStyle.DISCS, 1))):
        assert BoardWidget(replace(REVERSI, mover=mover)).squares["ghost"] == ghost


def test_a_click_on_a_legal_square_chooses_it_and_another_is_refused(widget, clicks):
    click(widget, 19)
    click(widget, 0)
    assert clicks == ([19], [0])


def test_a_click_meant_for_an_older_position_is_dropped(widget, clicks):
    old = widget.squares["move_number"]
    widget.show(view_of(Reversi().child(19)))
    send(widget, {"chosen": 18, "move_number": old})
    assert clicks == ([], [])
    click(widget, 18)
    assert clicks == ([18], [])


def test_a_click_is_good_when_the_same_position_was_shown_again_meanwhile(widget, clicks):
    old = widget.squares["move_number"]
    for shown in (view_of(Reversi()), replace(REVERSI, heat={19: 1.0}, hint_square=19)):
        widget.show(shown)
        send(widget, {"chosen": 19, "move_number": old})
    assert clicks == ([19, 19], [])


@pytest.mark.parametrize("change", [{"legal_squares": (19,)}, {"mover": 1}])
def test_a_click_is_dropped_when_what_it_means_has_changed(widget, clicks, change):
    old = widget.squares["move_number"]
    widget.show(replace(REVERSI, **change))
    send(widget, {"chosen": 19, "move_number": old})
    assert clicks == ([], [])


def test_what_is_no_click_on_this_board_is_dropped(widget, clicks):
    assert widget.squares["move_number"] == 1
    for content in (None, "chosen", {}, {"chosen": 19}):
        send(widget, content)
    for square in (64, -1, "19", True, 19.0, None):
        send(widget, {"chosen": square, "move_number": 1})
    assert clicks == ([], [])


def test_a_new_position_is_one_message_and_the_same_one_is_none(widget, monkeypatch):
    messages = record_messages(widget, monkeypatch)
    widget.show(view_of(Reversi()))
    assert messages == []
    widget.show(view_of(Reversi().child(19)))
    assert [set(message["state"]) for message in messages] == [{"picture", "squares"}]


def test_heat_is_one_message_of_the_picture_alone(monkeypatch):
    view = view_of(Gomoku())
    widget = BoardWidget(view)
    messages = record_messages(widget, monkeypatch)
    for _ in range(2):
        widget.show(replace(view, heat={112: 10.0, 113: 5.0}))
    assert [set(message["state"]) for message in messages] == [{"picture"}]
    assert 'data-heat="112"' in widget.picture
    assert len(json.dumps(messages[0])) < 60_000


def test_a_new_position_takes_heat_and_hint_away(widget):
    widget.show(replace(REVERSI, heat={19: 3.0}, hint_square=19))
    assert widget.squares["hint"] == 19
    widget.show(REVERSI)
    assert widget.squares["hint"] is None
    assert "data-heat" not in widget.picture


def test_a_position_of_another_size_can_follow(widget):
    widget.show(BoardView(Reversi(size=6).board()))
    assert (widget.squares["shape"]["rows"], len(widget.squares["labels"])) == (6, 36)


# What a screen reader says


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
