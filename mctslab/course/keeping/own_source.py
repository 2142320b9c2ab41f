"""The source of a student's function with everything of the student's own that it uses.

A function in a notebook uses names of other cells: imports, constants, helpers. Each of them is
looked up in the cells that were run and written above the function, so that everything runs later
without the notebook.
"""

import ast
import inspect
import linecache
import symtable
import sys
import textwrap
from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import Any, Final

from mctslab.course.question import Function

_EXERCISES: Final = "mctslab.course.exercises."


class NotSelfContainedError(ValueError):
    """A function that cannot be taken out of its notebook; the sentence says why."""


def own_source(function: Function) -> str:
    """Python that defines everything `function` uses and then the function, under its own name.

    Raises:
        NotSelfContainedError: something that it uses has no source that could be found.
    """
    pieces: dict[str, str] = {}
    _add_function(function, pieces)
    return "\n\n".join(dict.fromkeys(pieces.values())) + "\n"


def _add_function(function: Function, pieces: dict[str, str]) -> None:
    inner = inspect.unwrap(function)
    try:
        source = textwrap.dedent(inspect.getsource(inner)).strip()
        is_definition = isinstance(ast.parse(source).body[0], ast.FunctionDef)
    except (OSError, TypeError, SyntaxError):
        is_definition = False
    if not is_definition or not isinstance(inner, FunctionType):
        raise NotSelfContainedError("it is not a function written with `def` in a cell or a file")
    if inner.__closure__:
        names = " and ".join(f"`{name}`" for name in inner.__code__.co_freevars)
        raise NotSelfContainedError(f"it uses {names} of the function in which it was defined")
    texts = _texts_around(inner)
    _add(inner.__name__, source, inner.__globals__, texts, pieces)


def _texts_around(function: FunctionType) -> list[str]:
    """The cells that were run, in order, or the file that contains the function."""
    file = "".join(linecache.getlines(function.__code__.co_filename))
    return [*function.__globals__.get("In", ()), file]


def _add(
    name: str, source: str, names: Mapping[str, Any], texts: Sequence[str], pieces: dict[str, str]
) -> None:
    """Add a piece of source that defines `name`, after the pieces that it uses itself."""
    if pieces.setdefault(name, source) != source:
        raise NotSelfContainedError(f"two different things that it uses are called `{name}`")
    for used in sorted(_globals_of(symtable.symtable(source, "<cell>", "exec"))):
        if used in names and used not in pieces:
            _add_name(used, names, texts, pieces)
    pieces[name] = pieces.pop(name)  # after what it uses


def _add_name(
    name: str, names: Mapping[str, Any], texts: Sequence[str], pieces: dict[str, str]
) -> None:
    """Add the definition of a global name."""
    value = names[name]
    is_function = isinstance(inspect.unwrap(value) if callable(value) else value, FunctionType)
    if is_function and value.__module__.startswith(_EXERCISES):
        exercise = f"exercises.{value.__name__}.model_answer"
        _add(name, f"from mctslab.course import exercises\n\n{name} = {exercise}", {}, (), pieces)
    elif is_function and value.__module__ == names["__name__"] and _is_named(value, name, names):
        _add_function(value, pieces)
        if name != value.__name__:
            _add(name, f"{name} = {value.__name__}", {}, (), pieces)
    else:
        _add(name, _statement(name, texts), names, texts, pieces)


def _is_named(function: Function, name: str, names: Mapping[str, Any]) -> bool:
    """Whether a function has its own `def`: under this name, or in an earlier notebook."""
    return function.__name__ == name or inspect.unwrap(function).__globals__ is not names


def _globals_of(table: symtable.SymbolTable) -> set[str]:
    """The names that a piece of source needs from outside."""
    is_outside = table.get_type() == "module"
    symbols = [each for each in table.get_symbols() if each.is_referenced()]
    found = {each.get_name() for each in symbols if is_outside or each.is_global()}
    return found.union(*map(_globals_of, table.get_children()))


def _statement(name: str, texts: Sequence[str]) -> str:
    """The last statement that defines `name`; of an import only that name.

    Raises:
        NotSelfContainedError: none is found.
    """
    for text in reversed(texts):
        try:
            statements = ast.parse(text).body
        except SyntaxError:  # a cell that could not be run
            continue
        for statement in reversed(statements):
            if isinstance(statement, ast.Import | ast.ImportFrom):
                for alias in statement.names:
                    module = sys.modules.get(getattr(statement, "module", ""))
                    if alias.name == "*" and hasattr(module, name):
                        alias.name = name
                    if name == (alias.asname or alias.name.partition(".")[0]):
                        statement.names = [alias]
                        return ast.unparse(statement)
            elif _gives(name, source := ast.unparse(statement)):
                return source
    raise NotSelfContainedError(f"it uses `{name}`, which no cell of this notebook defines")


def _gives(name: str, source: str) -> bool:
    table = symtable.symtable(source, "<cell>", "exec")
    return name in table.get_identifiers() and table.lookup(name).is_assigned()
