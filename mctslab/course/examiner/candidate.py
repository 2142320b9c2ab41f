"""The search that is examined: it is called with a position, and what it returns is read."""

import inspect
import reprlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, SupportsIndex

import numpy as np

from mctslab.course.checking import sandbox
from mctslab.course.examiner.exam_game import ExamState, Record
from mctslab.course.examiner.report import FoundError
from mctslab.course.tree_game import SPARSE, Place
from mctslab.games.state import IllegalActionError


@dataclass(frozen=True, slots=True)
class Run:
    """One search."""

    state: ExamState
    action: int
    """The action that it played."""
    visits: Mapping[int, float]
    """Visits of the root's actions, or shares of them, if it returned any."""
    leaves: Sequence[tuple[int, ...]]
    """The paths of the positions whose value it learned, one for each simulation."""
    uses_net: bool
    uses_rng: bool

    def counts(self) -> list[int]:
        """How many leaves are below each move."""
        found = Counter(leaf[0] for leaf in self.leaves if leaf)
        return [found[action] for action in self.state.legal_actions()]


class Candidate:
    """A search, and how to call it: for at most `seconds`, with a net if it takes one."""

    def __init__(self, search: Callable[..., Any], seconds: float) -> None:
        # The net is a fourth parameter without a default.
        parameters = [*inspect.signature(search).parameters.values()][3:4]
        self._takes_net = any(each.default is each.empty for each in parameters)
        self._search, self._seconds = search, seconds

    def game(self, place: Place) -> ExamState:
        """The first position of a new game, whose actions are not indices of a list."""
        return ExamState(place, (), SPARSE, Record())

    def run(self, state: ExamState, num_simulations: int, *, seed: int = 0) -> Run:
        """Search a position.

        Raises:
            FoundError: the search failed, did not return, or returned something that cannot be
                read.
        """
        record, rng = state.record, np.random.default_rng(seed)
        record.begin()
        before = rng.bit_generator.state
        arguments = [state, num_simulations, rng, *[ExamState.evaluated] * self._takes_net]
        called = sandbox.call(self._search, arguments, self._seconds)
        _check_ended(called, state, num_simulations)
        action, visits = _read(called.value)
        if not record.is_looked_at:
            raise FoundError("", "It answered without looking at the position.", OTHER_TREE, state)
        legal = state.legal_actions()
        for answered in (action, *visits):
            if answered not in legal:
                seen = f"It answered with {answered} where {', '.join(map(str, legal))} are legal."
                raise FoundError("expand", seen, _INDEX, state)
        uses_rng = rng.bit_generator.state != before
        return Run(state, action, visits, tuple(record.leaves), record.uses_net, uses_rng)


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
    if isinstance(error, RecursionError):
        phase, seen = "simulate", f"A long game led to this: {seen}"
        look_at = "A function that calls itself at every move fails in a long game. Use a loop."
    if last is not None and last[1].is_terminal:
        phase, look_at = "expand", _FINISHED
        seen = f"It reached the end of a game, and then: {seen}"
    illegal = error if isinstance(error, IllegalActionError) else error.__cause__
    if isinstance(illegal, IllegalActionError):
        played, legal = illegal.action, illegal.state.legal_actions()
        phase, look_at = "expand", _INDEX if legal else _FINISHED
        where = f"{', '.join(map(str, legal))} are legal" if legal else "the game is over"
        seen = f"It played {played} where {where}."
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
    if isinstance(value, SupportsIndex) and not isinstance(value, np.ndarray):
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
