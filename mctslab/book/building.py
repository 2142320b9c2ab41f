"""Build a book: search the most important position, store the result, and repeat.

The searches run in threads, because the compiled search releases Python's lock; the main thread
chooses positions and writes. Several programs can build the same book at the same time. All
progress is in the book itself: a new run finds the frontier by walking through it.
"""

import os
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from mctslab import fast, games
from mctslab.book.frontier import Candidate, Frontier
from mctslab.book.store import MAX_POSITIONS, Book, Summary
from mctslab.running_line import RunningLine
from mctslab.search.budget import Budget
from mctslab.search.evaluators import Evaluator, rollout_evaluator
from mctslab.search.knowledge.policies import rollout_policies
from mctslab.search.result import SearchResult
from mctslab.typed import Count, Number, convert

_BETWEEN_LOOKS: Final = 0.1


@dataclass(frozen=True, slots=True)
class BuildStatus:
    """The progress of building a book."""

    summary: Summary
    """The content of the book."""
    wanted_seconds: float | None
    """The limit for the time of all searches together; None without a limit."""
    num_searches: int
    """Searches that this run has added to the book."""
    seconds: float
    """The time since this run began."""
    is_last: bool = False
    """Whether this is the last report of the run."""
    ended: str = ""
    """Why the run has ended, half a sentence."""


Progress: TypeAlias = Callable[[BuildStatus], object]
"""Called after every finished search."""


class TextProgress:
    """Keeps a line of text up to date: the content of the book and the time spent."""

    def __init__(self) -> None:
        self._line = RunningLine()

    def __call__(self, status: BuildStatus) -> None:
        """Write the line, if the last one is old enough."""
        self._line.update(lambda: line_of(status), is_last=status.is_last)


def line_of(status: BuildStatus) -> str:
    """The size of the book, its depth, and the time spent."""
    summary = status.summary
    parts = [
        f"{summary.num_positions:,} positions to ply {summary.depth}",
        f"{summary.num_simulations:,} simulations",
    ]
    wanted = "" if status.wanted_seconds is None else f" of {status.wanted_seconds:,.0f}"
    parts.append(f"{summary.seconds:,.0f}{wanted} s of search")
    if status.num_searches:
        parts.append(f"{status.num_searches / status.seconds:.1f} searches a second")
    if status.ended:
        parts.append(status.ended)
    return "  ".join(parts)


class Searched(NamedTuple):
    """A search that a thread has finished."""

    result: SearchResult
    seconds: float
    """Seconds of processor time, which does not depend on how busy the machine is."""


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
) -> BuildStatus:
    """Build a book, or continue building it.

    Every finished search is in the file at once. So a run can end in any way, and the same call
    continues it: only unfinished searches are lost, and no search is done twice. Ctrl-C
    (KeyboardInterrupt) ends it like `stop`. With one thread, the same seed makes the same book,
    however often it was stopped.

    Args:
        path: the file; created if it does not exist.
        game: a name for `games.make`.
        game_options: for `games.make`, such as `{"size": 6}`.
        num_simulations: simulations of each search. A position with fewer in the book is searched
            again with this number, and the results are added up.
        seconds: end when all searches in the book together, including those of earlier runs and
            other programs, have taken this processor time. None: no limit.
        max_plies: leave out positions further from the first one. None: no limit.
        max_positions: the largest number of positions of a new book. When a book is full, only
            positions that are in it are searched, if they have fewer than `num_simulations`.
        rollouts: `uniform`, or for Reversi `roxanne` or `roxanne5`.
        num_threads: how many positions are searched at once.
        seed: of all random numbers, 0 or more. Programs that build the same book at the same time
            need different seeds; otherwise they do the same work.
        progress: called after every finished search, for example `TextProgress()`.
        stop: called about ten times a second; return True to end the building.

    Returns:
        The content of the book, and why the building ended.

    Raises:
        ValueError: an impossible number, no such game or policy, or a file that is not a book or a
            different one (BookError).
        OSError: the folder of the file cannot be created.
    """
    Budget(num_simulations, seconds)
    convert(num_threads, Count, "num_threads")
    convert(seed, Number, "seed")
    if max_plies is not None:
        convert(max_plies, Number, "max_plies")
    first_state = games.make(game, **(game_options or {}))
    if num_simulations < (least := len(first_state.legal_actions())):
        raise ValueError(f"num_simulations={num_simulations} is too small: at least {least}.")
    policies = rollout_policies()
    if rollouts not in policies:
        raise ValueError(f"rollouts must be one of {', '.join(policies)}, got {rollouts!r}.")
    policy = policies[rollouts]
    policy(first_state, np.random.default_rng(0))  # raises an error if it is for another game
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
        return builder.run(num_threads, progress or (lambda status: None), stop)


