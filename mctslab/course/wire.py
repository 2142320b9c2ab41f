"""Calls and values between the judge and a process that runs a student's code.

The judge keeps the expected results and receives only plain data: numbers, text, tuples and lists,
from which it rebuilds positions, nodes, arrays and random generators itself. Nothing is unpickled,
and no method of an object (`__eq__`, `__float__`, a class of its own) is trusted.

Objects that can change (a node, a list, a dictionary, an array, a tensor, a generator) are sent
with every message in which they occur, and the other side updates its own. Objects that cannot
change are sent once. A function stays where it is and is called there. A tensor that was computed
from the judge's tensors brings its derivatives along, so that the judge can ask for gradients.
"""

import builtins
import contextlib
import copyreg
import importlib
import json
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, Final, TypeAlias

import msgspec
import numpy as np

from mctslab.course.checking.comparing import Unknown, as_unknown, is_tensor, kind, listed
from mctslab.games.state import State
from mctslab.search.node import Node

Row: TypeAlias = list[Any]
"""A value that was sent: its key, its tag, and its parts."""

_MOST_KEPT: Final = 100_000
"""The number of values that both sides remember before they start over."""
_DEEPEST: Final = 50_000
_EXERCISES: Final = "mctslab.course.exercises"
_PLACES: Final = ("mctslab.games.", "mctslab.course.tree_game")
_ERRORS: Final = (
    "builtins",
    "mctslab.games.",
    "mctslab.search.",
    "mctslab.course.checking.sandbox",
)
_CHANGING: Final = (Node, list, dict, np.ndarray, np.random.Generator)
_FUNCTIONS: Final = (FunctionType, MethodType, BuiltinFunctionType, partial)


class GoneError(Exception):
    """The process at the other end has ended."""


class WireError(Exception):
    """A message from the other end makes no sense."""


class Wire:
    """One end: calls functions at the other end, and meanwhile answers its calls.

    Args:
        send, receive: send one message, and wait for one.
        is_judge: whether this is the end that trusts nothing.
    """

    def __init__(
        self, send: Callable[[bytes], None], receive: Callable[[], bytes], *, is_judge: bool
    ) -> None:
        self._send_bytes, self._receive_bytes = send, receive
        self._is_judge = is_judge
        self._next = 0 if is_judge else 1
        self.waits = 0
        """Calls that have not returned."""
        self.objects: dict[int, Any] = {}
        self.keys: dict[int, int] = {}
        self.lent: set[int] = set()
        """The keys of the functions that the other end may call."""

    def call(self, target: int | str, *arguments: Any, **named: Any) -> Any:
        """Call a function at the other end: one that it has sent, or one that it offers by name.

        Raises:
            GoneError: the process there has ended.
            WireError: the answer makes no sense.
        """
        anew = self.waits == 0 and len(self.objects) > _MOST_KEPT
        if anew:
            self._forget()
        self._send(["call", target, anew], [*arguments, named])
        self.waits += 1  # where the wait is ended from outside, this stays
        while True:
            (what, *head), values = self._receive()
            if what == "call":
                self._answer(head[0], values)
                continue
            self.waits -= 1
            if what == "raise":
                raise self._error(head, values)
            return values[0]

    def serve(self, offered: Mapping[str, Callable[..., Any]]) -> None:
        """Answer calls until the other end is closed."""
        while True:
            (what, *head), values = self._receive()
            if what != "call":
                raise WireError(f"{what!r} is no call")
            self._answer(head[0], values, offered)

    def keep(self, key: int | None, thing: Any) -> int:
        """Remember a value under a key, or under a new one."""
        if key is None:
            self._next += 2
            key = self._next
        self.objects[key], self.keys[id(thing)] = thing, key
        return key

    def _forget(self) -> None:
        self.objects.clear()
        self.keys.clear()

    def _answer(
        self, target: Any, values: list[Any], offered: Mapping[str, Callable[..., Any]] = {}
    ) -> None:
        *arguments, named = values
        try:
            if isinstance(target, int) and target not in self.lent:
                raise WireError(f"{target!r} was not sent to be called")
            function = offered[target] if isinstance(target, str) else self.objects[target]
            result = function(*arguments, **named)
        except (GoneError, EOFError):
            raise
        except BaseException as error:
            self._send(["raise", *self._error_data(error)], [list(error.args), *arguments])
        else:
            self._send(["return"], [result, *arguments])

    # Messages

    def _send(self, head: list[Any], values: Iterable[Any]) -> None:
        packing = _Packing(self)
        with _deep():
            packed = [packing.value(value) for value in values]
            packing.finish()
        message = [head, packed, packing.fixed, packing.changing]
        self._send_bytes(msgspec.msgpack.encode(message))

    def _receive(self) -> tuple[list[Any], list[Any]]:
        message = self._receive_bytes()
        try:
            head, packed, fixed, changing = msgspec.msgpack.decode(message)
            if head[0] == "call" and not self._is_judge and head.pop():
                self._forget()
            values = _Unpacking(self, self._is_judge).values(packed, fixed, changing)
            return head, values
        except Exception as error:  # anything may be in it
            raise WireError(f"what came back cannot be read: {type(error).__name__}") from error

    # Errors

    def _error_data(self, error: BaseException) -> list[Any]:
        """An error as plain data: its class, its message, and where it was raised."""
        try:
            text = str(error)
        except Exception:  # a class of the student's own may fail at this
            text = ""
        key = self.keys.get(id(error)) or self.keep(None, error)
        where = getattr(error, "where", "")
        return [type(error).__module__, type(error).__qualname__, text, where, key]

    def _error(self, head: list[Any], values: list[Any]) -> BaseException:
        """The received error; one that came from here is the same object again."""
        module, name, text, where, key = head
        error = self.objects.get(key)
        if not isinstance(error, BaseException):
            error = _made_error(str(module), str(name), str(text), values[0])
            self.keep(int(key), error)
        error.where = str(where)  # type: ignore[attr-defined]
        return error


