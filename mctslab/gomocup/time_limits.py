"""The time limits that a manager sets, and when to answer."""

import math
from typing import Final, NamedTuple

from mctslab.gomocup.protocol import UNLIMITED

_MARGIN_SECONDS: Final = 0.15
"""The part of every limit that is left unused, because the pipe takes time and the machine can be
busy."""
_MARGIN_FRACTION: Final = 0.3
"""Of a very short limit, at most this fraction is left unused."""
_MOVES_AHEAD: Final = 20
"""The time left for a game is divided by this number, as if this many moves were left. A fixed
fraction of what is left is never used up, however long the game is."""


class Allowance(NamedTuple):
    """How long a move can take, in seconds from the command that requests it; or infinite."""

    wanted: float
    """After this time, the latest proposal is played."""
    at_most: float
    """After this time, a move is played even without a proposal."""


class TimeLimits:
    """The limits that INFO sets, and the time that is left."""

    def __init__(self) -> None:
        self._turn = math.inf
        self._match = math.inf
        self._left = math.inf
        self._manager_counts = False  # whether INFO time_left was received

    def set(self, key: str, milliseconds: int) -> None:
        """Use `INFO key milliseconds`, if it is about time."""
        seconds = milliseconds / 1_000
        if key == "timeout_turn":
            self._turn = max(0.0, seconds)
        elif key == "timeout_match":
            self._match = seconds if seconds > 0 else math.inf
            if not self._manager_counts:
                self._left = self._match
        elif key == "time_left":
            self._left = seconds if milliseconds < UNLIMITED else math.inf
            self._manager_counts = True

    def begin_match(self) -> None:
        """Begin a new match, with all of its time."""
        self._left = self._match
        self._manager_counts = False

    def spend(self, seconds: float) -> None:
        """Subtract the time of a move; the next `INFO time_left` corrects the rest."""
        self._left -= seconds

    def allowance(self) -> Allowance:
        """How long a move can take; a `timeout_turn` of 0 requests the first proposal."""
        left = _less_a_margin(self._left)
        turn = _less_a_margin(self._turn)
        at_most = min(left, turn if turn > 0 else math.inf)
        return Allowance(min(turn, left / _MOVES_AHEAD), at_most)


def _less_a_margin(seconds: float) -> float:
    return max(0.0, seconds - min(_MARGIN_SECONDS, _MARGIN_FRACTION * seconds))
