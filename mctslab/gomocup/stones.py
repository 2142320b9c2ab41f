"""From the stones on a board to the position, though nobody says in which order they were laid."""

from collections.abc import Sequence

from mctslab.games.gomoku import Gomoku


def position(size: int, exactly_five: bool, own: Sequence[int], opponent: Sequence[int]) -> Gomoku:
    """The position with these stones, in which the owner of `own` is to move.

    The stones are laid in turn, in the order in which they are given, unless that would end the
    game too early: a row of six begins with a row of five where its inner stones come first.

    Raises:
        ValueError: the stones cannot come about by taking turns, or the game is over.
    """
    if len(opponent) - len(own) not in (0, 1):
        raise ValueError(
            f"{len(own)} of our stones and {len(opponent)} of the opponent's do not come about "
            "by taking turns, when it is our turn"
        )
    waiting = [list(opponent), list(own)]
    if len(own) == len(opponent):
        waiting.reverse()
    state = Gomoku(size, exactly_five=exactly_five)
    for turn in range(len(own) + len(opponent)):
        state = _with_one_of(state, waiting[turn % 2])
    return state


def _with_one_of(state: Gomoku, stones: list[int]) -> Gomoku:
    """`state` and the first of `stones` with which the game goes on; it is taken from the list."""
    for stone in stones:
        child = state.child(stone)
        if not child.is_terminal:
            stones.remove(stone)
            return child
    raise ValueError("the game on this board is over")
