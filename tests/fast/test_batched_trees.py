"""Many searches at once find out what each of them would find out by itself."""

from collections.abc import Sequence

import numpy as np
import pytest

from mctslab import fast, games, search
from mctslab.games import State
from mctslab.search.readable_trees import BY_PUCT, Roots, Trees

GAMES = {
    "tictactoe": games.TicTacToe(),
    "connect_four": games.ConnectFour(),
    "reversi 4x4": games.Reversi(size=4),
    "gomoku 6x6": games.Gomoku(size=6, in_a_row=4),
}


def policy_logits(state: State) -> list[float]:
    """Something for every action, legal or not."""
    return [action * 7 % 5 / 3 for action in range(state.num_actions)]


def value(state: State) -> float:
    """Something in [-1, 1] for the player to move."""
    stones = enumerate(state.board().stones)
    return sum((square + 3) * (stone or 0) for square, stone in stones) % 9 / 4 - 1


def simulate(trees: Trees, number: int, first_actions: Sequence[int] | None = None) -> list[int]:
    """So many simulations in each tree; the leaves that the last one has evaluated."""
    asked: list[int] = []
    for _ in range(number):
        asked = trees.gather(first_actions)
        leaves = [trees.positions_on(tree)[-1] for tree in asked]
        num_actions = trees.states[0].num_actions
        logits = np.array([policy_logits(leaf) for leaf in leaves]).reshape(-1, num_actions)
        trees.apply(asked, np.array([value(leaf) for leaf in leaves]), logits)
    return asked


def of(*starts: State, solver: bool = False) -> fast.BatchedTrees:
    """A tree for each of these positions."""
    return fast.BatchedTrees([[start] for start in starts], capacity=20_000, solver=solver)


@pytest.mark.parametrize("solver", [False, True])
@pytest.mark.parametrize("first", GAMES.values(), ids=GAMES)
def test_readable_trees_are_the_same(first: State, solver: bool) -> None:
    """From positions all over a game, by PUCT and with moves that are chosen at the roots."""
    rng, starts = np.random.default_rng(3), [[first]]
    while len(starts) < 30:
        state = starts[-1][0].child(rng.choice(starts[-1][0].legal_actions()))
        starts.append([first if state.is_terminal else state])
    compiled = fast.BatchedTrees(starts, capacity=3_000, solver=solver)
    readable = Trees(starts, solver=solver)
    simulate(compiled, 1)
    simulate(readable, 1)
    for _ in range(40):
        actions = [int(rng.choice([BY_PUCT, *game[-1].legal_actions()])) for game in starts]
        assert simulate(compiled, 1, actions) == simulate(readable, 1, actions)
        for ours, theirs in zip(compiled.roots(), readable.roots(), strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)
    assert np.isfinite(compiled.roots().proven).any() == solver


def test_what_the_visits_count_when_something_is_proven() -> None:
    """By hand: four moves, of which the last is not legal."""
    nan, never = np.nan, -np.inf
    for proven, visits, totals, expected in (
        ([nan, nan, nan], [5, 3, 0], [2, 1, 0], [5, 3, 0]),
        ([nan, 1, nan], [5, 3, 0], [2, 1, 0], [0, 3, 0]),  # a win
        ([nan, nan, 1], [5, 3, 0], [2, 1, 0], [0, 0, 0.2]),  # that was not visited
        ([-1, nan, nan], [5, 3, 0], [-5, -1, 0], [0, 3, 0]),  # a loss
        ([-1, nan, nan], [5, 0, 0], [-5, 0, 0], [0, 0.3, 0.2]),  # the only move that was visited
        ([-1, -1, -1], [5, 3, 0], [-5, -3, 0], [5, 3, 0]),  # all lose
        ([0, nan, nan], [1, 6, 2], [0, 1, -1], [1, 6, 2]),  # a draw, and something better
        ([0, nan, nan], [1, 6, 2], [0, -1, 1], [1, 0, 0]),  # something worse
        ([0, -1, nan], [0, 3, 6], [0, -3, -1], [0.5, 0, 0]),
        ([0, -1, 0], [2, 9, 1], [0, -9, 0], [2, 0, 1]),
    ):
        roots = Roots(
            np.array([[*visits, 0]]),
            np.array([[*totals, 0.0]]),
            np.array([[0.5, 0.3, 0.2, 0.0]]),
            np.zeros(1),
            np.array([[*proven, never]]),
        )
        assert roots.weights().tolist() == [[*expected, 0]]


def test_noise_is_mixed_into_the_priors_of_one_root():
    trees = of(games.TicTacToe(), games.TicTacToe())
    simulate(trees, 1)
    clean = trees.roots().priors
    noise = search.DirichletNoise(1.0, 0.5)
    trees.mix_noise(0, noise, np.random.default_rng(1))
    mixed = noise.mixed(clean[0].tolist(), np.random.default_rng(1))
    assert trees.roots().priors.tolist() == [mixed, clean[1].tolist()]


def test_an_action_that_leads_to_no_child_is_refused():
    trees = of(games.TicTacToe(), games.TicTacToe().child(4))
    with pytest.raises(ValueError, match=r"first_actions\[0\]=3 leads to no child"):
        trees.gather([3, BY_PUCT])  # its root was not evaluated yet
    simulate(trees, 5)
    before = trees.roots().visit_counts.tolist()
    with pytest.raises(ValueError, match=r"first_actions\[1\]=4 leads to no child"):
        trees.gather([4, 4])
    assert trees.roots().visit_counts.tolist() == before


def test_a_full_tree_is_searched_on():
    trees = fast.BatchedTrees([[games.Gomoku(size=6, in_a_row=4)]], capacity=100)
    simulate(trees, 300)
    assert trees.roots().visit_counts.sum() == 299


def test_what_is_wrong_is_named():
    with pytest.raises(ValueError, match="got none"):
        fast.BatchedTrees([], capacity=100)
    with pytest.raises(ValueError, match="capacity=9 is too small"):
        fast.BatchedTrees([[games.TicTacToe()]], capacity=9)
