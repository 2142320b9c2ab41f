"""Positions to question a net about, by name.

Each is a record that sets it up. In those of Gomoku there is a pattern in the middle of the board,
and the stones of the other side that are needed to make the numbers right are in corners and at the
edge, where they threaten nothing.
"""

from collections.abc import Mapping
from typing import Final

from mctslab.games import ConnectFour, Gomoku, Reversi
from mctslab.games.state import State

FIRST_POSITION: Final = "first position"
EMPTY_BOARD: Final = "empty board"

_RECORDS: Final[tuple[tuple[State, Mapping[str, str]], ...]] = (
    (
        Gomoku(size=6, in_a_row=4),
        {
            EMPTY_BOARD: "",
            "an open two": "B3 A6 C3",
            "a four to block": "B3 A3 C3 F6 D3",
            "a four to complete": "B3 A3 C3 F6 D3 F1",
        },
    ),
    (
        Gomoku(size=8, in_a_row=5),
        {
            EMPTY_BOARD: "",
            "an open three": "C4 A8 D4 H8 E4",
            "a five to block": "C4 B4 D4 A8 E4 H8 F4",
            "a five to complete": "C4 B4 D4 A8 E4 H8 F4 A1",
            "a double threat": "C4 B4 D4 F8 E4 A8 F5 H8 F6 A1 F7 H1",
        },
    ),
    (
        Gomoku(size=9, in_a_row=5),
        {
            EMPTY_BOARD: "",
            "an open three": "C5 A9 D5 I9 E5",
            "a five to block": "C5 B5 D5 A9 E5 I9 F5",
            "a five to complete": "C5 B5 D5 A9 E5 I9 F5 A1",
            "a double threat": "C5 B5 D5 F9 E5 A9 F6 I9 F7 A1 F8 I1",
        },
    ),
    (
        Gomoku(size=15, in_a_row=5),
        {
            EMPTY_BOARD: "",
            "an open three": "F8 A15 G8 O15 H8",
            "a five to block": "F8 E8 G8 A15 H8 O15 I8",
            "a five to complete": "F8 E8 G8 A15 H8 O15 I8 A1",
            "a double threat": "F8 E8 G8 I12 H8 A15 I9 O15 I10 A1 I11 O1",
        },
    ),
    (
        ConnectFour(),
        {
            FIRST_POSITION: "",
            "an open two": "4 4 5",
            "a four to block": "4 1 4 1 4",
            "a four to complete": "4 1 4 1 4 7",
            "a double threat": "4 4 5 5",
        },
    ),
    (
        Reversi(size=6),
        {FIRST_POSITION: "", "a corner to take": "c2 b2 a2", "a corner to guard": "d5 c5 b2"},
    ),
    (
        Reversi(),
        {
            FIRST_POSITION: "",
            "a corner to take": "d3 c3 c4 e3 b2",
            "a corner to guard": "d3 c3 c4 c5",
        },
    ),
)
"""For the boards of the nets that come with mctslab."""


def named_positions(first_state: State) -> dict[str, str]:
    """The positions to offer for a game that begins with `first_state`, as records.

    There are some for the boards of the nets that come with mctslab; for any other there is only
    the first position.

    >>> list(named_positions(Gomoku(size=9)))
    ['empty board', 'an open three', 'a five to block', 'a five to complete', 'a double threat']
    """
    for state, records in _RECORDS:
        if state == first_state:
            return dict(records)
    return {FIRST_POSITION: ""}
