"""The search of AlphaZero: a tree computed by hand, and what it takes and refuses."""

import numpy as np
import pytest

from mctslab.games import Reversi, TicTacToe
from mctslab.search import (
    Evaluation,
    SearchRunningError,
    mcts,
    puct,
    puct_search,
    uniform_evaluator,
    with_priors,
)
from mctslab.search.puct_search import batch_length
from tests.search.judging import Judge, snapshot
from tests.search.toys import Chain, Turn, WrittenOut, all_nodes, visited

EVEN = uniform_evaluator()


class Dictating:
    """An evaluator whose answers are written down, by the path of the state."""

    def __init__(self, answers):
        self.answers = answers
        self.asked = []

    def __call__(self, states, rng):
        self.asked.append([state.path for state in states])
        return Evaluation(*zip(*[self.answers[state.path] for state in states], strict=True))


# A game of First's: a leads to a position of Second's with two moves that go on; b to one of
# Second's where a goes on, for Second again, and b loses.
LAST = Turn(0, (1, -1))
BY_HAND = WrittenOut(Turn(0, (Turn(1, (LAST, LAST)), Turn(1, (Turn(1, (LAST, 0)), 1)))))
ANSWERS = {
    (): ((0.25, -0.25), (0.75, 0.25)),
    (0,): ((-0.5, 0.5), (0.5, 0.5)),
    (1,): ((0.25, -0.25), (0.25, 0.75)),
    (1, 0): ((0.5, -0.5), (0.125, 0.875)),
    (0, 0): ((0.0, 0.0), (1.0, 0.0)),
}


def test_six_simulations_by_hand(rng):
    # With c = 1. Q + P sqrt N / (1 + n):
    # 1. The root itself: +1/4 for First.
    # 2. N = 1. a: 0 + 0.75; b: 0 + 0.25. To a, worth -1/2 to First.
    # 3. N = 2. a: -0.5 + 0.75 * 1.414 / 2 = 0.030; b: 0.25 * 1.414 = 0.354. To b, +1/4.
    # 4. N = 3. a: -0.5 + 0.75 * 1.732 / 2 = 0.150; b: 0.25 + 0.25 * 1.732 / 2 = 0.467. To b, and
    #    there, N = 1, a: 0.25; b: 0.75. To bb, where Second has lost.
    # 5. N = 4. a: -0.5 + 0.75 = 0.25; b: (0.25 + 1) / 2 + 0.25 * 2 / 3 = 0.792. To b, and there,
    #    N = 2, a: 0.25 * 1.414 = 0.354; b: -1 + 0.75 * 1.414 / 2 = -0.470. To ba, -1/2 for Second.
    # 6. N = 5. a: -0.5 + 0.75 * 2.236 / 2 = 0.339; b: 1.75 / 3 + 0.25 * 2.236 / 4 = 0.723. To b;
    #    N = 3, a: -0.5 + 0.25 * 1.732 / 2 = -0.283; b: -1 + 0.75 * 1.732 / 2 = -0.350. To ba, where
    #    N = 1: a: 0.125; b: 0.875. To bab, a draw.
    evaluator = Dictating(ANSWERS)
    options = {"num_simulations": 6, "selection": puct(1.0), "rng": rng}
    result = puct_search(BY_HAND, evaluator=evaluator, **options)
    assert evaluator.asked == [[()], [(0,)], [(1,)], [(1, 0)]]
    assert visited(result.root) == {
        (): (6, 0.25 - 0.5 + 0.25 + 1 + 0.5 + 0),
        (0,): (1, -0.5),
        (1,): (4, 0.25 + 1 + 0.5 + 0),
        (1, 0): (2, -0.5 + 0),
        (1, 0, 1): (1, 0),
        (1, 1): (1, -1),
    }
    # All moves of a position that was evaluated are there, and have its priors.
    assert len(all_nodes(result.root)) == 1 + 2 + 2 + 2 + 2
    assert [child.prior for child in result.root.children[1].children] == [0.25, 0.75]
    assert result.best_action == 1
    assert result.principal_variation == (1, 0, 1)
    assert result.value == pytest.approx((4 * (1.75 / 4) - 0.5) / 5)


