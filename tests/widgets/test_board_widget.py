"""The Python half of the live board: what is shown, and which clicks are believed."""

import json

import pytest

from mctslab.boards import Board, BoardStyle, board_svg, stone_svg
from mctslab.games import ConnectFour, Gomoku, Reversi, TicTacToe
from mctslab.widgets.board import BoardWidget, describe_squares
from tests.widgets.browser_messages import record_messages, send


def reversi_board() -> BoardWidget:
    state = Reversi()
    return BoardWidget(state.board(), legal_squares=state.legal_actions(), mover=0)


def click(widget: BoardWidget, square: object, *, move_number: object = None) -> None:
    number = widget.move_number if move_number is None else move_number
    send(widget, {"chosen": square, "move_number": number})


@pytest.mark.parametrize("game", [TicTacToe, ConnectFour, Reversi, Gomoku])
def test_the_picture_is_the_one_that_every_other_board_has(game):
    state = game()
    widget = BoardWidget(state.board())
    assert widget.picture == board_svg(state.board())


def test_dots_mark_the_legal_squares_only_if_asked():
    board = Reversi().board()
    assert 'data-legal="19"' in BoardWidget(board, legal_squares=[19]).picture
    assert "data-legal" not in BoardWidget(board, legal_squares=[19], mark_legal=False).picture


def test_a_ghost_is_there_only_when_somebody_chooses():
    board = Reversi().board()
    assert BoardWidget(board).ghost == ""
    assert BoardWidget(board, mover=1).ghost == stone_svg(BoardStyle.DISCS, 1)


def test_a_click_on_a_legal_square_chooses_it():
    widget, chosen = reversi_board(), []
    widget.on_choose(chosen.append)
    click(widget, 19)
    assert chosen == [19]


def test_a_click_on_another_square_is_refused_gently():
    widget, chosen, refused = reversi_board(), [], []
    widget.on_choose(chosen.append)
    click(widget, 0)
    assert widget.announcement == "a1 can't be chosen here."
    widget.on_refuse(refused.append)
    click(widget, 0)
    assert (chosen, refused) == ([], [0])


def test_a_click_meant_for_an_older_position_is_dropped():
    widget, chosen = reversi_board(), []
    widget.on_choose(chosen.append)
    old = widget.move_number
    state = Reversi().child(19)
    widget.show(state.board(), legal_squares=state.legal_actions(), mover=1)
    click(widget, 18, move_number=old)
    assert chosen == []
    click(widget, 18)
    assert chosen == [18]


def test_a_click_is_good_when_the_same_position_was_shown_again_meanwhile():
    widget, chosen = reversi_board(), []
    widget.on_choose(chosen.append)
    old = widget.move_number
    state = Reversi()
    widget.show(state.board(), legal_squares=state.legal_actions(), mover=0)
    click(widget, 19, move_number=old)
    assert chosen == [19]


@pytest.mark.parametrize("change", [{"legal_squares": [19]}, {"mover": 1}])
def test_a_click_is_dropped_when_what_it_means_has_changed(change):
    widget, seen = reversi_board(), []
    widget.on_choose(seen.append)
    old = widget.move_number
    state = Reversi()
    widget.show(state.board(), **({"legal_squares": state.legal_actions(), "mover": 0} | change))
    click(widget, 19, move_number=old)
    assert seen == []


@pytest.mark.parametrize(
    "content",
    [
        None,
        "chosen",
        {},
        {"chosen": 19},
        {"chosen": 64, "move_number": 1},
        {"chosen": -1, "move_number": 1},
        {"chosen": "19", "move_number": 1},
        {"chosen": True, "move_number": 1},
        {"chosen": 19.0, "move_number": 1},
        {"chosen": None, "move_number": 1},
    ],
)
def test_what_is_no_click_on_this_board_is_dropped(content):
    widget, seen = reversi_board(), []
    assert widget.move_number == 1
    widget.on_choose(seen.append)
    widget.on_refuse(seen.append)
    send(widget, content)
    assert seen == []


def test_a_new_position_is_one_message(monkeypatch):
    widget = reversi_board()
    messages = record_messages(widget, monkeypatch)
    state = Reversi().child(19)
    widget.show(state.board(), legal_squares=state.legal_actions(), mover=1)
    assert len(messages) == 1
    assert "shape" not in messages[0]["state"]  # it is still the same board


def test_heat_is_one_message_of_the_picture_alone(monkeypatch):
    state = Gomoku()
    widget = BoardWidget(state.board(), legal_squares=state.legal_actions(), mover=0)
    messages = record_messages(widget, monkeypatch)
    widget.show_heat({112: 10.0, 113: 5.0})
    widget.show_heat({112: 10.0, 113: 5.0})
    assert [set(message["state"]) for message in messages] == [{"picture"}]
    assert 'data-heat="112"' in widget.picture
    assert len(json.dumps(messages[0])) < 60_000


def test_heat_has_no_legend_and_leaves_the_picture_its_size():
    widget = reversi_board()
    before = widget.picture.split(">")[0]
    widget.show_heat({19: 3.0})
    assert widget.picture.split(">")[0] == before


def test_a_new_position_takes_heat_and_hint_away():
    widget = reversi_board()
    widget.show_heat({19: 3.0})
    widget.show_hint(19)
    assert widget.hint_square == 19
    widget.show(Reversi().board())
    assert widget.hint_square is None
    assert "data-heat" not in widget.picture


def test_a_position_of_another_size_can_follow():
    widget = BoardWidget(TicTacToe().board())
    widget.show(Reversi(size=6).board())
    assert (widget.shape["rows"], len(widget.square_labels)) == (6, 36)


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
