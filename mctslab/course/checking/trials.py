"""Run a function on a case, and note what it did."""

import functools
import re
import time
import warnings
from collections.abc import Iterator
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
    same_as_plain,
    shown,
    snapshot,
)
from mctslab.course.checking.sandbox import Called, call
from mctslab.course.question import Case, Function


class Changed(NamedTuple):
    """An argument that was changed, though it still belongs to the caller."""

    number: int
    was: str
    now: str


@dataclass(frozen=True)
class Trial:
    """One case, and what a function did with it."""

    case: Case
    called: Called
    changed: Changed | None = None
    seconds: float = 0.0
    """The processor time that it took, where that was measured."""

    @property
    def has_value(self) -> bool:
        """Whether the function returned."""
        return self.called.error is None and not self.called.too_slow

    @functools.cached_property
    def is_right(self) -> bool:
        """Whether it did what was expected."""
        is_done = self.has_value and self.changed is None
        return is_done and same_as_plain(self.case.expected, self.called.value)

    def is_like(self, other: "Trial") -> bool:
        """Whether two functions did the same on this case."""
        if self.called.too_slow or other.called.too_slow:
            return self.called.too_slow and other.called.too_slow
        if self.called.error is not None or other.called.error is not None:
            return _kind_of(self.called.error) == _kind_of(other.called.error)
        if (self.changed is None) != (other.changed is None):
            return False
        one, two = (_settled(self.case.expected, each.called.value) for each in (self, other))
        return same(one, two, _TOLERANCE_FOR_LIKENESS) and alike(one, two)


def _kind_of(error: Any) -> tuple[type, str | None, str]:
    """The type of an error, the name that is missing, and of the errors with many causes the text.

    Of None it does not matter which name, and in a text not which types and numbers.
    """
    is_of_none = getattr(error, "obj", ...) is None
    has_many_causes = isinstance(error, TypeError | ValueError)
    text = re.sub(r"'[^']*'|-?\d+", "", str(error)) if has_many_causes else ""
    return type(error), None if is_of_none else getattr(error, "name", None), text


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


_TOLERANCE_FOR_LIKENESS: Final = 1e-3
"""The same mistake with a constant rounded differently is the same mistake."""


def try_case(case: Case, function: Function, seconds: float) -> Trial:
    """What a function does with a case in at most so many seconds; it never raises."""
    began = time.process_time()
    called = call(observe, (case, function), seconds)
    value, changed = called.value or (None, None)
    return Trial(case, replace(called, value=value), changed, time.process_time() - began)


def observe(case: Case, function: Function) -> tuple[object, Changed | None]:
    """The function's result, and an argument that it changed although it must not.

    Values are made plain here, within the time limit, because they can be of a class of the
    student's own whose `__eq__` or `__repr__` never ends.
    """
    arguments = case.arguments()
    value = case.run(function, *arguments)
    value = plain(listed(value) if _is_several(case.expected) else value)
    if not case.changes_arguments:
        for number, (before, now) in enumerate(zip(case.contents, arguments, strict=True)):
            if before != snapshot(now):
                was = case.arguments()[number]
                return value, Changed(number, shown(plain(was)), shown(plain(now)))
    return value, None


def _is_several(expected: object) -> bool:
    """Whether a list or pair is expected, which may come out of an iterator."""
    if isinstance(expected, Near):
        return _is_several(expected.numbers)
    if isinstance(expected, OneOf):
        return any(map(_is_several, expected.choices))
    return isinstance(expected, list | tuple)


def trial_of(case: Case, function: Function) -> Trial:
    """What a function does with a case, without a limit of time."""
    try:
        value, changed = observe(case, function)
    except Exception as error:
        # Its traceback would keep all that the function had made.
        return Trial(case, Called(error=error.with_traceback(None)))
    return Trial(case, Called(value), changed)


@contextmanager
def quietly() -> Iterator[None]:
    """Without warnings: they would be about our own code."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
