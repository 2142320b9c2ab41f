"""A student's function whose results can be used further down like the package's.

A check accepts a generator where a list is expected, or lists where an array is. The cells of a
notebook may take an element of the list, or the shape of the array.
"""

import functools
import inspect
import typing
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from mctslab.course.checking.comparing import is_tensor
from mctslab.course.question import Function


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
