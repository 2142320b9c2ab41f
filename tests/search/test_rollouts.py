"""Default policies: every draw is uniform, and Roxanne prefers the squares that it should.

That Roxanne plays a random one of the best class is shown by tests/fast/test_flat.py.
"""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from mctslab import fast
from mctslab.games import Reversi, TicTacToe
from mctslab.search import FIVE_CLASSES, NINE_CLASSES, by_class, mcts, rollout_evaluator, roxanne
from mctslab.search.evaluators import random_item


@pytest.mark.parametrize("length", [1, 2, 3, 7, 225])
def test_each_item_has_an_equal_part_of_the_line_from_0_to_1(length):
    def item(number):
        return random_item(range(length), SimpleNamespace(random=lambda: number))

    assert [item((place + 0.5) / length) for place in range(length)] == [*range(length)]
    assert (item(0.0), item(math.nextafter(1.0, 0.0))) == (0, length - 1)


# Roxanne

# The ranks of the squares in the upper left quarter, best first, as Canosa draws them. The centre
# is taken from the start.
NINE = [[1, 9, 4, 5], [9, 8, 6, 7], [4, 6, 2, 3], [5, 7, 3, 0]]
FIVE = [[1, 5, 3, 3], [5, 5, 4, 4], [3, 4, 2, 2], [3, 4, 2, 0]]


@pytest.mark.parametrize(("classes", "quarter"), [(NINE_CLASSES, NINE), (FIVE_CLASSES, FIVE)])
def test_the_table_of_squares(classes, quarter):
    ranks = np.array(roxanne(classes).ranks[:64]).reshape(8, 8) + 1
    half = np.hstack((quarter, np.fliplr(quarter)))
    expected = np.vstack((half, np.flipud(half)))
    assert (ranks == expected)[expected > 0].all()


@pytest.mark.parametrize("state", [Reversi(), TicTacToe()], ids=repr)
def test_classes_of_ones_own_are_compiled_and_play_the_same(state):
    evaluator = rollout_evaluator(by_class([action * 7 % 5 for action in range(state.num_actions)]))
    compiled = fast.mcts(state, num_simulations=200, evaluator=evaluator, rng=1)
    assert compiled.note == ""
    assert (
        compiled.children == mcts(state, num_simulations=200, evaluator=evaluator, rng=1).children
    )
