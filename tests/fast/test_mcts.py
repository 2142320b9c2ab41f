"""The compiled search as a whole: budgets, limits, interruptions, and what is left to Python.

That its trees are those of the readable search is shown in test_same_tree.py and test_tree.py.
"""

import functools
import signal
from typing import Any

import numpy as np
import pytest

from mctslab import fast, games, search
from mctslab.fast import SlowSearchWarning
from mctslab.fast.nodes import ROOT
from mctslab.fast.tree import ArrayNode
from mctslab.games.gomoku import first_words, geometry
from mctslab.games.rules import OPEN, Position
from mctslab.games.state import BrokenRulesError
from mctslab.search import Node
from tests.fast.same_trees import difference
from tests.games.own_games import DotsAndBoxes
from tests.search.toys import FunctionEvaluator


def search_quietly(state: games.State, **options: Any) -> search.SearchResult:
    """A compiled search, which must not fall back to Python."""
    result = fast.mcts(state, **options)
    assert not result.note.startswith("In plain Python")
    return result


# Budgets


def test_exactly_so_many_simulations(rng):
    for number in (1, 2, 6, 7, 8, 63, 64, 65, np.int64(500), 20_000):
        result = search_quietly(games.ConnectFour(), num_simulations=number, rng=rng)
        assert result.num_simulations == result.root.visit_count == number
    assert result.root.tree.nodes.itemsize == 80


def test_of_two_budgets_the_first_to_end_counts(rng):
    state = games.TicTacToe()
    assert search_quietly(state, num_simulations=30, seconds=1e6, rng=rng).num_simulations == 30
    result = search_quietly(state, num_simulations=10**15, seconds=0.05, rng=rng)
    assert result.seconds >= 0.05
    assert 0 < result.num_simulations == result.root.visit_count < 10**15
    assert result.root.tree.nodes.itemsize == 48


def test_a_stop_ends_the_search_and_other_threads_run_meanwhile(rng):
    stops = iter([False, False, True])
    state = games.Reversi()
    result = search_quietly(state, num_simulations=10**12, stop=lambda: next(stops), rng=rng)
    assert 0 < result.num_simulations < 10**6
    assert result.root.tree.engine.search.targetoptions["nogil"]


# Stop, threads, interruptions


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no such timer")
def test_an_interruption_leaves_the_tree_whole(rng):
    options = {"rng": rng}
    root = search_quietly(games.ConnectFour(), num_simulations=10, **options).root
    visits = 10
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        for number in range(3):
            with pytest.raises(KeyboardInterrupt):  # noqa: PT012  # the timer may end at once
                signal.setitimer(signal.ITIMER_REAL, 0.003 + 0.004 * number)
                search_quietly(games.ConnectFour(), num_simulations=10**12, root=root, **options)
            root = ArrayNode(root.tree)
            assert root.visit_count >= visits
            assert is_whole(root.tree)
            visits = root.visit_count
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    result = search_quietly(games.ConnectFour(), num_simulations=500, root=root, **options)
    assert result.root.visit_count == visits + 500
    assert is_whole(root.tree)


def is_whole(tree: Any) -> bool:
    """Whether a way leads from the root to every node, and each parent counts its children."""
    visits, number = tree.nodes["visit_count"], 0
    for ply in tree.plies(ROOT):
        for node in ply.tolist():
            children = tree.children_of(np.array([node]))
            assert not len(children) or visits[node] - visits[children].sum() in (0, 1)
        number += len(ply)
    return number == tree.num_nodes


# Games that do not end


def one_move(position: Position, geometry: None) -> int:
    return 1


def never_over(position: Position, moves: int, geometry: None) -> int:
    return OPEN


class Endless(games.TicTacToe):
    """The first square is marked again and again."""

    __slots__ = ()
    rules = games.TicTacToe.rules._replace(legal_moves=one_move, outcome=never_over)


