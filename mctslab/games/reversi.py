"""Reversi (Othello): a move must flip discs; without one a player passes; more discs win.

Two bitboards, bit `row * size + col`, a1 at the top left. A disc flips when it lies in a straight
run between the new disc and another of the mover's. Every rule follows such runs with the same
three operations: shift the board by one step, mask what must not wrap round an edge, repeat.
"""

from collections.abc import Hashable
from typing import Final, NamedTuple, Self

from mctslab.boards.board import Board, BoardStyle, square_bits
from mctslab.games.bitboards import BitboardState, checked_size, win_for
from mctslab.games.state import GameNotOverError, IllegalActionError

MINIMUM_SIZE: Final = 4


# The rules, on bitboards


class Geometry(NamedTuple):
    """The size of a board, and the bitboards that follow from it."""

    size: int
    board: int
    """Every square."""
    axes: tuple[tuple[int, int], ...]
    """For each of the four axes the distance of one step in bits, and the squares through which
    a run along it can pass without wrapping round the left or right edge."""


def geometry(size: int) -> Geometry:
    """The bitboards of a board of `size` x `size`."""
    board = (1 << size * size) - 1
    inner_row = (1 << size) - 1 & ~(1 | 1 << (size - 1))
    inner_columns = sum(inner_row << size * row for row in range(size))
    axes = (
        (1, inner_columns),
        (size - 1, inner_columns),
        (size, board),
        (size + 1, inner_columns),
    )
    return Geometry(size, board, axes)


def legal_mask(own: int, opponent: int, board: int, axes: tuple[tuple[int, int], ...]) -> int:
    """The squares on which a disc of `own` would flip at least one of `opponent`.

    From all own discs at once, walk over the opponent's in each of the eight directions; an empty
    square at the end of a walk is a legal move.
    """
    legal = own ^ own  # a zero of the same kind of int
    for step, passable in axes:
        through = opponent & passable
        reached = through & (own << step)
        while reached:
            reached <<= step
            legal |= reached
            reached &= through
        reached = through & (own >> step)
        while reached:
            reached >>= step
            legal |= reached
            reached &= through
    return legal & board & ~(own | opponent)


def flipped_mask(own: int, opponent: int, disc: int, axes: tuple[tuple[int, int], ...]) -> int:
    """The opponent's discs that turn when `own` puts a disc on the one square of `disc`."""
    flipped = own ^ own
    for step, passable in axes:
        through = opponent & passable
        run = own ^ own
        reached = disc << step
        while reached & through:
            run |= reached
            reached <<= step
        if reached & own:
            flipped |= run
        run = own ^ own
        reached = disc >> step
        while reached & through:
            run |= reached
            reached >>= step
        if reached & own:
            flipped |= run
    return flipped


# The state


class Reversi(BitboardState):
    """A position of Reversi; `Reversi()` is the usual first one on 8 x 8, Black to move.

    A pass is the action `size * size`, legal only when the mover can't flip anything and the
    opponent can. Black is player 0.

    Args:
        size: squares on a side, an even number from 4 to 26.

    Raises:
        ValueError: a size that is odd or out of range.

    >>> print(Reversi(size=4).child(1))
      a b c d
    1 . B . .
    2 . B B .
    3 . B W .
    4 . . . .
    White to move, 4 to 1
    """

    __slots__ = ("_geometry", "_legal", "_must_pass")

    game = "reversi"
    title = "Reversi"
    player_names = ("Black", "White")

    _geometry: Geometry
    _legal: int  # squares on which the player to move can play
    _must_pass: bool  # the player to move can't, the opponent can

    def __init__(self, size: int = 8) -> None:
        size = checked_size("size", size, MINIMUM_SIZE)
        if size % 2:
            raise ValueError(f"size={size} is odd: Reversi needs an even number, to have a centre.")
        low, high = size // 2 - 1, size // 2
        self._geometry = geometry(size)
        self._own = 1 << low * size + high | 1 << high * size + low
        self._opponent = 1 << low * size + low | 1 << high * size + high
        self._current_player = 0
        self._last_action = None
        self._find_legal()

    def _find_legal(self) -> None:
        _, board, axes = self._geometry
        self._legal = legal_mask(self._own, self._opponent, board, axes)
        self._must_pass = not self._legal and bool(
            legal_mask(self._opponent, self._own, board, axes)
        )

    def _parameters(self) -> Hashable:
        return self._geometry.size

    @property
    def pass_action(self) -> int:
        """The number of the action "pass": one above the last square."""
        return self._geometry.size**2

    @property
    def num_actions(self) -> int:
        return self.pass_action + 1

    def legal_actions(self) -> tuple[int, ...]:
        if self._must_pass:
            return (self.pass_action,)
        return square_bits(self._legal)

    def child(self, action: int) -> Self:
        if type(action) is not int:
            action = self._plain_action(action)
        if self._must_pass and action == self._geometry.size**2:
            disc = flipped = 0
        elif action >= 0 and self._legal >> action & 1:
            disc = 1 << action
            flipped = flipped_mask(self._own, self._opponent, disc, self._geometry.axes)
        else:
            raise IllegalActionError(self, action)
        child = object.__new__(type(self))
        child._own = self._opponent ^ flipped
        child._opponent = self._own | disc | flipped
        child._current_player = 1 - self._current_player
        child._last_action = action
        child._geometry = self._geometry
        child._find_legal()
        return child

    @property
    def is_terminal(self) -> bool:
        return not self._legal and not self._must_pass

    def returns(self) -> tuple[float, float]:
        if not self.is_terminal:
            raise GameNotOverError(self)
        first, second = self.disc_counts()
        if first == second:
            return (0.0, 0.0)
        return win_for(0 if first > second else 1)

    def disc_counts(self) -> tuple[int, int]:
        """How many discs each player has."""
        return self.stones_of(0).bit_count(), self.stones_of(1).bit_count()

    def action_to_string(self, action: int) -> str:
        if self._known_action(action) == self.pass_action:
            return "pass"
        row, col = divmod(action, self._geometry.size)
        return f"{_letter(col)}{row + 1}"

    def action_square(self, action: int) -> int | None:
        return action if 0 <= action < self.pass_action else None

    def square_action(self, square: int) -> int | None:
        return square if 0 <= square < self.pass_action else None

    def board(self) -> Board:
        size = self._geometry.size
        last = self._last_action
        return Board(
            rows=size,
            cols=size,
            style=BoardStyle.DISCS,
            stones=self._stones_on(range(size * size)),
            column_labels=tuple(_letter(col) for col in range(size)),
            row_labels=tuple(str(row + 1) for row in range(size)),
            last_square=None if last is None else self.action_square(last),
        )

    def _status(self) -> str:
        first, second = self.disc_counts()
        return f"{super()._status()}, {first} to {second}"


def _letter(col: int) -> str:
    return chr(ord("a") + col)
