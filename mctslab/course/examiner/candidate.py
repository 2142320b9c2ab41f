"""The search that is examined: it is called with a position, and what it returns is read."""

import inspect
import itertools
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, SupportsIndex

import numpy as np

from mctslab.course.checking import sandbox
from mctslab.course.examiner.exam_game import Event, ExamState, Record
from mctslab.course.examiner.report import Finding
from mctslab.course.tree_game import Place
from mctslab.games.state import IllegalActionError

Search = Callable[..., Any]
Adapter = Callable[[ExamState], Any]

_TIME: Final = ("seconds", "time_limit", "time_budget", "max_time", "timeout")
"""The usual names of a parameter for the time."""


class FoundError(Exception):
    """The search did something that reveals its fault at once."""

    def __init__(self, fault: str, seen: str, position: ExamState | None = None) -> None:
        super().__init__(fault)
        self.finding = Finding(fault, seen, position)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search returned."""

    action: int
    visits: Mapping[int, float] | None = None
    """Visits of the root's actions, if it returned any; shares work as well."""
    values: Mapping[int, float] | None = None
    """Their mean values."""


@dataclass(frozen=True, slots=True)
class Run:
    """One search."""

    state: ExamState
    answer: Answer
    leaves: Sequence[tuple[int, ...]]
    """The paths of the positions whose value it learned, one for each simulation."""
    seconds: float
    uses_net: bool
    uses_rng: bool

    def counts(self, depth: int = 0, *, below: Sequence[int] = ()) -> list[int]:
        """The number of leaves below each option at some depth, over all positions at that
        depth."""
        found = Counter(leaf[depth] for leaf in self.leaves if len(leaf) > depth)
        place = self.state.place
        for action in (*below, *[0] * (depth - len(below))):
            place = place.options[action]
        return [found[action] for action in self.state.numbers[: len(place.options)]]


class Candidate:
    """A search, and how to call it.

    Args:
        search: `search(position, num_simulations, rng)`, or with a net as a fourth argument.
        adapter: makes the position that the search gets.
        takes_net: whether there is that fourth argument.
        seconds: how long one search may take.
    """

    def __init__(self, search: Search, adapter: Adapter, *, takes_net: bool, seconds: float):
        self.search = search
        self.takes_net = takes_net
        self._adapter = adapter
        self._seconds = seconds
        self._numbers = itertools.count(1)
        self._has_looked = False
        names = _parameters(search)
        self.time_parameter = next((name for name in _TIME if name in names), None)

    def game(self, place: Place, **options: Any) -> ExamState:
        """The first position of a new game; `numbers` and the fields of a `Record` can be
        chosen."""
        numbers = options.pop("numbers", tuple(range(20)))
        return ExamState(place, (), numbers, Record(next(self._numbers), **options))

    def run(
        self,
        state: ExamState,
        num_simulations: int | None,
        *,
        seed: int = 0,
        limit: float | None = None,
        options: Mapping[str, object] = MappingProxyType({}),
    ) -> Run:
        """Search a position, for at most `limit` seconds; `options` are more arguments by name.

        Raises:
            FoundError: the search failed, did not return, or returned something that cannot be
                read.
        """
        record = state.record
        position, before = self._adapter(state), self._adapter(state)
        record.events.clear()
        rng = np.random.default_rng(seed)
        arguments = [position, num_simulations, rng]
        if self.takes_net:
            arguments.append(net_for(position))
        rng_before = rng.bit_generator.state
        began = time.perf_counter()
        called = sandbox.call(
            lambda: self.search(*arguments, **options), (), limit or self._seconds
        )
        seconds = time.perf_counter() - began
        _check(called, state, num_simulations)
        if _is_changed(before, position):
            raise FoundError(
                "the position is changed",
                "After the search, the position was a different one.",
                state,
            )
        legal = state.numbers[: len(state.place.options)]
        answer = _read(called.value, legal)
        if not record.events:
            fault = "the tree of an earlier search" if self._has_looked else "nothing is searched"
            raise FoundError(fault, "It answered without looking at the position.", state)
        self._has_looked = True
        _check_legal(answer, legal, state)
        uses_net = any(event.name == "evaluate" for event in record.events)
        uses_rng = rng.bit_generator.state != rng_before
        return Run(state, answer, record.leaves(), seconds, uses_net, uses_rng)


def _parameters(function: Search) -> Sequence[str]:
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


