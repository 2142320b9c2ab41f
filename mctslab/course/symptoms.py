"""What can be seen from outside in any exercise: in an error, in the results, in the inputs.

Nothing here depends on the exercise. A symptom states a fact about all inputs that were tried, such
as that each result is the expected one with the opposite sign, and leaves finding the cause to the
author of the code.
"""

import difflib
import itertools
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from mctslab.course.comparing import Expectation, Unknown, Words, kind, plain, same, shown
from mctslab.games.state import GameNotOverError, IllegalActionError, State
from mctslab.search.node import Node


class Symptom(NamedTuple):
    """A sentence about an answer, in three parts."""

    begins: str
    """`Every result is`."""
    name: str
    """`the expected one with the opposite sign`."""
    explanation: str
    """What to look at."""


class Seen(NamedTuple):
    """A call that has ended, and its result."""

    arguments: Mapping[str, object]
    """By the names of the parameters."""
    expected: object
    found: object
    """Both plain, as `comparing.plain` makes them."""

    @property
    def is_right(self) -> bool:
        """Whether the result is as expected."""
        return same(self.expected, self.found)


EVERY_RESULT: Final = "Every result is"
"""How a symptom begins that only holds where each input had a result."""

ENOUGH: Final = 2
"""At least this many results have to be wrong in the same way; a single one could be by chance."""


# Errors


def of_error(error: BaseException) -> Symptom | None:
    """What an error usually means, in the words of the course."""
    if isinstance(error, NameError) and (module := _HOMES.get(error.name or "")):
        advice = f"Write `{module}.{error.name}`."
        return Symptom("This is", "a name that Python does not know", advice)
    if isinstance(error, AttributeError) and (name := _meant(error)):
        advice = f"There is no `{error.name}`. Did you mean `{name}`?"
        return Symptom("This is", "a name that does not exist", advice)
    for class_, pattern, name, explanation in _ERRORS:
        if isinstance(error, class_) and re.search(pattern, str(error)):
            return Symptom("This is", name, explanation)
    return None


def _meant(error: AttributeError) -> str | None:
    if error.obj is None or not error.name:
        return None
    names = [name for name in dir(error.obj) if not name.startswith("_")]
    return next(iter(difflib.get_close_matches(error.name, names, 1)), None)


