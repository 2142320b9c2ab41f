"""Two threads that search one tree at the same time."""

import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from mctslab import fast, games, search
from mctslab.search import SearchResult, SearchRunningError

_STATE: Final = games.ConnectFour()
_EVEN: Final = search.uniform_evaluator()

SEARCHES_OF_ONE_TREE: Final[dict[str, Callable[..., SearchResult]]] = {
    "fast.mcts": partial(fast.mcts, _STATE, num_simulations=5_000),
    "fast.puct_search": partial(
        fast.puct_search, _STATE, num_simulations=2_000, evaluator=search.rollout_evaluator()
    ),
    "search.mcts": partial(search.mcts, _STATE, num_simulations=50),
    "search.puct_search": partial(search.puct_search, _STATE, num_simulations=50, evaluator=_EVEN),
}


def stress(name: str, times: int) -> int:
    """Continue one tree in two threads, `times` times, and check that no simulation is lost.

    Returns:
        how many searches were refused because the other one was running.
    """
    searched, interval = SEARCHES_OF_ONE_TREE[name], sys.getswitchinterval()
    root = searched(rng=np.random.default_rng(0)).root
    visits, num_refused = root.visit_count, 0
    sys.setswitchinterval(1e-6)
    try:
        for number in range(times):
            generators = np.random.default_rng(number).spawn(2)
            results = _in_two_threads([partial(searched, root=root, rng=rng) for rng in generators])
            visits += sum(result.num_simulations for result in results)
            num_refused += 2 - len(results)
    finally:
        sys.setswitchinterval(interval)
    after = searched(root=root, rng=np.random.default_rng(0))
    assert after.root.visit_count == visits + after.num_simulations
    return num_refused


def _in_two_threads(searches: list[Callable[[], SearchResult]]) -> list[SearchResult]:
    """The results of those searches that were not refused; any other error is raised."""
    results: list[SearchResult] = []
    errors: list[BaseException] = []
    together = threading.Barrier(len(searches))

    def run(search_it: Callable[[], SearchResult]) -> None:
        together.wait()
        try:
            results.append(search_it())
        except SearchRunningError:
            pass
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=[each]) for each in searches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return results
