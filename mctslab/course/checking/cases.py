"""Inputs, what a right function makes of them, and whether a result is that.

A `Case` is an input with what is expected. Results become `plain` values before they are compared
or shown, because a student's own class could do anything meanwhile.
"""

import functools
import math
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import (
    Callable,
    ItemsView,
    Iterable,
    Iterator,
    KeysView,
    Mapping,
    Sequence,
    Set,
    ValuesView,
)
from dataclasses import dataclass, replace
from itertools import islice, repeat
from types import FunctionType, GeneratorType, NoneType
from typing import Any, Final, TypeAlias

import numpy as np

from mctslab.games.state import State
from mctslab.search.node import Node

# Inputs

Function: TypeAlias = Callable[..., Any]
"""A student's function."""

FROM_MODEL: Final = object()
"""Stands for the model answer's result; `Near(FROM_MODEL, 1e-5)` for numbers near those in it."""


@dataclass(frozen=True)
class Case:
    """One input, and the result of a correct function.

    What is expected was worked out by hand, follows from theory, or is what the model answer
    returns. A test holds all of them against right answers that others wrote.
    """

    arguments: Callable[[], tuple[Any, ...]]
    """Makes the arguments; every call gets its own."""
    expected: Any = FROM_MODEL
    """Compared by `same` with what `use` returns."""
    shown: str = ""
    """The input in words; when empty, the call is written out with its arguments."""
    use: Callable[..., Any] | None = None
    """`use(function, *arguments)` calls the function, once or often, and returns the value to
    compare; without it, this is the result of one call."""
    changes_arguments: bool = False
    """Whether changing an argument is what the function is for."""
    is_random: bool = False
    """Whether it was made at random, and may be large."""
    is_lazy: bool = False
    """Whether `use` gets an iterator as it is, because it looks at what happens between items."""
    about: str = ""
    """What this input has that random ones hardly have, and what a right answer does there."""

    @functools.cached_property
    def contents(self) -> Sequence[object]:
        """The visible content of each argument, as it is made."""
        return [snapshot(argument) for argument in self.arguments()]

    def run(self, function: Function, *arguments: Any) -> Any:
        """Use `function` on the arguments; returns the value that is compared with the expected
        one."""
        if self.use is None:
            return function(*arguments)
        if self.is_lazy:
            return self.use(function, *arguments)
        # A list that is made item by item is as good as any.
        return self.use(lambda *given: listed(function(*given)), *arguments)

    def with_about(self, about: str) -> "Case":
        """The same input with a sentence about it."""
        return replace(self, about=about)

    def with_result(self, model_answer: Function) -> "Case":
        """The input with what the model answer makes of it, where that is expected."""
        wanted = self.expected
        is_near = isinstance(wanted, Near) and wanted.numbers is FROM_MODEL
        if wanted is not FROM_MODEL and not is_near:
            return self
        found = plain(self.run(model_answer, *self.arguments()))
        return replace(self, expected=_all_near(found, wanted.within) if is_near else found)


def _all_near(found: object, within: float) -> object:
    """The numbers of a result or of its facts within a tolerance; words as they are."""
    if isinstance(found, dict):
        return {key: _all_near(value, within) for key, value in found.items()}
    return found if isinstance(found, str) else Near(found, within)


def case(*arguments: Any, expected: Any = FROM_MODEL, shown: str = "") -> Case:
    """The case of a plain call with arguments that cannot be changed."""
    return Case(lambda: arguments, expected, shown)


# Values

TOLERANCE: Final = 1e-9
"""The largest difference, relative or absolute, between two numbers that count as the same."""

MOST_SHOWN: Final = 160
"""The number of characters of a value that are shown."""


class Expectation(ABC):
    """Something expected that is more than one value, such as shares within their limits."""

    __slots__ = ()

    @abstractmethod
    def agrees_with(self, found: object) -> bool:
        """Whether `found`, a plain value, is as expected."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Stands for a value of a type that no exercise expects."""

    kind: str
    """What it is, in words: `a generator`."""
    text: str
    """What it looks like."""

    def __repr__(self) -> str:
        return self.text


def plain(value: object) -> object:
    """`value` in types that are harmless to compare and to show.

    NumPy's numbers become Python's, and an array or a tensor a list. Of anything else only its
    `repr` is kept, because the student's own code could do anything during a comparison.
    """
    try:
        return _plain(value)
    except RecursionError:
        return Unknown(kind(value), f"{kind(value)} that contains itself")


