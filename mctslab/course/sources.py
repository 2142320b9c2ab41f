"""The source of an exercise's functions: the solution, and the stub that is left of it."""

import ast
import dis
import functools
import inspect
import textwrap
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any, Final, NamedTuple

PLACEHOLDER: Final = "    ...  # your answer goes here"
"""What stands in a cell in place of the body that the student is to write."""


class Source(NamedTuple):
    """A function's source as a student sees it: without decorators, and without types."""

    text: str
    """The whole function."""
    head: str
    """The signature and the docstring."""
    stub: str
    """The signature, the docstring, and the placeholder."""


@functools.cache
def source_of(function: Callable[..., Any], name: str) -> Source:
    """The source of a function that lives in a file and has a docstring, under this name."""
    lines = textwrap.dedent(inspect.getsource(function)).splitlines()
    definition = ast.parse("\n".join(lines)).body[0]
    assert isinstance(definition, ast.FunctionDef)
    docstring = definition.body[0]
    assert docstring.end_lineno is not None
    for part in ast.walk(definition):
        if isinstance(part, ast.arg):
            part.annotation = None
        elif isinstance(part, ast.AnnAssign) and part.value is not None:
            line = lines[part.lineno - 1]
            assigned = f"{ast.unparse(part.target)} = {line[part.value.col_offset :]}"
            lines[part.lineno - 1] = line[: part.col_offset] + assigned
    first = f"def {name}({ast.unparse(definition.args)}):"
    head = "\n".join([first, *lines[docstring.lineno - 1 : docstring.end_lineno]])
    body = "\n".join(["", *lines[docstring.end_lineno :]])
    return Source(head + body, head, f"{head}\n{PLACEHOLDER}")


def is_stub(function: object) -> bool:
    """Whether nothing has been written in the function's body yet.

    >>> def waiting(x: int) -> int: ...
    >>> is_stub(waiting), is_stub(abs), is_stub(lambda x: x)
    (True, False, False)
    """
    if not isinstance(function, FunctionType):
        return False
    constants = set(function.__code__.co_consts) - {function.__doc__, None, ...}
    steps = {instruction.opname for instruction in dis.get_instructions(function)}
    return not constants and steps <= _IDLE


_IDLE: Final = frozenset({"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"})
"""The instructions of a function that does nothing."""


def is_unchanged(function: object, given: Callable[..., Any]) -> bool:
    """Whether the function is still the one that the student was given."""
    if not isinstance(function, FunctionType):
        return False
    return _essence(function.__code__, function.__doc__) == _essence(given.__code__, given.__doc__)


def _essence(code: CodeType, docstring: str | None) -> tuple[object, ...]:
    """What a piece of code does, without where it stands and what is said about it."""
    constants = tuple(
        _essence(constant, None) if isinstance(constant, CodeType) else (type(constant), constant)
        for constant in code.co_consts
        if constant is None or constant != docstring
    )
    return code.co_code, code.co_names, code.co_varnames, constants
