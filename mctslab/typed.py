"""Turn data from outside (files, settings, a user's arguments) into typed objects, or an error.

A dataclass says by its annotations what each entry must be: `Annotated[int, Meta(ge=1, le=100)]`,
`Literal["dense", "pooled"]`, a nested dataclass, `tuple[int, ...]`. The library msgspec does the
checking; this file adds the entry's name and value to its sentences, and refuses names that a
dataclass does not have. Nothing is converted silently: text is not a number, and True is not an
integer.

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
num_games = 'many': expected `int`, got `str`.
"""

import difflib
import functools
import glob
import inspect
import json
import os
import re
import reprlib
import secrets
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta as Meta

T = TypeVar("T")

Count = Annotated[int, Meta(ge=1, le=1_000_000_000)]
"""A count of something: 1 or more."""
Number = Annotated[int, Meta(ge=0, le=2**63 - 1)]
"""An integer that is not negative, such as a seed."""
Positive = Annotated[float, Meta(gt=0, le=1e12)]
NonNegative = Annotated[float, Meta(ge=0, le=1e12)]
Share = Annotated[float, Meta(ge=0, le=1)]


class WrongEntryError(ValueError):
    """An impossible entry of a file, or argument; the sentence says what would be right."""


def takes(function: object, *arguments: None, **named: None) -> bool:
    """Whether `function` can be called with these arguments and no others."""
    try:
        inspect.signature(function).bind(*arguments, **named)  # type: ignore[arg-type]
    except TypeError:  # also if it can't be called at all
        return False
    except ValueError:  # it does not say
        return True
    return True


def convert(entries: Any, kind: type[T], where: str = "") -> T:
    """`entries`, plain data as JSON and TOML have them, as an object of the type `kind`.

    Args:
        entries: mappings, lists, numbers, text, booleans and None.
        kind: a dataclass, or any type that msgspec knows.
        where: the beginning of an error's sentence, such as `self_play`.

    Raises:
        WrongEntryError: an entry is unknown, missing, of another type or out of range.
    """
    try:
        made = msgspec.convert(entries, kind)
    except msgspec.ValidationError as error:
        raise WrongEntryError(_sentence(error, entries, kind, where)) from error
    _refuse_unknown(entries, made, where)
    return made


def check(instance: Any) -> None:
    """Check the fields of a dataclass against their annotations; for its `__post_init__`.

    Raises:
        WrongEntryError: a field has a value that its annotation excludes.
    """
    kind: Any = type(instance)
    for name, annotation in _annotations(kind).items():
        convert(getattr(instance, name), annotation, name)


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
        entries = tomllib.loads(Path(path).read_text("utf-8-sig"))  # editors put a mark in front
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

    Where `path` is a link, the file that it leads to is written. A program that is killed meanwhile
    leaves the other file; see `remove_unfinished`.

    Raises:
        OSError: it cannot be written; an existing file is unchanged. Or something else is there,
            such as a folder or a device.
    """
    target = file_behind(path)
    data = content.encode() if isinstance(content, str) else content
    beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}.new")
    try:
        with open(beside, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def file_behind(path: str | os.PathLike[str]) -> Path:
    """The file that a path leads to, behind all links; it need not exist.

    Raises:
        OSError: something else is there, such as a folder or a device.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise OSError(f"{path} is not a regular file, so it was not replaced. Name another file.")
    return target


def remove_unfinished(folder: Path, name: str = "*") -> None:
    """Delete what `write_whole` has left in a folder when a program was killed.

    Call it only while you hold the lock of these files: otherwise another program may be writing.

    Args:
        folder: where the files are; it need not exist.
        name: that of the file that was to be written; all of them by default.
    """
    escaped = name if name == "*" else glob.escape(name)
    for left in folder.glob(f".{escaped}.????????.new"):
        left.unlink(missing_ok=True)


# The sentences


def _refuse_unknown(entries: Any, made: Any, where: str) -> None:
    """Refuse names that a dataclass does not have, anywhere in the `entries` of what was made.

    Raises:
        WrongEntryError: there is one; the sentence contains the most similar name.
    """
    if is_dataclass(made) and isinstance(entries, Mapping):
        names = [field.name for field in fields(made)]
        for name, entry in entries.items():
            if name not in names:
                near = difflib.get_close_matches(name, names, n=1)
                known = f"did you mean {near[0]}?" if near else f"known are {', '.join(names)}."
                raise WrongEntryError(f"There is no entry {_joined(where, name)}; {known}")
            _refuse_unknown(entry, getattr(made, name), _joined(where, name))
    elif isinstance(made, tuple | list) and isinstance(entries, Sequence):
        for number, entry in enumerate(entries):
            if not isinstance(entry, int | float | str):  # games have long lists of moves
                _refuse_unknown(entry, made[number], f"{where}[{number}]")
    elif isinstance(made, Mapping) and isinstance(entries, Mapping):
        for name, entry in entries.items():
            _refuse_unknown(entry, made[name], _joined(where, name))


def _joined(where: str, name: object) -> str:
    return f"{where}.{name}" if where else str(name)


def _sentence(error: msgspec.ValidationError, entries: Any, kind: Any, where: str) -> str:
    """An error of msgspec with the name of the entry and its value.

    msgspec names an entry by a path such as `$.self_play.noise[2]`; in a mapping it does not say
    which one, `$.options[...]`.
    """
    if error.__cause__ is not None:  # raised by a class of ours, in its `__post_init__`
        return str(error.__cause__)
    message, _, path = str(error).partition(" - at `$")
    for name, number in re.findall(r"\.(\w+)|\[(\d+)\]", path.partition("[...]")[0]):
        has_fields: bool = is_dataclass(kind)
        kind = _annotations(kind).get(name) if has_fields else None
        entries = entries[name or int(number)]
        where = _joined(where, name) if name else f"{where}[{number}]"
    if missing := re.search(r"missing required field `(\w+)`", message):
        return f"The entry {_joined(where, missing[1])} is missing."
    if get_origin(kind) is Literal:
        message = f"Expected {' or '.join(map(repr, get_args(kind)))}"
    shown = f"{where} = {reprlib.repr(entries)}" if where else reprlib.repr(entries)
    return f"{shown}: {message[0].lower()}{message[1:]}."