_HOMES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("exp", "inf", "log", "sqrt"), "math"),
    "Node": "search",
}
"""Names that are often written without their module."""
_NONE: Final = (
    "Something is None here where an object is needed, such as the `parent` of the root, or the "
    "result of a function without `return`."
)
_ERRORS: Final[Sequence[tuple[type[BaseException], str, str, str]]] = [
    (
        RuntimeError,
        "call numpy",
        "a calculation in NumPy, through which no gradient can flow",
        "Use the tensor's own methods, such as `.exp()`, or functions of torch.",
    ),
    (
        RuntimeError,
        "in-place operation",
        "a tensor that is changed in place",
        "`+=` and methods such as `add_` overwrite numbers that the backward pass still needs. "
        "Write `x = x + y`, which makes a new tensor.",
    ),
    (
        TypeError,
        "return_types",
        "a maximum together with its places",
        "Of a tensor `x.max(dim=1)` returns two things, the values and their places. `x.amax(1)` "
        "returns only the values.",
    ),
    (
        TypeError,
        "'(builtin_function_or_method|method|function)'|'(method|function)' object",
        "a function where its result is needed",
        "Write brackets after its name: `state.legal_actions()`, not `state.legal_actions`.",
    ),
    (
        ValueError,
        "not <class '(builtin_function_or_method|method|function)'>",
        "a function where its result is needed",
        "Write brackets after its name: `state.legal_actions()`, not `state.legal_actions`.",
    ),
    (
        TypeError,
        "object is not callable",
        "a value with brackets after it, as if it were a function",
        "Properties such as `is_terminal` have no brackets. In a formula a `*` may be missing.",
    ),
    (TypeError, "NoneType", "a None that nobody expected", _NONE),
    (AttributeError, "NoneType", "a None that nobody expected", _NONE),
    (
        AttributeError,
        "'(list|tuple)' object",
        "a list where one of its items is needed",
        "A list does not have the attributes of its items. Use one of them, or loop over all.",
    ),
    (
        AttributeError,
        "'(int|float|numpy.int64|numpy.float64)' object",
        "a number where an object is needed",
        "An action is only a number: `state.child(action)` is the position after it.",
    ),
    (
        AttributeError,
        "Generator' object",
        "the random generator where something else is needed",
        "Are the arguments in the order in which the function takes them?",
    ),
    (
        AttributeError,
        "'Node' object has no attribute '(legal_actions|child|is_terminal|returns|current_player)'",
        "a node where its position is needed",
        "The position of a node is `node.state`.",
    ),
    (
        AttributeError,
        "has no attribute '(children|untried_actions|is_fully_expanded|parent|mover|visit_count|"
        "total_value)'",
        "something else where a node is needed",
        "Only a node of the tree has children and statistics; a position has none.",
    ),
    (
        AttributeError,
        "property .* has no setter",
        "a property that cannot be set",
        "It is worked out from other attributes each time it is read. Change those.",
    ),
    (
        TypeError,
        r"best_child\(\) missing",
        "a selection rule that was not made",
        "Write brackets after its name: `search.ucb1()` makes the rule.",
    ),
    (
        TypeError,
        "positional argument|keyword argument|required",
        "a call with the wrong number of arguments",
        "Compare the call with the definition: how many arguments, and in which order?",
    ),
    (
        IllegalActionError,
        "",
        "an action that is not legal here",
        "Take an action from `legal_actions()` of this very position. An action is not an index "
        "of that list.",
    ),
    (
        GameNotOverError,
        "",
        "`returns()` of a game that is not over",
        "Only a position whose `is_terminal` is true has returns.",
    ),
    (
        ValueError,
        "not in list|not in tuple",
        "something that is not in the list",
        "You can only remove an item that is still in the list.",
    ),
    (
        TypeError,
        "'(int|float|bool|numpy[.a-z0-9]*)' object is not (subscriptable|iterable)|cannot unpack",
        "a number where a list or a pair is needed",
        "Check what that call returns: one number, or several?",
    ),
    (
        TypeError,
        "object is not iterable",
        "a single thing where several are needed",
        "If a list is needed, put it into one: `[state]`.",
    ),
    (
        TypeError,
        "indices must be integers",
        "a place in a list that is no whole number",
        "`/` gives a fraction, `//` a whole number. A dictionary has keys, a list has indices.",
    ),
    (
        TypeError,
        "unhashable",
        "a list as a key",
        "A key must not be able to change: use a number, a tuple or a position.",
    ),
    (
        TypeError,
        "'dict_(values|keys|items)'",
        "a part of a dictionary in a calculation with arrays",
        "Make an array of it first: `np.array(list(visits.values()))`.",
    ),
    (
        ValueError,
        "must be a sequence or an integer, not <class 'dict'>",
        "a dictionary where a list is needed",
        "`list(visits)` is the list of its keys.",
    ),
    (
        ValueError,
        "robabilities do not sum to 1",
        "a draw with shares whose sum is not 1",
        "Divide them by their sum first.",
    ),
    (
        ValueError,
        r"zip\(\) argument",
        "two lists of different lengths",
        "One of them has more items. With `strict=False` (and without it) `zip` ends with the "
        "shorter one.",
    ),
    (
        TypeError,
        "unsupported operand|can't multiply|not supported between|must be real number",
        "a calculation with something that is no number",
        "Is one of the two a list, a pair or a text? Print both just before this line.",
    ),
    (
        ValueError,
        "truth value of an array",
        "a whole array where True or False is needed",
        "Compare single numbers, or say `.any()` or `.all()`.",
    ),
    (
        ValueError,
        "values to unpack",
        "more or fewer values than names",
        "Check what the call returns: how many values, and in which order?",
    ),
    (
        RecursionError,
        "",
        "a recursion that never ends",
        "Which input needs no further call? That case comes first, with a `return`.",
    ),
    (
        IndexError,
        "out of bounds for axis|too many indices",
        "an index that an array does not have",
        "Are rows and columns confused? Or is the number of a square used where its row and its "
        "column are needed?",
    ),
    (
        IndexError,
        "",
        "an index beyond the end of a list",
        "Is the list empty here? Or is an action used as an index?",
    ),
    (KeyError, "", "an entry that is not there", "Ask with `in` first, or use `.get(...)`."),
    (
        ZeroDivisionError,
        "",
        "a division by zero",
        "What can be 0 here? A child that was never visited has N = 0 and needs a case of its own.",
    ),
    (
        ValueError,
        "math domain error|expected a (positive|nonnegative)",
        "a logarithm or a root that does not exist",
        "There is no logarithm of 0, and no root of a negative number. Which input leads to one?",
    ),
    (
        ValueError,
        r"(max|min)\(\)|zero-size array|empty sequence|cannot be empty|non-empty",
        "a choice where there is nothing to choose from",
        "The list is empty here: at the end of a game, or before anything was added to it.",
    ),
    (
        UnboundLocalError,
        "",
        "a variable that is not set on every path through the function",
        "Give it a value before the loop or the `if`.",
    ),
    (
        NameError,
        "",
        "a name that Python does not know",
        "Is it spelled as in its definition, and has that cell been run?",
    ),
]


