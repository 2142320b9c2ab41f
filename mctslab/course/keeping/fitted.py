"""A student's function whose results can be used further down like the package's.

A check accepts a generator where a list is expected, or lists where an array is. The cells of a
notebook may take an element of the list, or the shape of the array.
"""

import functools
import inspect
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from mctslab.course.checking.comparing import is_tensor
from mctslab.course.question import Function


def fitted(function: Function, model_answer: Function) -> Function:
    """`function` with results that are lists, tuples or arrays where the model answer's are.

    It is the same function where the model answer returns anything else.
    """
    annotation = inspect.signature(model_answer).return_annotation
    make = _MAKE.get(typing.get_origin(annotation))
    if make is None:
        return function

    @functools.wraps(function)
    def with_such_results(*given: Any, **named: Any) -> object:
        return make(function(*given, **named))

    return with_such_results


def _sequence(kind: Callable[[Iterable[Any]], object], value: object) -> object:
    """A list or tuple of what comes out of an iterator or a set; any other value as it is."""
    if isinstance(value, Iterable) and not isinstance(value, Sequence | Mapping | np.ndarray):
        value = kind(value)
    return _without_numpy_numbers(value)


def _without_numpy_numbers(value: object) -> object:
    """With Python's own numbers, in lists and tuples as well: an action must be a plain int."""
    if isinstance(value, np.generic):
        return value.item()
    if type(value) is list:
        return [_without_numpy_numbers(each) for each in value]
    return tuple(map(_without_numpy_numbers, value)) if type(value) is tuple else value


def _array(value: Any) -> object:
    """An array of what is in a list or a tensor."""
    if is_tensor(value):
        value = value.detach().cpu()
    return value if isinstance(value, np.ndarray) else np.asarray(value)


_MAKE: Final[Mapping[Any, Callable[[Any], object]]] = {
    list: functools.partial(_sequence, list),
    tuple: functools.partial(_sequence, tuple),
    np.ndarray: _array,
}
"""By what the model answer returns."""
