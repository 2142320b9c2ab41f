"""MCTS-Solver in the search by PUCT: trees by hand, and what a prior overlooks."""

import pytest

from mctslab import games
from mctslab.search import Node, puct, puct_search, uniform_evaluator, with_priors
from mctslab.search.puct_search import add_children, gather_paths
from mctslab.search.solving import SolverSelection
from tests.search.test_puct_search import ANSWERS, BY_HAND, Dictating
from tests.search.test_solving import at, proofs
from tests.search.toys import FORCED_PASS, Turn, WrittenOut, play, visited

EVEN = uniform_evaluator()


# By hand


def test_eight_simulations_by_hand(rng):
    # The game of test_puct_search, with c = 1; First wins at once at (0, 0), (0, 1) and (1, 0, 0).
    # 1. to 3. as there: the root +1/4; a, -1/2; b, +1/4. But when b is expanded its move b, at
    #    which Second loses, is proven without a visit, and so is the draw of ba in simulation 4:
    # 4. N = 3. a: -0.5 + 0.75 * 1.732 / 2 = 0.150; b: 0.25 + 0.25 * 1.732 / 2 = 0.467. To b, and
    #    there N = 1. ba: 0 + 0.25; bb: -1 + 0.75. Equal, so to the first: ba, +1/2 for First.
    # 5. N = 4. a: -0.5 + 0.75 = 0.25; b: 0.75 / 2 + 0.25 * 2 / 3 = 0.542. To b, and there N = 2.
    #    ba: -0.5 + 0.25 * 1.414 / 2 = -0.323; bb: -1 + 0.75 * 1.414 = 0.061. To bb, which is
    #    proven: +1 for First, and the evaluator isn't called.
    # 6. N = 5. a: -0.5 + 0.75 * 2.236 / 2 = 0.339; b: 1.75 / 3 + 0.25 * 2.236 / 4 = 0.723. To b,
    #    and there N = 3. ba: -0.5 + 0.25 * 1.732 / 2 = -0.283; bb: -1 + 0.75 * 1.732 / 2 = -0.350.
    #    To ba, where bab is a proven draw: to baa. There First wins at once: +1, whatever the
    #    evaluator says. So Second has the draw at ba, and it is the best of b's two: b is a draw,
    #    also for First.
    # 7. Only a is left, and there both with the same prior. At aa First wins at once: +1.
    # 8. N = 2. aa: -1 + 0.5 * 1.414 / 2 = -0.646; ab: 0 + 0.5 * 1.414. To ab, where First wins at
    #    once: so a wins, and the root.
    answers = ANSWERS | {(1, 0, 0): ((-0.75, 0.75), (0.0, 1.0)), (0, 1): ((-0.5, 0.5), (0.0, 1.0))}
    evaluator = Dictating(answers)
    options = {"num_simulations": 100, "selection": puct(1.0), "solver": True, "rng": rng}
    result = puct_search(BY_HAND, evaluator=evaluator, **options)
    assert evaluator.asked == [[()], [(0,)], [(1,)], [(1, 0)], [(1, 0, 0)], [(0, 0)], [(0, 1)]]
    assert result.num_simulations == 8
    assert visited(result.root) == {
        (): (8, 0.25 - 0.5 + 0.25 + 0.5 + 1 + 1 + 1 + 1),
        (0,): (3, -0.5 + 1 + 1),
        (0, 0): (1, -1),
        (0, 1): (1, -1),
        (1,): (4, 0.25 + 0.5 + 1 + 1),
        (1, 0): (2, -0.5 - 1),
        (1, 0, 0): (1, -1),
        (1, 1): (1, -1),
    }
    ends = {
        (1, 1): -1, (1, 0, 1): 0, (1, 0, 0, 0): 1, (1, 0, 0, 1): -1, (0, 0, 0): 1, (0, 0, 1): -1,
        (0, 1, 0): 1, (0, 1, 1): -1,
    }  # fmt: skip
    assert proofs(result.root) == ends | {
        (1, 0, 0): -1, (1, 0): 0, (1,): 0, (0, 0): -1, (0, 1): -1, (0,): 1, (): 1,
    }  # fmt: skip
    assert (result.proven, result.value, result.best_action) == (1, 1, 0)
    assert result.principal_variation == (0, 0, 0)  # to the end of the game, that has no visit


