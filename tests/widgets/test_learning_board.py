"""The Python half of the board on which a net is seen learning: its frames, and what they show."""

import pytest

from mctslab import games
from mctslab.widgets import LearningBoard
from mctslab.widgets.learning_board import blocking_action

THREAT = games.TicTacToe().child(0).child(4).child(1)  # X wins at c1, so O must play there
PRIORS = {"a2": [0.1, 0.4, 0.2, 0.1, 0.1, 0.1], "c1": [0.5, 0.1, 0.1, 0.1, 0.1, 0.1]}


@pytest.mark.parametrize(
    ("favourites", "learned", "sentence"),
    [
        ("", None, ""),
        ("a2", None, "After iteration 0 the net's favourite move is a2, but only c1 blocks."),
        ("a2 c1", 1, "Since iteration 1 the net's favourite move has been c1, the only one that"),
        ("a2 c1 a2 c1 c1", 3, "Since iteration 3 the"),
        ("c1 c1 a2", None, "After iteration 2 the"),
        ("c1 c1", 0, "Even before it had learned anything, by luck, the net's favourite move has"),
    ],
)
def test_the_iteration_is_named_since_which_the_net_blocks(favourites, learned, sentence):
    seen, names = LearningBoard(THREAT), favourites.split()
    for name in names:
        seen.add(PRIORS[name], value=0.1234)
    assert (seen.block, seen.mover, seen.learned) == (2, 1, learned)
    told = [(frame["iteration"], frame["value"]) for frame in seen.frames]
    assert told == [(number, 0.123) for number in range(len(names))]
    assert seen.sentence.startswith(sentence)
    assert bool(seen.sentence) == bool(favourites)


def test_the_share_of_a_column_lies_where_the_stone_would():
    four = games.ConnectFour(rows=4, cols=4).child(1).child(0).child(1).child(0).child(1)
    seen = LearningBoard(four)
    seen.add([0.1, 0.7, 0.15, 0.05], value=-0.5, iteration=20)
    assert seen.frames[0]["policy"] == [[4, 0.1], [1, 0.7], [14, 0.15], [15, 0.05]]
    assert (seen.block, seen.learned) == (1, 20)
    assert seen.still_svg().startswith("<svg")


@pytest.mark.parametrize(
    ("state", "action"),
    [
        (THREAT, 2),
        (games.TicTacToe(), None),
        (THREAT.child(2), 6),  # now O threatens, and X must block
        (THREAT.child(3), None),  # X wins at once
        (THREAT.child(8).child(6), None),  # O is lost: X threatens in two lines
    ],
)
def test_a_move_blocks_if_no_other_keeps_the_opponent_from_winning_at_once(state, action):
    assert blocking_action(state) == action
