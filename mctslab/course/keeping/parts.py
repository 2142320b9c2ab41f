"""A student's function that has passed its check: taken out of its notebook, stored, used again.

A function in a notebook uses names of other cells: imports, constants, helpers. Each of them is
looked up in the cells that were run and written above the function, so that everything runs later
without the notebook. It is stored as Python to read and to run, in a file of its own in the folder
`mine`, next to the progress file; the last definition in it is the function.

A check accepts a generator where a list is expected, or lists where an array is. The cells of a
notebook may take an element of the list, or the shape of the array, so `fitted` converts results.
"""

import ast
import functools
import hashlib
import inspect
import linecache
import symtable
import sys
import textwrap
import typing
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from mctslab.course import outline
from mctslab.course.checking.cases import Function, is_tensor
from mctslab.course.checking.errors import in_a_line
from mctslab.course.checking.judging import is_of_the_course, judge
from mctslab.course.keeping import progress
from mctslab.course.result import Outcome
from mctslab.typed import write_whole

if TYPE_CHECKING:
    from mctslab.course.exercise import Exercise

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


# Stored, and loaded again


def path_of(exercise: str) -> Path:
    """Where the function of an exercise is kept."""
    return progress.file().with_name("mine") / f"{exercise}.py"


def keep(exercise: "Exercise", answer: Any) -> list[str]:
    """Keep a correct function for `mine`; returns a remark if that is impossible."""
    if (getattr(answer, "__module__", None) or "").startswith("mctslab."):
        return []  # the package's own
    try:
        source = own_source(answer)
        if judge(exercise, load(exercise.name, source)).outcome is not Outcome.RIGHT:
            raise NotSelfContainedError("it gives other results without its notebook")
        path = path_of(exercise.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, source)
    except Exception as error:  # the student's own code is run
        reason = str(error) if isinstance(error, OSError | ValueError) else in_a_line(error)
        is_ours = is_of_the_course(exercise.model_answer)
        call = f'"{exercise.name}"' if is_ours else f"exercises.{exercise.name}"
        return [f"`course.mine({call})` cannot return this function later, because {reason}."]
    return []


def load(exercise: str, source: str) -> Function:
    """Run the source of the function of an exercise; returns the function.

    Raises:
        Exception: whatever running it raises; if it does not end with a function, AttributeError.
    """
    # Tracebacks and `inspect` find the lines under this name; a time of None keeps them there.
    file = f"<{exercise}, {hash(source):x}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(source, file, "exec"), names)
    last: Any = ast.parse(source).body[-1]
    function: Function = names[last.name]
    return function


def fitted(function: Function, model_answer: Function) -> Function:
    """`function` with results that are lists, tuples or arrays where the model answer's are.

    It is the same function where the model answer returns anything else.
    """
    wanted = typing.get_origin(inspect.signature(model_answer).return_annotation)
    if wanted not in (list, tuple, np.ndarray):
        return function

    @functools.wraps(function)
    def with_such_results(*given: Any, **named: Any) -> object:
        value = function(*given, **named)
        if wanted is np.ndarray:
            return np.asarray(value.detach().cpu() if is_tensor(value) else value)
        if isinstance(value, Iterable) and not isinstance(value, Sequence | Mapping | np.ndarray):
            value = wanted(value)
        return _without_numpy_numbers(value)

    return with_such_results


def _without_numpy_numbers(value: Any) -> object:
    """With Python's own numbers, in lists and tuples as well: an action must be a plain int."""
    if isinstance(value, np.generic):
        return value.item()
    return (
        type(value)(map(_without_numpy_numbers, value)) if type(value) in (list, tuple) else value
    )


# Used again


