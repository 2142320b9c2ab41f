"""A side road of notebook 15: the rules of Breakthrough."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mctslab.course.checking.cases import Case
from mctslab.course.exercise import exercise
from mctslab.course.positions import drawing, squares_of

Stones = tuple[int, ...]
Move = tuple[int, int]


def _board_at_random(rng: np.random.Generator) -> tuple[Stones, int]:
    """Any stones on a board of any size, at most six each way."""
    rows, cols = int(rng.integers(2, 7)), int(rng.integers(2, 7))
    share = rng.choice((0.2, 0.35, 0.45))
    drawn = rng.choice((-1, 0, 1), rows * cols, p=(1 - 2 * share, share, share))
    return tuple(int(stone) for stone in drawn), cols


def _on_board(stones: Stones, cols: int) -> str:
    return f"stones={stones} is this board with B for 0 and W for 1\n{drawing(stones, cols, 'BW')}"


# breakthrough_moves


def _in_order(
    function: Callable[..., Any], stones: Stones, cols: int, player: int
) -> list[Any] | Any:
    """The moves in ascending order; whatever is no list of moves, as it is."""
    moves = function(stones, cols, player)
    if not isinstance(moves, list | tuple | set | frozenset):
        return moves
    try:
        return sorted(tuple(map(int, move)) for move in moves)
    except (TypeError, ValueError):
        return moves


def _moves_variation(rng: np.random.Generator) -> Case:
    (stones, cols), player = _board_at_random(rng), int(rng.integers(2))
    shown = f"breakthrough_moves(stones, {cols}, {player}), where {_on_board(stones, cols)}"
    return Case(lambda: (stones, cols, player), shown=shown, use=_in_order)


@exercise(variation=_moves_variation, points=2)
def breakthrough_moves(stones: Stones, cols: int, player: int) -> list[Move]:
    """The moves of `player` as pairs of squares, (from, to), in any order.

    `stones` has 0, 1 or, if it is empty, -1 for each square, row by row from the top, and a row has
    `cols` squares. Player 0 moves up, player 1 down: one step, straight ahead or diagonally, onto
    an empty square, and diagonally also onto a square of the opponent.
    """
    forward = -cols if player == 0 else cols
    moves = []
    for square, stone in enumerate(stones):
        if stone != player:
            continue
        for side in (-1, 0, 1):
            target = square + forward + side
            if not 0 <= square % cols + side < cols or not 0 <= target < len(stones):
                continue
            if stones[target] == -1 or (stones[target] == 1 - player and side != 0):
                moves.append((square, target))
    return moves


# breakthrough_winner


def _winner_case(stones: Stones, cols: int) -> Case:
    shown = f"breakthrough_winner(stones, {cols}), where {_on_board(stones, cols)}"
    return Case(lambda: (stones, cols), shown=shown)


def _winner_cases() -> list[Case]:
    return [_winner_case(squares_of(board, "BW"), 3) for board in ("B.W ... ..B", "WW. ... BB.")]


def _winner_variation(rng: np.random.Generator) -> Case:
    """A board as it can arise: nobody, or only one player, stands on the last row."""
    stones, cols = _board_at_random(rng)
    first, between, last = list(stones[:cols]), list(stones[cols:-cols]), list(stones[-cols:])
    arrived = int(rng.integers(3))
    first = [-1 if stone == 0 and arrived != 0 else stone for stone in first]
    last = [-1 if stone == 1 and arrived != 1 else stone for stone in last]
    board = [*first, *between, *last]
    gone = int(rng.integers(6))  # sometimes all pieces of a player
    kept = tuple(-1 if stone == gone else stone for stone in board)
    if set(kept) == {-1}:  # at least one player has a piece
        kept = (-1, *kept[1:-1], 0)
    return _winner_case(kept, cols)


@exercise(cases=_winner_cases, variation=_winner_variation)
def breakthrough_winner(stones: Stones, cols: int) -> int | None:
    """The player who has won, 0 or 1, or None if the game is not over.

    A player wins by reaching the last row, which is the top row for player 0 and the bottom row for
    player 1, or by capturing all pieces of the opponent. `stones` and `cols` are as above.
    """
    if 0 in stones[:cols] or 1 not in stones:
        return 0
    if 1 in stones[-cols:] or 0 not in stones:
        return 1
    return None
