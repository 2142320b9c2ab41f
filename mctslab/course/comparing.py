"""Compare what a function gave with what was expected, and say either in a few words."""

import math
import numbers
from collections.abc import Mapping, Sequence, Set
from itertools import repeat
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


def same(expected: object, found: object, tolerance: float = TOLERANCE) -> bool:
    """Whether `found` is as `expected`.

    Numbers may differ by rounding and may be NumPy's; a list or an array serves for a tuple. A
    truth value is no number.
    """
    try:
        return _same(plain(expected), plain(found), tolerance)
    except RecursionError:  # something that contains itself
        return False


def _same(expected: object, found: object, tolerance: float) -> bool:
    if isinstance(expected, Expectation):
        return expected.agrees_with(found)
    if isinstance(expected, bool) or isinstance(found, bool):
        return expected is found
    if isinstance(expected, numbers.Real):
        if not isinstance(found, numbers.Real):
            return False
        return _close(float(expected), float(found), tolerance)
    if isinstance(expected, tuple):
        return (
            isinstance(found, tuple)
            and len(expected) == len(found)
            and all(map(_same, expected, found, repeat(tolerance)))
        )
    if isinstance(expected, dict):
        return (
            isinstance(found, dict)
            and expected.keys() == found.keys()
            and all(_same(value, found[key], tolerance) for key, value in expected.items())
        )
    return type(expected) is type(found) and bool(expected == found)


def _close(one: float, other: float, tolerance: float) -> bool:
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) and math.isnan(other)
    return math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)


def plain(value: object) -> object:
    """`value` with Python's numbers for NumPy's, and tuples for lists and arrays."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list) or type(value) is tuple:
        return tuple(plain(item) for item in value)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


def snapshot(value: object) -> object:
    """What can be seen of an argument, to find out later whether it was changed.

    A source of chance changes when it is used, and may.
    """
    if isinstance(value, Node):
        return _tree(value)
    if isinstance(value, np.ndarray):
        return plain(value)
    if isinstance(value, Mapping):
        return {key: snapshot(item) for key, item in value.items()}
    if isinstance(value, Set):
        return frozenset(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return tuple(snapshot(item) for item in value)
    return None if isinstance(value, np.random.Generator) else plain(value)


def _tree(root: Node) -> object:
    """Every node below `root`, without recursion: a tree can be as deep as a game."""
    rows, nodes = [], [root]
    for node in nodes:
        nodes += node.children
        untried = frozenset(node.untried_actions)
        rows.append((node.action, node.visit_count, node.total_value, len(node.children), untried))
    return tuple(rows)


def shown(value: object) -> str:
    """`value` in a few words; never raises."""
    try:
        text = _shown(value)
    except Exception as error:  # a class of the student's own may have a broken repr
        return f"a {type(value).__name__} whose repr() fails with {type(error).__name__}"
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 4] + " ..."


def _shown(value: object) -> str:
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, tuple | list):
        items = ", ".join(map(_shown, value[:20])) + (", ..." if len(value) > 20 else "")
        if isinstance(value, list):
            return f"[{items}]"
        return f"({items},)" if len(value) == 1 else f"({items})"
    if isinstance(value, State):
        return repr(value)
    return repr(value)


def kind(value: object) -> str:
    """What sort of thing `value` is, in words for a student."""
    value = plain(value)
    if value is None:
        return "None"
    if isinstance(value, bool):
        return "a truth value"
    if isinstance(value, numbers.Real):
        return "a number"
    for type_, name in _KINDS:
        if isinstance(value, type_):
            return name
    name = type(value).__name__
    return f"{'an' if name[:1] in 'AEIOUaeiou' else 'a'} {name}"


_KINDS: Final[tuple[tuple[Any, str], ...]] = (
    (str, "a text"),
    (tuple, "a tuple"),
    (dict, "a dictionary"),
    (Set, "a set"),
    (Node, "a Node"),
    (State, "a position"),
)
