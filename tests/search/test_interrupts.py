"""Ctrl-C ends a search between two simulations, and the tree is that of the complete ones."""

import os
import signal
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import pytest

from mctslab import fast, games, search
from mctslab.games import State
from mctslab.search import Node
from mctslab.search.interrupts import interrupted_after
from tests.games.playing import new_rng
from tests.search.toys import all_nodes, visited

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the signals are those of a terminal")

_STATE: Final = games.ConnectFour(4, 4)
_WON: Final = games.TicTacToe().child(4).child(1)


class Striking:
    """An evaluator that sends Ctrl-C while it evaluates one of the positions."""

    def __init__(self, at: int) -> None:
        self._left = at
        self._evaluator = search.uniform_evaluator()

    def __call__(self, states: list[State], rng: Any) -> search.Evaluation:
        before, self._left = self._left, self._left - len(states)
        if before > 0 >= self._left:
            signal.raise_signal(signal.SIGINT)
        return self._evaluator(states, rng)


SEARCHES: Final[dict[str, Callable[..., search.SearchResult]]] = {
    "mcts": partial(search.mcts, _STATE),
    "mcts, all": partial(search.mcts, _STATE, expansion="all"),
    "mcts, solver": partial(search.mcts, _WON, solver=True),
    "puct": partial(search.puct_search, _STATE),
    "puct, batches, noise": partial(
        search.puct_search, _STATE, batch_size=4, noise=search.DirichletNoise(0.3)
    ),
    "puct, solver": partial(search.puct_search, _WON, solver=True),
    "compiled puct, batches": partial(fast.puct_search, _STATE, batch_size=4),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_an_interrupted_search_leaves_the_tree_of_its_complete_simulations(name):
    """It can be searched on, and its priors have no noise."""
    searched = SEARCHES[name]
    whole = [visited(grown(searched, number)) for number in range(40)]
    for at in (1, 2, 9, 20):
        root = grown(searched, 0)
        with pytest.raises(KeyboardInterrupt):
            searched(root=root, num_simulations=10**6, evaluator=Striking(at), rng=new_rng(1))
        if hasattr(root, "tree"):  # its numbers were read before
            root = type(root)(root.tree)
        check_sound(root)
        assert visited(root) in whole
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        searched(root=root, num_simulations=5, evaluator=Striking(10**9), rng=new_rng(2))


def test_a_second_ctrl_c_does_not_wait_for_the_end_of_a_simulation():
    reached = []

    def endless(states, rng):
        signal.raise_signal(signal.SIGINT)
        reached.append("after the first")
        signal.raise_signal(signal.SIGINT)
        reached.append("after the second")
        return search.uniform_evaluator()(states, rng)

    with pytest.raises(KeyboardInterrupt):
        search.mcts(_STATE, num_simulations=9, evaluator=endless, rng=new_rng(1))
    assert reached == ["after the first"]


def test_a_search_within_a_search_and_work_within_both():
    """Ctrl-C ends them all, once; what has to be waited for is waited for, and says so."""
    done = []

    def nested(states, rng):
        with interrupted_after("the work"):
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
            done.append("work")
        search.mcts(_STATE, num_simulations=9, rng=rng)
        pytest.fail("The search within is interrupted before its first simulation.")

    with pytest.raises(KeyboardInterrupt):
        search.mcts(_STATE, num_simulations=9, evaluator=nested, rng=new_rng(1))
    assert done == ["work"]
    assert search.mcts(_STATE, num_simulations=9, rng=new_rng(1)).num_simulations == 9


def check_sound(root: Node) -> None:
    """Whether every action is untried or has one child, no noise is left and proofs are true."""
    for node in all_nodes(root):
        legal = node.state.legal_actions()
        tried = [child.action for child in node.children]
        assert sorted(tried + node.untried_actions) == list(legal)
        assert all(each.prior == 1 / len(legal) for each in node.children)
        assert node.proven is None or node.proven == search.minimax(node.state)[node.mover]


def grown(searched: Callable[..., search.SearchResult], number: int) -> Node:
    """The root after a first simulation and `number` rounds more."""
    root = searched(num_simulations=1, evaluator=Striking(10**9), rng=new_rng(1)).root
    rounds = iter([False] * number)
    stop = lambda: next(rounds, True)  # noqa: E731
    return searched(
        root=root, stop=stop, evaluator=Striking(10**9), num_simulations=10**6, rng=new_rng(1)
    ).root