# Results


def of_results(seen: Sequence[Seen]) -> Symptom | None:
    """How all results follow from the expected ones, if they do in one simple way."""
    if symptom := _without_brackets(seen):
        return symptom
    pairs = [pair for each in seen for pair in _leaves(each.expected, each.found)]
    wrong = [(expected, found) for expected, found in pairs if not same(expected, found)]
    if len(wrong) < ENOUGH or any(isinstance(expected, Expectation) for expected, _ in wrong):
        return None
    for name, explanation, changed in _RELATIONS:
        if all(_follows(changed, expected, found) for expected, found in pairs):
            return Symptom(EVERY_RESULT, name, explanation)
    if _in_another_order(pairs):
        advice = "Which value comes first? Look at the task."
        return Symptom(EVERY_RESULT, "the right values in another order", advice)
    for name, explanation, back in _INVERSES:
        if all(_follows(back, found, expected) for expected, found in pairs):
            return Symptom(EVERY_RESULT, name, explanation)
    return (
        _place_of_action(seen)
        or _scaled(pairs)
        or _not_normalised(pairs)
        or _an_argument(seen)
        or _mapped(pairs)
    )


def _without_brackets(seen: Sequence[Seen]) -> Symptom | None:
    """A function where its result should be."""
    for each in seen:
        for part in parts_of(each.found):
            if isinstance(part, Unknown) and part.kind in _FUNCTIONS:
                advice = "Write brackets after its name, so that it is called."
                return Symptom("It returns", "a function instead of its result", advice)
    return None


_FUNCTIONS: Final = ("a method", "a function", "a builtin_function_or_method")


