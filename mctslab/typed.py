"""Turn data from outside (files, settings, a user's arguments) into typed objects, or an error.

A dataclass says by its annotations what each entry must be: `Annotated[int, Meta(ge=1, le=100)]`,
`Literal["dense", "pooled"]`, a nested dataclass, `tuple[int, ...]`. The library msgspec does the
checking; this file turns its errors into a sentence that names the entry, its value and what would
be right. Nothing is converted silently: text is not a number, and True is not an integer.

>>> from dataclasses import dataclass
>>> from typing import Literal
>>> @dataclass(frozen=True)
... class Settings:
...     num_games: Count = 128
...     heads: Literal["dense", "pooled"] = "dense"
>>> convert({"num_games": 12}, Settings)
Settings(num_games=12, heads='dense')
>>> try:
...     convert({"num_games": "many"}, Settings)
... except WrongEntryError as error:
...     print(error)
num_games = 'many': expected an integer from 1 to 1,000,000,000.
"""

import difflib
import functools
import glob
import json
import math
import os
import re
import reprlib
import secrets
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar, get_type_hints

import msgspec
from msgspec import Meta, inspect

__all__ = [
    "Count",
    "Finite",
    "Meta",
    "NonNegative",
    "Number",
    "Positive",
    "Share",
    "WrongEntryError",
    "check",
    "convert",
    "from_json",
    "from_json_lines",
    "from_toml",
    "remove_unfinished",
    "write_whole",
]

_RANDOM_BYTES: Final = 4
_RANDOM_PATTERN: Final = "[0-9a-f]" * 2 * _RANDOM_BYTES
"""In the name of a file that is being written."""

T = TypeVar("T")

Count = Annotated[int, Meta(ge=1, le=1_000_000_000)]
"""A count of something: 1 or more."""
Number = Annotated[int, Meta(ge=0, le=2**63 - 1)]
"""An integer that is not negative, such as a seed."""
Positive = Annotated[float, Meta(gt=0, le=1e12)]
NonNegative = Annotated[float, Meta(ge=0, le=1e12)]
Share = Annotated[float, Meta(ge=0, le=1)]
Finite = Annotated[float, Meta(ge=-1e300, le=1e300)]
"""Any number that is neither infinite nor NaN."""


class WrongEntryError(ValueError):
    """An impossible entry of a file, or argument; the sentence says what would be right."""


def convert(entries: Any, kind: type[T], where: str = "") -> T:
    """`entries`, plain data as JSON and TOML have them, as an object of the type `kind`.

    Args:
        entries: mappings, lists, numbers, text, booleans and None.
        kind: a dataclass, or any type that msgspec knows.
        where: the beginning of an error's sentence, such as `self_play`.

    Raises:
        WrongEntryError: an entry is unknown, missing, of another type or out of range.
    """
    annotation: Any = kind
    _refuse_unknown(entries, _type_info(annotation), where)
    try:
        return msgspec.convert(entries, kind)
    except msgspec.ValidationError as error:
        raise _wrong_entry(error, entries, kind, where) from error


@functools.cache
def _type_info(kind: Any) -> inspect.Type:
    return inspect.type_info(kind)


def check(instance: Any) -> None:
    """Check the fields of a dataclass against their annotations; for its `__post_init__`.

    Raises:
        WrongEntryError: a field has a value that its annotation excludes.
    """
    for name, kind in _annotations(instance.__class__).items():
        value = getattr(instance, name)
        if not is_dataclass(value):
            convert(value, kind, name)
        elif not isinstance(value, kind):  # it has checked its content itself
            info = _described(_type_info(kind))
            raise WrongEntryError(f"{name} = {reprlib.repr(value)}: expected {info}.")