def _plain(value: object) -> object:
    if type(value) in _PLAIN_ALREADY:  # most values are
        return value
    if isinstance(value, np.generic):
        value = value.item()
    if is_tensor(value):
        value = np.asarray(value.detach().cpu())  # type: ignore[attr-defined]
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if type(value) is list:
        return [_plain(item) for item in value]
    if type(value) is tuple:
        return tuple(map(_plain, value))
    if type(value) is dict:
        return {key: _plain(item) for key, item in value.items()}
    if value is None or value is ... or isinstance(value, _HARMLESS):
        return value
    return Unknown(kind(value), _ADDRESS.sub("", repr(value)))


def is_tensor(value: Any) -> bool:
    """Whether it is a tensor of PyTorch, which need not be loaded for this question."""
    return type(value).__module__ == "torch" and type(value).__name__ == "Tensor"


def listed(value: object) -> object:
    """A list of what comes out of an iterator; anything else as it is."""
    if isinstance(value, Iterator | range | KeysView | ValuesView | ItemsView):
        return list(islice(value, MOST_LISTED))
    return value


MOST_LISTED: Final = 2_000
"""More than any exercise expects; an iterator may be endless."""

_PLAIN_ALREADY: Final = frozenset({bool, int, float, str, NoneType})
_HARMLESS: Final = (bool, int, float, str, Node, State, Expectation, Unknown)
_ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")


def same(expected: object, found: object, tolerance: float = TOLERANCE) -> bool:
    """Whether `found` equals `expected`.

    Numbers may differ by rounding and may be NumPy's; a list or an array counts as a tuple, and 1
    and 0 count as True and False. A truth value is not a number.
    """
    return same_as_plain(expected, plain(found), tolerance)


def same_as_plain(expected: object, found: object, tolerance: float = TOLERANCE) -> bool:
    """The same of a plain value; most of a check's time is spent here."""
    kind = type(expected)
    if kind is float or kind is int:
        return _is_number(found) and _close(expected, found, tolerance)  # type: ignore[arg-type]
    if kind is tuple or kind is list:
        return (
            isinstance(found, tuple | list)
            and len(expected) == len(found)  # type: ignore[arg-type]
            and all(map(same_as_plain, expected, found, repeat(tolerance)))  # type: ignore[call-overload]
        )
    if isinstance(expected, dict):
        return (
            isinstance(found, dict)
            and expected.keys() == found.keys()
            and all(same_as_plain(value, found[key], tolerance) for key, value in expected.items())
        )
    if isinstance(expected, bool):
        return isinstance(found, int | float) and found == expected
    if isinstance(expected, Expectation):
        return expected.agrees_with(found)
    if isinstance(expected, Node) and isinstance(found, Node):
        return expected is found or _tree(expected) == _tree(found)
    if (other := plain(expected)) is not expected:
        return same_as_plain(other, found, tolerance)
    return type(expected) is type(found) and expected == found


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _close(one: float, other: float, tolerance: float) -> bool:
    if one == other or (one != one and other != other):
        return True
    try:
        return math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)
    except OverflowError:  # an int beyond all floats
        return False


def snapshot(value: object) -> object:
    """The visible content of an argument, to find out later whether it was changed.

    A random generator changes when it is used, which is allowed.
    """
    if isinstance(value, Node):
        return _tree(value)
    if isinstance(value, np.random.Generator):
        return None
    if isinstance(value, list | tuple):
        return [snapshot(item) for item in value]
    if isinstance(value, dict):
        return {key: snapshot(item) for key, item in value.items()}
    return plain(value)


def _tree(root: Node) -> object:
    """Every node below `root`, without recursion: a tree can be as deep as a game."""
    rows, nodes = [], [root]
    for node in nodes:
        nodes += node.children
        untried = sorted(node.untried_actions)
        rows.append((node.action, node.visit_count, node.total_value, len(node.children), untried))
    return rows


def shown(value: object) -> str:
    """A plain value in a few words."""
    text = _shown(value)
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 4] + " ..."


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{round(value, 12) + 0.0:.6g}"  # what is only rounding, or -0, is shown as 0
    if isinstance(value, int) and abs(value) >= 10**20:
        return f"a number with about {math.log10(abs(value)) + 0.5:,.0f} digits"
    if isinstance(value, dict):
        return f"{{{_items(f'{_shown(key)}: {_shown(each)}' for key, each in value.items())}}}"
    if isinstance(value, list):
        return f"[{_items(map(_shown, value))}]"
    if isinstance(value, tuple):
        return f"({_items(map(_shown, value))}{',' * (len(value) == 1)})"
    return repr(value)


def _items(texts: Iterable[str]) -> str:
    """As many complete items as there is room for, and at least one."""
    found: list[str] = []
    for text in texts:
        if found and len(", ".join([*found, text, "..."])) > MOST_SHOWN - 10:
            return ", ".join([*found, "..."])
        found.append(text)
    return ", ".join(found)


