"""What an error that a student's function raised usually means, in the words of the course."""

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from mctslab.course.result import Cause

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


class _Meaning(NamedTuple):
    kinds: Sequence[str]
    pattern: str
    name: str
    explanation: str


def _meanings() -> Sequence[_Meaning]:
    lines = TABLE.strip().splitlines()
    found = []
    for head, name, explanation in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        kinds, _, pattern = head.partition(":")
        found.append(
            _Meaning(kinds.split(", "), pattern.strip(), name.strip(), explanation.strip())
        )
    return found


_MEANINGS: Final[Sequence[_Meaning]] = tuple(_meanings())


def of_error(error: BaseException | None) -> Cause | None:
    """What an error usually means; None where there is none, or it says everything itself."""
    if error is None:
        return None
    if isinstance(error, NameError) and error.name in _HOMES:
        advice = f"Write `{_HOMES[error.name]}.{error.name}`."
        return Cause("This is", "a name that Python does not know", advice)
    if isinstance(error, AttributeError) and (name := _meant(error)):
        advice = f"There is no `{error.name}`. Did you mean `{name}`?"
        return Cause("This is", "a name that does not exist", advice)
    classes = {class_.__name__ for class_ in type(error).__mro__}
    for meaning in _MEANINGS:
        if classes.intersection(meaning.kinds) and re.search(meaning.pattern, str(error)):
            return Cause("This is", meaning.name, meaning.explanation)
    return None


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
