"""Several searches at once, one on each core, with their results added up at the root.

Root parallelisation (Chaslot, Winands and van den Herik, "Parallel Monte-Carlo Tree Search", 2008):
every thread grows a tree of its own from a seed of its own, and no thread ever waits for another.
The compiled search releases Python's lock, so the threads really run in parallel.

Before building it, we estimated with `tests.benchmarks` what a single tree for all threads with
virtual losses would gain: it is no better in a short search, and not clearly better in a long one.
So we did not build it.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Final

import numpy as np

from mctslab.fast.mcts import MAX_NODES, checked_max_nodes, mcts, why_not
from mctslab.games.state import State
from mctslab.search.budget import Budget
from mctslab.search.evaluators import Evaluator, rollout_evaluator
from mctslab.search.mcts import Expansion, check_position
from mctslab.search.node import Node
from mctslab.search.result import SearchResult
from mctslab.search.selection import SelectionRule, ucb1
from mctslab.search.solving import proven_value

_POLL_SECONDS: Final = 0.01


class ParallelRoot(Node):
    """A root with the sums of several trees: its children have the visits, but no children.

    Only the moves of the root are the same in all trees; below them the trees are left alone.
    """

    __slots__ = ("roots",)

    roots: tuple[Node, ...]
    """The roots of the trees, from which the next search can go on."""

    def __init__(self, state: State, roots: tuple[Node, ...]) -> None:
        super().__init__(state)
        self.roots = roots
        children: dict[int | None, Node] = {}
        for tree in roots:
            self.visit_count += tree.visit_count
            self.total_value += tree.total_value
            for child in tree.children:
                if child.action not in children:
                    children[child.action] = Node(
                        parent=self, action=child.action, prior=child.prior
                    )
                children[child.action].visit_count += child.visit_count
                children[child.action].total_value += child.total_value
                if child.proven is not None:  # then it is the same in every tree
                    children[child.action].proven = child.proven
        self.children = list(children.values())
        self.untried_actions[:] = [a for a in self.untried_actions if a not in children]
        self.proven = proven_value(self)


def root_parallel(
    state: State,
    *,
    num_threads: int,
    num_simulations: int | None = None,
    seconds: float | None = None,
    evaluator: Evaluator = rollout_evaluator(),
    selection: SelectionRule = ucb1(),
    expansion: Expansion | str = Expansion.ONE,
    solver: bool = False,
    rng: np.random.Generator,
    root: Node | None = None,
    stop: Callable[[], bool] | None = None,
    max_nodes: int = MAX_NODES,
) -> SearchResult:
    """Search `state` in `num_threads` threads; the visits and values of the root's moves, added up.

    Args:
        num_threads: 1 or more; more threads than cores gain nothing.
        num_simulations: for all threads together, in equal shares. For one seed and one number of
            threads the result is always the same.
        seconds: the time that every thread thinks.
        root: `result.root` of an earlier search with the same number of threads, to continue from.
        max_nodes: for all trees together.

    The other arguments are those of `mctslab.fast.mcts`. A search that cannot be compiled runs in
    one thread, because in plain Python several threads are no faster than one.

    Raises:
        ValueError: `num_threads` is below one, a first search has fewer simulations than threads,
            or as `mctslab.fast.mcts`.
    """
    if not isinstance(num_threads, int) or num_threads < 1:
        raise ValueError(f"num_threads={num_threads!r} is not possible: a whole number, 1 or more.")
    check_position(state, rng)
    Budget(num_simulations, seconds)
    max_nodes = checked_max_nodes(max_nodes, num_threads)
    roots = _roots(root, num_threads)
    if num_simulations is not None and num_simulations < num_threads and None in roots:
        raise ValueError(
            f"num_simulations={num_simulations!r} is too small for {num_threads} threads: each "
            "needs one."
        )
    search = partial(
        mcts,
        state,
        seconds=seconds,
        evaluator=evaluator,
        selection=selection,
        expansion=expansion,
        solver=solver,
    )
    if num_threads == 1 or why_not(state, evaluator, selection, rng=rng, solver=solver):
        return search(num_simulations=num_simulations, rng=rng, root=roots[0], stop=stop)
    ended = threading.Event()
    with ThreadPoolExecutor(num_threads) as threads:
        shares = _shares(num_simulations, num_threads)
        try:
            searches = [
                threads.submit(
                    search,
                    num_simulations=share,
                    rng=own_rng,
                    root=tree,
                    stop=ended.is_set,
                    max_nodes=max_nodes // num_threads,
                )
                for share, own_rng, tree in zip(shares, rng.spawn(num_threads), roots, strict=True)
                if share != 0
            ]
            _wait(searches, stop or (lambda: False))
        finally:
            ended.set()
    results = [each.result() for each in searches]
    idle = [root for root in roots[len(results) :] if root is not None]  # without a simulation
    return SearchResult(
        ParallelRoot(state, (*(result.root for result in results), *idle)),
        sum(result.num_simulations for result in results),
        max(result.seconds for result in results),
        next((result.note for result in results if result.note), ""),
    )


def _roots(root: Node | None, num_threads: int) -> tuple[Node | None, ...]:
    """A root for each thread: those of an earlier search, or none."""
    if isinstance(root, ParallelRoot) and len(root.roots) == num_threads:
        return root.roots
    return (root if num_threads == 1 else None,) * num_threads


def _shares(num_simulations: int | None, num_threads: int) -> list[int | None]:
    """The simulations of each thread: equal shares, and one more for the first of them."""
    if num_simulations is None:
        return [None] * num_threads
    share, rest = divmod(num_simulations, num_threads)
    return [share + (thread < rest) for thread in range(num_threads)]


def _wait(searches: list[Future[SearchResult]], stop: Callable[[], bool]) -> None:
    """Wait until all searches have ended, or `stop` returns True."""
    running = set(searches)
    while running and not stop():
        _, running = wait(running, timeout=_POLL_SECONDS)
