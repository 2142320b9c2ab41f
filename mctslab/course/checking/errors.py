"""What is said of faults that occur in any function: errors, loops without an end, chance."""

import difflib
import linecache
import re
import traceback
from collections.abc import Mapping
from typing import Any, Final

from mctslab.course.checking.sandbox import Called, InputRequestedError
from mctslab.course.result import Cause

SAME_FAULT: Final = Cause(
    "the fault that you started with were still there",
    "Where the results are wrong, they are the same as with the function that you started with.",
)
NO_EFFECT: Final = Cause(
    "it changed nothing",
    "Everything is as it was before the call. To compute a number, or to give another value to a "
    "variable, changes nothing outside the function: assign to the node or the dictionary itself, "
    "as in `node.visit_count = ...`.",
)
UNSEEDED: Final = Cause(
    "its random numbers came from another source",
    "The same input with the same seed gave another result the second time. Draw all random "
    "numbers from the generator `rng` that is passed in, and keep nothing from one call to the "
    "next.",
)
AT_RANDOM: Final = Cause(
    "its result depended on more than its arguments",
    "The same input gave another result the second time. The result must not depend on random "
    "numbers, on the order of a set, or on anything that is kept from one call to the next, for "
    "example in a list that is a default value.",
)
EARLY: Final = Cause(
    "its loop ended after the first round",
    "Is there a `return`, a `break` or a result inside of the loop that belongs after it? What has "
    "less indentation than the loop's body follows after all of its rounds.",
)

NOTHING: Final = Cause(
    "nothing had to be returned",
    "A function without `return` gives None. Each way through it has to end with `return` and the "
    "result, also after a loop, and where the function calls itself.",
)


def of_kind(found: str, expected: str) -> Cause:
    """The result is of another kind than the docstring says, on every input."""
    advice = "Compare what the docstring says of the result with what stands after your `return`."
    return Cause(f"{found} were asked for, not {expected}", advice)


def too_slow(called: Called, seconds: float) -> str:
    """The call did not end."""
    stuck = " It could not be stopped either, so restart the kernel." if called.stuck else ""
    return (
        f"It was still running after {seconds:g} seconds. Is there a loop whose condition never "
        f"becomes false?{stuck}"
    )


def raised(error: BaseException, answer: Any) -> str:
    """The call ended with an error."""
    if isinstance(error, RecursionError):
        return "It called itself again and again. It needs a case in which it does not."
    if isinstance(error, SystemExit):
        return "It called exit(). A function gives its answer with return."
    if isinstance(error, InputRequestedError):
        return "It called input(). Everything it needs is in its arguments."
    return f"It raised {in_a_line(error)}{_where(error, answer)}."


def in_a_line(error: BaseException) -> str:
    """The kind of an error and the first line of what it says."""
    name, text = type(error).__name__, str(error).strip().rstrip(".")
    if isinstance(error, KeyError):
        text = f"there is no entry {text}"
    return f"{name}: {text.splitlines()[0]}" if text else name


def _where(error: BaseException, answer: Any) -> str:
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


def how_often(same: int, others: int) -> str:
    """On how many of the other inputs the same happened."""
    if not same:
        return ""
    which = f"{same} of the {others} other inputs"
    if same == others:
        which = "the other input" if others == 1 else f"all {others} other inputs"
    return f" The same happened with {which}."


def kind_of(error: Any) -> tuple[type, str | None, str]:
    """What two errors have in common that are the same: the type, and what is missing.

    Of None it does not matter which name, and in a text not which types and numbers.
    """
    is_of_none = getattr(error, "obj", ...) is None
    has_many_causes = isinstance(error, TypeError | ValueError)
    text = re.sub(r"'[^']*'|-?\d+", "", str(error)) if has_many_causes else ""
    return type(error), None if is_of_none else getattr(error, "name", None), text


# What an error means