@functools.cache
def _annotations(kind: Any) -> Mapping[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    return {name: hints[name] for name in kind.__dataclass_fields__}


# Reading and writing files


def from_json(text: str | bytes, kind: type[T], where: str) -> T:
    """The object that a text in JSON describes; `where` is the file's name, for errors.

    Raises:
        WrongEntryError: it is not JSON, or as for `convert`.
    """
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WrongEntryError(f"{where} is not JSON: {error}.") from error
    return _in_file(entries, kind, where)


def from_json_lines(text: str, kind: type[T], where: str) -> Iterator[T]:
    """The objects of a text with one per line; a last line that was cut short is left out.

    Raises:
        WrongEntryError: as for `from_json`; the sentence contains the number of the line.
    """
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        if line.endswith("\n"):
            yield from_json(line, kind, f"{where}, line {number}")


def from_toml(path: str | os.PathLike[str], kind: type[T]) -> T:
    """The object that a file in TOML describes.

    Raises:
        WrongEntryError: it is not TOML, or as for `convert`.
        OSError: there is no such file.
    """
    try:
        entries = tomllib.loads(Path(path).read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise WrongEntryError(f"{os.fspath(path)} is not TOML: {error}.") from error
    return _in_file(entries, kind, os.fspath(path))


def _in_file(entries: Any, kind: type[T], where: str) -> T:
    try:
        return convert(entries, kind)
    except WrongEntryError as error:
        raise WrongEntryError(f"{where}: {error}") from error


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file under another name and then rename it: whole or not at all.

    A program that is killed meanwhile leaves the other file; see `remove_unfinished`.

    Raises:
        OSError: it cannot be written; an existing file is unchanged.
    """
    target = Path(path)
    data = content.encode() if isinstance(content, str) else content
    beside = target.with_name(f".{target.name}.{secrets.token_hex(_RANDOM_BYTES)}.new")
    try:
        with open(beside, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def remove_unfinished(folder: Path, name: str = "*") -> None:
    """Delete what `write_whole` has left in a folder when a program was killed.

    Call it only while you hold the lock of these files: otherwise another program may be writing.

    Args:
        folder: where the files are; it need not exist.
        name: that of the file that was to be written; all of them by default.
    """
    escaped = name if name == "*" else glob.escape(name)
    for left in folder.glob(f".{escaped}.{_RANDOM_PATTERN}.new"):
        left.unlink(missing_ok=True)


# The sentences

_WITHOUT_NAMES: Final = (inspect.IntType, inspect.FloatType, inspect.StrType, inspect.BoolType)
"""Types whose values contain no entries."""


def _refuse_unknown(entries: Any, kind: inspect.Type, where: str) -> None:
    """Refuse names that a dataclass does not have, anywhere in `entries`.

    Raises:
        WrongEntryError: there is one; the sentence contains the most similar names.
    """
    kind = _at(kind, None, entries)
    if isinstance(kind, inspect.DataclassType) and isinstance(entries, Mapping):
        names = {field.name: field.type for field in kind.fields}
        for name, entry in entries.items():
            if name not in names:
                near = difflib.get_close_matches(str(name), names, n=1)
                known = f"did you mean {near[0]}?" if near else f"known are {', '.join(names)}."
                raise WrongEntryError(f"There is no entry {_joined(where, name)}; {known}")
            _refuse_unknown(entry, names[name], _joined(where, name))
    elif isinstance(kind, inspect.VarTupleType | inspect.ListType) and _is_sequence(entries):
        if isinstance(kind.item_type, _WITHOUT_NAMES):  # as in a list of a hundred moves
            return
        for number, entry in enumerate(entries):
            _refuse_unknown(entry, kind.item_type, f"{where}[{number}]")
    elif isinstance(kind, inspect.DictType) and isinstance(entries, Mapping):
        for name, entry in entries.items():
            _refuse_unknown(entry, kind.value_type, _joined(where, name))


def _is_sequence(entries: Any) -> bool:
    return isinstance(entries, Sequence) and not isinstance(entries, str | bytes)


def _joined(where: str, name: object) -> str:
    return f"{where}.{name}" if where else str(name)


_STEP: Final = re.compile(r"\.(\w+)|\[(\d+)\]|\[\.\.\.\]|\((\w+)\)")


def _wrong_entry(
    error: msgspec.ValidationError, entries: Any, kind: Any, where: str
) -> WrongEntryError:
    """An error of msgspec as a sentence with the entry's name, its value and what would be right.
    msgspec names an entry by a path such as `$.self_play.noise[2]`.
    """
    message, _, path = str(error).partition(" - at `$")
    info = _type_info(kind)
    for step in _STEP.finditer(path):
        name, number = step.group(1), step.group(2)
        if (
            name is None and number is None
        ):  # an entry of a mapping, but msgspec does not say which one
            break
        key: str | int = name if name is not None else int(number)
        info = _at(info, key, entries)
        entries = entries[key]
        where = _joined(where, key) if name is not None else f"{where}[{key}]"
    if missing := re.search(r"missing required field `(\w+)`", message):
        return WrongEntryError(f"The entry {_joined(where, missing[1])} is missing.")
    if not message.startswith(("Expected", "Invalid", "Object", "Integer", "Number")):
        return WrongEntryError(message)  # raised by a class of ours, in its `__post_init__`
    shown = f"{where} = {reprlib.repr(entries)}" if where else reprlib.repr(entries)
    return WrongEntryError(f"{shown}: expected {_described(info)}.")


def _at(kind: inspect.Type, key: str | int | None, entries: Any) -> inspect.Type:
    """The type of the entry `key` of a type; with None the type itself.

    For a union it is the only part that fits `entries`, if there is just one.
    """
    if isinstance(kind, inspect.UnionType):
        tables = inspect.DataclassType | inspect.DictType
        is_table = isinstance(entries, Mapping)
        parts = [part for part in kind.types if isinstance(part, tables) == is_table]
        parts = [part for part in parts if not isinstance(part, inspect.NoneType)]
        return _at(parts[0], key, entries) if len(parts) == 1 else kind
    if key is None:
        return kind
    if isinstance(kind, inspect.DataclassType):
        return next(field.type for field in kind.fields if field.name == key)
    if isinstance(kind, inspect.TupleType) and isinstance(key, int):
        return kind.item_types[key]
    if isinstance(kind, inspect.ListType | inspect.VarTupleType):
        return kind.item_type
    return inspect.AnyType()


_NAMES: Final = (
    (inspect.BoolType, "true or false"),
    (inspect.NoneType, "none"),
    (inspect.DataclassType, "a table of entries"),
)


def _described(kind: inspect.Type) -> str:
    """A description of the values of a type: "an integer from 1 to 8", "'dense' or 'pooled'"."""
    if isinstance(kind, inspect.IntType):
        return "an integer" + _range(kind)
    if isinstance(kind, inspect.FloatType):
        return "a number" + _range(kind)
    if isinstance(kind, inspect.StrType):
        return "text" if kind.pattern is None else f"text like {kind.pattern}"
    if isinstance(kind, inspect.LiteralType):
        return " or ".join(repr(value) for value in kind.values)
    if isinstance(kind, inspect.UnionType):
        return ", or ".join(_described(part) for part in kind.types)
    if isinstance(kind, inspect.TupleType):
        return f"a list of {len(kind.item_types)} entries"
    if isinstance(kind, inspect.ListType | inspect.VarTupleType):
        length = "" if not kind.min_length else f" of {kind.min_length} or more"
        return f"a list{length}, each {_described(kind.item_type)}"
    if isinstance(kind, inspect.DictType):
        each = kind.value_type
        is_any = isinstance(each, inspect.AnyType)
        return "a table of entries" + ("" if is_any else f", each {_described(each)}")
    return next((name for each, name in _NAMES if isinstance(kind, each)), "another value")


def _range(kind: inspect.IntType | inspect.FloatType) -> str:
    """The limits of a number in words."""
    least = kind.ge if kind.ge is not None else kind.gt
    most = kind.le if kind.le is not None else kind.lt
    above = f" above {_shown(kind.gt)}" if kind.gt is not None else ""
    below = kind.lt is not None
    if least is None and most is None:
        return ""
    if most is None or math.isclose(most, 1e12) or most in (2**63 - 1, 1e300):
        return above or ("" if least == -1e300 else f", {_shown(least)} or more")
    if least is None:
        return f" below {_shown(most)}" if below else f", {_shown(most)} or less"
    if not above and not below:
        return f" from {_shown(least)} to {_shown(most)}"
    return f"{above or f' from {_shown(least)}'} and {'below' if below else 'up to'} {_shown(most)}"


def _shown(number: float | None) -> str:
    assert number is not None
    return f"{number:,}" if isinstance(number, int) else f"{number:,g}"
