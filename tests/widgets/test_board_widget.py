"""The Python half of the live board: what is shown, and which clicks are believed."""

from dataclasses import replace

import pytest

from mctslab.games import Reversi
from mctslab.widgets.board import BoardWidget
from mctslab.widgets.board_view import BoardView, legal_squares
from tests.widgets.browser_messages import click, send


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
    old = widget.position["move_number"]
    widget.show(shown)
    send(widget, {"chosen": 19, "move_number": old})
    assert clicks == ([19] * is_same, [])
    click(widget, 18)
    click(widget, 63)
    assert len(clicks[0] + clicks[1]) == 2 + is_same
    assert 63 in clicks[1]
