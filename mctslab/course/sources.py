"""The source of an exercise's functions: the solution, and the stub that is left of it."""

import ast
import dis
import inspect
import textwrap
from collections.abc import Sequence
from types import CodeType, FunctionType
from typing import Final, NamedTuple

from mctslab.course.question import Function

PLACEHOLDER: Final = "    ...  # your answer goes here"
"""What stands in a cell in place of the body that the student is to write."""


class Source(NamedTuple):
    """A function's source as a student sees it: without decorators, and without types."""

    text: str
    """The whole function."""
    stub: str
    """The signature, the docstring, and the placeholder."""
    lines: Sequence[str]
    """`text`, line by line."""


def source_of(function: Function) -> Source:
    """The source of a function that lives in a file and has a docstring."""
    lines = textwrap.dedent(inspect.getsource(function)).splitlines()
    definition = ast.parse("\n".join(lines)).body[0]
    assert isinstance(definition, ast.FunctionDef)
    docstring = definition.body[0]
    assert docstring.end_lineno is not None
    for argument in ast.walk(definition.args):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    first = f"def {definition.name}({ast.unparse(definition.args)}):"
    head = [first, *lines[docstring.lineno - 1 : docstring.end_lineno]]
    text = [*head, *lines[docstring.end_lineno :]]
    return Source("\n".join(text), "\n".join([*head, PLACEHOLDER]), tuple(text))


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


def is_unchanged(function: object, start: Function) -> bool:
    """Whether the function is still `start`, the code that the student was given."""
    if not isinstance(function, FunctionType) or not isinstance(start, FunctionType):
        return False
    return _essence(function.__code__, function.__doc__) == _essence(start.__code__, start.__doc__)


def _essence(code: CodeType, docstring: str | None) -> tuple[object, ...]:
    """What a piece of code does, without where it stands and what is said about it."""
    constants = tuple(
        _essence(constant, None) if isinstance(constant, CodeType) else (type(constant), constant)
        for constant in code.co_consts
        if constant is None or constant != docstring
    )
    return code.co_code, code.co_names, code.co_varnames, constants