def kind(value: object) -> str:
    """The type of `value`, in words for a student."""
    if isinstance(value, Unknown):
        return value.kind
    for type_, name in _KINDS:
        if isinstance(value, type_):
            return name
    name = type(value).__name__
    return f"{'an' if name[:1] in 'AEIOUaeiou' else 'a'} {name}"


_KINDS: Final[tuple[tuple[Any, str], ...]] = (
    (NoneType, "None"),
    (bool | np.bool_, "a truth value"),
    (int | float | np.number, "a number"),
    (str, "a text"),
    (tuple, "a tuple"),
    (list, "a list"),
    (np.ndarray, "an array"),
    (dict, "a dictionary"),
    (Set, "a set"),
    (Node, "a Node"),
    (State, "a position"),
    (GeneratorType, "a generator"),
    (FunctionType, "a function"),
)


SIGMAS: Final = 5.0
"""How many standard deviations a share may be off; a right answer exceeds this in fewer than one in
a million cases."""


class Words(str):
    """An observation in words, shown without quotes, unlike a text that a function returned."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True, repr=False)
class Near(Expectation):
    """Numbers that depend a little on how a constant was rounded."""

    numbers: object
    """A number, or numbers in tuples and lists."""
    within: float

    def agrees_with(self, found: object) -> bool:
        """Whether the numbers are as many as expected and each is near the expected one."""
        return _near(self.numbers, found, self.within)

    def __repr__(self) -> str:
        return shown(self.numbers)


def _near(wanted: object, found: object, within: float) -> bool:
    if isinstance(wanted, int | float):
        return isinstance(found, int | float) and abs(found - wanted) <= within
    if not isinstance(wanted, tuple | list) or not isinstance(found, tuple | list):
        return False
    return len(wanted) == len(found) and all(map(_near, wanted, found, repeat(within)))


@dataclass(frozen=True, slots=True, repr=False)
class OneOf(Expectation):
    """Any of several values, if the convention is left open."""

    choices: tuple[object, ...]

    def agrees_with(self, found: object) -> bool:
        """Whether it is one of them."""
        return any(same(value, found) for value in self.choices)

    def __repr__(self) -> str:
        return " or ".join(dict.fromkeys(map(shown, self.choices)))


@dataclass(frozen=True, slots=True, repr=False)
class AtMost(Expectation):
    """A count that must not be larger."""

    number: int

    def agrees_with(self, found: object) -> bool:
        """Whether it is a whole number, and no larger."""
        return isinstance(found, int) and 0 <= found <= self.number

    def __repr__(self) -> str:
        return f"at most {self.number:,}"


@dataclass(frozen=True, slots=True, repr=False)
class Shares(Expectation):
    """How often each result comes in the long run, as probabilities."""

    probabilities: Mapping[object, float]

    def agrees_with(self, found: object) -> bool:
        """Whether a `Tally` is plausible with these probabilities."""
        if not isinstance(found, Tally) or not found.counts.keys() <= self.probabilities.keys():
            return False
        total = found.total
        for result, p in self.probabilities.items():
            if abs(found.counts[result] - total * p) > SIGMAS * math.sqrt(total * p * (1 - p)):
                return False
        return True

    def __repr__(self) -> str:
        return ", ".join(f"{shown(key)} in {p:.0%}" for key, p in self.probabilities.items())


@dataclass(frozen=True, slots=True, repr=False)
class Tally(Expectation):
    """How often each result came."""

    counts: Counter[object]

    @property
    def total(self) -> int:
        """How many results there were."""
        return sum(self.counts.values())

    def agrees_with(self, found: object) -> bool:
        """Whether two tallies can plausibly come from the same probabilities."""
        if not isinstance(found, Tally):
            return False
        for result in self.counts.keys() | found.counts.keys():
            one, other = self.counts[result], found.counts[result]
            p = (one + other) / (self.total + found.total)
            variance = p * (1 - p) * (1 / self.total + 1 / found.total)
            if abs(one / self.total - other / found.total) > SIGMAS * math.sqrt(variance):
                return False
        return True

    def __repr__(self) -> str:
        parts = [f"{shown(key)} in {n / self.total:.0%}" for key, n in self.counts.most_common(6)]
        return ", ".join(parts) + (", ..." if len(self.counts) > 6 else "")


def tally(results: Iterable[object]) -> Tally:
    """Count results; those that are not hashable are counted by what they look like."""
    return Tally(Counter(map(_countable, results)))


def _countable(result: object) -> object:
    result = plain(result)
    if isinstance(result, list | tuple):
        return tuple(map(_countable, result))
    return result if isinstance(result, int | float | str) else shown(result)