TABLE: Final = r"""
TypeError, ValueError: '(builtin_function_or_method|method|function)'
    a function where its result is needed
    Write brackets after its name: `state.legal_actions()`, not `state.legal_actions`.
TypeError: object is not callable
    a value with brackets after it, as if it were a function
    Properties such as `is_terminal` have no brackets. In a formula a `*` could be missing.
TypeError, AttributeError: NoneType
    a None where an object is needed
    The `parent` of the root is None, and so is the result of a function without `return`.
AttributeError: 'Node' .* '(legal_actions|child|is_terminal|returns|current_player)'
    a node where its position is needed
    The position of a node is `node.state`.
AttributeError: '(children|untried_actions|is_fully_expanded|parent|visit_count|total_value)'
    something else where a node is needed
    Only a node of the tree has children and statistics; a position has none.
AttributeError, TypeError: 'frozenset'|cannot assign to field|does not support item assignment
    a change of something that never changes
    Make a new one, as in `stones | {cell}` or `replace(state, ...)`.
AttributeError: '(list|tuple|dict|set)' object
    a whole collection where one of its items is needed
    Take the item out of it, as in `[leaf] = leaves`, or go through it in a loop.
TypeError: object is not iterable|cannot unpack non-iterable
    a single thing where a list or pair of them is needed
    Also a list of one thing has brackets: `[state]`.
ValueError: values to unpack
    a list or pair with another number of parts
    Print what stands on the right of the `=`. How many parts has it, and how many names wait?
TypeError: positional argument|keyword argument|required
    a call with the wrong number of arguments
    Compare the call with the definition: how many arguments, and in which order?
TypeError: unsupported operand|can't multiply|not supported between|must be real number
    a calculation with something that is no number
    Is one of the two a list, a pair or a text? Print both just before this line.
IllegalActionError:
    an action that is not legal here
    Take an action from `legal_actions()` of this very position. It is not an index of that list.
GameNotOverError:
    `returns()` of a game that is not over
    Only a position whose `is_terminal` is true has returns.
ValueError: truth value of an array
    a whole array where True or False is needed
    Compare single numbers, or call `.any()` or `.all()`.
ValueError: math domain error|expected a (positive|nonnegative)
    a logarithm or a root that does not exist
    There is no logarithm of 0, and no root of a negative number. Which input leads to one?
ValueError: (max|min)\(\)|zero-size array|empty sequence|cannot be empty|non-empty|high <= 0
    a choice where there is nothing to choose from
    The list is empty here: at the end of a game, or before anything was added to it.
ValueError, RuntimeError: shape|sizes? |dimension|could not broadcast|cannot be multiplied
    arrays whose shapes do not fit
    Print the `.shape` of both just before this line. Which numbers should they have?
RuntimeError: does not require grad|requires grad
    a tensor that has lost its gradient, or still has one
    `detach()`, `item()` and `torch.no_grad()` cut a gradient off.
RecursionError:
    a function that calls itself without an end
    Each call has to come closer to a case that is answered without another call.
IndexError:
    an index that does not exist
    Print the index, and what it is an index of, just before this line.
KeyError:
    an entry that is not there
    Ask with `in` first, or use `.get(...)`.
ZeroDivisionError:
    a division by zero
    What can be 0 here? That needs a case of its own.
NameError:
    a name that Python does not know
    Is it spelled as in its definition, and has that cell been run?
"""
"""The kinds of an error with a part of what it says, its name, and what to look at."""


def of_error(error: BaseException | None) -> Cause | None:
    """What an error usually means; None where there is none, or it says everything itself."""
    if error is None:
        return None
    if isinstance(error, NameError) and error.name in _HOMES:
        advice = f"Write `{_HOMES[error.name]}.{error.name}`."
        return Cause("a name that Python does not know", advice, _THIS)
    if isinstance(error, AttributeError) and (name := _meant(error)):
        advice = f"There is no `{error.name}`. Did you mean `{name}`?"
        return Cause("a name that does not exist", advice, _THIS)
    classes = {class_.__name__ for class_ in type(error).__mro__}
    lines = [line.strip() for line in TABLE.strip().splitlines()]
    for head, name, explanation in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        kinds, _, pattern = head.partition(":")
        if classes.intersection(kinds.split(", ")) and re.search(pattern.strip(), str(error)):
            return Cause(name, explanation, _THIS)
    return None


_THIS: Final = "This is"
_HOMES: Final[Mapping[str | None, str]] = {
    **dict.fromkeys(("exp", "inf", "log", "sqrt"), "math"),
    "Node": "search",
}
"""Names that are often written without their module."""


def _meant(error: AttributeError) -> str | None:
    """The attribute whose name is nearly the one that was written."""
    if error.obj is None or not error.name:
        return None
    names = [name for name in dir(error.obj) if not name.startswith("_")]
    return next(iter(difflib.get_close_matches(error.name, names, 1)), None)
