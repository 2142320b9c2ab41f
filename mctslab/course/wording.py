"""The sentences of a check."""

import inspect
import linecache
import traceback
from collections.abc import Mapping, Sequence
from typing import Any, Final

from mctslab.course.comparing import Expectation, kind, plain, same, shown
from mctslab.course.question import Case, Function, Question
from mctslab.course.sandbox import Called, InputRequestedError


def not_attempted(name: str) -> str:
    """Nothing was written yet."""
    return f"Write the function, run its cell, then `exercises.{name}.check({name})`."


def right(count: int) -> str:
    """All cases agree."""
    return f"All {count} inputs gave what was expected."


def no_function(name: str, answer: object) -> str:
    """The answer is something else than a function."""
    return (
        f"A check takes the function itself: `exercises.{name}.check({name})`, without brackets "
        f"after the function's name. It got {_with_value(answer)}."
    )


def wrong_signature(solution: Function, answer: Function) -> str:
    """The answer cannot be called with the arguments."""
    wanted, found = inspect.signature(solution).parameters, inspect.signature(answer).parameters
    name = getattr(answer, "__name__", "")
    return f"It is called with {_listed(list(wanted))}; yours is `{name}({', '.join(found)})`."


def difference(case: Case, found: object) -> str:
    """The value is not what was expected."""
    expected_kind, found_kind = kind(case.expected), kind(found)
    if expected_kind == found_kind or isinstance(case.expected, Expectation):
        return "One input gave something else than expected."
    if case.use is not None and found is not None:
        return "One input gave something else than expected."
    remedy = _REMEDIES.get(found_kind, "")
    return f"It gives {found_kind} where {expected_kind} is expected{remedy}."


_REMEDIES: Final[Mapping[str, str]] = {
    "None": ": is there a return?",
    "a generator": ": return, in place of yield",
    "a coroutine": ": def, without async",
}


def expected_and_found(expected: object, found: object) -> list[tuple[str, str]]:
    """What was expected and what came; of several things observed only those that differ."""
    if isinstance(expected, dict) and isinstance(found, dict) and expected.keys() == found.keys():
        differing = [key for key, value in expected.items() if not same(value, found[key])]
        return [("Expected", _entries(expected, differing)), ("Came", _entries(found, differing))]
    return [("Expected", shown(expected)), ("Came", shown(found))]


def _entries(facts: dict[Any, object], keys: Sequence[Any]) -> str:
    return "\n".join(f"{key}: {shown(facts[key])}" for key in keys)


def changed_argument(name: str) -> str:
    """An argument has another content after the call."""
    return f"It changed its argument {name}, which still belongs to the caller: work on a copy."


def failure(called: Called, question: Question, answer: Function) -> str:
    """The call did not come to an end, or not to a good one."""
    if called.too_slow:
        stuck = " It could not be stopped either: restart the kernel." if called.stuck else ""
        return (
            f"It was still running after {question.seconds:g} seconds. Is there a loop in which "
            f"nothing changes that would end it?{stuck}"
        )
    error = called.error
    assert error is not None
    if isinstance(error, RecursionError):
        return "It called itself again and again: it needs a case in which it does not."
    if isinstance(error, SystemExit):
        return "It called exit(): a function gives its answer with return."
    if isinstance(error, InputRequestedError):
        return "It called input(): all that it needs is in its arguments."
    return f"It raised {error_in_a_line(error)}{_where(error, answer)}."


def error_in_a_line(error: BaseException) -> str:
    """The kind of an error and the first line of what it says."""
    name = type(error).__name__
    try:
        text = str(error).strip().rstrip(".")
    except Exception:  # an exception class of the student's own may fail at this
        text = ""
    if isinstance(error, KeyError):
        text = f"there is no entry {text}"
    first_line = text.splitlines()[0] if text else ""
    return f"{name}: {first_line}" if first_line else name


def _where(error: BaseException, answer: Function) -> str:
    """The line of the student's code in which it happened, as far as it can be found."""
    file = getattr(getattr(answer, "__code__", None), "co_filename", None)
    frames = [
        (frame.f_code.co_filename, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_code.co_filename == file
    ]
    if not frames:
        return ""
    text = linecache.getline(*frames[-1]).strip()
    return f", at the line: `{text}`" if text else f", in line {frames[-1][1]}"


def written_out(solution: Function, arguments: Sequence[object]) -> str:
    """A call with the names of the parameters: `ucb1(win_rate=0.5, visit_count=1)`."""
    names = inspect.signature(solution).parameters
    words = [f"{name}={shown(plain(value))}" for name, value in zip(names, arguments, strict=True)]
    return f"{solution.__name__}({', '.join(words)})"


def _with_value(answer: object) -> str:
    description, text = kind(answer), shown(plain(answer))
    return description if description == text else f"{description}, {text}"


def printed(text: str) -> str:
    """What a function printed, its first lines."""
    lines = text.rstrip().splitlines()
    more = len(lines) - MOST_LINES
    return "\n".join(lines if more <= 0 else [*lines[:MOST_LINES], "..."])


MOST_LINES: Final = 12


def _listed(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}, in this order" if most else f"one argument, {last}"