def parts_of(value: object) -> Iterator[object]:
    """A plain value, and everything in it."""
    yield value
    if isinstance(value, list | tuple | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from parts_of(item)


def _leaves(expected: object, found: object) -> Iterator[tuple[object, object]]:
    """The result itself, or of several named ones each."""
    if isinstance(expected, dict) and isinstance(found, dict) and expected.keys() == found.keys():
        for key, value in expected.items():
            yield from _leaves(value, found[key])
    else:
        yield expected, found


def _follows(changed: Callable[[Any], object], expected: object, found: object) -> bool:
    with suppress(Exception):
        return same(plain(changed(expected)), found)
    return False


def _each(changed: Callable[[Any], object]) -> Callable[[Any], object]:
    """The same for a number and for numbers in lists, however deep."""

    def everywhere(value: Any) -> object:
        if isinstance(value, list | tuple):
            return [everywhere(item) for item in value]
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise TypeError(value)
        return changed(value)

    return everywhere


def _swapped(value: Any) -> object:
    first, second = value
    return [second, first]


def _negated(value: object) -> object:
    if isinstance(value, list | tuple) and value:
        return [_negated(item) for item in value]
    if not isinstance(value, bool):
        raise TypeError(value)
    return not value


def _repeated(value: list[Any]) -> object:
    if not isinstance(value, list) or len(value) < ENOUGH:
        raise TypeError(value)
    return value[-1:] * len(value)


def _flat(value: list[Any]) -> object:
    """A table in one row; a row has no such reading."""
    array = np.asarray(value)
    if array.ndim < 2:
        raise TypeError(value)
    return array.ravel()


def _transposed(value: list[Any]) -> object:
    array = np.asarray(value)
    if array.ndim < 2:
        raise TypeError(value)
    return np.swapaxes(array, -1, -2)


def _values_only(value: Any) -> object:
    """Without the keys of its dictionaries."""
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, list | tuple):
        return [_values_only(item) for item in value]
    return value


def _unnested(value: Any) -> object:
    """Everything in nested lists side by side."""
    if not any(isinstance(item, list | tuple) for item in value):
        raise TypeError(value)
    return [part for part in parts_of(value) if not isinstance(part, list | tuple)]


_VIEW: Final = "Whose point of view does the task ask for?"
_RELATIONS: Final[Sequence[tuple[str, str, Callable[[Any], object]]]] = [
    ("the expected one with the opposite sign", _VIEW, _each(lambda x: -x)),
    ("1 minus the expected one", f"{_VIEW} And what do 0 and 1 mean?", _each(lambda x: 1 - x)),
    ("false where it should be true, and true where it should be false", "", _negated),
    ("the expected pair with its two parts swapped", "Look up their order in the task.", _swapped),
    ("the expected list in reverse order", "", lambda value: list(value)[::-1]),
    (
        "only the first part of what is expected",
        "The task asks for all of it.",
        lambda value: value[0] if not isinstance(value, str) else 1 / 0,
    ),
    (
        "only the last part of what is expected",
        "The task asks for all of it.",
        lambda value: value[-1] if not isinstance(value, str) else 1 / 0,
    ),
    ("the expected list without its first item", "", lambda value: list(value)[1:]),
    ("the expected list without its last item", "", lambda value: list(value)[:-1]),
    ("inside an extra list or pair", "The task asks for the value itself.", lambda value: [value]),
    (
        "a text",
        "The task asks for a number, without `str` or quotes.",
        lambda value: str(_number(value)),
    ),
    (
        "rounded down",
        "The task asks for the exact value: look for `int` and `//`.",
        _each(math.floor),
    ),
    ("rounded up", "Look for `ceil`.", _each(math.ceil)),
    ("rounded towards 0", "Look for `int`.", _each(int)),
    ("rounded", "The task asks for the exact value.", _each(round)),
    (
        "rounded to two places",
        "Return the exact number; rounding is for displaying it.",
        _each(lambda x: round(x, 2)),
    ),
    (
        "rounded to three places",
        "Return the exact number; rounding is for displaying it.",
        _each(lambda x: round(x, 3)),
    ),
    ("the expected one without its sign", "", _each(abs)),
    ("the square of the expected one", "", _each(lambda x: x * x)),
    ("the square root of the expected one", "", _each(math.sqrt)),
    (
        "the expected values without their keys",
        "The task asks for a dictionary, which says what each value belongs to.",
        _values_only,
    ),
    ("1 divided by the expected one", "", _each(lambda x: 1 / x)),
    ("the sum of the expected values", "", lambda value: sum(value)),
    ("the mean of the expected values", "", lambda value: np.mean(value)),
    ("the number of expected items", "The task asks for the items themselves.", len),
    ("true or false instead of a value", "The task asks for the value itself.", bool),
    ("the expected numbers, but all in one row", "Check the shape that the task asks for.", _flat),
    ("the expected table with rows and columns swapped", "", _transposed),
    (
        "on another scale: from 0 to 1 instead of -1 to 1",
        "In this course a loss is worth -1, a draw 0 and a win 1.",
        _each(lambda x: (x + 1) / 2),
    ),
    ("on another scale: from -1 to 1 instead of 0 to 1", "", _each(lambda x: 2 * x - 1)),
    ("larger by 1 than the expected one", "", _each(lambda x: x + 1)),
    ("the expected list, sorted", "The order matters; the task says which one.", sorted),
    (
        "the last item of the expected list again and again",
        "Is one and the same object changed and appended each time?",
        _repeated,
    ),
]


