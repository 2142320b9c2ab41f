"""MCTS-Solver, compiled: all proofs are true. They are the readable search's (test_same_tree)."""

import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mctslab import fast, games, search
from mctslab.fast import SlowSearchWarning
from mctslab.games import State
from mctslab.search import Node, minimax
from tests.fast.same_trees import MisereTicTacToe, by_number
from tests.games.own_games import Hex
from tests.games.playing import late
from tests.search.test_invariants import check_tree
from tests.search.toys import all_nodes

EVEN, ROLLOUTS = search.uniform_evaluator(), search.rollout_evaluator()


GAMES: dict[str, tuple[State, int]] = {
    # The first position, and how many squares are empty where the search begins.
    "tictactoe": (games.TicTacToe(), 7),
    "misere tic-tac-toe": (MisereTicTacToe(), 5),
    "connect_four 4x5": (games.ConnectFour(rows=4, cols=5), 10),
    "reversi": (games.Reversi(), 7),
    "reversi 4x4": (games.Reversi(size=4), 8),
    "gomoku 9x9": (games.Gomoku(size=9, in_a_row=5), 7),
}

SEARCHES = {
    "mcts": functools.partial(fast.mcts, solver=True),
    "mcts, all": functools.partial(fast.mcts, expansion="all", solver=True),
    "puct": functools.partial(fast.puct_search, evaluator=EVEN, solver=True),
    "puct, batches": functools.partial(
        fast.puct_search, evaluator=ROLLOUTS, batch_size=8, solver=True
    ),
}
every_search = pytest.mark.parametrize("searched", SEARCHES.values(), ids=SEARCHES)
WON_BY_FORCE = games.TicTacToe().child(4).child(1)
"""X wins."""


def new_rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def proofs(root: Node) -> list[Node]:
    return [node for node in all_nodes(root) if node.proven is not None]


# Against exact solvers


MEMO_SIZES = {"tictactoe": 9, "misere tic-tac-toe": 9, "connect_four 4x5": 9, "reversi 4x4": 8}


@pytest.fixture(scope="module")
def memo() -> dict[State, tuple[float, float]]:
    return {}


@given(
    name=st.sampled_from(sorted(MEMO_SIZES)),
    seed=st.integers(0, 10**9),
    num_simulations=st.integers(1, 3_000),
    max_nodes=st.sampled_from((60, 300, 10**6)),
    searched=st.sampled_from([*SEARCHES.values()]),
)
@settings(max_examples=150)
def test_whatever_is_proven_anywhere_is_what_minimax_says(
    memo, name, seed, num_simulations, max_nodes, searched
):
    rng = new_rng(seed)
    state = late(GAMES[name][0], int(rng.integers(1, MEMO_SIZES[name] + 1)), rng)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mctslab.fast.running.MAX_NODES", max_nodes)
        result = searched(state, num_simulations=num_simulations, rng=rng)
    assert result.root.visit_count == result.num_simulations
    if searched.func is fast.mcts and not result.note:
        check_tree(result.root)
    for node in proofs(result.root):
        assert node.proven == minimax(node.state, memo)[node.mover]


# The search around it


IN_PYTHON = functools.partial(SEARCHES["puct"], evaluator=search.with_priors(EVEN, by_number))


@pytest.mark.parametrize("searched", [*SEARCHES.values(), IN_PYTHON])
def test_what_was_proven_is_kept_and_no_time_is_used_up(searched):
    result = searched(WON_BY_FORCE, seconds=3_600, rng=new_rng())
    assert result.proven == 1.0
    assert result.seconds < 60
    again = searched(WON_BY_FORCE, seconds=3_600, root=result.root, rng=new_rng())
    assert (again.num_simulations, again.proven) == (0, 1.0)
    assert again.best_action == result.best_action
    ours = next(child for child in result.root.children if child.action == result.best_action)
    for reply in ours.children:
        assert reply.proven == -1.0
        below = searched(reply.state, num_simulations=10**6, root=result.root, rng=new_rng())
        assert (below.num_simulations, below.proven, below.root.proven) == (0, 1.0, 1.0)
        assert minimax(reply.state.child(below.best_action))[0] == 1.0


@pytest.mark.parametrize("searched", [SEARCHES["mcts"], SEARCHES["puct"]], ids=["mcts", "puct"])
def test_what_cannot_be_compiled_is_proven_by_the_readable_search(searched):
    with pytest.warns(SlowSearchWarning):
        result = searched(Hex(size=3, stones=(-1,) * 9), num_simulations=10**6, rng=new_rng())
    assert result.proven == 1.0  # who moves first wins Hex
    assert result.num_simulations < 10**6
