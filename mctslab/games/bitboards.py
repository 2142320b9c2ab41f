"""What the games that keep their stones on bitboards have in common.

A bitboard is an int with one bit a square. Two of them hold a position: the stones of the player
to move (`own`) and of the other one (`opponent`). Seen so, the rules need not ask whose turn it is.
"""

from collections.abc import Hashable
from typing import Self

from mctslab.boards.board import EMPTY
from mctslab.games.state import State


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

    def _owner(self, bit: int) -> int:
        """EMPTY, or the player whose stone lies on the square of bit number `bit`."""
        if self._own >> bit & 1:
            return self._current_player
        if self._opponent >> bit & 1:
            return 1 - self._current_player
        return EMPTY


def win_for(player: int) -> tuple[float, float]:
    """The returns of a game that `player` has won."""
    return (1.0, -1.0) if player == 0 else (-1.0, 1.0)
