"""Many searches at once find out what each of them would find out by itself."""

from collections.abc import Sequence

import numpy as np
import pytest

from mctslab import fast, games
from mctslab.games import State
from mctslab.search.forest import BY_PUCT, Forest
from mctslab.search.roots import Roots

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


def simulate(forest: Forest, trees: Sequence[int], first_actions: Sequence[int]) -> list[int]:
    """A round of these walks; those whose leaves were evaluated."""
    walks = forest.gather(np.array(trees), np.array(first_actions), spare_won=True)
    leaves = [forest.positions_on(walk)[-1] for walk in walks]
    num_actions = forest.states[0].num_actions
    logits = np.array([policy_logits(leaf) for leaf in leaves]).reshape(-1, num_actions)
    forest.add_by_net(walks, np.array([value(leaf) for leaf in leaves]), logits)
    return list(walks.tolist())


def simulate_each(forest: Forest, number: int) -> None:
    """So many simulations by PUCT in each tree, one after the other."""
    for _ in range(number):
        simulate(forest, *forest.one_walk_each())


def of(*starts: State, num_simulations: int = 400, solver: bool = False) -> fast.CompiledForest:
    """A tree for each of these positions."""
    games_so_far = [[start] for start in starts]
    return fast.CompiledForest(games_so_far, num_simulations=num_simulations, solver=solver)


@pytest.mark.parametrize("solver", [False, True])
@pytest.mark.parametrize("first", GAMES.values(), ids=GAMES)
def test_the_readable_forest_is_the_same(first: State, solver: bool) -> None:
    """From positions all over a game; several walks in a tree, by PUCT and with moves chosen."""
    rng, starts = np.random.default_rng(3), [[first]]
    while len(starts) < 30:
        state = starts[-1][0].child(rng.choice(starts[-1][0].legal_actions()))
        starts.append([first if state.is_terminal else state])
    compiled = fast.CompiledForest(starts, num_simulations=200, solver=solver)
    readable = Forest(starts, solver=solver)
    simulate_each(compiled, 1)
    simulate_each(readable, 1)
    for _ in range(25):
        trees = np.sort(rng.integers(len(starts), size=40)).tolist()
        actions = [int(rng.choice([BY_PUCT, *starts[tree][-1].legal_actions()])) for tree in trees]
        assert simulate(compiled, trees, actions) == simulate(readable, trees, actions)
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


def test_a_full_tree_is_searched_on():
    forest = of(games.Gomoku(size=6, in_a_row=4), num_simulations=3)
    simulate_each(forest, 300)
    assert forest.roots().visit_counts.sum() == 299
