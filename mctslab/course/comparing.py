"""Compare what a function gave with what was expected, and say either in a few words."""

import inspect
import math
import re
from collections.abc import Set
from dataclasses import dataclass
from itertools import repeat
from types import CoroutineType, FunctionType, GeneratorType, NoneType
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np

from mctslab.games.state import State
from mctslab.search.node import Node

TOLERANCE: Final = 1e-9
"""How far two numbers may be apart, relative to them or absolutely, and still count as the same."""

MOST_SHOWN: Final = 160
"""Characters of a value that are shown."""


@runtime_checkable
class Expectation(Protocol):
    """Something expected that is more than one value, such as shares within their limits."""

    def agrees_with(self, found: object) -> bool:
        """Whether `found`, a plain value, is as expected."""
        ...


@dataclass(frozen=True, slots=True)
class Unknown:
    """Stands for a value that is nothing an exercise asks for."""

    kind: str
    """What it is, in words: `a generator`."""
    text: str
    """What it looks like."""

    def __repr__(self) -> str:
        return self.text


def plain(value: object) -> object:
    """`value` in types that are harmless to compare and to show.

    Python's numbers take the place of NumPy's, and a list that of an array. Of anything unknown
    only the looks are kept: code of the student's own could do anything when it is compared.
    """
    try:
        return _plain(value)
    except RecursionError:
        return Unknown(kind(value), f"{kind(value)} that contains itself")


def _plain(value: object) -> object:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if type(value) is list:
        return [_plain(item) for item in value]
    if type(value) is tuple:
        return tuple(_plain(item) for item in value)
    if type(value) is dict:
        return {key: _plain(item) for key, item in value.items()}
    if value is None or value is ... or isinstance(value, _HARMLESS):
        return value
    if inspect.iscoroutine(value):
        value.close()  # it will not be awaited, and would complain
    return Unknown(kind(value), _ADDRESS.sub("", _safe_repr(value)))


_HARMLESS: Final = (bool, int, float, str, Node, State, Expectation, Unknown)
_ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")


def _safe_repr(value: object) -> str:
    try:
        return repr(value)
    except Exception as error:
        return f"{kind(value)} whose repr() fails with {type(error).__name__}"


def same(expected: object, found: object, tolerance: float = TOLERANCE) -> bool:
    """Whether `found` is as `expected`.

    Numbers may differ by rounding and may be NumPy's; a list or an array serves for a tuple. A
    truth value is no number.
    """
    return _same(plain(expected), plain(found), tolerance)


def _same(expected: object, found: object, tolerance: float) -> bool:
    if isinstance(expected, Expectation):
        return expected.agrees_with(found)
    if isinstance(expected, bool) or isinstance(found, bool):
        return expected is found
    if isinstance(expected, int | float):
        return isinstance(found, int | float) and _close(expected, found, tolerance)
    if isinstance(expected, tuple | list):
        return (
            isinstance(found, tuple | list)
            and len(expected) == len(found)
            and all(map(_same, expected, found, repeat(tolerance)))
        )
    if isinstance(expected, dict):
        return (
            isinstance(found, dict)
            and expected.keys() == found.keys()
            and all(_same(value, found[key], tolerance) for key, value in expected.items())
        )
    return type(expected) is type(found) and expected == found


def _close(one: float, other: float, tolerance: float) -> bool:
    if one == other or (one != one and other != other):
        return True
    try:
        return math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)
    except OverflowError:  # an int beyond all floats
        return False


def snapshot(value: object) -> object:
    """What can be seen of an argument, to find out later whether it was changed.

    A source of chance changes when it is used, and may.
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
        return f"{value:.6g}"
    if isinstance(value, int) and abs(value) >= 10**20:
        return f"a number with about {math.log10(abs(value)):,.0f} digits"
    if isinstance(value, tuple | list):
        items = ", ".join(map(_shown, value[:20])) + (", ..." if len(value) > 20 else "")
        if isinstance(value, list):
            return f"[{items}]"
        return f"({items},)" if len(value) == 1 else f"({items})"
    return repr(value)


def kind(value: object) -> str:
    """What sort of thing `value` is, in words for a student."""
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
    (CoroutineType, "a coroutine"),
    (FunctionType, "a function"),
)
