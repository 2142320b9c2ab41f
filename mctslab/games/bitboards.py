"""The common part of the games that keep their stones on bitboards.

A bitboard is an int with one bit per square. Two of them describe a position: the stones of the
player to move (`own`) and those of the other player (`opponent`), so the rules do not depend on
whose turn it is.

The rules of a game are plain functions at the top of its file, written once: the states below call
them, and the compiled search (`mctslab.fast`) translates them. `rules.py` describes their form.
"""

import math
import operator
from abc import abstractmethod
from collections.abc import Hashable, Iterable
from typing import Any, ClassVar, Final, Self, SupportsFloat

from mctslab.boards.board import EMPTY, Bitboards, Board, square_bits
from mctslab.games.rules import DRAWN, OPEN, WON, Compilable, Position, Rules
from mctslab.games.state import GameNotOverError, IllegalActionError, State

MAXIMUM_SIZE: Final = 26
"""The longest side of a board: there is a letter for every column."""


class BitboardState(State):
    """A state made of a position on bitboards, its legal moves, and the action that led here.

    A game lists its functions in `rules`, and `_geometry` contains what they need to know about the
    board.
    """

    __slots__ = ("_geometry", "_last_action", "_moves", "_outcome", "_position")

    rules: ClassVar[Rules]

    _geometry: Any
    _position: Position
    _moves: int  # the legal moves; none at the end of the game
    _outcome: int
    _last_action: int | None

    @property
    @abstractmethod
    def num_actions(self) -> int: ...

    @abstractmethod
    def board(self) -> Board: ...

    def _begin(self, own: int, opponent: int, geometry: object = None) -> None:
        """Set up the first position: these stones, player 0 to move."""
        self._geometry = geometry
        self._last_action = None
        self._arrive((own, opponent, 0))

    def _arrive(self, position: Position) -> None:
        """Set `position`, with its legal moves and its outcome."""
        rules, geometry = self.rules, self._geometry
        self._position = position
        self._moves = rules.legal_moves(position, geometry)
        self._outcome = rules.outcome(position, self._moves, geometry)
        if self._outcome:
            self._moves = 0

    @property
    def current_player(self) -> int:
        return self._position[2]

    @property
    def last_action(self) -> int | None:
        return self._last_action

    def legal_actions(self) -> tuple[int, ...]:
        return square_bits(self._moves)

    def child(self, action: int) -> Self:
        if type(action) is not int:
            action = self._plain_action(action)
        move = self._move_of(action)
        if move is None:
            raise IllegalActionError(self, action)
        child = object.__new__(type(self))
        child._geometry = self._geometry
        child._last_action = action
        child._arrive(self.rules.play(self._position, move, self._geometry))
        return child

    def _move_of(self, action: int) -> int | None:
        """The move for `action`; None if it is not legal."""
        return action if action >= 0 and self._moves >> action & 1 else None

    @property
    def is_terminal(self) -> bool:
        return self._outcome != OPEN

    def returns(self) -> tuple[float, float]:
        if self._outcome == OPEN:
            raise GameNotOverError(self)
        if self._outcome == DRAWN:
            return (0.0, 0.0)
        mover_is_first = self._position[2] == 0
        return (1.0, -1.0) if mover_is_first == (self._outcome == WON) else (-1.0, 1.0)

    def action_square(self, action: int) -> int | None:
        return action if 0 <= action < self.num_actions else None

    def square_action(self, square: int) -> int | None:
        return square if 0 <= square < self.num_actions else None

    def stones_of(self, player: int) -> int:
        """The bitboard of `player`'s stones."""
        own, opponent, mover = self._position
        return own if player == mover else opponent

    def bitboards(self) -> Bitboards:
        own, opponent, mover = self._position
        last = 0
        if self._last_action is not None:  # the number of a pass is not a square
            last = (own | opponent) & 1 << self._last_action
        return Bitboards(opponent, own, last) if mover else Bitboards(own, opponent, last)

    def compilable(self) -> Compilable:
        return Compilable(self.rules, self._geometry, self._position)

    def _parameters(self) -> Hashable:
        """The size and other options of this game; part of equality."""
        return None

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, BitboardState)
        return self._position == other._position and self._parameters() == other._parameters()

    def __hash__(self) -> int:
        return hash((self._position, self._parameters()))

    def _plain_action(self, action: int) -> int:
        """`action` as an int of Python's own, legal or not."""
        number = plain_int(action)
        if number is None:
            raise IllegalActionError(self, action)
        return number

    def _stones_on(self, bits: Iterable[int]) -> tuple[int, ...]:
        """For each of these bit numbers EMPTY, or the player whose stone is on that square."""
        first, second = self.stones_of(0), self.stones_of(1)
        return tuple([0 if first >> bit & 1 else 1 if second >> bit & 1 else EMPTY for bit in bits])


def is_finite(number: object) -> bool:
    """Whether this is a number that a float can be, neither infinite nor NaN."""
    try:
        return isinstance(number, SupportsFloat) and math.isfinite(float(number))
    except (OverflowError, TypeError, ValueError):  # 10**400, a whole array, "a"
        return False


def plain_int(number: object) -> int | None:
    """`number` as an int of Python's own; None if it is not a whole number (True isn't one here).

    A NumPy integer must not get onto a bitboard, because when it is shifted it loses the bits above
    its 64.
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
            f"{name}={size!r} is not possible: it must be a whole number "
            f"from {minimum} to {maximum}."
        )
    return number
