"""What all results of an answer have to do with the expected ones, whatever its code looks like.

The lists of mistakes say what went wrong on the way to a result. Some faults are in the result
itself: a list is returned where a number is asked for, the parts of a pair are exchanged, a number
is rounded. They are the same in every exercise.
"""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

from mctslab.course.checking.cases import Expectation, Near, OneOf, Shares, Tally, kind, same, shown
from mctslab.course.result import Cause

Change: TypeAlias = Callable[[Any], Any]
"""What a mistake makes of a right result."""


class _Pair(NamedTuple):
    """What an input should give, which may be one of several values, and what it gave."""

    choices: Sequence[Any]
    found: Any

    @property
    def one(self) -> tuple[Any, Any]:
        """A right result and one that was found, also where the check counts many."""
        expected, found = self.choices[0], self.found
        if isinstance(expected, Shares) and isinstance(found, Tally):
            return next(iter(expected.probabilities)), next(iter(found.counts))
        return expected, found

    def is_as_after(self, change: Change) -> bool:
        """Whether the change of a right result gives what was found."""
        try:
            changed = [_changed(choice, change) for choice in self.choices]
        except (TypeError, ValueError, ArithmeticError, LookupError):
            return False
        return any(same(value, self.found, _TOLERANCE) for value in changed)


_TOLERANCE: Final = 1e-4
"""Some expected numbers were worked out by hand."""


def of_results(results: Sequence[tuple[Any, Any]]) -> Cause | None:
    """What turns the expected results into those of the answer; None if nothing simple does.

    Args:
        results: for each input what is expected, and what the answer has returned.
    """
    pairs = [_Pair(_choices(expected), found) for expected, found in _of_one_fact(results)]
    wrong = [pair for pair in pairs if not pair.is_as_after(lambda right: right)]
    if len(wrong) < _FEWEST or any(_is_open(pair.one[0]) for pair in pairs):
        return None
    if all(pair.is_as_after(_sized(pair.found)) for pair in pairs):
        return _THINGS
    kinds = {_kind(pair.one[0]) for pair in pairs}
    if (instead := _instead_of_none([pair.one for pair in wrong])) is not None:
        return instead
    if not any(_kind(pair.one[1]) in kinds for pair in wrong):
        fitting = (each for each, fits in _KINDS if all(fits(*pair.one) for pair in wrong))
        return next(fitting, _kind_asked_for([pair.one for pair in wrong]))
    if (several := _number_of_parts([pair.one for pair in wrong])) is not None:
        return several
    for mistake, change in _changes(wrong[0].one[0]):
        if all(pair.is_as_after(change) for pair in pairs):
            return mistake
    return None


_FEWEST: Final = 3
"""Of fewer wrong results much can be said by chance."""


def _choices(expected: object) -> Sequence[object]:
    choices = expected.choices if isinstance(expected, OneOf) else [expected]
    return [each.numbers if isinstance(each, Near) else each for each in choices]


def _is_open(right: object) -> bool:
    """Whether it is not known exactly, but for its limits."""
    return isinstance(right, Expectation)


def _of_one_fact(results: Sequence[tuple[Any, Any]]) -> Sequence[tuple[Any, Any]]:
    """Of results that are several observations the only one that is ever wrong; else all."""
    if not all(isinstance(each, dict) for result in results for each in result):
        return results
    facts = {key for one, other in results for key in one | other if not _is_fact(key, one, other)}
    (fact,) = facts if len(facts) == 1 else [None]
    if not isinstance(fact, str):
        return results
    return [(one[fact], other[fact]) for one, other in results if fact in one and fact in other]


def _is_fact(key: object, expected: dict[Any, Any], found: dict[Any, Any]) -> bool:
    return key in expected and key in found and same(expected[key], found[key])


def _kind(value: object) -> str:
    return "a list" if isinstance(value, tuple) else kind(value)


def _sized(found: object) -> Change:
    """The things themselves, if a right result is their number: a collection or a bitboard."""
    if isinstance(found, list | tuple | dict):
        number = len(found)
    else:
        number = found.bit_count() if type(found) is int and found >= 0 else -1
    return lambda right: found if right == number else ...


_THINGS: Final = Cause(
    "the things themselves were asked for",
    "The result is their number: `len(...)` of a collection, or `.bit_count()` of a bitboard.",
)


def _instead_of_none(wrong: Sequence[tuple[object, object]]) -> Cause | None:
    """Where None is right there is always the same other value, and nothing else is wrong."""
    values = {shown(found) for right, found in wrong if right is None}
    if len(values) != 1 or any(right is not None for right, _ in wrong):
        return None
    name = f"{min(values)} stood for None"
    return Cause(name, "Where there is no such thing, the result is `None`, and nothing else.")


