"""How far the building of a book has come, and a line of text that says so."""

import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TextIO, TypeAlias

from mctslab.book.store import Summary

_SECONDS_BETWEEN_LINES: Final = 10.0
_SECONDS_BETWEEN_UPDATES: Final = 0.2


@dataclass(frozen=True, slots=True)
class Standing:
    """How far the building of a book has come."""

    summary: Summary
    """What is in the book now."""
    wanted_seconds: float | None
    """How long is to be searched in all; None without a limit."""
    num_searches: int
    """Searches of this run that are in the book."""
    seconds: float
    """Since this run began, by the clock on the wall."""
    is_last: bool = False
    """Whether nothing more will come."""
    ended: str = ""
    """Why, half a sentence."""


Progress: TypeAlias = Callable[[Standing], object]
"""Is told of every finished search."""


class TextProgress:
    """Keeps a line of text up to date, in a terminal and in a notebook; else a line now and then.

    Args:
        stream: where it is written; if not given, in a notebook the standard output, else the
            standard error stream.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        in_notebook = "ipykernel" in sys.modules
        self._stream = stream or (sys.stdout if in_notebook else sys.stderr)
        self._in_place = in_notebook or self._stream.isatty()
        self._next = 0.0
        self._width = 0

    def __call__(self, standing: Standing) -> None:
        """Write the line, if it is time for it."""
        now = time.monotonic()
        if now < self._next and not standing.is_last:
            return
        self._next = now + (_SECONDS_BETWEEN_UPDATES if self._in_place else _SECONDS_BETWEEN_LINES)
        line = line_of(standing)
        if self._in_place:
            if self._stream.isatty():  # where a line that is too long would not replace itself
                line = line[: shutil.get_terminal_size().columns - 1]
            self._stream.write(f"\r{line:<{self._width}}" + "\n" * standing.is_last)
            self._width = len(line)
        else:
            self._stream.write(f"{line}\n")
        self._stream.flush()


def line_of(standing: Standing) -> str:
    """How much is in the book, how deep it goes, and how much of the time is spent."""
    summary = standing.summary
    parts = [
        f"{summary.num_positions:,} positions to ply {summary.depth}",
        f"{summary.num_simulations:,} simulations",
    ]
    wanted = "" if standing.wanted_seconds is None else f" of {standing.wanted_seconds:,.0f}"
    parts.append(f"{summary.seconds:,.0f}{wanted} s of search")
    if standing.num_searches:
        parts.append(f"{standing.num_searches / standing.seconds:.1f} searches a second")
    if standing.ended:
        parts.append(standing.ended)
    return "  ".join(parts)
