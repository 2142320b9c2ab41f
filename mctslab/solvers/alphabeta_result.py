"""The limits of an alpha-beta search, and its result."""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from mctslab.games.bitboards import checked_size, plain_int
from mctslab.games.state import State
from mctslab.search.alphabeta import MAXIMUM_DEPTH, WIN
from mctslab.search.budget import checked_seconds


class Iteration(NamedTuple):
    """A complete search with one horizon; the next one looks one ply further."""

    depth: int
    """The number of plies that it looked ahead."""
    num_nodes: int
    """The number of positions it visited, including the root, without those of other iterations."""
    seconds: float
    """Its own time."""
    value: float
    """The value of the root that it found, for the player to move."""
    best_action: int


@dataclass(frozen=True, slots=True)
class AlphaBetaResult:
    """The result of a search of `state`."""

    state: State
    best_action: int
    """The move to play; if time was up before anything was found, the first legal one."""
    value: float
    """The value of `best_action` for the player to move, in points of the evaluation; 0 if nothing
    was found. A won game has WIN and, in Reversi, one more point for each disc of the lead."""
    depth: int
    """The number of plies that the last finished iteration looked ahead; 0 if there was none."""
    num_nodes: int
    """Positions that all iterations together visited, including the unfinished one."""
    seconds: float
    is_exact: bool
    """Whether the value is exact, that of the game under perfect play."""
    move_values: Mapping[int, float]
    """The exact values of some moves with this horizon, for the player to move; all other moves
    are no better than `best_action`."""
    principal_variation: tuple[int, ...]
    """The line of play that the search expects, `best_action` first; a solved endgame and a search
    in plain Python have only this action."""
    iterations: tuple[Iteration, ...]
    """The finished ones."""
    note: str = ""
    """A sentence about how the search was done; usually empty."""

    def __repr__(self) -> str:
        move = self.state.action_to_string(self.best_action)
        mover = self.state.player_names[self.state.current_player]
        return (
            f"<AlphaBetaResult: {move}, {_in_words(self.value)} for {mover}"
            f"{' (exact)' if self.is_exact else ''}, depth {self.depth}, "
            f"{self.num_nodes:,} nodes in {self.seconds:.2f} s"
            f"{'. ' + self.note if self.note else ''}>"
        )


def end_value(discs: int) -> float:
    """The value of a game of Reversi that ends with a lead of `discs` discs."""
    won = (discs > 0) - (discs < 0)
    return won * WIN + discs


def _in_words(value: float) -> str:
    """A value as words: points of the evaluation, or how the game ends."""
    if abs(value) < WIN / 2:
        return f"{value:+g} points"
    discs = abs(value) - WIN
    return f"{'won' if value > 0 else 'lost'}{f' by {discs:g}' if discs else ''}"


def nothing_yet(state: State, note: str = "") -> AlphaBetaResult:
    """The result before anything was found."""
    return AlphaBetaResult(
        state=state,
        best_action=state.legal_actions()[0],
        value=0.0,
        depth=0,
        num_nodes=0,
        seconds=0.0,
        is_exact=False,
        move_values={},
        principal_variation=(),
        iterations=(),
        note=note,
    )


# Limits


_CHUNK: Final = 2_048
"""Positions searched, in one or two milliseconds, between two checks of the clock and `stop`."""


class Limits:
    """When a search ends: by its depth, its number of positions, the clock, or `stop`.

    Raises:
        ValueError: there is no limit, or one is too small.
    """

    def __init__(
        self,
        depth: int | None,
        num_nodes: int | None,
        seconds: float | None,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        if depth is None and num_nodes is None and seconds is None and stop is None:
            raise ValueError(
                "The search needs a budget, such as depth=6, num_nodes=100_000 or seconds=2."
            )
        self.depth = MAXIMUM_DEPTH
        if depth is not None:
            self.depth = checked_size("depth", depth, 1, MAXIMUM_DEPTH)
        self._num_nodes = math.inf if num_nodes is None else _checked_number(num_nodes)
        self._started = math.nan
        self._allowed = math.inf if seconds is None else checked_seconds(seconds)
        self._stop = stop

    def start_clock(self) -> None:
        """Start the clock; earlier work, such as compiling, doesn't count."""
        self._started = time.perf_counter()

    @property
    def seconds(self) -> float:
        """The time since the clock was started."""
        return time.perf_counter() - self._started

    def next_chunk(self, num_nodes: int) -> int:
        """How many positions can be visited next, after `num_nodes`."""
        return int(min(_CHUNK, self._num_nodes - num_nodes))

    def are_reached(self, num_nodes: int) -> bool:
        """Whether the search must end now, after `num_nodes` positions."""
        return (
            num_nodes >= self._num_nodes
            or self.seconds >= self._allowed
            or (self._stop is not None and self._stop())
        )


def _checked_number(num_nodes: object) -> int:
    number = plain_int(num_nodes)
    if number is None or number < 1:
        raise ValueError(f"num_nodes must be an integer, 1 or more, got {num_nodes!r}.")
    return number
