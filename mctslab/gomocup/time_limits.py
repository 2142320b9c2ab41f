"""What a manager says about time, and when to answer."""

import math
from typing import Final, NamedTuple

from mctslab.players.gomocup_text import UNLIMITED

_MARGIN_SECONDS: Final = 0.15
"""Left unused of every limit, for the way through the pipe and for a busy machine."""
_MARGIN_SHARE: Final = 0.3
"""Of a very short limit no more than this is left unused."""
_MOVES_AHEAD: Final = 20
"""The time left for a game is shared out as if it would go on for so many moves. A fixed share of
what is left is never used up, however long the game."""


class Allowance(NamedTuple):
    """How long a move may take, in seconds from the command that asks for it; or infinite."""

    wanted: float
    """After this, what has been found by then is played."""
    at_most: float
    """After this, something has to be played, even if nothing has been found."""


class TimeLimits:
    """The limits that INFO tells, and what is left of them."""

    def __init__(self) -> None:
        self._turn = math.inf
        self._match = math.inf
        self._left = math.inf
        self._is_told_what_is_left = False

    def heed(self, key: str, milliseconds: int) -> None:
        """Heed `INFO key milliseconds`, if that is about time."""
        seconds = milliseconds / 1_000
        if key == "timeout_turn":
            self._turn = max(0.0, seconds)
        elif key == "timeout_match":
            self._match = seconds if seconds > 0 else math.inf
            if not self._is_told_what_is_left:
                self._left = self._match
        elif key == "time_left":
            self._left = seconds if milliseconds < UNLIMITED else math.inf
            self._is_told_what_is_left = True

    def begin_match(self) -> None:
        """A new match begins, with all of its time."""
        self._left = self._match
        self._is_told_what_is_left = False

    def spend(self, seconds: float) -> None:
        """So much was used; what is left is less, until the manager says how much it is."""
        self._left -= seconds

    def allowance(self) -> Allowance:
        """How long a move may take; a `timeout_turn` of 0 asks for the first idea."""
        left = _less_a_margin(self._left)
        turn = _less_a_margin(self._turn)
        at_most = min(left, turn if turn > 0 else math.inf)
        return Allowance(min(turn, left / _MOVES_AHEAD), at_most)


def _less_a_margin(seconds: float) -> float:
    return max(0.0, seconds - min(_MARGIN_SECONDS, _MARGIN_SHARE * seconds))
