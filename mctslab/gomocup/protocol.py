"""The text of the Gomocup protocol that both sides use: squares, and the number for no limit.

A manager (Piskvork, or our arena) and an engine write lines to each other, which end with CR LF or
LF. A square is `x,y`: the column from the left and the row from the top, both from 0. The protocol
was made by Petr Laštovička and Martin Petříček; the pages of Gomocup, the yearly tournament of
Gomoku programs, describe it as "Gomoku AI protocol".
"""

import re
from typing import Final

UNLIMITED: Final = 2_147_483_647
"""The number after `INFO time_left` if a game has no time limit."""

_SQUARE: Final = re.compile(r"\s*(\d{1,9})\s*,\s*(\d{1,9})\s*")


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
    if match is None or max(int(match[1]), int(match[2])) >= size:
        raise ValueError(f"{text!r} is not a square: expected two numbers from 0 to {size - 1}")
    return int(match[2]) * size + int(match[1])
