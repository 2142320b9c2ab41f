"""The Python half of the alpha-beta stepper: the tree that the page searches."""

import pytest

from mctslab.games import TicTacToe
from mctslab.widgets import AlphaBetaStepper
from tests.search.toys import Turn, WrittenOut

THREE = Turn(0, (Turn(1, (3, 5)), Turn(1, (2, 9, 8)), Turn(1, (7, 1))))


def test_the_tree_is_written_down_with_moves_players_and_values():
    stepper = AlphaBetaStepper(WrittenOut(THREE))
    assert stepper.order == [[1, 4, 8], [2, 3], [], [], [5, 6, 7], [], [], [], [9, 10], [], []]
    assert [node["parent"] for node in stepper.nodes] == [None, 0, 1, 1, 0, 4, 4, 4, 0, 8, 8]
    assert [node["name"] for node in stepper.nodes[1:]] == list("aabbabccab")
    assert [node["leaf"] for node in stepper.nodes] == [
        *(None, None, 3, 5),
        *(None, 2, 9, 8),
        *(None, 7, 1),
    ]
    assert [stepper.nodes[place]["player"] for place in (0, 1, 4)] == [0, 1, 1]
    shallow = AlphaBetaStepper(WrittenOut(THREE), depth=1, evaluate=lambda state: len(str(state)))
    assert [node["leaf"] is None for node in shallow.nodes] == [True, False, False, False]


@pytest.mark.parametrize(
    ("state", "depth", "words"),
    [
        (TicTacToe(), 2, "more than 40 leaves"),
        (WrittenOut(3), 9, "the game is not over"),
        (WrittenOut(THREE), 0, "depth of 1 or more, not 0"),
        (TicTacToe, 2, "is not a position"),
    ],
)
def test_what_cannot_be_drawn_is_refused(state, depth, words):
    with pytest.raises(ValueError, match=words):
        AlphaBetaStepper(state, depth=depth)


def test_where_nothing_runs_a_picture_shows_the_tree(notebook_output):
    stepper = AlphaBetaStepper(WrittenOut(THREE))
    assert any("A tree with 7 leaves." in str(data) for data in notebook_output(stepper))
    picture = stepper.still_svg()
    assert all(f"+{value}<" in picture for value in (3, 5, 2, 9, 8, 7, 1))