def _in_another_order(pairs: Sequence[tuple[Any, Any]]) -> bool:
    """Whether all have their values exchanged in the same way."""
    if not all(isinstance(value, list | tuple) for pair in pairs for value in pair):
        return False
    lengths = {len(value) for pair in pairs for value in pair}
    if len(lengths) > 1 or max(lengths) > len(_POSITIONS):
        return False
    return any(
        all(same([expected[place] for place in order], found) for expected, found in pairs)
        for order in itertools.permutations(range(*lengths))
    )


_INVERSES: Final[Sequence[tuple[str, str, Callable[[Any], object]]]] = [
    ("a list of what should be counted", "The task asks only for their number: `len(...)`.", len),
    (
        "a set of squares as bits",
        "The task asks for their number: `.bit_count()`.",
        lambda x: x.bit_count(),
    ),
    (
        "a list that begins with the expected one",
        "The task asks only for that one.",
        lambda x: _listed(x)[0],
    ),
    (
        "a list that ends with the expected one",
        "The task asks only for that one.",
        lambda x: _listed(x)[-1],
    ),
    (
        "the expected values with a pair or list around some of them",
        "The task asks for all of them side by side: `return a, b, c`.",
        _unnested,
    ),
    ("a dictionary of what should be in a list", "", lambda x: list(x.values())),
    ("the expected list with an item too many at its end", "", lambda x: _listed(x)[:-1]),
    ("the expected list with an item too many in front", "", lambda x: _listed(x)[1:]),
]


def _listed(value: object) -> list[object] | tuple[object, ...]:
    if not isinstance(value, list | tuple):
        raise TypeError(value)
    return value


def _mapped(pairs: Sequence[tuple[object, object]]) -> Symptom | None:
    """Each expected value is always replaced by the same wrong value."""
    by_expected: dict[str, set[str]] = {}
    pairs = [one for pair in pairs for one in _items(*pair)]
    for expected, found in pairs:
        by_expected.setdefault(shown(expected), set()).add(shown(found))
    is_plain = all(isinstance(one, int | float | None) for pair in pairs for one in pair)
    is_one_to_one = all(len(each) == 1 for each in by_expected.values())
    if not is_plain or not is_one_to_one or not 2 <= len(by_expected) <= len(pairs) / 3:
        return None
    wrong = [f"{of.pop()} where {key} is" for key, of in by_expected.items() if key not in of]
    return Symptom(EVERY_RESULT, f"{', and '.join(wrong)} expected", "All others are right.")


def _items(expected: object, found: object) -> Iterator[tuple[object, object]]:
    """What stands at the same place of two lists; other things as they are."""
    if not isinstance(expected, list) or not isinstance(found, list | tuple):
        yield expected, found
    elif len(expected) == len(found):
        for one, other in zip(expected, found, strict=True):
            yield from _items(one, other)
    else:
        yield expected, found