def _made_error(module: str, name: str, text: str, arguments: list[Any]) -> BaseException:
    cls = None
    if module.startswith(_ERRORS):
        cls = getattr(sys.modules.get(module, builtins), name, None)
    if isinstance(cls, type) and issubclass(cls, BaseException):
        with contextlib.suppress(Exception):  # it may need other arguments
            return cls(*arguments)
    other: BaseException = type(name, (Exception,), {})(text)
    return other


@contextmanager
def _deep() -> Iterator[None]:
    """Meanwhile functions may call each other as deep as values are nested."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class _Packing:
    """Makes rows of values, for one message."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self.fixed: list[Row] = []
        """What cannot change and was not sent before; each after its parts."""
        self.changing: list[Row] = []
        self._waiting: deque[tuple[int, Any]] = deque()
        self._sent: set[int] = set()

    def value(self, thing: Any) -> Any:
        """The form in which a value is sent: itself if it is plain, otherwise the key of its row in
        a list."""
        if thing is None or type(thing) is bool or type(thing) is float:
            return thing
        key = self._wire.keys.get(id(thing))
        if key is not None and key in self._sent:
            return [key]
        if isinstance(thing, np.generic):
            thing = thing.item()
        if isinstance(thing, float):
            return float.__float__(thing)
        if isinstance(thing, int):
            number = thing if type(thing) is bool else int.__int__(thing)
            is_short = -(2**63) <= number < 2**63
            return number if is_short else self._row(None, "int", [hex(number)])
        if isinstance(thing, str):
            return str.__str__(thing).encode("utf-8", "backslashreplace").decode()
        if is_tensor(thing) and thing.grad_fn is not None:
            return self._row(thing, "derived", self._derived(thing))
        if isinstance(thing, _CHANGING) or is_tensor(thing):
            key = self._wire.keep(key, thing)
            self._sent.add(key)
            self._waiting.append((key, thing))
        return [key] if key is not None else self._that_stays(thing)

    def finish(self) -> None:
        """Make the rows of everything that can change."""
        while self._waiting:
            key, thing = self._waiting.popleft()
            tag, parts = self._contents(thing)
            self.changing.append([key, tag, parts])

    def _all(self, things: Iterable[Any]) -> list[Any]:
        return [self.value(thing) for thing in things]

    def _contents(self, thing: Any) -> tuple[str, list[Any]]:
        """The tag and the parts of something that can change."""
        if isinstance(thing, Node):
            parts = [getattr(thing, name, None) for name in _PARTS]
            return "node", [*self._all(parts), self._all(thing.children)]
        if isinstance(thing, np.random.Generator):
            state = json.dumps(thing.bit_generator.state, default=np.ndarray.tolist)
            return "generator", [state]
        if is_tensor(thing):
            return "tensor", [thing.requires_grad, *_numbers_in(thing)]
        if isinstance(thing, np.ndarray) and thing.dtype.kind in "biuf":
            return "array", _numbers_in(thing)
        if isinstance(thing, np.ndarray):
            return "list", self._all(thing.tolist())
        if isinstance(thing, list):
            return "list", self._all(list.__iter__(thing))
        entries = thing.written if isinstance(thing, _Watched) else dict.items(thing)
        pairs = [self._all(entry) for entry in entries]
        if isinstance(thing, _Watched):
            thing.written = []
        return "dict", [type(thing) is not dict, pairs, self._all(dict.__iter__(thing))]

    def _derived(self, thing: Any) -> list[Any]:
        """A tensor's numbers, and their derivatives by each tensor that wants a gradient."""
        import torch

        known = {key: each for key, each in self._wire.objects.items() if _wants_gradient(each)}
        by, slopes = list(known.values()), []
        if by and thing.numel() <= _MOST_DERIVED:
            with contextlib.suppress(RuntimeError):  # something was changed in place
                rows = [
                    torch.autograd.grad(number, by, retain_graph=True, allow_unused=True)
                    for number in thing.flatten()
                ]
                for key, column in zip(known, zip(*rows, strict=True), strict=True):
                    if all(part is not None for part in column):
                        table = torch.stack([part.flatten() for part in column])
                        slopes.append([key, _numbers_in(table)])
        return [_numbers_in(thing), slopes]

    def _that_stays(self, thing: Any) -> list[int]:
        """The key of something that cannot change, or whose changes are of no interest."""
        cls = type(thing)
        if cls is frozenset or cls is set:
            return self._row(thing, cls.__name__, self._all(thing))
        if cls.__module__.startswith("mctslab.") and (made := _made_of(thing)):
            return self._row(thing, "object", [cls.__module__, cls.__qualname__, *self._all(made)])
        if isinstance(thing, tuple):
            return self._row(thing, "tuple", self._all(tuple.__iter__(thing)))
        if thing is ...:
            return self._row(thing, "...", [])
        if isinstance(thing, _FUNCTIONS) or _is_of_an_exercise(thing):
            return self._function(thing)
        if (items := listed(thing)) is not thing and isinstance(items, list):
            parts = [kind(thing), getattr(thing, "__name__", ""), self._all(items)]
            return self._row(thing, "iterator", parts)
        unknown = as_unknown(thing)
        return self._row(thing, "unknown", [unknown.kind, unknown.text[:_LONGEST]])

    def _function(self, thing: Any) -> list[int]:
        """A function of the package that exists at the other end too, or one to be called here."""
        module, name = getattr(thing, "__module__", ""), getattr(thing, "__qualname__", "")
        is_ours = str(module).startswith("mctslab.") and not _is_of_an_exercise(thing)
        if is_ours and getattr(sys.modules.get(module), name, None) is thing:
            return self._row(thing, "global", [module, name])
        key = self._row(thing, "function", [str(getattr(thing, "__name__", "function"))])
        self._wire.lent.add(key[0])
        return key

    def _row(self, thing: Any, tag: str, parts: list[Any]) -> list[int]:
        key = self._wire.keep(None, object() if thing is None else thing)
        self.fixed.append([key, tag, parts])
        return [key]