def mine(*parts: "str | Exercise") -> Any:
    """Your function for an exercise if its check has passed, otherwise the package's.

        select = course.mine("select")
        puct, gather = course.mine("puct", "gather")

    One line says which of them it is, and why; functions with the same line share it. Your function
    is the last one that has passed, in this notebook or an earlier one, even after a restart. If it
    returns an iterator where the package's returns a list, its results become lists, too.

    Args:
        parts: the name of each exercise, such as `"select"`; of one that is not the course's, the
            exercise itself.

    Returns:
        The function, or a tuple of them if there are several `parts`.

    Raises:
        AttributeError: there is no such exercise.
    """
    found = [find(part) for part in parts]
    for origin in dict.fromkeys(each.origin for each in found):
        same = [part for part, each in zip(parts, found, strict=True) if each.origin == origin]
        names = [part if isinstance(part, str) else part.name for part in same]
        print(f"{', '.join(names)}: {origin}.")
    functions = tuple(each.function for each in found)
    return functions[0] if len(parts) == 1 else functions


class Part(NamedTuple):
    """A function for an exercise, and its origin."""

    function: Function
    origin: str
    """Where it comes from, and why, for the student."""
    source: str | None = None
    """The source of the student's function; None if it is the package's."""


def find(part: "str | Exercise") -> Part:
    """The function for an exercise, as `mine` returns it.

    Raises:
        AttributeError: there is no such exercise.
    """
    from mctslab.course import exercises  # which take a while to load

    # Not `getattr`, which finds the module's imports, too.
    exercise = exercises.__getattr__(part) if isinstance(part, str) else part
    name = exercise.name
    home = outline.homes().get(name, exercise.notebook)
    path = path_of(name)
    notebook = f"notebook {home}" if home[:2].isdecimal() else "this notebook"
    done = progress.of(name)
    try:
        source = path.read_text("utf-8")
        function = fitted(load(name, source), exercise.model_answer)
        day = date.fromtimestamp(path.stat().st_mtime)
        origin = f"yours, from {notebook}, checked on {day.day} {day:%B %Y}"
        if not done.last_was_right:
            origin += "; later versions of yours have not passed"
        return Part(function, origin, source)
    except FileNotFoundError:
        reason = f"until yours passes its check in {notebook}"
        if done.solved:
            reason = f"because yours was not stored: run its check in {notebook} again"
    except Exception as error:  # the student's code may raise anything
        reason = f"because yours cannot be loaded from {path}: {type(error).__name__}, {error}"
    whose = "the package's" if is_of_the_course(exercise.model_answer) else "the model answer"
    return Part(exercise.model_answer, f"{whose}, {reason}")


def check_parts(**parts: Function) -> None:
    """Check the functions that a program is made of, each by its exercise.

        course.check_parts(encode=encode, loss=loss)

    Prints a line if all are right. Your progress stays as it is.

    Args:
        parts: the functions by the names of their exercises.

    Raises:
        ValueError: some are not right; the sentences say which ones, and why.
        AttributeError: there is no such exercise.
    """
    from mctslab.course import exercises  # which take a while to load

    wrong: dict[str, str] = {}
    for exercise, function in [(getattr(exercises, name), each) for name, each in parts.items()]:
        if function is exercise.model_answer:
            continue
        result = judge(exercise, function)
        if result.outcome is not Outcome.RIGHT:
            wrong[exercise.name] = (
                f"{result}\n  Its exercise is in notebook {exercise.notebook}. Run the check there "
                f'again, and then the cell with `course.mine("{exercise.name}")`.'
            )
    if wrong:
        raise ValueError("\n".join([f"Not right: {', '.join(wrong)}.", *wrong.values()]))
    print(f"All {len(parts)} parts are right.")


def has_own_search() -> bool:
    """Whether a `uct` of the student's that has passed its check is stored on this computer."""
    try:
        return path_of("uct").is_file()
    except OSError:
        return False


def own_search() -> tuple[Function, str]:
    """The student's own `uct`, and twelve letters and digits that differ for another source.

    Raises:
        ValueError: there is none; the sentence says what to do.
    """
    found = find("uct")
    if found.source is None:
        raise ValueError(f"The player 'mine' needs a search of your own. uct: {found.origin}.")
    return found.function, hashlib.sha256(found.source.encode()).hexdigest()[:12]
