"""Evaluating a position of Reversi without a search: corners, mobility, stability and others.

Each term is a plain function of a position on bitboards, and returns two counts: that of the player
to move and that of the opponent. An evaluation is the weighted sum of the differences. The terms
follow the rules of `games/rules.py`, so the compiled alpha-beta is built from the same source.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from mctslab.games.bitboards import checked_size
from mctslab.games.reversi import Geometry, Reversi, legal_moves
from mctslab.games.rules import Position
from mctslab.games.state import State

Counts: TypeAlias = tuple[int, int]
"""The count of a term for the player to move and for the opponent; each 0 or more."""

HEAVIEST: Final = 1_000
"""The largest weight, up or down, so that no evaluation can look like the end of a game."""


# Squares


def squares_beside(squares: int, geometry: Geometry) -> int:
    """The squares one step from any of `squares`, in the eight directions.

    A step that wraps around the left or right edge begins and ends on an edge. Steps to or from the
    passable squares are on no edge, so they never wrap around.
    """
    found = 0
    for step, passable in geometry.axes:
        inner = squares & passable
        found |= (squares << step | squares >> step) & passable
        found |= inner << step | inner >> step
    return found & geometry.board


def corner_squares(geometry: Geometry) -> int:
    """The four corners."""
    last = geometry.size - 1
    top = 1 | 1 << last
    return top | top << geometry.size * last


def edge_squares(geometry: Geometry) -> int:
    """The squares on the four edges, corners included; each lacks a neighbour."""
    inner = geometry.board
    for step, passable in geometry.axes:
        inner &= passable & geometry.board << step & geometry.board >> step
    return geometry.board & ~inner


# The terms


def corners(position: Position, geometry: Geometry) -> Counts:
    """Discs on the corners, which can never be flipped."""
    own, opponent, _ = position
    squares = corner_squares(geometry)
    return (own & squares).bit_count(), (opponent & squares).bit_count()


def x_squares(position: Position, geometry: Geometry) -> Counts:
    """Discs diagonally next to an empty corner, which help the opponent to take that corner."""
    own, opponent, _ = position
    open_corners = corner_squares(geometry) & ~(own | opponent)
    squares = squares_beside(open_corners, geometry) & ~edge_squares(geometry)
    return (own & squares).bit_count(), (opponent & squares).bit_count()


def c_squares(position: Position, geometry: Geometry) -> Counts:
    """Discs on the edge next to an empty corner."""
    own, opponent, _ = position
    open_corners = corner_squares(geometry) & ~(own | opponent)
    squares = squares_beside(open_corners, geometry) & edge_squares(geometry)
    return (own & squares).bit_count(), (opponent & squares).bit_count()


def mobility(position: Position, geometry: Geometry) -> Counts:
    """Legal moves; the opponent's are those after a pass."""
    own, opponent, player = position
    ours = legal_moves((own, opponent, player), geometry)
    theirs = legal_moves((opponent, own, player), geometry)
    return ours.bit_count(), theirs.bit_count()


def frontier(position: Position, geometry: Geometry) -> Counts:
    """Frontier discs: those next to an empty square."""
    own, opponent, _ = position
    open_squares = squares_beside(geometry.board & ~(own | opponent), geometry)
    return (own & open_squares).bit_count(), (opponent & open_squares).bit_count()


def parity(position: Position, geometry: Geometry) -> Counts:
    """Regions of empty squares, odd and even.

    If the player to move starts in an odd region, the same player moves last there; in an even
    region the opponent does. Squares that touch, even at a corner, belong to one region.
    """
    own, opponent, _ = position
    empty = geometry.board & ~(own | opponent)
    odd = 0
    even = 0
    while empty:
        region = region_of(empty & -empty, empty, geometry)
        if region.bit_count() & 1:
            odd += 1
        else:
            even += 1
        empty &= ~region
    return odd, even


def region_of(square: int, empty: int, geometry: Geometry) -> int:
    """All `empty` squares that are connected to `square` by empty squares."""
    region = square
    grown = square | squares_beside(square, geometry) & empty
    while grown != region:
        region = grown
        grown |= squares_beside(grown, geometry) & empty
    return region


def stability(position: Position, geometry: Geometry) -> Counts:
    """Stable discs, of which `stable_discs` finds most."""
    own, opponent, _ = position
    ours = stable_discs(own, opponent, geometry)
    theirs = stable_discs(opponent, own, geometry)
    return ours.bit_count(), theirs.bit_count()