def _scaled(pairs: Sequence[tuple[object, object]]) -> Symptom | None:
    """All results too large by one factor, or by one number."""
    numbers = [pair for each in pairs for pair in _numbers(*each)]
    if len(numbers) < ENOUGH or not all(map(math.isfinite, itertools.chain(*numbers))):
        return None
    factors = {found / expected for expected, found in numbers if expected}
    if all(not found for expected, found in numbers if not expected) and _one(factors):
        factor = factors.pop()
        if factor and factor != 1:
            name = f"{_factor(factor)} the expected one"
            return Symptom(EVERY_RESULT, name, "Check what it is divided by or multiplied by.")
    distances = {found - expected for expected, found in numbers}
    if _one(distances) and (distance := distances.pop()):
        more = "larger" if distance > 0 else "smaller"
        name = f"{more} by {shown(abs(distance))} than the expected one"
        return Symptom(
            EVERY_RESULT, name, "Is something counted that should not be, or the other way round?"
        )
    return None


def _not_normalised(pairs: Sequence[tuple[object, object]]) -> Symptom | None:
    """Lists in the right proportions, each with a wrong sum."""
    if not any(isinstance(expected, list | tuple) for expected, _ in pairs):
        return None
    for expected, found in pairs:
        numbers = list(_numbers(expected, found))
        if not all(map(math.isfinite, itertools.chain(*numbers))):
            return None
        if not isinstance(expected, list | tuple) and not same(expected, found):
            return None
        factors = {found / expected for expected, found in numbers if expected}
        if len(numbers) > 1 and (not _one(factors) or any(y for x, y in numbers if not x)):
            return None
    advice = "What does each have to be divided by, so that the sum is right?"
    return Symptom(EVERY_RESULT, "right in its proportions, but not in its sum", advice)


def _numbers(expected: object, found: object) -> Iterator[tuple[float, float]]:
    """The numbers that stand at the same place; one that fits none gives nan."""
    if isinstance(expected, list | tuple):
        if not isinstance(found, list | tuple) or len(found) != len(expected):
            yield math.nan, math.nan
            return
        for one, other in zip(expected, found, strict=True):
            yield from _numbers(one, other)
    else:
        yield _as_number(expected), _as_number(found)


def _as_number(value: object) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    try:
        return float(value) if is_number else math.nan  # type: ignore[arg-type]
    except OverflowError:
        return math.nan


def _one(numbers: set[float]) -> bool:
    """Whether these are one and the same number, but for rounding."""
    return bool(numbers) and max(numbers) - min(numbers) <= 1e-6 * max(map(abs, numbers))


def _factor(factor: float) -> str:
    known = {2: "twice", 0.5: "half", 100: "100 times"}
    for number, word in known.items():
        if math.isclose(factor, number, rel_tol=1e-6):
            return word
    return f"{factor:.4g} times"


def _place_of_action(seen: Sequence[Seen]) -> Symptom | None:
    """Each result is the place of the expected action in a list, and not the action."""
    if all(_is_place(each) for each in seen):
        return Symptom(
            EVERY_RESULT,
            "the index of an action in a list",
            "The task asks for the action itself: an action is a number of the game, not an index"
            " of the legal actions.",
        )
    return None


def _is_place(each: Seen) -> bool:
    for value in each.arguments.values():
        actions = list(_actions_in(value))
        if each.expected in actions and each.found == actions.index(each.expected):
            return True
    return False


def _actions_in(value: object) -> Iterator[object]:
    """The actions that an argument lists, in its order."""
    if isinstance(value, State):
        yield from value.legal_actions()
    elif isinstance(value, Node):
        yield from (child.action for child in value.children)
    elif isinstance(value, Mapping):
        yield from value
    elif isinstance(value, list | tuple):
        yield from (item[0] if isinstance(item, tuple) else item for item in value)


