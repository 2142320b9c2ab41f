"""What generated modules import when they run as plain Python, for breakpoints and coverage.

That is the case if the environment variable MCTSLAB_INTERPRET is set. A search is then hundreds of
times as slow, and grows the same trees. An `np.uint64` has 64 bits here, too: what is above them is
lost. Only generated modules import this file.
"""

import functools
import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from mctslab.fast.compile import primitives
from mctslab.games.reversi import beyond_runs as beyond_runs

uint64 = np.uint64


def njit(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function itself, which is not compiled."""
    return function


def entry_point(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` for arrays of records, whose fields become attributes as in compiled code."""

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        with np.errstate(all="ignore"):  # also of the bits that are lost
            return function(*map(_with_attributes, arguments))

    return call


def _with_attributes(argument: Any) -> Any:
    if isinstance(argument, tuple):
        parts = map(_with_attributes, argument)
        return argument._make(parts) if hasattr(argument, "_make") else tuple(parts)
    has_fields = isinstance(argument, np.ndarray) and argument.dtype.names
    return argument.view(np.recarray) if has_fields else argument


# The functions of `primitives.py`; instructions have to be called by something that is compiled


def _word(function: Callable[..., Any]) -> Callable[..., np.uint64]:
    """`function`, whose result Numba makes an int, with 64 bits."""
    return lambda *arguments: uint64(function(*arguments))


square_root = math.sqrt
place_of = primitives.place_of
count_bits = numba.njit(lambda bits: primitives.count_bits(bits))
trailing_zeros = _word(numba.njit(lambda bits: primitives.trailing_zeros(bits)))
bit_count, bit_length = _word(primitives.bit_count), _word(primitives.bit_length)
nth_bit, next_53_bits = _word(primitives.nth_bit), _word(primitives.next_53_bits)
