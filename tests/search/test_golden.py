"""Whole trees, node for node, next to the derivation of every number in them."""

import numpy as np
import pytest

from mctslab import games
from mctslab.games import Reversi
from mctslab.search import mcts
from tests.search.toys import (
    FORCED_PASS,
    Dictated,
    FunctionEvaluator,
    Turn,
    WrittenOut,
    play,
    statistics,
)


def grow(state, num_simulations, draws, **options):
    """N and W of every node after so many simulations, with these draws and none left over."""
    rng = Dictated(*draws)
    result = mcts(state, num_simulations=num_simulations, rng=rng, **options)
    assert rng.left == []
    return statistics(result.root)


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


# White to move: a1 (0), Black passes (16), d1 (3) and White wins; or d1 (3), d4 (15), Black wins.
# Everything is forced after White's first move, but a rollout still draws for each of its plies.
# The root, its children and what follows the pass count for White, the rest for Black.
FORCED_PASS_DRAWS_AND_CHANGES = [
    # 1. Expand a1 (0.0 of 2). Rollout: pass, d1. White wins.
    ([0.0, 0.5, 0.5], {(): (1, 1), (0,): (1, 1)}),
    # 2. Expand d1. Rollout: d4. Black wins.
    ([0.5, 0.5], {(): (2, 0), (3,): (1, -1)}),
    # 3. Equal bonuses: a1, which won. Expand the pass, Black's move. Rollout: d1. White wins.
    ([0.5, 0.5], {(): (3, 1), (0,): (2, 2), (0, 16): (1, -1)}),
    # 4. ln 3 = 1.099. a1: 1 + 1.048, d1: 0 + 1.482. From a1 through the pass, its only child;
    #    expand d1, White's move and the end.
    ([0.5], {(): (4, 2), (0,): (3, 3), (0, 16): (2, -2), (0, 16, 3): (1, 1)}),
    # 5. ln 4 = 1.386. a1: 1 + 0.961, d1: 0 + 1.665. Down the same way, to the end.
    ([], {(): (5, 3), (0,): (4, 4), (0, 16): (3, -3), (0, 16, 3): (2, 2)}),
    # 6. ln 5 = 1.609. a1: 1 + 0.897, d1: 0 + 1.794. The same again.
    ([], {(): (6, 4), (0,): (5, 5), (0, 16): (4, -4), (0, 16, 3): (3, 3)}),
    # 7. ln 6 = 1.792. a1: 1 + 0.847, d1: 0 + 1.893: d1's turn. Expand d4: Black wins.
    ([0.5], {(): (7, 3), (3,): (2, -2), (3, 15): (1, 1)}),
    # 8. ln 7 = 1.946. a1: 1 + 0.882, d1: 0 + 1.395: a1.
    ([], {(): (8, 4), (0,): (6, 6), (0, 16): (5, -5), (0, 16, 3): (4, 4)}),
]


@pytest.mark.parametrize(
    ("state", "draws_and_changes"),
    [
        (MOVES_TWICE, MOVES_TWICE_DRAWS_AND_CHANGES),
        (play(Reversi(size=4), FORCED_PASS), FORCED_PASS_DRAWS_AND_CHANGES),
    ],
    ids=["moves_twice", "forced_pass"],
)
def test_every_simulation_by_hand(state, draws_and_changes):
    draws, tree = [], {}
    for number, (these, changes) in enumerate(draws_and_changes, start=1):
        draws += these
        tree |= changes
        assert grow(state, number, draws) == tree


# Three moves with two replies each, all children added at once and judged by a table instead of
# rollouts. Values are for First; the replies are Second's, who counts the opposite.
THREE_MOVES = WrittenOut(
    Turn(0, (Turn(1, (0.5, -0.5)), Turn(1, (1.0, 0.0)), Turn(1, (-1.0, -1.0))))
)
JUDGED = {(0,): 0.25, (1,): 0.5, (2,): -0.5}  # what First expects of each move


THREE_MOVES_TREES = {
    # The three draws 0.0, 0.0, 0.0 put the children into the order 0, 2, 1 (the last untried
    # action takes the place of the one drawn). Each is evaluated.
    3: {(): (3, 0.25), (0,): (1, 0.25), (2,): (1, -0.5), (1,): (1, 0.5)},
    # Equal bonuses: move 1 leads with a win rate of 0.75. Both replies are added, 0 first: worth 1
    # and 0 to First, -1 and 0 to Second.
    4: {(): (4, 1.25), (0,): (1, 0.25), (2,): (1, -0.5), (1,): (2, 1.5), (1, 0): (1, -1.0),
        (1, 1): (0, 0.0)},
    5: {(): (5, 1.25), (0,): (1, 0.25), (2,): (1, -0.5), (1,): (3, 1.5), (1, 0): (1, -1.0),
        (1, 1): (1, 0.0)},
    # ln 5 = 1.609. Move 0: 0.625 + 1.794, move 1: 0.75 + 1.036, move 2: 0.25 + 1.794: move 0.
    7: {(): (7, 1.25), (0,): (3, 0.25), (2,): (1, -0.5), (1,): (3, 1.5), (1, 0): (1, -1.0),
        (1, 1): (1, 0.0), (0, 0): (1, -0.5), (0, 1): (1, 0.5)},
}  # fmt: skip


@pytest.mark.parametrize(("num_simulations", "num_draws"), [(3, 3), (4, 5), (5, 5), (7, 7)])
def test_all_children_at_once_with_a_function_as_evaluator(num_simulations, num_draws):
    table = FunctionEvaluator(lambda state: -JUDGED[state.path])  # for Second, who is to move
    draws = [0.0] * num_draws
    tree = grow(THREE_MOVES, num_simulations, draws, expansion="all", evaluator=table)
    assert tree == THREE_MOVES_TREES[num_simulations]


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