def _an_argument(seen: Sequence[Seen]) -> Symptom | None:
    for name in seen[0].arguments:
        if not all(name in each.arguments for each in seen):
            continue  # one that may be left out
        given = [plain(each.arguments[name]) for each in seen]
        if len({shown(value) for value in given}) < ENOUGH or isinstance(given[0], State | Node):
            continue
        if all(same(value, each.found) for value, each in zip(given, seen, strict=True)):
            advice = "It is returned unchanged."
            return Symptom(EVERY_RESULT, f"the argument `{name}`", advice)
    return None


def constant(seen: Sequence[Seen]) -> Symptom | None:
    """The one result of all inputs; of None the cause is a missing `return`."""
    first = seen[0]
    expected = {shown(each.expected) for each in seen}
    if first.found is None or isinstance(first.found, dict) or len(expected) <= ENOUGH:
        return None  # a dictionary are facts about what the function did
    if all(first.found == each.found for each in seen):
        advice = (
            f"It is {shown(first.found)} every time, so nothing in the input affects the result."
        )
        return Symptom(EVERY_RESULT, "the same, whatever the input", advice)
    return None


# Inputs


def of_inputs(seen: Sequence[Seen]) -> Symptom | None:
    """What all inputs with wrong results have in common, and hardly any other input has."""
    wrong = [each for each in seen if not each.is_right]
    right = [each for each in seen if each.is_right]
    if not wrong:
        return None
    for name, explanation, feature in _FEATURES:
        others = sum(_holds(feature, each) for each in right)
        is_telling = len(right) - others > 2 * ENOUGH
        probability = ((others + 1) / (len(right) + 1)) ** len(wrong)
        if is_telling and probability < _BY_CHANCE and all(_holds(feature, each) for each in wrong):
            advice = f"All other results are right.{explanation and ' '}{explanation}"
            return Symptom("Among all inputs tried, it is wrong only", name, advice)
    return None


Feature: TypeAlias = tuple[str, str, Callable[[Seen], bool]]


_BY_CHANCE: Final = 1e-3
"""A coincidence must be less likely than this."""


def _holds(feature: Callable[[Seen], bool], each: Seen) -> bool:
    with suppress(Exception):
        return feature(each)
    return False


def _state(each: Seen) -> State:
    """The position that the function is about."""
    for value in each.arguments.values():
        if isinstance(value, Node):
            return value.state
        if isinstance(value, State):
            return value
    raise LookupError


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(value)
    return value


def _moves_twice(each: Seen) -> bool:
    """Whether a move is seen after which the same player is to move again."""
    states = [_state(each)]
    for state in states:
        children = [state.child(action) for action in state.legal_actions()]
        going_on = [child for child in children if not child.is_terminal]
        if any(child.current_player == state.current_player for child in going_on):
            return True
        if len(states) < _MOST_LOOKED_AT:
            states += going_on
    return False


_MOST_LOOKED_AT: Final = 40

_ONE_VIEW: Final = "Is every number from the right player's point of view?"
_FEATURES: Final[Sequence[Feature]] = [
    ("where player 1 is to move", _ONE_VIEW, lambda each: _state(each).current_player == 1),
    ("where player 0 is to move", _ONE_VIEW, lambda each: _state(each).current_player == 0),
    ("where the game is over", "", lambda each: _state(each).is_terminal),
    (
        "where a player moves twice in a row",
        "Turns don't have to alternate: each position says whose turn it is.",
        _moves_twice,
    ),
    ("where a draw is expected", "", lambda each: same((0, 0), each.expected)),
    ("where None is expected", "", lambda each: each.expected is None),
    ("where a negative number is expected", "", lambda each: _number(each.expected) < 0),
    ("where True is expected", "", lambda each: each.expected is True),
    ("where False is expected", "", lambda each: each.expected is False),
]


# Facts


