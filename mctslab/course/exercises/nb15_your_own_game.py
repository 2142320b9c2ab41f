"""Notebook 15, your own game: the rules of Breakthrough."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mctslab.course.exercise import exercise
from mctslab.course.question import FROM_MODEL, Case, mistakes_in

Stones = tuple[int, ...]
Move = tuple[int, int]


def _read(board: str) -> tuple[Stones, int]:
    """The stones of a board that is written in rows of B, W and dots, and its columns."""
    rows = board.split()
    return tuple("BW".find(mark) for row in rows for mark in row), len(rows[0])


def _written(stones: Stones, cols: int) -> str:
    marks = ["BW."[stone] for stone in stones]
    return "\n".join(" ".join(marks[i : i + cols]) for i in range(0, len(marks), cols))


def _board_at_random(rng: np.random.Generator) -> tuple[Stones, int]:
    """Any stones on a board of any size, at most six each way."""
    rows, cols = int(rng.integers(2, 7)), int(rng.integers(2, 7))
    share = rng.choice((0.2, 0.35, 0.45))
    drawn = rng.choice((-1, 0, 1), rows * cols, p=(1 - 2 * share, share, share))
    return tuple(int(stone) for stone in drawn), cols


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


def _moves_of(stones: Stones, cols: int, player: int, expected: Any) -> Case:
    shown = (
        f"breakthrough_moves(stones, {cols}, {player}), where stones={stones} is this board with "
        f"B for 0 and W for 1\n{_written(stones, cols)}"
    )
    return Case(lambda: (stones, cols, player), expected, shown, _in_order)


def _moves_case(board: str, player: int, *expected: Move) -> Case:
    return _moves_of(*_read(board), player, sorted(expected))


def _moves_cases() -> list[Case]:
    # The moves were written down by hand.
    return [
        _moves_case("... ... .B.", 0, (7, 3), (7, 4), (7, 5)),
        _moves_case(".W. ... ...", 1, (1, 3), (1, 4), (1, 5)),
        _moves_case("... .W. .B.", 0, (7, 3), (7, 5)),
        _moves_case("... W.W .B.", 0, (7, 3), (7, 4), (7, 5)),
        _moves_case("... B.B .B.", 0, (3, 0), (3, 1), (5, 1), (5, 2), (7, 4)),
        _moves_case("... ... B..", 0, (6, 3), (6, 4)),
        _moves_case("... ... ..B", 0, (8, 4), (8, 5)),
        _moves_case("W.. ... ...", 1, (0, 3), (0, 4)),
        _moves_case("..W ... ...", 1, (2, 4), (2, 5)),
        _moves_case("WWW ... BBB", 1, (0, 3), (0, 4), (1, 3), (1, 4), (1, 5), (2, 4), (2, 5)),
        _moves_case("... WWW BBB", 1, (3, 7), (4, 6), (4, 8), (5, 7)),
        _moves_case("... ... W.W", 0),
        _moves_case("B.. ... ..W", 0),
        _moves_case("B.. ... ..W", 1),
        _moves_case(".. .W B. ..", 0, (4, 2), (4, 3)),
        _moves_case(".. .W B. ..", 1, (3, 4), (3, 5)),
        _moves_case(
            "..... .W... B.B.B", 0, (10, 5), (10, 6), (12, 6), (12, 7), (12, 8), (14, 8), (14, 9)
        ),
    ]


def _moves_variation(rng: np.random.Generator) -> Case:
    stones, cols = _board_at_random(rng)
    return _moves_of(stones, cols, int(rng.integers(2)), FROM_MODEL)


@exercise(
    title="The moves of Breakthrough",
    cases=_moves_cases,
    variation=_moves_variation,
    hints=(
        "Go through all squares and stop at those with a stone of `player`. Each has at most three "
        "targets: straight ahead and diagonally ahead to either side.",
        "Ahead is `square - cols` for player 0 and `square + cols` for player 1. To the left and "
        "to the right of that are two more squares, but not beyond the edge: check the column "
        "`square % cols` before you move it by one.",
        "For `side` in -1, 0 and 1: skip the target if it is off the board. An empty target is "
        "always allowed. A target with an opponent's stone is allowed only if `side != 0`.",
    ),
    when_right="`course.mine` puts it into the game below.",
    mistakes=mistakes_in("""
        a capture straight ahead
            A piece captures only diagonally. A piece straight ahead blocks it.
             and side != 0 =>
        no captures
            Diagonally a piece can also move onto an opponent's piece, which is captured.
             or (stones[target] == 1 - player and side != 0) =>
        captures only straight ahead
            It is the other way round: straight ahead is for empty squares only, diagonally is for
            captures as well.
            side != 0 => side == 0
        one's own pieces captured
            A target with a piece of the same player is not allowed.
            stones[target] == 1 - player and => stones[target] != -1 and
        diagonal moves only as captures
            That is the pawn of chess. In Breakthrough a piece can also move diagonally onto an
            empty square.
            if stones[target] == -1 or => if (stones[target] == -1 and side == 0) or
        straight moves only
            A piece can also move diagonally forward, to both sides.
            (-1, 0, 1) => (0,)
        diagonal moves only
            A piece can also move straight ahead if that square is empty.
            (-1, 0, 1) => (-1, 1)
        pieces that leave the board on one side and come back on the other
            On the left edge there is nothing to the left, and on the right edge nothing to the
            right: check the column before you move it.
            - if not 0 <= square % cols + side < cols or not 0 <= target < len(stones):
            + if not 0 <= target < len(stones):
        negative squares
            In Python `stones[-1]` is the last square, so moves off the upper edge do not raise an
            error. Leave them out.
            or not 0 <= target < len(stones) => or target >= len(stones)
        both players moving up
            Player 0 moves up, which is a smaller number; player 1 moves down.
            -cols if player == 0 else cols => -cols
        both players moving down
            Player 0 moves up, which is a smaller number; player 1 moves down.
            -cols if player == 0 else cols => cols
        the two directions swapped
            The rows are counted from the top, so player 0, who moves up, goes to smaller numbers.
            if player == 0 => if player == 1
        the pieces of both players
            Only the pieces of `player` move.
            if stone != player => if stone == -1
        the targets alone
            A move is a pair: the square where the piece is, and the square where it goes.
            moves.append((square, target)) => moves.append(target)
        the pair the wrong way round
            First the square where the piece is, and then the square where it goes.
            (square, target)) => (target, square))
        the columns taken for the rows
            A row has `cols` squares, so the column is `square % cols`. The board need not be
            square.
            square % cols => square // cols
        empty squares taken for 0
            An empty square is -1. 0 is a piece of player 0.
            stones[target] == -1 or => stones[target] == 0 or
        a board that is taken for square
            There are `len(stones) // cols` rows, and not `cols` rows.
            enumerate(stones) => enumerate(stones[: cols * cols])
            target < len(stones) => target < min(len(stones), cols * cols)
        rows and columns instead of the numbers of squares
            A square is its index in `stones`: row * cols + col.
            - moves.append((square, target))
            + moves.append((divmod(square, cols), divmod(target, cols)))
        a board of eight columns
            A row has `cols` squares. The board need not be 8 x 8.
            - forward = -cols if player == 0 else cols
            + cols = 8
            + forward = -cols if player == 0 else cols
        steps backwards
            A piece moves only forward: up for player 0, down for player 1.
            - for side in (-1, 0, 1):
            -     target = square + forward + side
            + for ahead, side in zip([forward] * 3 + [-forward] * 3, [-1, 0, 1] * 2):
            +     target = square + ahead + side
        one piece only
            Every piece of the player can move. Return only after the loop.
            - return moves
            + return moves[:3]
    """),
)
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


def _winner_of(stones: Stones, cols: int, expected: Any) -> Case:
    shown = (
        f"breakthrough_winner(stones, {cols}), where stones={stones} is this board with B for 0 "
        f"and W for 1\n{_written(stones, cols)}"
    )
    return Case(lambda: (stones, cols), expected, shown)


def _winner_case(board: str, expected: int | None) -> Case:
    return _winner_of(*_read(board), expected)


def _winner_cases() -> list[Case]:
    return [
        _winner_case("B.W ... ..B", 0),
        _winner_case("W.. ... B.W", 1),
        _winner_case("WW. ... BB.", None),
        _winner_case("... .B. ...", 0),
        _winner_case("... .W. ...", 1),
        _winner_case("W.W .B. B.B", None),
        _winner_case("W.W .W. B.B", None),
        _winner_case("... BW. ...", None),
        _winner_case("..B W.. ...", 0),
        _winner_case("... ..B W..", 1),
        _winner_case("WB W. .B B.", 0),
        _winner_case("W. .B WB ..", None),
        _winner_case("WWWW .... B.BW", 1),
        _winner_case(".... W..B ....", None),
        _winner_case("W.. ... B.. ...", None),
        _winner_case("... W.. ... B..", None),
    ]


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
    return _winner_of(kept, cols, FROM_MODEL)


@exercise(
    title="The winner of Breakthrough",
    cases=_winner_cases,
    variation=_winner_variation,
    hints=(
        "There are two ways to win: a piece has arrived on the last row of its way, or the "
        "opponent has no piece left.",
        "The top row is `stones[:cols]`, and the bottom row is `stones[-cols:]`. Player 0 moves "
        "up, so player 0 wants to reach the top row.",
        "`if 0 in stones[:cols] or 1 not in stones: return 0`. The second line is the same for "
        "player 1. If neither has won, return None.",
    ),
    when_right="With your moves and your winner, Breakthrough is nearly complete.",
    mistakes=mistakes_in("""
        the two last rows swapped
            Player 0 moves up and wins on the top row, which is `stones[:cols]`.
            0 in stones[:cols] => 0 in stones[-cols:]
            1 in stones[-cols:] => 1 in stones[:cols]
            or
            - ...
            + if 1 in stones[:cols] or 0 not in stones:
            +     return 1
            + if 0 in stones[-cols:] or 1 not in stones:
            +     return 0
            + return None
        a player without pieces who has not lost
            A player whose pieces have all been captured has lost.
             or 1 not in stones =>
             or 0 not in stones =>
        only captures
            A piece that has arrived on its last row wins at once.
            0 in stones[:cols] or =>
            1 in stones[-cols:] or =>
        a player without pieces who has won
            If player 1 has no piece left, player 0 has won.
            1 not in stones => 0 not in stones
            0 not in stones => 1 not in stones
        the winner's number confused with nobody
            Return None if nobody has won yet. 0 is player 0, who has won then.
            return None => return 0
        a game that is always over
            Return None if nobody has won yet.
            - if 1 in stones[-cols:] or 0 not in stones:
            -     return 1
            - return None
            + return 1
        the player with fewer pieces taken for the loser
            A player with fewer pieces has not lost as long as there is one.
            - return None
            + counts = stones.count(0), stones.count(1)
            + return None if counts[0] == counts[1] else int(counts[0] < counts[1])
        minus one where nobody has won
            Return None if nobody has won yet.
            return None => return -1
        every game won by player 0
            If a piece of player 1 has arrived, return 1.
            return 1 => return 0
        the two players swapped
            Return the winner, and not the player who has lost.
            return 0 => return 1
            return 1 => return 0
        a corner instead of the row
            All squares of the last row count: `stones[:cols]` are the first `cols` squares.
            stones[:cols] => stones[:1]
            stones[-cols:] => stones[-1:]
        one row too many
            Only the last row counts, and not the one before it.
            stones[:cols] => stones[: 2 * cols]
            stones[-cols:] => stones[-2 * cols :]
        a column instead of the row
            `stones[::cols]` is the left column. The top row is `stones[:cols]`.
            stones[:cols] => stones[::cols]
            stones[-cols:] => stones[cols - 1 :: cols]
        true or false instead of the player
            Return the number of the winner, 0 or 1.
            return 0 => return True
            return 1 => return True
            return None => return False
    """),
)
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
