"""What generated modules import when they run as plain Python, for breakpoints and coverage.

That is the case if the environment variable MCTSLAB_INTERPRET is set. A search is then hundreds of
times as slow, and grows the same trees. An `np.uint64` has 64 bits here, too: what is above them is
lost. Only generated modules import this file.
"""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from mctslab.games.reversi import beyond_runs as beyond_runs

_MULTIPLIER = 2549297995355413924 << 64 | 4865540595714422341
uint64 = np.uint64


def njit(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function itself, which is not compiled."""
    return function


makes_arrays = njit


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


# The same as the functions of these names in `primitives.py`


square_root = math.sqrt


def count_bits(bits: uint64) -> int:
    """How many bits are ones."""
    return int(bits).bit_count()


def bit_count(bits: uint64) -> uint64:
    """How many bits are ones."""
    return uint64(int(bits).bit_count())


def bit_length(bits: uint64) -> uint64:
    """The number of the highest one plus 1."""
    return uint64(int(bits).bit_length())


def leading_zeros(bits: uint64) -> uint64:
    """How many zeros stand above the highest one."""
    return uint64(64 - int(bits).bit_length())


def trailing_zeros(bits: uint64) -> uint64:
    """The number of the lowest one; 64 where there is none."""
    return uint64((int(bits) & -int(bits)).bit_length() - 1 if bits else 64)


def nth_bit(bits: uint64, n: int) -> uint64:
    """The number of the n-th one of `bits`, counted from 0 at the lowest."""
    for _ in range(n):
        bits &= bits - uint64(1)
    return trailing_zeros(bits)


def next_53_bits(random_state: np.ndarray[Any, Any]) -> uint64:
    """The next draw; `random_state` is the state of a PCG64 and its increment, each in halves."""
    state, increment = (int(high) << 64 | int(low) for high, low in random_state.reshape(2, 2))
    state = (state * _MULTIPLIER + increment) % (1 << 128)
    high, low = random_state[:2] = divmod(state, 1 << 64)
    mixed, turn = high ^ low, high >> 58
    rotated = (mixed >> turn | mixed << (64 - turn)) % (1 << 64)
    return uint64(rotated >> 11)


def place_of(drawn: uint64, number: int) -> int:
    """`int(rng.random() * number)` of a draw of 53 bits."""
    return int(float(drawn) * 2.0**-53 * number)