def of_kind(seen: Sequence[Seen]) -> Symptom | None:
    """The type of each result, if it should be a different one."""
    wrong = [each for each in seen if not each.is_right]
    plain_ones = [
        each for each in wrong if not isinstance(each.expected, Expectation | dict | Words)
    ]
    kinds = {(kind(each.expected), kind(each.found)) for each in plain_ones or wrong}
    if len(kinds) != 1:
        return None
    ((expected, found),) = kinds
    if expected == found or {expected, found} == {"a list", "a tuple"}:
        return None
    if not plain_ones:  # these are facts that the student has not seen
        is_chance = any(isinstance(each.expected, Expectation) for each in wrong)
        return None if is_chance else Symptom("It returns", found, _KINDS.get(found, _OTHER_KIND))
    if found == "None" and any(each.found is not None for each in seen):
        advice = f"{_KINDS[found]} Which case is missing?"
        return Symptom("For some inputs it returns", "None", advice)
    return Symptom("It returns", f"{found} where {expected} is expected", _KINDS.get(found, ""))


_OTHER_KIND: Final = "The task asks for something else."
_KINDS: Final[Mapping[str, str]] = {
    "None": "Does every way through it end with `return`, also where it calls itself?",
    "a function": "Write brackets after the name of a function to call it.",
    "a method": "Write brackets after the name of a method to call it: `state.returns()`.",
}


def of_facts(seen: Sequence[Seen]) -> Symptom | None:
    """Which of several facts about a result are wrong, if it is always the same ones."""
    wrong = [each for each in seen if not each.is_right]
    if len(wrong) < ENOUGH:
        return None
    for split in (_by_letter, _by_name, _by_position):
        with suppress(TypeError):
            facts = [split(each.expected, each.found) for each in wrong]
            names = {name for each in facts for name, is_right in each.items() if not is_right}
            others = {name for each in facts for name, is_right in each.items() if is_right}
            is_told = names.isdisjoint(others) or split is _by_letter
            if names and others - names and is_told:
                few = [f"“{name}”" for name in sorted(names)]
                if len(few) > _MOST_FACTS:
                    return None
                told = f"in {' and '.join(few)}"
                return Symptom("It is wrong only", told, "Everything else about it is right.")
    return None


_MOST_FACTS: Final = 3


def wrong_facts(expected: object, found: object) -> list[str]:
    """The names of the facts that are wrong, if a result consists of such."""
    for split in (_by_name, _by_position):
        with suppress(TypeError):
            return [name for name, is_right in split(expected, found).items() if not is_right]
    return []


def _by_name(expected: object, found: object) -> dict[str, bool]:
    """Of each fact whether it is right."""
    if not isinstance(expected, dict) or not isinstance(found, dict):
        raise TypeError(found)
    if expected.keys() != found.keys():
        raise TypeError(found)
    return {str(key): same(value, found[key]) for key, value in expected.items()}


def _by_position(expected: object, found: object) -> dict[str, bool]:
    """Of each value of a pair or triple whether it is right."""
    if not isinstance(expected, tuple) or not isinstance(found, list | tuple):
        raise TypeError(found)
    if not len(expected) == len(found) <= len(_POSITIONS):
        raise TypeError(found)
    both = zip(_POSITIONS, expected, found, strict=False)
    return {position: same(one, other) for position, one, other in both}


_POSITIONS: Final = ("the first value", "the second value", "the third value")


def _by_letter(expected: object, found: object) -> dict[str, bool]:
    """Of N and of W whether they are right at all nodes."""
    named = _by_name(expected, found)
    assert isinstance(expected, dict)
    assert isinstance(found, dict)
    keys = [key for key in named if key.startswith("N and W")]
    if len(keys) != len(named):
        raise TypeError(found)
    return {
        letter: all(same(expected[key][at], found[key][at]) for key in keys)
        for at, letter in enumerate("NW")
    }
