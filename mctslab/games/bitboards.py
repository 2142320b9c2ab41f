"""What the games that keep their stones on bitboards have in common.

A bitboard is an int with one bit a square. Two of them hold a position: the stones of the player
to move (`own`) and of the other one (`opponent`). Seen so, the rules need not ask whose turn it is.

The rules of a game are plain functions atop its file, and a compiler that knows only integers of 64
bits takes them as they stand. For that, whatever they need comes in as an argument, no number
written in the code meets a bitboard (unless as the distance of a shift), and bits that a shift
pushes off the board are never read.
"""

import operator
from collections.abc import Hashable, Iterable
from typing import Final, Self

from mctslab.boards.board import EMPTY
from mctslab.games.state import IllegalActionError, State

MAXIMUM_SIZE: Final = 26
"""The longest side of a board: there is a letter for every column."""


class BitboardState(State):
    """A state made of two bitboards, whose turn it is, and the move that led here."""

    __slots__ = ("_current_player", "_last_action", "_opponent", "_own")

    _own: int  # stones of the player to move
    _opponent: int  # stones of the other player
    _current_player: int
    _last_action: int | None

    @property
    def current_player(self) -> int:
        return self._current_player

    @property
    def last_action(self) -> int | None:
        return self._last_action

    def action_square(self, action: int) -> int | None:
        return action if 0 <= action < self.num_actions else None

    def square_action(self, square: int) -> int | None:
        return square if 0 <= square < self.num_actions else None

    def stones_of(self, player: int) -> int:
        """The bitboard of `player`'s stones."""
        return self._own if player == self._current_player else self._opponent

    def _parameters(self) -> Hashable:
        """What tells this game from the same game at another size; part of equality."""
        return None

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, BitboardState)
        return (
            self._own == other._own
            and self._opponent == other._opponent
            and self._current_player == other._current_player
            and self._parameters() == other._parameters()
        )

    def __hash__(self) -> int:
        return hash((self._own, self._opponent, self._current_player, self._parameters()))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def _plain_action(self, action: int) -> int:
        """`action` as an int of Python's own, legal or not; `child` asks for it."""
        number = plain_int(action)
        if number is None:
            raise IllegalActionError(self, action)
        return number

    def _known_action(self, action: int) -> int:
        """`action` as an int of Python's own; ValueError if the game has no such action."""
        number = plain_int(action)
        if number is None or not 0 <= number < self.num_actions:
            raise ValueError(
                f"{action!r} is no action of {self.title}: "
                f"its actions are the numbers from 0 to {self.num_actions - 1}."
            )
        return number

    def _stones_on(self, bits: Iterable[int]) -> tuple[int, ...]:
        """For each of these bit numbers EMPTY, or the player whose stone lies on that square."""
        first, second = self.stones_of(0), self.stones_of(1)
        return tuple([0 if first >> bit & 1 else 1 if second >> bit & 1 else EMPTY for bit in bits])


def plain_int(number: object) -> int | None:
    """`number` as an int of Python's own; None if it is no whole number (True isn't one here).

    A NumPy integer must not get onto a bitboard: shifted, it loses the bits above its 64.
    """
    if isinstance(number, bool):
        return None
    try:
        return operator.index(number)  # type: ignore[arg-type]
    except TypeError:
        return None


def checked_size(name: str, size: int, minimum: int, maximum: int = MAXIMUM_SIZE) -> int:
    """`size` as an int of Python's own; ValueError, calling it `name`, if it is out of range."""
    number = plain_int(size)
    if number is None or not minimum <= number <= maximum:
        raise ValueError(
            f"{name}={size!r} is not possible: it has to be a whole number "
            f"from {minimum} to {maximum}."
        )
    return number


def win_for(player: int) -> tuple[float, float]:
    """The returns of a game that `player` has won."""
    return (1.0, -1.0) if player == 0 else (-1.0, 1.0)
