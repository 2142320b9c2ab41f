"""Several threads: the sums of searches that could as well have been made one after the other."""

import itertools
from collections import Counter

import numpy as np
import pytest

from mctslab import fast, games, search
from mctslab.players import UCTPlayer
from tests.search.toys import FunctionEvaluator


def new_rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def sums(results) -> dict[int, tuple[int, float]]:
    visits, values = Counter(), Counter()
    for result in results:
        for child in result.children:
            visits[child.action] += child.visit_count
            values[child.action] += child.visit_count * child.mean_value
    return {action: (visits[action], round(values[action], 6)) for action in visits}


@pytest.mark.parametrize("state", [games.ConnectFour(), games.Reversi(), games.Gomoku(size=7)])
def test_the_result_is_the_sum_of_the_single_searches(state):
    together = fast.root_parallel(state, num_threads=3, num_simulations=2_000, rng=new_rng())
    alone = [
        fast.mcts(state, num_simulations=share, rng=rng)
        for share, rng in zip((667, 667, 666), new_rng().spawn(3), strict=True)
    ]
    assert sums([together]) == sums(alone)
    assert together.num_simulations == together.root.visit_count == 2_000
    assert together.root.total_value == sum(result.root.total_value for result in alone)
    assert together.best_action in state.legal_actions()
    one = fast.root_parallel(state, num_threads=1, num_simulations=500, rng=new_rng())
    assert one.children == fast.mcts(state, num_simulations=500, rng=new_rng()).children


def test_a_seed_and_a_number_of_threads_give_one_result():
    def children(seed, num_threads):
        options = {"num_threads": num_threads, "num_simulations": 3_000, "rng": new_rng(seed)}
        return fast.root_parallel(games.Reversi(), **options).children

    assert children(1, 2) == children(1, 2)
    assert len({children(1, 2), children(2, 2), children(1, 3), children(1, 1)}) == 4


def test_every_thread_goes_on_with_its_own_tree():
    state, options = games.ConnectFour(), {"num_threads": 2, "rng": new_rng()}
    first = fast.root_parallel(state, num_simulations=4_000, **options)
    reply = state.child(first.best_action).child(3)
    kept = fast.root_parallel(reply, num_simulations=2, root=first.root, **options)
    known = sum(
        grandchild.visit_count
        for root in first.root.roots
        for child in root.children
        for grandchild in child.children
        if (child.action, grandchild.action) == (first.best_action, 3)
    )
    assert known - 4 <= kept.root.visit_count - 2 <= known
    assert kept.root.visit_count > 100


def test_fewer_simulations_than_threads_are_left_at_the_end():
    """A player searches in pieces, and the last one can be as small as this."""
    options = {"state": games.ConnectFour(), "num_threads": 3, "rng": new_rng()}
    first = fast.root_parallel(num_simulations=300, **options)
    last = fast.root_parallel(num_simulations=2, root=first.root, **options)
    assert [root.visit_count for root in last.root.roots] == [101, 101, 100]
    assert (last.root.visit_count, last.num_simulations) == (302, 2)


def test_stop_ends_all_threads():
    calls = itertools.count()
    options = {"num_threads": 2, "seconds": 3_600, "stop": lambda: next(calls) >= 3}
    assert fast.root_parallel(games.Reversi(), rng=new_rng(), **options).num_simulations > 0


@pytest.mark.filterwarnings("ignore::mctslab.fast.SlowSearchWarning")
def test_what_is_not_compiled_is_searched_by_one_thread():
    options = {"num_simulations": 100, "evaluator": FunctionEvaluator(lambda _: 0.0)}
    result = fast.root_parallel(games.TicTacToe(), num_threads=4, rng=new_rng(), **options)
    assert "evaluator" in result.note
    assert result.children == search.mcts(games.TicTacToe(), rng=new_rng(), **options).children


def test_bad_numbers_are_refused():
    for num_threads, budget, words in (
        *((wrong, {"num_simulations": 10}, f"num_threads={wrong}") for wrong in (0, -1, 1.5, None)),
        (4, {"num_simulations": 3}, "num_simulations=3 is too small for 4 threads"),
    ):
        with pytest.raises(ValueError, match=words):
            fast.root_parallel(games.Reversi(), num_threads=num_threads, rng=new_rng(), **budget)


def test_a_player_in_two_threads_spends_its_budget_and_plays():
    *_, thought = UCTPlayer(1_000, num_threads=2, rng=new_rng()).think(games.Reversi())
    assert thought.num_simulations == 1_000
    assert thought.action in games.Reversi().legal_actions()