_PARTS: Final = (
    *("_state", "_untried_actions", "parent", "action", "mover", "visit_count", "total_value"),
    *("prior", "proven"),
)
"""The content of a node, apart from its children."""
_LONGEST: Final = 1_000
_MOST_DERIVED: Final = 1_000
"""The number of numbers in a tensor whose derivatives are sent."""


def _numbers_in(thing: Any) -> list[Any]:
    """An array or a tensor as plain data: the type of its numbers, its shape, and its bytes."""
    array = np.asarray(thing.detach().cpu()) if is_tensor(thing) else thing
    return [array.dtype.str, list(array.shape), array.tobytes()]


def _wants_gradient(thing: Any) -> bool:
    return is_tensor(thing) and thing.is_leaf and thing.requires_grad


def _is_of_an_exercise(thing: Any) -> bool:
    """Whether something that can be called belongs to the cases of an exercise."""
    places = (getattr(thing, "__module__", None), type(thing).__module__)
    return callable(thing) and any(str(place).startswith(_EXERCISES) for place in places)


def _made_of(thing: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]] | None:
    """The parts of an object of the package; None if it cannot be rebuilt elsewhere."""
    if isinstance(thing, type | FunctionType) or type(thing).__module__.startswith(_EXERCISES):
        return None
    function, arguments, *state = thing.__reduce_ex__(4)
    if function is not copyreg.__newobj__:  # type: ignore[attr-defined]
        return None
    fields = state[0] if state else None
    if isinstance(fields, list):  # of a dataclass, in their order
        return tuple(arguments[1:]), tuple(fields)
    parts = fields if isinstance(fields, tuple) else (fields,)
    return tuple(arguments[1:]), tuple(pair for part in parts for pair in (part or {}).items())


