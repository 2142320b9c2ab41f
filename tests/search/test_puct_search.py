"""The search of AlphaZero: its batches, its noise, what it refuses, and when it ends."""

import numpy as np
import pytest

from mctslab.games import Reversi, TicTacToe
from mctslab.search import DirichletNoise, mcts, puct_search, uniform_evaluator
from tests.search.judging import Judge
from tests.search.toys import all_nodes, listed

EVEN = uniform_evaluator()


def search(state, root=None, evaluator=EVEN, number=5, rng=None, **options):
    options |= {"evaluator": evaluator, "num_simulations": number, "root": root}
    return puct_search(state, rng=rng or np.random.default_rng(2), **options)


def test_the_position_itself_is_evaluated_even_if_the_search_is_told_to_stop_at_once():
    result = search(TicTacToe(), number=500, stop=lambda: True)
    assert (result.num_simulations, result.best_action) == (1, 0)
    again = search(TicTacToe(), result.root, number=500, stop=lambda: True)  # and not again
    assert (again.num_simulations, again.root.visit_count) == (0, 1)


# Noise


class Drawing(np.random.Generator):
    """Draws these noises, one after the other, and remembers the alphas."""

    def __init__(self, *noises):
        super().__init__(np.random.PCG64(1))
        self.left = list(noises)
        self.alphas = []

    def dirichlet(self, alpha, size=None):
        self.alphas.append(list(alpha))
        return np.array(self.left.pop(0))


ONE_HOT = [0.0] * 8 + [1.0]


@pytest.mark.parametrize("batch_size", [1, 4])
def test_noise_is_mixed_once_a_search_and_only_at_the_root(batch_size):
    judge, chance, seen = Judge(), Drawing(ONE_HOT), []
    root = search(TicTacToe(), None, judge, 1).root

    def look():
        seen.append([child.prior for child in root.children])
        for node in all_nodes(root)[1:]:
            if node.children:
                assert [child.prior for child in node.children] == judge.priors(node.state)

    judge.before_answer = look
    noise = DirichletNoise(0.5, 0.25)
    search(TicTacToe(), root, judge, 60, chance, noise=noise, batch_size=batch_size)
    assert chance.alphas == [[0.5] * 9]
    clean = judge.priors(TicTacToe())
    noisy = [0.75 * prior + 0.25 * share for prior, share in zip(clean, ONE_HOT, strict=True)]
    assert len(seen) > 10
    assert all(each == noisy for each in seen)
    assert [child.prior for child in root.children] == clean


# A tree that is being searched


def test_uct_can_go_on_from_such_a_tree_but_not_the_other_way_round(rng):
    state = Reversi(size=4)
    root = search(state, number=30).root
    assert mcts(state, num_simulations=30, root=root, rng=rng).root.visit_count == 60
    for number in (3, 50):
        root = mcts(TicTacToe(), num_simulations=number, rng=rng).root
        before = listed(root)
        with pytest.raises(ValueError, match=r"needs a tree that puct_search has grown"):
            search(TicTacToe(), root, number=40)
        assert number == 50 or listed(root) == before