def takes_net(function: Search) -> bool:
    """Whether a search has a fourth parameter without a default, which then gets a net."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return False
    return len(parameters) > 3 and parameters[3].default is inspect.Parameter.empty


def net_for(position: Any) -> Callable[..., Any]:
    """A net for positions of this kind: `net(position)` is a policy and a value.

    For a list of positions it returns a list of policies and one of values.
    """

    def net(*shown: Any) -> Any:
        if len(shown) == 1 and isinstance(shown[0], list):
            found = [position_meant(position, each).evaluated() for each in shown[0]]
            return [policy for policy, _ in found], [value for _, value in found]
        return position_meant(position, *shown).evaluated()

    return net


def position_meant(position: Any, *shown: Any) -> ExamState:
    """The examiner's position for the arguments that a net was called with.

    Raises:
        TypeError: it is not a position.
    """
    if hasattr(position, "state_of"):
        given = shown[0] if len(shown) == 1 and isinstance(shown[0], tuple) else shown
        found: ExamState = position.state_of(*given)
        return found
    [meant] = shown
    state = meant if isinstance(meant, ExamState) else getattr(meant, "state", None)
    if not isinstance(state, ExamState):
        raise TypeError(
            f"{_short(meant)} is not a position: call the net with a position as the search gets "
            "it, or write `state_of` for your adapter"
        )
    return state


def _check(called: sandbox.Called, state: ExamState, num_simulations: int | None) -> None:
    """Raise FoundError if the call has not ended properly."""
    if called.too_slow:
        raise FoundError(
            "it does not return", f"{num_simulations} simulations did not end in time.", state
        )
    error = called.error
    if error is None:
        return
    seen = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
    illegal = error if isinstance(error, IllegalActionError) else error.__cause__
    last = state.record.events[-1] if state.record.events else Event("", ())
    if isinstance(illegal, IllegalActionError) and isinstance(illegal.state, ExamState):
        where = illegal.state
        legal = ", ".join(map(str, where.numbers[: len(where.place.options)]))
        if where.is_terminal:
            raise FoundError(
                "a finished game is searched further",
                f"It played {illegal.action} after {where.path}, where the game is over.",
                state,
            )
        fault = "illegal actions are not masked" if state.record.illegal else ""
        raise FoundError(
            fault or "an index is used as an action",
            f"It played {illegal.action} where {legal} are legal.",
            state,
        )
    if last.name in ("over", "returns", "evaluate") and _is_end(state, last.path):
        seen = f"It reached the end of a game, and then: {seen}"
        raise FoundError("a finished game is searched further", seen, state)
    if isinstance(error, RecursionError):
        raise FoundError("the depth is limited", f"A long game led to this: {seen}", state)
    raise FoundError("it fails", seen, state)


def _is_end(state: ExamState, path: Sequence[int]) -> bool:
    place = state.place
    for action in path[len(state.path) :]:
        place = place.options[state.numbers.index(action)]
    return place.returns is not None


def _is_changed(before: Any, after: Any) -> bool:
    """Whether a position has changed; objects that cannot be compared count as unchanged."""
    try:
        return not _same(before, after)
    except Exception:  # comparing objects of unknown classes can do anything
        return False


def _same(one: Any, other: Any) -> bool:
    """Whether two objects have the same content, except names that begin with a `_`."""
    if isinstance(one, np.ndarray):
        return isinstance(other, np.ndarray) and np.array_equal(one, other)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, ExamState) or not hasattr(one, "__dict__"):
        return bool(one == other)
    names = {name for name in vars(one) | vars(other) if not name.startswith("_")}
    return all(_same(getattr(one, name, None), getattr(other, name, None)) for name in names)


# Reading what was returned


def _read(value: Any, legal: Sequence[int]) -> Answer:
    try:
        answer = _answer(value, legal)
    except Exception:  # the same
        answer = None
    if answer is None:
        hint = " Did you forget `return`?" if value is None else ""
        raise FoundError("it returns something else", f"It returned {_short(value)}.{hint}")
    return answer


def _check_legal(answer: Answer, legal: Sequence[int], state: ExamState) -> None:
    wrong = [action for action in (answer.action, *(answer.visits or ())) if action not in legal]
    if wrong:
        numbers = ", ".join(map(str, legal))
        seen = f"It answered with {wrong[0]} where {numbers} are legal."
        raise FoundError("an index is used as an action", seen, state)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) < 80 else text[:77] + "..."


def _answer(value: Any, legal: Sequence[int]) -> Answer | None:
    """The answer in any of the usual forms; None if it has none of them."""
    if isinstance(value, SupportsIndex) and not isinstance(value, np.ndarray):
        return Answer(value.__index__())
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], SupportsIndex):
        rest = _answer(value[1], legal)
        visits, values = (rest.visits, rest.values) if rest else (None, None)
        return Answer(value[0].__index__(), visits, values)
    if hasattr(value, "best_so_far") and hasattr(value, "root"):  # a SearchResult
        of_root = _answer(value.root, legal)
        return of_root and Answer(int(value.best_so_far), of_root.visits, of_root.values)
    if isinstance(value, Mapping):
        return _from_statistics(value)
    children = getattr(value, "children", None)
    if isinstance(children, list | tuple):
        children = {getattr(each, "action", None): each for each in children}
    if isinstance(children, Mapping):
        return _from_statistics(
            {getattr(each, "action", key): _counted(each) for key, each in children.items()}
        )
    if isinstance(value, list | tuple | np.ndarray) and len(value) > max(legal):
        listed = dict(enumerate(np.asarray(value, float).ravel().tolist()))
        return _from_statistics({a: n for a, n in listed.items() if n or a in legal})
    return None


def _counted(child: Any) -> tuple[object, object]:
    """The visits and the mean value of a root's child, under the names that people give them."""
    visits = (getattr(child, name) for name in _VISITS if hasattr(child, name))
    mean = getattr(child, "mean_value", None)
    return next(visits, None), None if callable(mean) else mean


_VISITS: Final = ("visit_count", "visits", "num_visits", "visit", "N", "n")


def _from_statistics(found: Mapping[Any, Any]) -> Answer | None:
    """From visits by action, or pairs of visits and mean values."""
    try:
        pairs = {int(a): n if isinstance(n, tuple | list) else (n, None) for a, n in found.items()}
        visits = {action: float(pair[0]) for action, pair in pairs.items()}
        values = {action: float(pair[1]) for action, pair in pairs.items() if pair[1] is not None}
    except (TypeError, ValueError, IndexError):
        return None
    if not visits:
        return None
    return Answer(max(visits, key=visits.__getitem__), visits, values or None)