class _Watched(dict[Any, Any]):
    """A dictionary that records what is written into it, for the other end to count."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[tuple[Any, Any]] = []

    def __setitem__(self, key: Any, value: Any) -> None:
        self.written.append((key, value))
        super().__setitem__(key, value)


class _Unpacking:
    """Makes values from the rows of one message."""

    def __init__(self, wire: Wire, is_judge: bool) -> None:
        self._wire = wire
        self._objects = wire.objects
        self._is_judge = is_judge

    def values(
        self, packed: Sequence[Any], fixed: Sequence[Row], changing: Sequence[Row]
    ) -> list[Any]:
        """The values, after everything that they consist of was made or brought up to date."""
        for key, tag, parts in changing:
            if key not in self._objects:
                self._keep(key, self._empty(tag, parts))
        for key, tag, parts in fixed:
            if key not in self._objects:
                self._keep(key, self._made(key, tag, parts))
        for key, tag, parts in changing:
            self._fill(self._objects[key], tag, parts)
        return self._all(packed)

    def _keep(self, key: Any, thing: Any) -> None:
        if type(key) is not int or key % 2 != self._is_judge:
            raise WireError(f"{key!r} is no key of the other end")
        self._wire.keep(key, thing)

    def _get(self, value: Any) -> Any:
        return self._objects[value[0]] if type(value) is list else value

    def _all(self, values: Iterable[Any]) -> list[Any]:
        return [self._get(value) for value in values]

    def _empty(self, tag: str, parts: list[Any]) -> Any:
        """Something that can change, before it is filled."""
        if tag == "node":
            return Node.__new__(Node)
        if tag == "generator":
            return np.random.default_rng(0)
        if tag == "array":
            return _array(*parts).copy()
        if tag == "tensor":
            wants_gradient, *numbers = parts
            made = self._tensor(numbers)
            return made.requires_grad_() if wants_gradient and is_tensor(made) else made
        if tag == "list":
            return []
        return _Watched() if parts[0] and not self._is_judge else {}

    def _fill(self, thing: Any, tag: str, parts: list[Any]) -> None:
        """Bring something that can change up to date."""
        if tag == "node" and isinstance(thing, Node):
            self._fill_node(thing, parts)
        elif tag == "generator" and isinstance(thing, np.random.Generator):
            thing.bit_generator.state = json.loads(parts[0])
        elif tag == "array" and isinstance(thing, np.ndarray):
            thing[...] = _array(*parts)
        elif tag == "tensor" and is_tensor(thing):
            thing.data = self._tensor(parts[1:])
        elif tag == "list" and isinstance(thing, list):
            thing[:] = self._all(parts)
        elif tag == "dict" and isinstance(thing, dict):
            self._fill_dict(thing, *parts)
        elif not (tag in ("list", "tensor") and isinstance(thing, np.ndarray)):
            raise WireError(f"{tag!r} does not describe {kind(thing)}")

    def _fill_node(self, node: Node, parts: list[Any]) -> None:
        *parts, children = parts
        values = dict(zip(_PARTS, self._all(parts), strict=True))
        if getattr(node, "_state", None) is not None:
            del values["_state"]  # a position never changes
        for name, value in values.items():
            setattr(node, name, value)
        if not hasattr(node, "children"):
            node.children, node.claim = [], None
        node.children[:] = self._all(children)

    def _fill_dict(
        self, thing: dict[Any, Any], is_watched: bool, pairs: list[Any], keys: list[Any]
    ) -> None:
        entries = [self._all(pair) for pair in pairs]
        if is_watched and self._is_judge:
            for key, value in entries:
                thing[key] = value  # which is counted
            for key in thing.keys() - set(self._all(keys)):
                del thing[key]
            return
        dict.clear(thing)
        for key, value in entries:
            dict.__setitem__(thing, key, value)

    def _made(self, key: int, tag: str, parts: list[Any]) -> Any:
        """Something that cannot change."""
        if tag == "tuple":
            return tuple(self._all(parts))
        if tag in ("set", "frozenset"):
            return (set if tag == "set" else frozenset)(self._all(parts))
        if tag == "int":
            return int(parts[0], 16)
        if tag == "...":
            return ...
        if tag == "object":
            return self._object(*parts)
        if tag == "derived":
            return self._derived(*parts)
        if tag == "function":
            return _function(self._wire, key, str(parts[0]))
        if tag == "iterator":
            return _iterator(str(parts[0]), str(parts[1]), self._all(parts[2]))
        if tag == "global" and not self._is_judge:
            return getattr(importlib.import_module(parts[0]), parts[1])
        return Unknown(*map(str, parts))

    def _tensor(self, numbers: list[Any]) -> Any:
        """A tensor; for a judge that has not loaded PyTorch the same numbers as an array."""
        array = _array(*numbers).copy()
        if self._is_judge and "torch" not in sys.modules:
            return array
        import torch

        return torch.from_numpy(array)

    def _derived(self, numbers: list[Any], slopes: list[list[Any]]) -> Any:
        """A tensor with the same numbers and the same derivatives as the one at the other end."""
        made = self._tensor(numbers)
        for key, table in slopes if is_tensor(made) else ():
            source = self._objects[key]
            change = (source - source.detach()).flatten()  # it is 0, and its derivative is 1
            made = made + (self._tensor(table) @ change).reshape(made.shape)
        return made

    def _object(self, module: str, name: str, arguments: Any, state: Any) -> Any:
        if self._is_judge and not (module.startswith(_PLACES) and module in sys.modules):
            raise WireError(f"{module}.{name} is not accepted")
        cls = getattr(importlib.import_module(module), name)
        if self._is_judge and not issubclass(cls, State | tuple):
            raise WireError(f"{module}.{name} is not accepted")
        thing = cls.__new__(cls, *self._get(arguments))
        _set_state(thing, self._get(state))
        return thing


def _set_state(thing: Any, state: Any) -> None:
    """Fill an object of the package as copying and pickling do."""
    if hasattr(thing, "__setstate__"):
        thing.__setstate__(state)
        return
    for name, value in state:
        object.__setattr__(thing, name, value)


def _array(dtype: str, shape: list[int], content: bytes) -> np.ndarray[Any, Any]:
    kept = np.dtype(dtype)
    if kept.kind not in "biuf":
        raise WireError(f"{dtype!r} is no type of numbers")
    return np.frombuffer(content, kept).reshape(shape)


def _function(wire: Wire, key: int, name: str) -> Callable[..., Any]:
    """A function that is called at the other end."""

    def function(*arguments: Any, **named: Any) -> Any:
        return wire.call(key, *arguments, **named)

    function.__name__ = function.__qualname__ = name
    return function


def _iterator(what: str, name: str, items: list[Any]) -> Any:
    """An iterator of the same kind with the same items."""
    made: Any = (item for item in items)
    made.__name__ = made.__qualname__ = name
    if what == kind(made):
        return made
    does = {"__iter__": lambda me: me, "__next__": lambda _: next(made)}
    return type(what.partition(" ")[2], (), does)()
