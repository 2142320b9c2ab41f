"""Run a function on a case, and note what it did."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np

from mctslab.course.checking.comparing import (
    AtMost,
    Near,
    OneOf,
    alike,
    listed,
    plain,
    same,
    shown,
    snapshot,
)
from mctslab.course.checking.counted import MANY_ROUNDS, Copy, TooManyRoundsError
from mctslab.course.checking.sandbox import Called, call
from mctslab.course.question import Case, Function


class Changed(NamedTuple):
    """An argument that was changed, though it still belongs to the caller."""

    number: int
    was: str
    now: str


@dataclass(frozen=True, slots=True)
class Trial:
    """One case, and what a function did with it."""

    case: Case
    called: Called
    changed: Changed | None = None

    @property
    def has_value(self) -> bool:
        """Whether the function returned."""
        return self.called.error is None and not self.called.too_slow

    @property
    def is_right(self) -> bool:
        """Whether it did what was expected."""
        if not self.has_value or self.changed is not None:
            return False
        return same(self.case.expected, self.called.value)

    def is_like(self, other: "Trial") -> bool:
        """Whether two functions did the same on this case."""
        if self.called.too_slow or other.called.too_slow:
            return self.called.too_slow and other.called.too_slow
        if self.called.error is not None or other.called.error is not None:
            return type(self.called.error) is type(other.called.error)
        if (self.changed is None) != (other.changed is None):
            return False
        one, two = (_settled(self.case.expected, each.called.value) for each in (self, other))
        return same(one, two, _TOLERANCE_FOR_LIKENESS) and alike(one, two)

    @property
    def wrong_facts(self) -> frozenset[str]:
        """The names of the facts that are wrong; "" where the result is wrong as a whole."""
        if self.is_right:
            return frozenset()
        expected, found = _columns(self.case.expected), _columns(self.called.value)
        if self.has_value and self.changed is None and _has_parts(expected, found):
            keys = expected if isinstance(expected, dict) else range(len(expected))
            return frozenset(str(key) for key in keys if not same(expected[key], found[key]))
        return frozenset([""])


def _settled(expected: object, found: object) -> object:
    """A result in which all counts are equal that are small enough."""
    if not isinstance(expected, dict) or not isinstance(found, dict):
        return found
    small = {
        key: True
        for key, most in expected.items()
        if isinstance(most, AtMost) and key in found and same(most, found[key])
    }
    return found | small


def _columns(value: Any) -> Any:
    """A list of pairs as the pair of its first and its second parts; any other value as it is."""
    is_list = isinstance(value, list) and len(value) > 0
    if is_list and all(isinstance(each, tuple) and len(each) == len(value[0]) for each in value):
        return tuple([*column] for column in zip(*value, strict=True))
    return value


def _has_parts(expected: object, found: object) -> bool:
    """Whether a result has facts of which some can be right."""
    if isinstance(expected, dict):
        return isinstance(found, dict) and expected.keys() == found.keys()
    is_tuple = isinstance(expected, tuple) and isinstance(found, list | tuple)
    return is_tuple and len(expected) == len(found)  # type: ignore[arg-type]


_TOLERANCE_FOR_LIKENESS: Final = 1e-3
"""The same mistake with a constant rounded differently is the same mistake."""


def try_case(case: Case, function: Function, seconds: float) -> Trial:
    """What a function does with a case within a number of seconds; it never raises."""
    called = call(_observe, (case, function), seconds)
    value, changed = called.value or (None, None)
    return Trial(case, replace(called, value=value), changed)


def _observe(case: Case, function: Function) -> tuple[object, Changed | None]:
    """The function's result, and an argument that it changed although it must not.

    Values are made plain here, within the time limit, because they can be of a class of the
    student's own whose `__eq__` or `__repr__` never ends.
    """
    arguments = case.arguments()
    value = case.run(function, *arguments)
    value = plain(listed(value) if _is_several(case.expected) else value)
    if not case.changes_arguments:
        for number, (was, now) in enumerate(zip(case.arguments(), arguments, strict=True)):
            if snapshot(was) != snapshot(now):
                return value, Changed(number, shown(plain(was)), shown(plain(now)))
    return value, None


def _is_several(expected: object) -> bool:
    """Whether a list or pair is expected, which may come out of an iterator."""
    if isinstance(expected, Near):
        return _is_several(expected.numbers)
    if isinstance(expected, OneOf):
        return any(map(_is_several, expected.choices))
    return isinstance(expected, list | tuple)


def try_copy(
    copy: Function,
    cases: Sequence[Case],
    rounds: Callable[[int], int],
    is_enough: Callable[[int, Trial], bool],
) -> list[Trial]:
    """What a copy does with cases, one after the other, until one is enough.

    Args:
        copy: a copy of a function; others are tried as well, but their rounds are not counted.
        cases: in the order in which they are tried.
        rounds: the most rounds of loops on the case of a number; after more it counts as too slow.
        is_enough: whether the trial of a number is the last one.
    """
    found: list[Trial] = []

    def run() -> None:
        for number, case in enumerate(cases):
            if isinstance(copy, Copy):
                copy.rounds_left = rounds(number)
            found.append(_tried(case, copy))
            if is_enough(number, found[-1]):
                break

    with _quietly():
        called = call(run, (), _SECONDS_FOR_A_COPY)
    if called.too_slow or called.error is not None:  # such as a loop in C, or exit()
        found.append(Trial(cases[min(len(found), len(cases) - 1)], Called(too_slow=True)))
    return found


def _tried(case: Case, copy: Function) -> Trial:
    try:
        value, changed = _observe(case, copy)
    except TooManyRoundsError:
        return Trial(case, Called(too_slow=True))
    except Exception as error:
        return Trial(case, Called(error=error))
    return Trial(case, Called(value), changed)


def rounds_of(copy: Copy, cases: Sequence[Case]) -> list[int]:
    """How often a copy goes around its loops, or is called, on each case up to one without end."""
    left: list[int] = []

    def note(_: int, trial: Trial) -> bool:
        left.append(MANY_ROUNDS if trial.called.too_slow else copy.rounds_left)
        return trial.called.too_slow

    try_copy(copy, cases, lambda _: MANY_ROUNDS, note)
    return [MANY_ROUNDS - each for each in left] + [0] * (len(cases) - len(left))


_SECONDS_FOR_A_COPY: Final = 3.0
"""The time limit for all cases; what has no end is stopped by its rounds before."""


@contextmanager
def _quietly() -> Iterator[None]:
    """Without warnings: they would be about our own code."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
