"""From the stones on a board to the position, although their order is unknown."""

from collections.abc import Sequence
from typing import Final

from mctslab.games.gomoku import Gomoku

_DIRECTIONS: Final = ((0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1))


def position(size: int, exactly_five: bool, own: Sequence[int], opponent: Sequence[int]) -> Gomoku:
    """The position with these stones, in which the owner of `own` is to move.

    The stones are placed in turn, in the given order, unless that would have ended the game: by the
    rule of exactly five, a row of six must not have been a row of five before.

    Raises:
        ValueError: the numbers of stones are impossible, or the game is over.
    """
    if len(opponent) - len(own) not in (0, 1):
        raise ValueError(
            f"{len(own)} of our stones and {len(opponent)} of the opponent's are impossible when "
            "it is our turn"
        )
    first, second = (own, opponent) if len(own) == len(opponent) else (opponent, own)
    if exactly_five:
        first, second = (_order_without_five(size, stones) for stones in (first, second))
    state = Gomoku(size, exactly_five=exactly_five)
    for turn in range(len(own) + len(opponent)):
        state = state.child((first, second)[turn % 2][turn // 2])
        if state.is_terminal:
            raise ValueError("the game on this board is over")
    return state


def _order_without_five(size: int, stones: Sequence[int]) -> list[int]:
    """One player's stones in an order in which five in a row never come before six or more.

    The order is found backwards: the last stone is one whose removal does not leave five, and so
    on.
    """
    left = list(stones)
    backwards = []
    while left:
        possible = (stone for stone in reversed(left) if not _is_beside_five(size, stone, left))
        backwards.append(next(possible, left[-1]))
        left.remove(backwards[-1])
    return backwards[::-1]


def _is_beside_five(size: int, stone: int, stones: Sequence[int]) -> bool:
    """Whether exactly five of `stones` are in a row next to `stone`, without counting it."""
    row, col = divmod(stone, size)
    for down, right in _DIRECTIONS:
        beside = 1
        while (
            0 <= row + beside * down < size
            and 0 <= col + beside * right < size
            and (row + beside * down) * size + col + beside * right in stones
        ):
            beside += 1
        if beside == 6:
            return True
    return False
