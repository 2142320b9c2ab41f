"""Dirichlet noise: at the root only, mixed once a search, and nothing is left of it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab.games import TicTacToe
from mctslab.search import DirichletNoise, puct_search
from tests.search.judging import Judge
from tests.search.toys import all_nodes


class Drawing(np.random.Generator):
    """Chance that gives the noise that was asked for, in turn, and remembers what was drawn."""

    def __init__(self, *noises):
        super().__init__(np.random.PCG64(1))
        self.left = list(noises)
        self.alphas = []

    def dirichlet(self, alpha, size=None):
        self.alphas.append(list(alpha))
        return np.array(self.left.pop(0)) if self.left else super().dirichlet(alpha)


class Watching(Judge):
    """A judge that looks, whenever it is asked, at the priors of a tree."""

    def __init__(self, root=None):
        super().__init__()
        self.root = root
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


def search(judge, rng, noise=None, number=10, **options):
    return puct_search(
        STATE, evaluator=judge, num_simulations=number, noise=noise, rng=rng, **options
    )


def test_a_mixture_by_hand():
    chance = Drawing([0.5, 0.25, 0.25])
    mixed = DirichletNoise(alpha=0.3, weight=0.25).mixed([0.5, 0.5, 0.0], chance)
    assert mixed == [0.375 + 0.125, 0.375 + 0.0625, 0.0625]
    assert chance.alphas == [[0.3] * 3]
    priors = [0.1, 0.2, 0.7]
    assert DirichletNoise(weight=0).mixed(priors, Drawing([1.0, 0.0, 0.0])) == priors
    assert DirichletNoise(weight=1).mixed(priors, Drawing([1.0, 0.0, 0.0])) == [1.0, 0.0, 0.0]
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


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=30).filter(lambda weights: sum(weights) > 0.1),
    st.floats(0.001, 50),
    st.floats(0, 1),
    st.integers(0, 2**32),
)
def test_priors_with_noise_are_priors(weights, alpha, weight, seed):
    priors = [each / sum(weights) for each in weights]
    noise = DirichletNoise(alpha, weight)
    mixed = noise.mixed(priors, np.random.default_rng(seed))
    assert math.fsum(mixed) == pytest.approx(1)
    assert len(mixed) == len(priors)
    for before, after in zip(priors, mixed, strict=True):
        assert (1 - weight) * before <= after <= (1 - weight) * before + weight + 1e-12
    assert noise.mixed(priors, np.random.default_rng(seed)) == mixed


@pytest.mark.parametrize(("alpha", "num_moves"), [(0.03, 5), (10, 5), (10 / 9, 9)])
def test_the_noise_is_a_dirichlet_distribution(alpha, num_moves, rng):
    noise = DirichletNoise(alpha, weight=1)
    number = 20_000
    drawn = np.array([noise.mixed([1 / num_moves] * num_moves, rng) for _ in range(number)])
    mean = 1 / num_moves
    variance = mean * (1 - mean) / (num_moves * alpha + 1)
    # Four standard errors of a mean, and of a variance of numbers in [0, 1].
    assert drawn.mean(axis=0) == pytest.approx(mean, abs=4 * math.sqrt(variance / number))
    squares = (drawn - mean) ** 2
    error = 4 * squares.std(axis=0).max() / math.sqrt(number)
    assert squares.mean(axis=0) == pytest.approx(variance, abs=error)
    # The components are as alike as they can be: they sum to 1.
    covariance = -mean * mean / (num_moves * alpha + 1)
    products = (drawn[:, 0] - mean) * (drawn[:, 1] - mean)
    error = 4 * products.std() / math.sqrt(number)
    assert products.mean() == pytest.approx(covariance, abs=error)


@pytest.mark.parametrize("batch_size", [1, 4])
def test_it_is_mixed_once_a_search_and_only_at_the_root(batch_size):
    judge = Watching()
    root = search(judge, np.random.default_rng(1), number=1).root
    judge.root = root
    chance = Drawing(ONE_HOT)
    search(judge, chance, DirichletNoise(0.5, 0.25), number=60, root=root, batch_size=batch_size)
    assert chance.alphas == [[0.5] * 9]
    clean = judge.priors(STATE)
    noisy = [0.75 * prior + 0.25 * share for prior, share in zip(clean, ONE_HOT, strict=True)]
    assert len(judge.seen) > 10
    assert all(seen == noisy for seen in judge.seen)
    assert [child.prior for child in root.children] == clean


def test_the_next_search_mixes_into_clean_priors():
    judge = Watching()
    first = search(judge, Drawing(ONE_HOT), DirichletNoise(weight=1), number=40)
    judge.root = first.root
    other = [1.0] + [0.0] * 8
    search(judge, Drawing(other), DirichletNoise(weight=0.5), number=20, root=first.root)
    clean = judge.priors(STATE)
    expected = [0.5 * prior + 0.5 * share for prior, share in zip(clean, other, strict=True)]
    assert judge.seen
    assert all(seen == expected for seen in judge.seen)


def test_a_child_that_becomes_the_root_has_no_old_noise():
    judge = Watching()
    first = search(judge, Drawing(ONE_HOT), DirichletNoise(weight=1), number=60)
    child = max(first.root.children, key=lambda node: node.visit_count)
    judge.root = child  # its children are those of the new root
    chance = Drawing([1.0] + [0.0] * 7)
    result = puct_search(
        child.state,
        evaluator=judge,
        num_simulations=20,
        noise=DirichletNoise(weight=0.5),
        root=first.root,
        rng=chance,
    )
    clean = judge.priors(child.state)
    expected = [0.5 * prior for prior in clean]
    expected[0] += 0.5
    assert judge.seen
    assert all(seen == expected for seen in judge.seen)
    assert [node.prior for node in result.root.children] == clean
    assert [node.prior for node in first.root.children] == judge.priors(STATE)


def test_a_new_root_gets_its_noise_after_its_evaluation_and_none_without_noise():
    chance = Drawing(ONE_HOT)
    result = search(Judge(), chance, DirichletNoise(weight=1), number=2)
    assert chance.alphas == [[0.03] * 9]
    assert [child.prior for child in result.children] == Judge().priors(STATE)
    assert [child.visit_count for child in result.children] == ONE_HOT  # where the noise is
    chance = Drawing()
    search(Judge(), chance, None, number=30)
    assert (chance.alphas, chance.random()) == ([], np.random.default_rng(1).random())
