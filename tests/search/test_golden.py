"""A whole tree, node for node, next to the derivation of every number, and what seeds grow."""

import numpy as np
import pytest

from mctslab import games
from mctslab.search import mcts
from tests.search.toys import Dictated, Turn, WrittenOut, statistics

# A game in which First moves twice in a row after action 0:
#
#     First ── 0 ── First ── 0 ── First wins
#       │              └──── 1 ── First loses
#       └───── 1 ── Second ─ 0 ── draw
#                      └──── 1 ── First loses
MOVES_TWICE = WrittenOut(Turn(0, (Turn(0, (1, -1)), Turn(1, (0, -1)))))

# Below, u(a) is the win rate of the root's child a, (1 + W/N) / 2, plus sqrt 2 * sqrt(ln N / n).
# All values at the root and its children, and those below child 0, count for First; those below
# child 1 for Second.
MOVES_TWICE_DRAWS_AND_CHANGES = [
    # 1. Expand 0 (0.0 of 2 untried). Rollout: First draws 0.9 of 2, action 1, and loses.
    ([0.0, 0.9], {(): (1, -1), (0,): (1, -1)}),
    # 2. Expand 1, the only one untried. Rollout: Second draws 0.0, action 0: a draw.
    ([0.5, 0.0], {(): (2, -1), (1,): (1, 0)}),
    # 3. ln 2 = 0.693. u(0) = 0 + 1.177, u(1) = 0.5 + 1.177: child 1. Expand its action 1 (0.9 of
    #    2), the end: First loses, Second wins.
    ([0.9], {(): (3, -2), (1,): (2, -1), (1, 1): (1, 1)}),
    # 4. ln 3 = 1.099. u(0) = 0 + 1.482, u(1) = 0.25 + 1.048: child 0. Expand its action 0 (0.0 of
    #    2), the end: First wins, and it was First who moved there, again.
    ([0.0], {(): (4, -1), (0,): (2, 0), (0, 0): (1, 1)}),
    # 5. ln 4 = 1.386. u(0) = 0.5 + 1.177, u(1) = 0.25 + 1.177: child 0. Expand its action 1, the
    #    only one left: First loses.
    ([0.5], {(): (5, -2), (0,): (3, -1), (0, 1): (1, -1)}),
    # 6. ln 5 = 1.609. u(0) = 0.333 + 1.036, u(1) = 0.25 + 1.269: child 1. Expand its action 0: a
    #    draw.
    ([0.5], {(): (6, -2), (1,): (3, -1), (1, 0): (1, 0)}),
    # 7. N, W and so u are the same for both: child 0, which came first. Its own children have one
    #    visit each, so equal bonuses: the one that won, 0. It is the end of the game: no draw.
    ([], {(): (7, -1), (0,): (4, 0), (0, 0): (2, 2)}),
    # 8. ln 7 = 1.946. u(0) = 0.5 + 0.986, u(1) = 0.333 + 1.139: child 0. There ln 4 = 1.386:
    #    action 0 has 1 + 1.177, action 1 has 0 + 1.665: action 0 wins for First once more.
    ([], {(): (8, 0), (0,): (5, 1), (0, 0): (3, 3)}),
    # 9. ln 8 = 2.079. u(0) = 0.6 + 0.912, u(1) = 0.333 + 1.177: child 0, by 1.512 to 1.511. There
    #    ln 5 = 1.609: 1 + 1.036 against 0 + 1.794: action 0 again.
    ([], {(): (9, 1), (0,): (6, 2), (0, 0): (4, 4)}),
]


def test_every_simulation_by_hand():
    draws, tree = [], {}
    for number, (these, changes) in enumerate(MOVES_TWICE_DRAWS_AND_CHANGES, start=1):
        draws += these
        tree |= changes
        rng = Dictated(*draws)
        assert statistics(mcts(MOVES_TWICE, num_simulations=number, rng=rng).root) == tree
        assert rng.left == []


# What a seed grows: the visits of the root's children after 60 simulations. A draw is
# `int(rng.random() * n)` on NumPy's PCG64, the same on every machine. Who changes a rule, or the
# order of the draws, sees it here.
VISITS = {
    games.TicTacToe(): [5, 4, 8, 8, 9, 6, 7, 6, 7],
    games.ConnectFour(): [5, 6, 9, 7, 13, 11, 9],
    games.Reversi(): [19, 18, 9, 14],
    games.Gomoku(size=4, in_a_row=3): [3, 3, 3, 2, 5, 3, 6, 4, 5, 5, 5, 2, 5, 4, 3, 2],
}


@pytest.mark.parametrize("state", VISITS, ids=lambda state: state.game)
def test_a_seed_grows_the_same_tree_on_every_machine(state):
    result = mcts(state, num_simulations=60, rng=np.random.default_rng(1))
    assert [child.visit_count for child in result.children] == VISITS[state]