@dataclass(eq=False)
class _Builder:
    """One run of `build`."""

    book: Book
    frontier: Frontier
    evaluator: Evaluator
    num_simulations: int
    seconds: float | None
    seed: int
    running: dict[Future[Searched], Candidate] = field(default_factory=dict)
    stopped: threading.Event = field(default_factory=threading.Event)
    ended: str = ""
    is_left_out: bool = False
    """Whether there was no room for a position."""
    num_searches: int = 0
    started: float = field(default_factory=time.perf_counter)

    def run(
        self, num_threads: int, progress: Progress, stop: Callable[[], bool] | None
    ) -> BuildStatus:
        """Search until there is a reason to end."""
        with ThreadPoolExecutor(num_threads) as threads:
            try:
                while True:
                    if stop is not None and stop():
                        self.ended = "stopped"
                        break
                    while len(self.running) < num_threads and (candidate := self._next()):
                        self.running[threads.submit(self._search, candidate)] = candidate
                    if not self.running:
                        break
                    for each in wait(self.running, _BETWEEN_LOOKS, FIRST_COMPLETED).done:
                        self._store(self.running.pop(each), each.result())
                        progress(self._status())
            except KeyboardInterrupt:
                self.ended = "stopped"
            finally:
                self.stopped.set()
        status = self._status(is_last=True)
        progress(status)
        return status

    def _next(self) -> Candidate | None:
        """The next position to search, unless there is a reason to end."""
        if self.ended:
            return None
        if self.seconds is not None and self.book.summary().seconds >= self.seconds:
            self.ended = "the time is up"
            return None
        while candidate := self.frontier.next():
            if not self._is_full() or self.book.visit_count(candidate.state):
                return candidate
            self.is_left_out = True
            if self.book.least_visit_count() >= self.num_simulations:
                break
        if not self.running:
            self.ended = "the book is full" if self.is_left_out else "nothing is left to search"
        return None

    def _is_full(self) -> bool:
        """Whether the book has no room for another position besides those being searched."""
        num_positions = self.book.summary().num_positions + len(self.running)
        return num_positions >= self.book.max_positions

    def _search(self, candidate: Candidate) -> Searched:
        """Search a position; in a thread of its own."""
        started = time.thread_time()
        key = [int.from_bytes(candidate.key[:8]), int.from_bytes(candidate.key[8:])]
        result = fast.mcts(
            candidate.state,
            num_simulations=self.num_simulations,
            evaluator=self.evaluator,
            rng=np.random.default_rng([self.seed, self.num_simulations, *key]),
            stop=self.stopped.is_set,
        )
        return Searched(result, time.thread_time() - started)

    def _store(self, candidate: Candidate, searched: Searched) -> None:
        name = f"{candidate.key.hex()} with {self.num_simulations} from seed {self.seed}"
        self.num_searches += self.book.add(
            candidate.line, searched.result, name=name, seconds=searched.seconds
        )
        self.frontier.searched(candidate.key)

    def _status(self, *, is_last: bool = False) -> BuildStatus:
        return BuildStatus(
            self.book.summary(),
            self.seconds,
            self.num_searches,
            time.perf_counter() - self.started,
            is_last,
            self.ended if is_last else "",
        )