def stable_discs(own: int, opponent: int, geometry: Geometry) -> int:
    """Discs of `own` that cannot be flipped for the rest of the game; there can be more of them.

    A disc is flipped along a line, between two of the opponent's. That is impossible if the line is
    full, if the disc is at its end, or if its neighbour is a stable disc of ours. A disc that is
    safe along all four lines is stable, and can make its neighbours stable.
    """
    empty = geometry.board & ~(own | opponent)
    across, falling, down, rising = geometry.axes
    full_across = full_lines(empty, across, geometry)
    full_falling = full_lines(empty, falling, geometry)
    full_down = full_lines(empty, down, geometry)
    full_rising = full_lines(empty, rising, geometry)
    stable = 0
    while True:
        safe = own & (full_across | held_along(stable, across, geometry))
        safe &= full_falling | held_along(stable, falling, geometry)
        safe &= full_down | held_along(stable, down, geometry)
        safe &= full_rising | held_along(stable, rising, geometry)
        if safe == stable:
            return stable
        stable = safe


def full_lines(empty: int, axis: tuple[int, int], geometry: Geometry) -> int:
    """The squares on full lines along `axis`; also ends of other lines, where a disc is safe."""
    reached = empty
    for _ in range(geometry.size - 1):
        reached |= beside_along(reached, axis)
    return geometry.board & ~reached


def held_along(stable: int, axis: tuple[int, int], geometry: Geometry) -> int:
    """The squares at the ends of the lines along `axis`, and those next to a stable disc."""
    step, passable = axis
    between = passable & geometry.board << step & geometry.board >> step
    return geometry.board & (beside_along(stable, axis) | geometry.board & ~between)


def beside_along(squares: int, axis: tuple[int, int]) -> int:
    """The squares one step from any of `squares` along `axis`, except at the board's edge."""
    step, passable = axis
    return (squares << step | squares >> step) & passable


TERMS: Final[Mapping[str, Callable[[Position, Any], Counts]]] = MappingProxyType(
    {
        "corners": corners,
        "x_squares": x_squares,
        "c_squares": c_squares,
        "mobility": mobility,
        "frontier": frontier,
        "parity": parity,
        "stability": stability,
    }
)
"""The terms by name, in the order of the weights."""


# The evaluation


@dataclass(frozen=True, slots=True)
class ReversiEvaluation:
    """Evaluates a position of Reversi by a weighted sum of terms, without looking ahead.

    A weight is the number of points that each count is worth to the player who has it. By default
    a disc on a corner is worth 100 points. A negative weight makes the count a disadvantage, and a
    weight of 0 switches its term off.

    Raises:
        ValueError: a weight is not a whole number from -1000 to 1000.

    >>> ReversiEvaluation().counts(Reversi().child(19))["mobility"]
    (3, 3)
    >>> ReversiEvaluation(corners=0, stability=0)(Reversi())
    -4.0
    """

    corners: int = 100
    x_squares: int = -40
    c_squares: int = -15
    mobility: int = 8
    frontier: int = -6
    parity: int = 4
    stability: int = 15

    def __post_init__(self) -> None:
        for name, weight in zip(TERMS, self.weights, strict=True):
            checked_size(name, weight, -HEAVIEST, HEAVIEST)

    @property
    def weights(self) -> tuple[int, ...]:
        """Points per count, in the order of `TERMS`."""
        return tuple(getattr(self, field.name) for field in fields(self))

    def __call__(self, state: State) -> float:
        """The points of `state` for player 0; at the end of a game the difference in discs.

        Raises:
            ValueError: this is not Reversi.
        """
        if isinstance(state, Reversi) and state.is_terminal:
            black, white = state.disc_counts()
            return float(black - white)
        weights = dict(zip(TERMS, self.weights, strict=True))
        counts = self.counts(state).items()
        return float(sum(weights[name] * (black - white) for name, (black, white) in counts))

    def counts(self, state: State) -> dict[str, Counts]:
        """The counts of player 0 and of player 1 for each term whose weight is not 0.

        Raises:
            ValueError: this is not Reversi.
        """
        if not isinstance(state, Reversi):
            raise ValueError(f"ReversiEvaluation works for Reversi only; this is {state.title}.")
        _, geometry, position, *_ = state.compilable()
        found = {}
        for (name, term), weight in zip(TERMS.items(), self.weights, strict=True):
            if weight:
                ours, theirs = term(position, geometry)
                found[name] = (ours, theirs) if state.current_player == 0 else (theirs, ours)
        return found
