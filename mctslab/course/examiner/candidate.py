"""The search that is examined, and the games for it: trees of a few moves, which note its calls.

`settled(player, winner)` is a game that goes on for a while and always ends in the same way. So a
rollout from there does not depend on luck, and it is long enough to be distinguished from a
position in the tree.
"""

import reprlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self, SupportsIndex

import numpy as np

from mctslab.course.checking import sandbox
from mctslab.course.tree_game import SPARSE, Place, TreeGame, drawn, forced, won_by
from mctslab.games.state import IllegalActionError

DEPTH: Final = 14
"""How many moves a `settled` game lasts."""
WIDTH: Final = 3
"""How many moves there are at each turn of it."""


def settled(player: int, winner: int | None, depth: int = DEPTH) -> Place:
    """A game with `player` to move in which the moves can be chosen, and always end like this.

    It is the turn of `player` again when it is over; without a winner it is drawn.
    """
    end = drawn() if winner is None else won_by(winner)
    return forced(depth, end._replace(player=player), player, WIDTH)


@dataclass(slots=True, eq=False)
class Record:
    """A game as seen by one search: what the search learned of it."""

    leaves: list[tuple[int, ...]] = field(default_factory=list)
    """The positions whose value it learned, one for each simulation."""
    last: tuple[str, "ExamState"] | None = None
    """The last call of a method, except `child`, and the position."""
    is_looked_at: bool = False

    def note(self, name: str, state: "ExamState") -> None:
        """Note a call. `returns` can be called once for each player, which counts only once."""
        if name not in ("over", "child") and self.last != (name, state):
            self.leaves.append(state.path)
        self.is_looked_at, self.last = True, None if name == "child" else (name, state)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class ExamState(TreeGame):
    """A position of such a game."""

    numbers: tuple[int, ...] = SPARSE
    """The actions are not indices of a list."""
    record: Record = field(default_factory=Record)

    def legal_actions(self) -> tuple[int, ...]:
        """A number for each option."""
        if self.is_terminal:
            self.record.note("over", self)
        return self.numbers[: len(self.place.options)]

    def child(self, action: int) -> Self:
        """The place that the action leads to."""
        place, path = self._after(action)
        self.record.note("child", self)
        return type(self)(place, path, self.numbers, self.record)

    def returns(self) -> tuple[float, float]:
        """The returns of the end."""
        if self.is_terminal:
            self.record.note("returns", self)
        return TreeGame.returns(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ExamState):
            return NotImplemented
        return self.record is other.record and self.path == other.path

    def __hash__(self) -> int:
        return hash((self.record, self.path))

    def __deepcopy__(self, _: dict[int, Any]) -> Self:
        return self

    def __str__(self) -> str:
        return f"a game after {self.path}"

    __repr__ = __str__


@dataclass(eq=False)
class FoundError(Exception):
    """A game in which the search does something that a correct one does not do."""

    phase: str
    """The phase that contains the fault; two of them, with "or" between, if the search would do the
    same for a fault in either; empty if it is in none of them."""
    seen: str
    """The game, and what the search did in it."""
    look_at: str
    """What a correct search does, and where to look."""
    position: ExamState | None = None
    """The position in which it went wrong."""


# The search

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

    def counts(self) -> list[int]:
        """How many leaves are below each move."""
        found = Counter(leaf[0] for leaf in self.leaves if leaf)
        return [found[action] for action in self.state.legal_actions()]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A search, and how to call it."""

    search: Callable[..., Any]
    seconds: float
    """The time limit for one search."""

    def run(
        self, game: Place | ExamState, num_simulations: int = NUM_SIMULATIONS, *, seed: int = 0
    ) -> Run:
        """Search a position.

        Raises:
            FoundError: the search failed, did not return, or returned something that cannot be
                read.
        """
        state = game if isinstance(game, ExamState) else ExamState(game)
        record = state.record
        record.leaves, record.last, record.is_looked_at = [], None, False
        arguments = [state, num_simulations, np.random.default_rng(seed)]
        called = sandbox.call(self.search, arguments, self.seconds)
        if called.too_slow:
            seen = f"{num_simulations} simulations did not end in time."
            raise FoundError(
                "", seen, "Is there a loop whose condition never becomes false?", state
            )
        if called.error is not None:
            raise _of_error(called.error, state)
        action, visits = _read(called.value)
        if not record.is_looked_at:
            raise FoundError("", "It answered without looking at the position.", OTHER_TREE, state)
        legal = state.legal_actions()
        for answered in (action, *visits):
            if answered not in legal:
                seen = f"It answered with {answered} where {', '.join(map(str, legal))} are legal."
                raise FoundError("expand", seen, _INDEX, state)
        return Run(state, num_simulations, action, visits, tuple(record.leaves))


OTHER_TREE: Final = (
    "The answer does not depend on this position. Is it from the tree of another one? Begin with a "
    "new tree, or go to the node of the new position."
)
_INDEX: Final = (
    "The index of an action in a list is not the action. They are the same only if all actions "
    "from 0 on are legal."
)


def _of_error(error: BaseException, state: ExamState) -> FoundError:
    """What an error means that the search raised."""
    last = state.record.last
    seen = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
    place = error.state if isinstance(error, IllegalActionError) else last and last[1]
    if isinstance(error, RecursionError):
        look_at = "A function that calls itself at every move fails in a long game. Use a loop."
        return FoundError("simulate", f"A long game led to this: {seen}", look_at, state)
    if place is not None and place.is_terminal:
        look_at = "Where the game is over there is nothing to expand: count its result as it is."
        return FoundError(
            "expand", f"It reached the end of a game, and then: {seen}", look_at, state
        )
    if isinstance(error, IllegalActionError):
        return FoundError("expand", seen, _INDEX, state)
    return FoundError("", seen, "The search raised this error.", state)


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