@pytest.mark.parametrize(
    "searched",
    [
        fast.mcts,
        functools.partial(fast.mcts, evaluator=search.rollout_evaluator(num_rollouts=1_000)),
        functools.partial(fast.puct_search, evaluator=search.rollout_evaluator()),
        functools.partial(
            fast.puct_search,
            evaluator=search.with_priors(search.rollout_evaluator(), lambda state: [1.0]),
        ),
        fast.flat_monte_carlo,
        search.mcts,
    ],
)
def test_a_game_that_never_ends_is_reported(searched, rng, monkeypatch):
    if searched is search.mcts:
        monkeypatch.setattr("mctslab.search.evaluators.MAX_PLIES", 500)
    with pytest.raises(BrokenRulesError, match="A game of Tic-Tac-Toe was not over after"):
        searched(Endless(), seconds=60, rng=rng)


# What is left to the readable search


class Greedy:
    """A selection rule of one's own."""

    def score(self, node: Node, child: Node) -> search.SelectionScore:
        return search.SelectionScore(child.mean_value, 0.0)

    def best_child(self, node: Node) -> Node:
        return max(node.children, key=lambda child: child.mean_value)


class LeastVisited(search.puct):
    """A rule of one's own for the search by PUCT."""

    def best_child(self, node: Node) -> Node:
        return min(node.children, key=lambda child: child.visit_count)


def first_move(state: games.State, rng: np.random.Generator) -> int:
    return state.legal_actions()[int(rng.random() * 0)]


class Misere(games.TicTacToe):
    """Whoever has three in a row loses; the rules that are inherited say otherwise."""

    __slots__ = ()
    title = "Misère Tic-Tac-Toe"

    def returns(self) -> tuple[float, float]:
        return super().returns()[::-1]


class Gomoku46(games.Gomoku):
    """A board of 2,116 squares, larger than the package's own class allows."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__()
        self._geometry = geometry(46, 5, False)
        self._words = first_words(46, self._geometry)
        self._legal = tuple(range(46 * 46))


TICTACTOE = games.TicTacToe()
SLOW: dict[str, tuple[games.State, dict[str, Any]]] = {
    "the evaluator FunctionEvaluator.* is written in Python": (
        TICTACTOE, {"evaluator": FunctionEvaluator(lambda state: 0.1)}
    ),
    "the rollout policy <function first_move.* is written in Python": (
        TICTACTOE, {"evaluator": search.rollout_evaluator(first_move)}
    ),
    "the selection rule .*Greedy.* is written": (TICTACTOE, {"selection": Greedy()}),
    "the selection rule LeastVisited.* is written": (TICTACTOE, {"selection": LeastVisited()}),
    "only the expansion of one child at a time": (TICTACTOE, {"expansion": "all"}),
    "Dots and Boxes has no rules to compile": (DotsAndBoxes(), {}),
    r"returns\(\) overrides the rules of Mis": (Misere(), {}),
    "Gomoku has 2,116 actions, and at most 2,047 can be compiled": (Gomoku46(), {}),
    "does not fit into 64 bits": (games.Reversi(10), {}),
    "the numbers come from Generator.MT19937. .* only NumPy's PCG64 is compiled": (TICTACTOE, {}),
}  # fmt: skip


@pytest.mark.parametrize("reason", SLOW)
def test_what_cannot_be_compiled_is_left_to_the_readable_search(reason):
    state, options = SLOW[reason]
    bits = np.random.MT19937 if "MT19937" in reason else np.random.PCG64
    of_puct = isinstance(options.get("selection"), search.puct)
    names = ["mcts", "puct_search"][of_puct : 1 if state == TICTACTOE and not of_puct else 2]
    number = 4 if state.num_actions > 2_000 else 60  # each makes as many nodes
    for name in names:
        evaluator = {} if name == "mcts" else {"evaluator": search.rollout_evaluator()}
        rngs = [np.random.Generator(bits(3)) for _ in range(2)]
        both = {"num_simulations": number, "solver": True, **evaluator, **options}
        with pytest.warns(SlowSearchWarning, match=reason) as caught:
            ours = getattr(fast, name)(state, rng=rngs[0], **both)
        assert caught[0].filename == __file__
        theirs = getattr(search, name)(state, rng=rngs[1], **both)
        assert difference(ours.root, theirs.root) == ""
        assert (ours.num_simulations, ours.is_guided) == (number, name == "puct_search")
        assert f"The readable search is used: {ours.note[17:]}" == str(caught[0].message)
        assert ours.note.startswith("In plain Python: ")
