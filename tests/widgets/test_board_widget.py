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
def chosen():
    return []


@pytest.fixture
def refused():
    return []


@pytest.fixture
def widget(chosen, refused):
    return BoardWidget(REVERSI, on_choose=chosen.append, on_refuse=refused.append)


def test_the_picture_is_the_one_that_every_other_board_has():
    for game in (TicTacToe, ConnectFour, Reversi, Gomoku):
        board = game().board()
        assert BoardWidget(BoardView(board)).picture == board_svg(board)


def test_dots_mark_the_legal_squares_only_if_wanted():
    assert 'data-legal="19"' in REVERSI.picture()
    assert "data-legal" not in replace(REVERSI, mark_legal=False).picture()


def test_a_ghost_is_there_only_when_a_square_can_be_chosen():
    for mover, ghost in ((None, ""), (1, stone_svg(BoardStyle.DISCS, 1))):
        assert BoardWidget(replace(REVERSI, mover=mover)).squares["ghost"] == ghost


def test_a_click_on_a_legal_square_chooses_it_and_another_is_refused(widget, chosen, refused):
    click(widget, 19)
    click(widget, 0)
    assert (chosen, refused) == ([19], [0])


def test_a_click_meant_for_an_older_position_is_dropped(widget, chosen):
    old = widget.squares["move_number"]
    widget.show(view_of(Reversi().child(19)))
    send(widget, {"chosen": 18, "move_number": old})
    assert chosen == []
    click(widget, 18)
    assert chosen == [18]


def test_a_click_is_good_when_the_same_position_was_shown_again_meanwhile(widget, chosen):
    old = widget.squares["move_number"]
    for shown in (view_of(Reversi()), replace(REVERSI, heat={19: 1.0}, hint_square=19)):
        widget.show(shown)
        send(widget, {"chosen": 19, "move_number": old})
    assert chosen == [19, 19]


@pytest.mark.parametrize("change", [{"legal_squares": (19,)}, {"mover": 1}])
def test_a_click_is_dropped_when_what_it_means_has_changed(widget, chosen, refused, change):
    old = widget.squares["move_number"]
    widget.show(replace(REVERSI, **change))
    send(widget, {"chosen": 19, "move_number": old})
    assert chosen + refused == []


def test_what_is_no_click_on_this_board_is_dropped(widget, chosen, refused):
    assert widget.squares["move_number"] == 1
    for content in (None, "chosen", {}, {"chosen": 19}):
        send(widget, content)
    for square in (64, -1, "19", True, 19.0, None):
        send(widget, {"chosen": square, "move_number": 1})
    assert chosen + refused == []


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


def test_heat_has_no_legend_and_leaves_the_picture_its_size():
    assert (
        replace(REVERSI, heat={19: 3.0}).picture().split(">")[0]
        == (REVERSI.picture().split(">")[0])
    )


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


def test_columns_with_numbers_are_named_as_columns():
    state = ConnectFour()
    labels = describe_squares(state.board(), [38], ("Red", "Yellow"))
    assert labels[38] == "column 4, row 1, empty, legal move"


def test_a_winning_line_is_said():
    board = Board(1, 3, BoardStyle.MARKS, (0, 0, 0), ("a", "b", "c"), ("1",), 2, (0, 1, 2))
    labels = describe_squares(board, [], ("X", "O"))
    assert labels[2] == "c1, X, last move, winning line"