def test_one_simulation_is_the_opinion_of_the_evaluator(rng):
    weights = (2, 1, 0, 1, 0, 1, 7, 1, 7)
    evaluator = with_priors(EVEN, lambda state: [weights[a] for a in state.legal_actions()])
    options = {"evaluator": evaluator, "num_simulations": 1, "rng": rng}
    result = puct_search(TicTacToe(), **options)
    assert result.best_action == 6  # the first of the two that look best
    assert result.num_simulations == result.root.visit_count == 1
    assert [child.visit_count for child in result.children] == [0] * 9
    assert [child.prior for child in result.children] == [weight / 20 for weight in weights]
    second = puct_search(TicTacToe(), root=result.root, **options)
    assert {c.action: c.visit_count for c in second.children if c.visit_count} == {6: 1}


# Batches


def test_a_young_tree_gets_small_batches(rng):
    assert [batch_length(8, visits) for visits in (55, 56, 10_000)] == [7, 8, 8]
    judge = Judge(is_uniform=True)
    puct_search(Chain(9, width=60), evaluator=judge, num_simulations=30, batch_size=8, rng=rng)
    # 1, then eight times 1 up to 9 visits; 2 while there are less than 16; then 3, 3, 4 ...
    sizes = [len(batch) for batch in judge.batches]
    assert sizes == [1] * 8 + [2, 2, 2, 2, 3, 3, 3, 4, 1]


# What ends a search


def test_the_position_itself_is_judged_even_if_the_search_is_told_to_stop_at_once(rng):
    options = {"evaluator": EVEN, "num_simulations": 500, "stop": lambda: True, "rng": rng}
    result = puct_search(TicTacToe(), **options)
    assert (result.num_simulations, result.best_action) == (1, 0)
    again = puct_search(TicTacToe(), root=result.root, **options)  # and not again
    assert (again.num_simulations, again.root.visit_count) == (0, 1)


# A tree that is being searched


def search(state, root, evaluator=EVEN, number=5):
    options = {"evaluator": evaluator, "num_simulations": number, "root": root}
    return puct_search(state, rng=np.random.default_rng(2), **options)


@pytest.mark.parametrize("depth", [0, 1, 2])
@pytest.mark.parametrize("is_reused", [False, True])
def test_a_tree_that_is_being_searched_is_refused_to_others(depth, is_reused):
    old = search(TicTacToe(), None, number=200).root
    # The search goes on at the root of the tree, or from a node in it, with a root of its own.
    start = old.children[0] if is_reused else old
    inside = start
    for _ in range(depth):
        inside = next(child for child in inside.children if child.children)
    others = [(old.state, old), (inside.state, inside)]
    refused = []

    def evaluator(states, rng):
        for state, root in others:
            with pytest.raises(SearchRunningError, match="Another search is using this tree"):
                search(state, root)
            refused.append(root)
        return EVEN(states, rng)

    visits = start.visit_count
    result = search(start.state, old, evaluator, number=6)
    assert len(refused) >= 2
    assert result.root.visit_count == visits + 6
    # Afterwards everything can be searched again.
    for state, root in [*others, (result.state, result.root)]:
        assert search(state, root).num_simulations == 5


def test_uct_can_go_on_from_such_a_tree_but_not_the_other_way_round(rng):
    state = Reversi(size=4)
    root = puct_search(state, evaluator=EVEN, num_simulations=30, rng=rng).root
    assert mcts(state, num_simulations=30, root=root, rng=rng).root.visit_count == 60
    for number in (3, 50):
        root = mcts(TicTacToe(), num_simulations=number, rng=rng).root
        before = snapshot(root)
        with pytest.raises(ValueError, match=r"needs a tree that puct_search has grown"):
            search(TicTacToe(), root, number=40)
        assert number == 50 or snapshot(root) == before
        assert search(TicTacToe(), None, number=5).root.visit_count == 5
