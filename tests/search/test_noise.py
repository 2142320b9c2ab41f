"""Dirichlet noise: at the root only, mixed once a search, and nothing is left of it."""

import math

import numpy as np
import pytest

from mctslab.games import TicTacToe
from mctslab.search import DirichletNoise, puct_search
from tests.search.judging import Judge
from tests.search.toys import all_nodes


class Drawing(np.random.Generator):
    """Gives the noises that were asked for, in turn, and remembers the alphas."""

    def __init__(self, *noises):
        super().__init__(np.random.PCG64(1))
        self.left = list(noises)
        self.alphas = []

    def dirichlet(self, alpha, size=None):
        self.alphas.append(list(alpha))
        return np.array(self.left.pop(0))


class Watching(Judge):
    """A judge that looks, whenever it is asked, at the priors of a tree."""

    def __init__(self):
        super().__init__()
        self.root = None
        self.seen = []
        self.before_answer = self.look

    def look(self):
        if self.root is not None:
            self.seen.append([child.prior for child in self.root.children])
            for node in all_nodes(self.root)[1:]:
                if node.children:
                    assert [child.prior for child in node.children] == self.priors(node.state)


STATE = TicTacToe()
ONE_HOT = [0.0] * 8 + [1.0]


def search(judge, rng, noise, number, state=STATE, **options):
    return puct_search(
        state, evaluator=judge, num_simulations=number, noise=noise, rng=rng, **options
    )


def test_a_mixture_by_hand():
    chance = Drawing([0.5, 0.25, 0.25])
    mixed = DirichletNoise(alpha=0.3, weight=0.25).mixed([0.5, 0.5, 0.0], chance)
    assert mixed == [0.375 + 0.125, 0.375 + 0.0625, 0.0625]
    assert chance.alphas == [[0.3] * 3]
    assert DirichletNoise() == DirichletNoise(alpha=0.03, weight=0.25)  # as in AlphaGo Zero


@pytest.mark.parametrize(
    ("options", "words"),
    [
        *[({"alpha": alpha}, "above 0 and finite") for alpha in (0, -0.03, math.nan, math.inf)],
        *[({"weight": weight}, "weight must be from 0 to 1") for weight in (-0.01, 1.01, math.nan)],
    ],
)
def test_numbers_out_of_range(options, words):
    with pytest.raises(ValueError, match=f"{words}, got {next(iter(options.values()))!r}"):
        DirichletNoise(**options)


@pytest.mark.parametrize("batch_size", [1, 4])
def test_it_is_mixed_once_a_search_and_only_at_the_root(batch_size):
    judge, chance = Watching(), Drawing(ONE_HOT)
    root = judge.root = search(judge, chance, None, 1).root
    search(judge, chance, DirichletNoise(0.5, 0.25), 60, root=root, batch_size=batch_size)
    assert chance.alphas == [[0.5] * 9]
    clean = judge.priors(STATE)
    noisy = [0.75 * prior + 0.25 * share for prior, share in zip(clean, ONE_HOT, strict=True)]
    assert len(judge.seen) > 10
    assert all(seen == noisy for seen in judge.seen)
    assert [child.prior for child in root.children] == clean


def test_a_new_root_gets_its_noise_after_its_evaluation_and_none_without_noise():
    chance = Drawing(ONE_HOT)
    result = search(Judge(), chance, DirichletNoise(weight=1), 2)
    assert chance.alphas == [[0.03] * 9]
    assert [child.visit_count for child in result.children] == ONE_HOT  # where the noise is
    chance = Drawing()
    search(Judge(), chance, None, 30)
    assert (chance.alphas, chance.random()) == ([], np.random.default_rng(1).random())
