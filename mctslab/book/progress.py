"""How far the building of a book has come, and a line of text that says so."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TextIO, TypeAlias

from mctslab.book.store import Summary
from mctslab.running_line import RunningLine


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
    """Keeps a line of text up to date: what is in the book, and how much of the time is spent.

    Args:
        stream: where it is written; a fitting one if not given, see `RunningLine`.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._line = RunningLine(stream)

    def __call__(self, standing: Standing) -> None:
        """Write the line, if it is time for it."""
        self._line.update(lambda: line_of(standing), is_last=standing.is_last)


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
