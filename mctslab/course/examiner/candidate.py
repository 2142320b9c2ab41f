"""The search that is examined: it is called with a position, and what it returns is read."""

import inspect
import reprlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, SupportsIndex

import numpy as np

from mctslab.course.checking import sandbox
from mctslab.course.examiner.exam_game import ExamState
from mctslab.course.examiner.report import FoundError
from mctslab.games.state import IllegalActionError

NUM_SIMULATIONS: Final = 200
"""The budget of most searches."""


@dataclass(frozen=True, slots=True)
class Run:
    """One search."""

    state: ExamState
    num_simulations: int
    action: int
    """The action that it played."""
    visits: Mapping[int, float]
    """Visits of the root's actions, or shares of them, if it returned any."""
    leaves: Sequence[tuple[int, ...]]
    """The paths of the positions whose value it learned, one for each simulation."""
    has_net: bool

    def counts(self) -> list[int]:
        """How many leaves are below each move."""
        found = Counter(leaf[0] for leaf in self.leaves if leaf)
        return [found[action] for action in self.state.legal_actions()]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A search, and how to call it: with a net if it takes one."""

    search: Callable[..., Any]
    seconds: float
    """The time limit for one search."""

    def run(
        self, state: ExamState, num_simulations: int = NUM_SIMULATIONS, *, seed: int = 0
    ) -> Run:
        """Search a position.

        Raises:
            FoundError: the search failed, did not return, or returned something that cannot be
                read.
        """
        # The net is a fourth parameter without a default.
        parameters = [*inspect.signature(self.search).parameters.values()][3:4]
        nets = [ExamState.evaluated for each in parameters if each.default is each.empty]
        arguments = [state, num_simulations, np.random.default_rng(seed), *nets]
        state.record.begin()
        called = sandbox.call(self.search, arguments, self.seconds)
        _check_ended(called, state, num_simulations)
        action, visits = _read(called.value)
        if not state.record.is_looked_at:
            raise FoundError("", "It answered without looking at the position.", OTHER_TREE, state)
        legal = state.legal_actions()
        for answered in (action, *visits):
            if answered not in legal:
                seen = f"It answered with {answered} where {', '.join(map(str, legal))} are legal."
                raise FoundError("expand", seen, _INDEX, state)
        leaves = tuple(state.record.leaves)
        return Run(state, num_simulations, action, visits, leaves, bool(nets))


OTHER_TREE: Final = (
    "The answer does not depend on this position. Is it from the tree of another one? Begin with a "
    "new tree, or go to the node of the new position."
)
_INDEX: Final = (
    "The index of an action in a list is not the action. They are the same only if all actions "
    "from 0 on are legal. A net gives illegal actions a prior as well: leave them out."
)
_FINISHED: Final = "Where the game is over there is nothing to expand: count its result as it is."


def _check_ended(called: sandbox.Called, state: ExamState, num_simulations: int) -> None:
    """Raise FoundError if the call has not ended properly."""
    error, last = called.error, state.record.last
    if called.too_slow:
        seen = f"{num_simulations} simulations did not end in time."
        look_at = "Is there a loop whose condition never becomes false?"
        raise FoundError("", seen, look_at, state)
    if error is None:
        return
    seen = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
    phase, look_at = "", "The search raised this error."
    place = error.state if isinstance(error, IllegalActionError) else last and last[1]
    if isinstance(error, RecursionError):
        phase, seen = "simulate", f"A long game led to this: {seen}"
        look_at = "A function that calls itself at every move fails in a long game. Use a loop."
    elif place is not None and place.is_terminal:
        phase, look_at = "expand", _FINISHED
        seen = f"It reached the end of a game, and then: {seen}"
    elif isinstance(error, IllegalActionError):
        phase, look_at = "expand", _INDEX
    raise FoundError(phase, seen, look_at, state)


# Reading what was returned


def _read(value: Any) -> tuple[int, Mapping[int, float]]:
    """The action that was returned, and the visits of the root's actions if there are any."""
    try:
        return _answer(value)
    except Exception as error:  # an object of an unknown class can do anything
        hint = " Did you forget `return`?" if value is None else ""
        seen = f"It returned {reprlib.repr(value)}.{hint}"
        look_at = (
            "Return an action, the visits of the actions by action, the root of the tree, whose "
            "children have `action` and `visit_count`, or a pair of an action and one of these."
        )
        raise FoundError("", seen, look_at) from error


def _answer(value: Any) -> tuple[int, Mapping[int, float]]:
    """The answer in any of the usual forms; raises any error if it has none of them."""
    if isinstance(value, SupportsIndex):
        return value.__index__(), {}
    if isinstance(value, tuple) and len(value) == 2:
        action = value[0].__index__()
        try:
            return action, _answer(value[1])[1]
        except Exception:  # whatever stands beside the action
            return action, {}
    if hasattr(value, "children"):
        below = value.children
        named = below.items() if isinstance(below, Mapping) else ((c.action, c) for c in below)
        value = {
            action: next(getattr(child, name) for name in _NAMES if hasattr(child, name))
            for action, child in named
        }
    visits = {int(action): float(np.ravel(count)[0]) for action, count in value.items()}
    return max(visits, key=visits.__getitem__), visits


_NAMES: Final = ("visit_count", "visits", "num_visits", "visit", "N", "n")
"""Of the visits of a node, as people give them."""
