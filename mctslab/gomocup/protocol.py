"""The text of the Gomocup protocol that both sides use: lines, squares and rules.

A manager (Piskvork, or our arena) and an engine write lines to each other. A manager ends them with
CR LF, an engine with CR LF, LF or CR. A square is `x,y`: the column from the left and the row from
the top, both from 0. The protocol was made by Petr Laštovička and Martin Petříček; the pages of
Gomocup, the yearly tournament of Gomoku programs, describe it as "Gomoku AI protocol".
"""

import re
from typing import Final

from mctslab.games.gomoku import Geometry, Gomoku
from mctslab.games.state import State

FREESTYLE: Final = 0
EXACTLY_FIVE: Final = 1
"""The number after `INFO rule`: five or more stones in a row win, or exactly five."""

UNLIMITED: Final = 2_147_483_647
"""The number after `INFO time_left` if a game has no time limit."""

_LONGEST_LINE: Final = 1_000
_SQUARE: Final = re.compile(r"\s*(-?\d{1,9})\s*,\s*(-?\d{1,9})\s*")


class Lines:
    """Cuts the bytes from a pipe into lines.

    A line is complete with its CR or LF, without waiting for an LF that may follow a CR. That makes
    empty lines, which mean nothing in the protocol and are left out. A very long line is cut off.

    >>> lines = Lines()
    >>> lines.feed(b"START 20\\r"), lines.feed(b"\\nBEGIN\\r\\nTU")
    (['START 20'], ['BEGIN'])
    """

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[str]:
        """The lines that `data` completes, stripped."""
        *complete, rest = re.split(rb"[\r\n]", self._rest + data)
        self._rest = rest[:_LONGEST_LINE]
        texts = (line[:_LONGEST_LINE].decode("utf-8", "replace").strip() for line in complete)
        return [text for text in texts if text]


def square_text(action: int, size: int) -> str:
    """The square of `action` on a board of that size.

    >>> square_text(17, 15)
    '2,1'
    """
    row, col = divmod(action, size)
    return f"{col},{row}"


def read_square(text: str, size: int) -> int:
    """The action of the square `text`.

    Raises:
        ValueError: it is not a square on a board of that size.

    >>> read_square("2, 1", 15)
    17
    """
    match = _SQUARE.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a square: a square looks like 7,7")
    col, row = int(match[1]), int(match[2])
    if not (0 <= col < size and 0 <= row < size):
        raise ValueError(f"{text!r} is not on the board: both numbers are from 0 to {size - 1}")
    return row * size + col


def board_and_rule(state: State) -> tuple[int, int]:
    """The size of the board of `state`, and the number of its rule.

    Raises:
        ValueError: the protocol has no such game.
    """
    if isinstance(state, Gomoku):
        geometry = state.compilable().geometry
        assert isinstance(geometry, Geometry)
        if geometry.in_a_row == 5:
            return geometry.size, EXACTLY_FIVE if geometry.exactly else FREESTYLE
    raise ValueError(
        f"Engines of Gomocup play only Gomoku with five in a row. This is another game:\n{state}"
    )