def _kind_asked_for(wrong: Sequence[tuple[object, object]]) -> Cause | None:
    """The function returns something of another kind, and always the same kind."""
    kinds = {kind(found) for _, found in wrong}
    reason = f"The result is {kind(wrong[0][0])}; the docstring says what stands in it."
    return Cause(f"{min(kinds)} were asked for", reason) if len(kinds) == 1 else None


def _number_of_parts(wrong: Sequence[tuple[Any, Any]]) -> Cause | None:
    """There are always as many parts, and another number of them is right."""
    if not all(isinstance(each, list | tuple) for result in wrong for each in result):
        return None
    numbers = {(len(right), len(found)) for right, found in wrong}
    if len(numbers) > 1 or any(right == found for right, found in numbers):
        return None
    ((right, found),) = numbers
    name = f"{found} {'part' if found == 1 else 'parts'} were asked for"
    return Cause(name, f"The result has {right} parts; the docstring says which.")


_KINDS: Final[Sequence[tuple[Cause, Callable[[Any, Any], bool]]]] = (
    (
        Cause(
            "nothing had to be returned",
            "It ends without a result. The result needs a `return`, in every branch, and also "
            "before a call of the function itself.",
        ),
        lambda _, found: found is None,
    ),
    (
        Cause(
            "a function were the result",
            "A function or method is called by the brackets after its name; without them it is "
            "the function itself that is returned.",
        ),
        lambda _, found: kind(found) in ("a function", "a method", "a builtin_function_or_method"),
    ),
    (
        Cause(
            "one part of the result were all of it",
            "The result has several parts, and all of them have to be returned, in their order.",
        ),
        lambda right, found: (
            isinstance(right, list | tuple) and any(same(part, found) for part in right)
        ),
    ),
    (
        Cause(
            "the result belonged into a list of its own",
            "The result itself has to be returned, without a list or a pair around it.",
        ),
        lambda right, found: (
            isinstance(found, list | tuple) and len(found) == 1 and same(right, found[0])
        ),
    ),
)
"""Mistakes in the kind of a result, and whether a right result and the one found look like them."""


def _changed(right: object, change: Change) -> object:
    """A right result after a change; of one that is counted every value is changed."""
    if isinstance(right, Shares):
        shares: Counter[object] = Counter()
        for value, share in right.probabilities.items():
            changed = change(value)
            shares[tuple(changed) if isinstance(changed, list) else changed] += share  # type: ignore[assignment]
        return Shares(shares)
    if isinstance(right, Expectation):
        raise TypeError("only what is known exactly can be changed")
    return change(right)


def _changes(example: object) -> Iterator[tuple[Cause, Change]]:
    """Mistakes, each with what it makes of a right result such as this one."""
    if isinstance(example, bool):
        yield _INVERTED, lambda right: not right
        return
    if isinstance(example, list | tuple):
        if len(example) <= _MOST_PARTS:
            for order in itertools.permutations(range(len(example))):
                yield _ORDER, partial(_in_order, order)
        yield _BACKWARDS, lambda right: right[::-1]
    for mistake, change in _OF_NUMBERS:
        yield mistake, partial(_each, change)


def _in_order(order: Sequence[int], right: Sequence[Any]) -> list[Any]:
    return [right[place] for place in order]


def _each(change: Callable[[float], float], value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _each(change, part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_each(change, part) for part in value]
    return change(value)


_MOST_PARTS: Final = 3
_INVERTED: Final = Cause(
    "True and False were in each other's places", "Every result is the opposite of the right one."
)
_ORDER: Final = Cause(
    "the parts of the result were in another order",
    "The numbers are right, but not their order, which the docstring says.",
)
_BACKWARDS: Final = Cause(
    "the list went from the last to the first",
    "The items are right, but they stand in the opposite order.",
)
_ROUNDED: Final = Cause(
    "the result had to be rounded",
    "The numbers are right but for their last digits, which are needed. A division by `//`, "
    "`int(...)` and `round(...)` lose them.",
)
_SCALE: Final = Cause(
    "the result were on another scale",
    "A return goes from -1 to 1, and a win rate from 0 to 1. The one is not the other, and "
    "must be converted where the other is asked for.",
)
_SIGN: Final = Cause(
    "the result were that of the other player",
    "Every number has the opposite sign. For whom is it asked, and for whom is it computed?",
)
_OFF_BY_ONE: Final = Cause(
    "one more or one fewer belonged to the result",
    "Every number differs by 1 from the right one. Where does the count begin, and where does it "
    "end?",
)
_FACTOR: Final = Cause(
    "the result had another factor",
    "Every number is the right one times the same factor. What counts twice, or only half?",
)
_OF_NUMBERS: Final[Sequence[tuple[Cause, Callable[[float], float]]]] = (
    (_SIGN, lambda number: -number),
    *((_ROUNDED, lambda number, n=digits: round(number, n)) for digits in range(3)),
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
