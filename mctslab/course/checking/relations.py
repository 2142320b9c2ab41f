"""What all results of an answer have to do with the expected ones, whatever its code looks like.

The lists of mistakes say what went wrong on the way to a result. Some faults are in the result
itself: a list is returned where a number is asked for, the parts of a pair are exchanged, a number
is rounded. They are the same in every exercise.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from mctslab.course.checking.comparing import Expectation, Near, kind, same
from mctslab.course.checking.trials import Trial
from mctslab.course.question import Mistake


class _Pair(NamedTuple):
    """What an input should give, and what it gave; both are plain."""

    expected: Any
    found: Any

    @property
    def is_right(self) -> bool:
        return same(self.expected, self.found)


def of_results(trials: Sequence[Trial]) -> Mistake | None:
    """What turns the expected results into those of the answer; None if nothing simple does."""
    if not all(trial.has_value and trial.changed is None for trial in trials):
        return None
    pairs = [_Pair(_numbers(each.case.expected), each.called.value) for each in trials]
    pairs = [pair for pair in pairs if not isinstance(pair.expected, Expectation)]
    wrong = [pair for pair in pairs if not pair.is_right]
    if len(wrong) < _FEWEST or len(pairs) < len(trials):
        return None
    if all(isinstance(part, dict) for pair in wrong for part in pair):
        return None  # observations, of which the check shows those that are wrong
    kinds = {_kind(pair.expected) for pair in pairs}
    if not any(_kind(pair.found) in kinds for pair in wrong):
        return next((one for one, fits in _KINDS if all(fits(*pair) for pair in wrong)), None)
    for mistake, change in _changes(wrong[0].expected):
        if all(_is_changed(pair, change) for pair in pairs):
            return mistake
    return None


_FEWEST: Final = 3
"""Of fewer wrong results much can be said by chance."""


def _numbers(expected: object) -> object:
    return expected.numbers if isinstance(expected, Near) else expected


def _kind(value: object) -> str:
    return "a list" if isinstance(value, tuple) else kind(value)


_KINDS: Final[Sequence[tuple[Mistake, Callable[[Any, Any], bool]]]] = (
    (
        Mistake(
            "nothing had to be returned",
            "It ends without a result. The result needs a `return`, in every branch, and also "
            "before a call of the function itself.",
        ),
        lambda _, found: found is None,
    ),
    (
        Mistake(
            "a function were the result",
            "A function or method is called by the brackets after its name; without them it is "
            "the function itself that is returned.",
        ),
        lambda _, found: kind(found) in ("a function", "a method", "a builtin_function_or_method"),
    ),
    (
        Mistake(
            "the things themselves were asked for",
            "The result is their number: take `len(...)` of a collection, and `.bit_count()` of a "
            "bitboard.",
        ),
        lambda expected, found: isinstance(found, list | tuple | dict) and len(found) == expected,
    ),
    (
        Mistake(
            "one part of the result were all of it",
            "The result has several parts, and all of them have to be returned, in their order.",
        ),
        lambda expected, found: (
            isinstance(expected, list | tuple) and any(same(part, found) for part in expected)
        ),
    ),
    (
        Mistake(
            "the result belonged into a list of its own",
            "The result itself has to be returned, without a list or a pair around it.",
        ),
        lambda expected, found: (
            isinstance(found, list | tuple) and len(found) == 1 and same(expected, found[0])
        ),
    ),
    (
        Mistake(
            "a single number were asked for",
            "The docstring says which parts the result has, and what stands in each of them.",
        ),
        lambda expected, found: (
            isinstance(expected, list | tuple) and isinstance(found, int | float)
        ),
    ),
)
"""Mistakes in the kind of a result, and whether an expected result and the one that was found look like them."""


def _is_changed(pair: _Pair, change: Callable[[Any], Any]) -> bool:
    try:
        return same(change(pair.expected), pair.found)
    except (TypeError, ValueError, ArithmeticError, LookupError):
        return False


def _changes(example: object) -> Iterator[tuple[Mistake, Callable[[Any], Any]]]:
    """Mistakes, each with what it makes of an expected result such as this one."""
    if isinstance(example, bool):
        yield _INVERTED, lambda expected: not expected
        return
    if isinstance(example, list | tuple):
        if len(example) <= _MOST_PARTS:
            for order in itertools.permutations(range(len(example))):
                yield _ORDER, lambda expected, order=order: [expected[place] for place in order]
        yield _BACKWARDS, lambda expected: expected[::-1]
    for mistake, change in _OF_NUMBERS:
        yield mistake, lambda expected, change=change: _each(expected, change)


def _each(value: Any, change: Callable[[float], float]) -> Any:
    return [_each(part, change) for part in value] if isinstance(value, list | tuple) else change(value)


_MOST_PARTS: Final = 3
_INVERTED: Final = Mistake(
    "True and False were in each other's places",
    "Every result is the opposite of the right one.",
)
_ORDER: Final = Mistake(
    "the parts of the result were in another order",
    "The numbers are right, but not their order, which the docstring says.",
)
_BACKWARDS: Final = Mistake(
    "the list went from the last to the first",
    "The items are right, but they stand in the opposite order.",
)
_ROUNDED: Final = Mistake(
    "the result had to be rounded",
    "The numbers are right but for their last digits, which are needed. A division by `//`, "
    "`int(...)` and `round(...)` lose them.",
)
_SCALE: Final = Mistake(
    "the result were on another scale",
    "A return goes from -1 to 1, and a win rate from 0 to 1. The one is not the other, and "
    "must be converted where the other is asked for.",
)
_SIGN: Final = Mistake(
    "the result were that of the other player",
    "Every number has the opposite sign. For whom is it asked, and for whom is it computed?",
)
_OFF_BY_ONE: Final = Mistake(
    "one more or one fewer belonged to the result",
    "Every number differs by 1 from the right one. Where does the count begin, and where does it end?",
)
_FACTOR: Final = Mistake(
    "the result had another factor",
    "Every number is the right one times the same factor. What is counted twice, or only half?",
)


_OF_NUMBERS: Final[Sequence[tuple[Mistake, Callable[[float], float]]]] = (
    (_SIGN, lambda number: -number),
    *((_ROUNDED, lambda number, n=digits: round(number, n)) for digits in range(5)),
    (_ROUNDED, math.floor),
    (_ROUNDED, math.trunc),
    (_ROUNDED, math.ceil),
    (_SCALE, lambda number: (1 + number) / 2),
    (_SCALE, lambda number: 2 * number - 1),
    (_SCALE, lambda number: 100 * number),
    (_OFF_BY_ONE, lambda number: number + 1),
    (_OFF_BY_ONE, lambda number: number - 1),
    (_FACTOR, lambda number: 2 * number),
    (_FACTOR, lambda number: number / 2),
)
