"""The Python half of minimax by hand: the tree that the reader fills in."""

import pytest

from mctslab.games import TicTacToe
from mctslab.widgets import MinimaxByHand
from tests.search.toys import Turn, WrittenOut


def test_of_each_box_the_value_is_known_and_only_ends_are_filled_in():
    late = TicTacToe()
    for action in (4, 0, 6, 2, 8, 5):
        late = late.child(action)
    by_hand = MinimaxByHand(late)
    names = ["", "b1", "a2", "b3", "b3", "a2", "a2", "b1", "b3", "b1", "b3"]
    assert [node["name"] for node in by_hand.nodes] == names
    assert [node["player"] for node in by_hand.nodes] == [
        *(0, 1, 0, None, 0, None),
        *(1, None, 0, None, None),
    ]
    assert [node["value"] for node in by_hand.nodes] == [1, 0, 1, 1, 0, 0, -1, -1, 0, 0, 1]
    assert by_hand.filled == [None, None, None, 1, None, 0, None, -1, None, 0, 1]
    assert all("<svg" in node["board"] for node in by_hand.nodes)


@pytest.mark.parametrize("state", [TicTacToe(), WrittenOut(1), TicTacToe])
def test_what_cannot_be_drawn_is_refused(state):
    with pytest.raises(ValueError, match=r"more than 40 leaves|is not over|is not a position"):
        MinimaxByHand(state)


def test_where_nothing_runs_a_picture_shows_the_tree(notebook_output):
    by_hand = MinimaxByHand(WrittenOut(Turn(0, (1, Turn(1, (0, -1))))))
    assert any("The whole tree below" in str(data) for data in notebook_output(by_hand))
    assert "5 positions, 2 plies deep" in by_hand.still_svg()
