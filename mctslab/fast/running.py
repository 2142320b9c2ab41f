"""How Python runs a compiled search: in short slices, with the state of NumPy's generator.

Between two slices the clock and `stop` are checked. The compiled code draws the same random numbers
as NumPy (see `compile/primitives.py`), so the generator's state is passed there and back.
"""

import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mctslab.fast.tree import ArrayNode, Tree
from mctslab.games.state import endless
from mctslab.search.budget import Budget
from mctslab.search.result import SearchResult

NO_LIMIT: Final = 1 << 31
"""The number of simulations of a search that is limited only by time."""

_SLICE_SECONDS: Final = 0.02
"""How long the compiled code runs between two checks of the clock and of `stop`."""
_LARGEST_GROWTH: Final = 256
"""How many times as many simulations as the one before a slice has at most."""


def spend(
    budget: Budget,
    tree: Tree,
    simulate: Callable[[int, int], int],
    *,
    nodes_expected: float,
    solver: bool = False,
) -> None:
    """Let the compiled code run in short slices until the budget is spent, or the root is proven.

    Args:
        budget: how long.
        tree: it is longer afterwards.
        simulate: `(chunk, limit)`: runs `chunk` simulations, a few more or less, and at most
            `limit`; returns their number.
        nodes_expected: how many nodes a simulation usually adds, or a few more.
        solver: whether the search carries proofs up the tree.
    """
    chunk = 1  # because nothing is known about the length of a simulation
    tree.reserve(int(budget.simulations_left(otherwise=0) * nodes_expected))
    while not budget.is_spent and not (solver and tree.is_proven):
        began = time.perf_counter()
        limit = budget.simulations_left(otherwise=NO_LIMIT)
        done = simulate(min(chunk, limit), limit)
        tree.let_readers_in()
        budget.spent += done
        took = max(time.perf_counter() - began, 1e-9)
        slice_seconds = min(_SLICE_SECONDS, budget.seconds_left / 2)
        chunk = max(1, min(int(done * slice_seconds / took), _LARGEST_GROWTH * done))


def checked_number(done: int, tree: Tree) -> int:
    """What the compiled code returns, a number of simulations; -1 is an error.

    Raises:
        BrokenRulesError: a rollout did not end.
    """
    if done < 0:
        raise endless(tree.state)
    return done


def result_of(tree: Tree, budget: Budget, *, is_guided: bool = False) -> SearchResult:
    """The tree, and the time and simulations that the search has used."""
    note = f"The tree is full: it has {tree.num_nodes:,} nodes." if tree.is_full else ""
    return SearchResult(ArrayNode(tree), budget.spent, budget.seconds, note, is_guided)


class SlowSearchWarning(UserWarning):
    """The readable search does the work of the compiled one; the message says why."""


def readable_result(
    search: Callable[..., SearchResult], reason: str, options: dict[str, Any]
) -> SearchResult:
    """Run the readable `search` instead; `reason`, half a sentence, says why it cannot be
    compiled."""
    warnings.warn(f"The readable search is used: {reason}.", SlowSearchWarning, stacklevel=3)
    return replace(search(**options), note=f"In plain Python: {reason}.")


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