def test_a_forced_pass_by_hand(rng):
    # White to move: a1 (0), Black passes (16), d1 (3) and White wins; or d1 (3), d4 (15) and Black
    # wins. Everything is even: 2. goes to a1, 3. to d1, where Black wins at once. 4. has but a1 and
    # the pass, after which White, who moved before it, wins at once.
    state = play(games.Reversi(size=4), FORCED_PASS)
    result = puct_search(state, evaluator=EVEN, num_simulations=100, solver=True, rng=rng)
    assert visited(result.root) == {(): (4, 0), (0,): (2, 1), (0, 16): (1, -1), (3,): (1, -1)}
    assert proofs(result.root) == {
        (0, 16, 3): 1, (0, 16): -1, (0,): 1, (): 1, (3, 15): 1, (3,): -1,
    }  # fmt: skip
    assert (result.num_simulations, result.best_action) == (4, 0)
    assert result.principal_variation == (0, 16, 3)


@pytest.mark.parametrize(
    ("ends", "proven", "best"),
    [
        ((0.0, 1.0, -1.0), 1.0, 1),
        ((-1.0, 0.0, 0.0), 0.0, 2),  # of two draws the one with the higher prior
        ((-1.0, -1.0), -1.0, 1),
        ((0.0,), 0.0, 0),
    ],
)
@pytest.mark.parametrize("player", [0, 1])
def test_a_root_that_is_proven_by_its_first_evaluation_has_a_best_move(
    ends, proven, best, player, rng
):
    sign = 1 if player == 0 else -1
    state = WrittenOut(Turn(player, tuple(0.0 + sign * end for end in ends)))
    rising = with_priors(EVEN, lambda state: [1 + action for action in state.legal_actions()])
    options = {"evaluator": rising, "num_simulations": 50, "solver": True, "rng": rng}
    result = puct_search(state, **options)
    assert visited(result.root) == {(): (1, proven)}  # and not the 0 of the evaluator
    assert (result.proven, result.value) == (proven, proven)
    assert result.best_action == result.best_so_far == best
    assert result.principal_variation == (best,)
    again = puct_search(state, root=result.root, **options)
    assert (again.num_simulations, again.best_action) == (0, best)


def test_a_batch_passes_over_a_proven_draw_and_knows_the_value_of_a_loss():
    root = Node(WrittenOut(Turn(0, (Turn(1, (1, -1)), Turn(1, (0, -1)), Turn(1, (0, 0))))))
    add_children(root, [0.9, 0.055, 0.045])
    root.visit_count = 4
    root.children[0].proven = 0.0
    paths = gather_paths(root, SolverSelection(puct(1.0)), 4)
    # N = 4. b: 0.055 * 2 = 0.11, c: 0.09. N = 5: b has lost once, c: 0.1. N = 6: both have, and b
    # has the higher prior. N = 7: b: -1 + 0.055 * 2.646 / 3 = -0.951, c: -1 + 0.045 * 2.646 / 2
    # = -0.940.
    assert [path[-1].action for path in paths] == [1, 2, 1, 2]
    assert [path[-1].action for path in gather_paths(root, puct(1.0), 1)] == [0]
    # With a proven loss: a: -1 + 0.9 * 2 = 0.8. N = 5: -1 + 0.9 * 2.236 / 2 = 0.006, b: 0.12.
    root.children[0].proven = -1.0
    paths = gather_paths(root, SolverSelection(puct(1.0)), 2, solver=True)
    assert [path[-1].action for path in paths] == [0, 1]


# What a prior overlooks; tests/fast searches there

WIN = 40
"""e5 completes the row a5 to d5."""


BLIND = with_priors(
    EVEN, lambda state: [1e-12 if action == WIN else 1.0 for action in state.legal_actions()]
)


def row_of_four(*, black_to_move):
    """Black has a5 to d5 and White four stones in the corners; a five is made at e5 alone."""
    moves = [36, 0, 37, 8, 38, 72, 39]
    return play(games.Gomoku(size=9), [*moves, 80] if black_to_move else moves)


def test_the_principal_variation_ends_where_nothing_is_known(rng):
    # At a leaf with a draw among its moves nobody knows whether another one is better.
    state = WrittenOut(Turn(0, (0.0, Turn(1, (1.0,)), Turn(1, (0.0, Turn(0, (1.0,)))))))
    root = puct_search(state, evaluator=EVEN, num_simulations=1, solver=True, rng=rng)
    assert root.principal_variation == ()
    assert at(root.root, 0).proven == 0.0
