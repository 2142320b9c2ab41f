"""Build a book: search the position that matters most, store what was found, and so on.

The searches run in threads, as the compiled search lets go of Python's lock; one thread chooses and
writes. More programs may build the same book at the same time. Nothing needs to be remembered but
the book: whoever goes on finds the frontier by walking through it.
"""

import os
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Final, NamedTuple

import numpy as np

from mctslab import fast, games
from mctslab.book.frontier import Frontier, Wanted
from mctslab.book.progress import Progress, Standing
from mctslab.book.store import MAX_POSITIONS, Book
from mctslab.search.budget import Budget
from mctslab.search.evaluators import Evaluator, rollout_evaluator
from mctslab.search.knowledge.policies import rollout_policy
from mctslab.search.result import SearchResult

_BETWEEN_LOOKS: Final = 0.1


class Searched(NamedTuple):
    """A search that a thread has brought to its end."""

    result: SearchResult
    seconds: float
    """Of the processor's time, so that a busy machine doesn't count."""


def build(
    path: str | os.PathLike[str],
    game: str,
    *,
    game_options: Mapping[str, Any] | None = None,
    num_simulations: int = 100_000,
    seconds: float | None = None,
    max_plies: int | None = None,
    max_positions: int = MAX_POSITIONS,
    rollouts: str = "uniform",
    num_threads: int = 1,
    seed: int,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> Standing:
    """Build a book, or go on building it.

    Every finished search is in the file at once. So a run can be ended in any way, and the same
    call goes on from there: a search that was not finished is lost, and no other one is done twice.
    Ctrl-C (KeyboardInterrupt) ends it as `stop` does. With one thread, the same seed makes the same
    book, however often it was stopped on the way.

    Args:
        path: the file; made if it is not there.
        game: a name that `games.make` knows.
        game_options: for `games.make`, such as `{"size": 6}`.
        num_simulations: for each position. A position of the book with fewer is searched once more,
            with so many, and what was known is kept and added to.
        seconds: end when the searches in the book have taken so long in all, those of earlier runs
            and of other programs included; in processor time. None: no limit.
        max_plies: positions further from the first one are left out. None: no limit.
        max_positions: the bound of a new book. When it is full, only positions that are in it
            already are searched, if they have fewer than `num_simulations`.
        rollouts: `uniform`, or for Reversi `roxanne` or `roxanne5`.
        num_threads: how many positions are searched at once.
        seed: what all chance follows from, 0 or more. Programs that build one book at the same time
            need different ones, or they do the same work.
        progress: is told of every finished search, for example `TextProgress()`.
        stop: is asked again and again; the building ends when it says True.

    Returns:
        How far it has come, and why it ended.

    Raises:
        ValueError: a number that makes no sense, no such game or policy, or a file that is no book
            or another one (BookError).
        OSError: the folder of the file cannot be made.
    """
    Budget(num_simulations, seconds)
    for name, number, least in (("num_threads", num_threads, 1), ("seed", seed, 0)):
        if not isinstance(number, int) or number < least:
            raise ValueError(f"{name}={number!r} has to be a whole number, {least} or more.")
    first_state = games.make(game, **(game_options or {}))
    if num_simulations < (least := len(first_state.legal_actions())):
        raise ValueError(f"num_simulations={num_simulations} is too few: at least {least}.")
    policy = rollout_policy(rollouts)
    policy(first_state, np.random.default_rng(0))  # raises where it is not for this game
    evaluator = rollout_evaluator(policy)
    fast.why_not(first_state, evaluator)  # compiles the search, or loads it
    with Book.create(
        path, game, game_options, rollouts=rollouts, max_positions=max_positions
    ) as book:
        frontier = Frontier(
            book,
            num_simulations=num_simulations,
            max_plies=max_plies,
            rng=np.random.default_rng(seed),
        )
        builder = _Builder(book, frontier, evaluator, num_simulations, seconds, seed)
        return builder.run(num_threads, progress or (lambda standing: None), stop)


class _Builder:
    """One run of `build`."""

    def __init__(
        self,
        book: Book,
        frontier: Frontier,
        evaluator: Evaluator,
        num_simulations: int,
        seconds: float | None,
        seed: int,
    ) -> None:
        self._book = book
        self._frontier = frontier
        self._evaluator = evaluator
        self._num_simulations = num_simulations
        self._seconds = seconds
        self._seed = seed
        self._running: dict[Future[Searched], Wanted] = {}
        self._stopped = threading.Event()
        self._ended = ""
        self._is_left_out = False  # whether there was no room for a position
        self._num_searches = 0
        self._started = time.perf_counter()

    def run(
        self, num_threads: int, progress: Progress, stop: Callable[[], bool] | None
    ) -> Standing:
        """Search until there is a reason to end."""
        with ThreadPoolExecutor(num_threads) as threads:
            try:
                while True:
                    if stop is not None and stop():
                        self._end("stopped")
                        break
                    while len(self._running) < num_threads and (wanted := self._next()):
                        self._running[threads.submit(self._search, wanted)] = wanted
                    if not self._running:
                        break
                    for each in wait(self._running, _BETWEEN_LOOKS, FIRST_COMPLETED).done:
                        self._store(self._running.pop(each), each.result())
                        progress(self._standing())
            except KeyboardInterrupt:
                self._end("stopped")
            finally:
                self._stopped.set()
        standing = self._standing(is_last=True)
        progress(standing)
        return standing

    def _next(self) -> Wanted | None:
        """The next position to search, unless there is a reason to end."""
        if self._ended:
            return None
        if self._seconds is not None and self._book.summary().seconds >= self._seconds:
            self._end("the time is up")
            return None
        while wanted := self._frontier.next():
            if not self._is_full() or self._book.visit_count(wanted.state):
                return wanted
            self._is_left_out = True
            if self._book.least_visit_count() >= self._num_simulations:
                break
        if not self._running:
            self._end("the book is full" if self._is_left_out else "nothing is left to search")
        return None

    def _end(self, reason: str) -> None:
        self._ended = reason

    def _is_full(self) -> bool:
        """Whether the positions at work, once they are stored, leave no room for another."""
        num_positions = self._book.summary().num_positions + len(self._running)
        return num_positions >= self._book.max_positions

    def _search(self, wanted: Wanted) -> Searched:
        """Search a position; in a thread of its own."""
        started = time.thread_time()
        key = [int.from_bytes(wanted.key[:8]), int.from_bytes(wanted.key[8:])]
        result = fast.mcts(
            wanted.state,
            num_simulations=self._num_simulations,
            evaluator=self._evaluator,
            rng=np.random.default_rng([self._seed, self._num_simulations, *key]),
            stop=self._stopped.is_set,
        )
        return Searched(result, time.thread_time() - started)

    def _store(self, wanted: Wanted, searched: Searched) -> None:
        name = f"{wanted.key.hex()} with {self._num_simulations} from seed {self._seed}"
        self._num_searches += self._book.add(
            wanted.line, searched.result, name=name, seconds=searched.seconds
        )
        self._frontier.searched(wanted.key)

    def _standing(self, *, is_last: bool = False) -> Standing:
        return Standing(
            self._book.summary(),
            self._seconds,
            self._num_searches,
            time.perf_counter() - self._started,
            is_last,
            self._ended if is_last else "",
        )
