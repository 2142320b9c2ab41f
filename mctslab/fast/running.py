"""How Python runs a compiled search: in short slices, with the state of NumPy's generator.

Between two slices the clock and `stop` are checked. The compiled code draws the same random numbers
as NumPy (see `compile/primitives.py`), so the generator's state is passed there and back.
"""

import math
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mctslab.fast.nodes import NUM_REFUSED, ROOT, UNPROVEN, Nodes
from mctslab.fast.tree import ArrayNode, Tree
from mctslab.games.state import State, endless
from mctslab.search.budget import Budget
from mctslab.search.node import Node
from mctslab.search.result import SearchResult

MAX_NODES: Final = 10_000_000
"""The largest number of nodes of a tree: 480 MB, or 800 MB if they keep their positions."""

NO_LIMIT: Final = 1 << 31
"""The number of simulations of a search that is limited only by time."""

_SLICE_SECONDS: Final = 0.02
"""How long the compiled code runs between two checks of the clock and of `stop`."""
_FIRST_SLICE: Final = 32
"""Simulations before the first look at the clock, when nothing is known about their length."""


class Run:
    """One search of a tree, which can run in pieces.

    Args:
        tree: the tree; it is longer afterwards.
        rng: the random numbers of the rollouts.
        solver: whether proven values are carried up the tree.
        num_rollouts: the number of rollouts in a simulation, or 1.
        nodes_expected: how many nodes a simulation usually adds, or a few more.
        nodes_needed: how many records a batch of simulations takes at most.
    """

    def __init__(
        self,
        tree: Tree,
        rng: np.random.Generator,
        *,
        solver: bool,
        num_rollouts: int,
        nodes_expected: float,
        nodes_needed: int,
    ) -> None:
        self.tree = tree
        self.num_rollouts = num_rollouts
        self.rng = rng
        self._max_nodes = max(MAX_NODES, tree.num_used)  # of a larger tree, nothing is cut off
        self._solver = solver
        self._nodes_expected, self._nodes_needed = nodes_expected, nodes_needed
        self._refused_before = int(tree.counters[NUM_REFUSED])

    @property
    def is_full(self) -> bool:
        """Whether a leaf was not expanded because there was no room."""
        return int(self.tree.counters[NUM_REFUSED]) > self._refused_before

    @property
    def is_proven(self) -> bool:
        """Whether a search that carries proofs up the tree has carried one to the root."""
        return self._solver and bool(self.tree.nodes[ROOT]["proven"] != UNPROVEN)

    @property
    def nodes(self) -> Nodes:
        """The records, as far as the tree may use them."""
        return self.tree.nodes[: self._max_nodes]

    @property
    def _may_grow(self) -> bool:
        return len(self.tree.nodes) < self._max_nodes

    def go_on(self, chunk: int, limit: int) -> int:
        """Run `chunk` simulations, or a few more, but at most `limit`; returns their number."""
        done = 0
        while done < chunk and not self.is_proven:
            self._reserve(self._nodes_needed)
            with self.tree.lock, random_state_from(self.rng) as random_state:
                number = self._call(chunk - done, limit - done, random_state)
            if number < 0:
                raise endless(self.tree.state)
            done += number
        return done

    def _call(self, chunk: int, limit: int, random_state: npt.NDArray[np.uint64]) -> int:
        """Call the compiled search, which ends early if it needs more room and `_may_grow`.

        Returns the number of simulations, or -1 if a rollout did not end.
        """
        raise NotImplementedError

    def expect(self, num_simulations: int) -> None:
        """Make room at once for the nodes of `num_simulations`, instead of again and again."""
        self._reserve(int(num_simulations * self._nodes_expected))

    def _reserve(self, number: int) -> None:
        """Make the array longer if there are fewer than `number` unused records at its end.

        It becomes as long as there is memory for; if there is none, the tree is full.
        """
        before, wanted = len(self.tree.nodes), self.tree.num_used + number
        if wanted <= before or not self._may_grow:
            return
        capacity = min(max(wanted, 2 * before), self._max_nodes)
        while capacity > before:
            try:
                self.tree.reserve(capacity)
                return
            except MemoryError:
                capacity = max(before, capacity // 2)
        self._max_nodes = before

    def result(self, budget: Budget, *, by_puct: bool = False) -> SearchResult:
        """The tree, and the time and simulations that the search has used."""
        note = f"The tree is full: it has {self.tree.num_nodes:,} nodes." if self.is_full else ""
        return SearchResult(ArrayNode(self.tree), budget.spent, budget.seconds, note, by_puct)


def spend(budget: Budget, run: Run) -> None:
    """Let the compiled code run in short slices until the budget is spent."""
    chunk = max(1, _FIRST_SLICE // run.num_rollouts)
    run.expect(budget.simulations_left(otherwise=0))
    while not budget.is_spent and not run.is_proven:
        began = time.perf_counter()
        limit = budget.simulations_left(otherwise=NO_LIMIT)
        done = run.go_on(min(chunk, limit), limit)
        run.tree.let_readers_in()
        budget.spent += done
        took = max(time.perf_counter() - began, 1e-9)
        slice_seconds = min(_SLICE_SECONDS, budget.seconds_left / 2)
        if (
            budget.seconds_left < math.inf
        ):  # making the array longer takes time, so not at the last moment
            run.expect(int(done / took * budget.seconds_left))
        chunk = max(1, min(int(done * slice_seconds / took), 64 * done))


class SlowSearchWarning(UserWarning):
    """The readable search does the work of the compiled one; the message says why."""


def readable_result(
    search: Callable[..., SearchResult],
    reason: str,
    state: State,
    root: Node | None,
    **options: Any,
) -> SearchResult:
    """Run the readable `search` instead; `reason`, half a sentence, says why it cannot be
    compiled."""
    warnings.warn(f"The readable search is used: {reason}.", SlowSearchWarning, stacklevel=3)
    return replace(search(state, root=root, **options), note=f"In plain Python: {reason}.")


# The random numbers


def is_compiled_generator(rng: object) -> bool:
    """Whether the draws are those that the compiled code makes by itself."""
    return type(rng) is np.random.Generator and type(rng.bit_generator) is np.random.PCG64


def random_state_of(rng: np.random.Generator) -> npt.NDArray[np.uint64]:
    """State and increment of the PCG64 in `rng`, each as upper and lower half."""
    numbers = rng.bit_generator.state["state"]
    halves = [half for key in ("state", "inc") for half in divmod(numbers[key], 1 << 64)]
    return np.array(halves, dtype=np.uint64)


@contextmanager
def random_state_from(rng: np.random.Generator) -> Iterator[npt.NDArray[np.uint64]]:
    """The state of `rng` for the compiled code; `rng` continues from there afterwards."""
    if not is_compiled_generator(rng):  # then nothing is drawn
        yield np.zeros(4, np.uint64)
        return
    random_state, state = random_state_of(rng), rng.bit_generator.state
    try:
        yield random_state
    finally:
        upper, lower = map(int, random_state[:2])
        state["state"]["state"] = upper << 64 | lower
        rng.bit_generator.state = state
