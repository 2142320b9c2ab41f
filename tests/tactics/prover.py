"""Forced wins in free-style Gomoku, proved by exhaustive search; written for the tests alone.

It shares no code with the package: it keeps stones in an array and counts along lines. A player to
move, the attacker, has a *forced win within n plies* (n = 1, 3, 5, 7) if some move of his completes
a five at the latest with the n-th stone, whatever the defender answers. The search goes through all
attacking moves on all empty squares and all answers on all empty squares; it leaves out only what
cannot change the result, for these reasons:

1. Who has a square that completes a five plays it: nothing is quicker, and it ends the game.
2. Who has none, and whose opponent has one, must take it: any other move loses at once. Two of
   them, and the game is lost.
3. A move that makes two squares which complete a five, while the opponent has none, wins with the
   next stone but one, since only one of them can be taken.
4. A move that makes no four is only looked at further if it would win were the defender to pass. In
   the free-style game an additional stone never harms the player who owns it, so that a move that
   does not even win against a pass wins against no answer. (Where only exactly five win, a stone
   can harm: so this file knows the free-style game only.) If it does win against a pass, then every
   answer, on every empty square, is tried.
5. If a player has no such move as in 3, but has one after a further stone of his, then the two
   lie in one row of five. So no others are looked at, where 4 asks for a win within 3 plies after a
   pass.

So the answers "wins within n plies" and "does not" are both proved. Nothing is said about wins that
take longer than n plies.
"""

import numba
import numpy as np

from mctslab.games import Gomoku

EMPTY, WALL, PASS = 0, 3, -1
LONGEST = 7
"""The longest wins, in plies, that are looked for in a moment."""
MARGIN = 4
"""So many walls around the board that no row of five leaves the array."""


@numba.njit(cache=True)
def squares_to_complete(board, steps, square, player):
    """How many squares would complete a five with the stone of `player` on `square`: 0, 1, or 2
    for more; and the first one of them."""
    number, first = 0, -1
    for step in steps:
        for begin in range(square - 4 * step, square + step, step):
            own, gap = 0, -1
            for place in range(begin, begin + 5 * step, step):
                if board[place] == player:
                    own += 1
                elif board[place] == 0:
                    gap = place
            if own == 4 and gap >= 0 and gap != first:
                if number:
                    return 2, first
                number, first = 1, gap
    return number, first


@numba.njit(cache=True)
def wins_in_three_near(board, steps, player, square):
    """Whether `player` has a move that makes two squares which complete a five, in one row of five
    with `square`."""
    for step in steps:
        for move in range(square - 4 * step, square + 5 * step, step):
            if board[move] == EMPTY:
                board[move] = player
                number, _ = squares_to_complete(board, steps, move, player)
                board[move] = EMPTY
                if number == 2:
                    return True
    return False


@numba.njit
def forces(board, squares, steps, tried_first, player, move, plies, had_none):
    """Whether `move` of `player` forces a win within `plies` plies (3, 5 or 7), itself counted.

    No square completes a five for `player`, and for the opponent none but perhaps `move`. With
    `had_none` there is no win within 3 plies before this move, and nothing to block. What refuted
    or won last is tried first (`tried_first`); that changes the time, not the answer.
    """
    board[move] = player
    number, completing = squares_to_complete(board, steps, move, player)
    if number == 2:
        won = True
    elif plies == 3:
        won = False
    elif number == 1:
        won = wins_after(board, squares, steps, tried_first, player, completing, plies - 2)
    else:
        if plies == 5 and had_none:
            won = wins_in_three_near(board, steps, player, move)
        else:
            won = wins_after(board, squares, steps, tried_first, player, PASS, plies - 2)
        for index in range(-1, len(squares)):
            answer = squares[index] if index >= 0 else tried_first[0, plies]
            if won and board[answer] == EMPTY:
                won = wins_after(board, squares, steps, tried_first, player, answer, plies - 2)
                if not won:
                    tried_first[0, plies] = answer
    board[move] = EMPTY
    return won


@numba.njit
def wins_after(board, squares, steps, tried_first, player, answer, plies):
    """Whether `player` has a win within `plies` plies after the opponent's `answer`."""
    number, to_block = 0, PASS
    if answer != PASS:
        board[answer] = 3 - player
        number, to_block = squares_to_complete(board, steps, answer, 3 - player)
    won = False
    if number < 2:
        for fewer in range(3, plies + 2, 2):
            for index in range(-1, len(squares)):
                move = squares[index] if index >= 0 else tried_first[1, fewer]
                may_move = board[move] == EMPTY and (number == 0 or move == to_block)
                if not won and may_move:
                    had_none = number == 0 and fewer > 3
                    won = forces(board, squares, steps, tried_first, player, move, fewer, had_none)
                    if won:
                        tried_first[1, fewer] = move
    if answer != PASS:
        board[answer] = EMPTY
    return won


class Prover:
    """What can be proved of one position."""

    def __init__(self, state: Gomoku) -> None:
        assert (state.in_a_row, state.exactly_five) == (5, False)
        self.width = state.size + 2 * MARGIN
        self.size = state.size
        self.player = state.current_player + 1
        self.board = np.full(self.width**2, WALL, np.int8)
        self.steps = np.array([1, self.width - 1, self.width, self.width + 1])
        for action, stone in enumerate(state.board().stones):
            self.board[self.square(action)] = stone + 1
        self.tried_first = np.full((2, 8), self.square(0))
        self.squares = np.flatnonzero(self.board != WALL)

    def square(self, action: int) -> int:
        """The place of a square of the board among stones and walls."""
        row, col = divmod(action, self.size)
        return (row + MARGIN) * self.width + col + MARGIN

    def action(self, square: int) -> int:
        row, col = divmod(square, self.width)
        return (row - MARGIN) * self.size + col - MARGIN

    def empty(self) -> list[int]:
        return [int(square) for square in self.squares if self.board[square] == EMPTY]

    def completing(self, player: int) -> list[int]:
        """The squares on which `player` (1 or 2) would complete a five."""
        return [square for square in self.empty() if self._completes(square, player)]

    def _completes(self, square: int, player: int) -> bool:
        for step in self.steps:
            length = 1
            for way in (-step, step):
                place = square + way
                while self.board[place] == player:
                    place += way
                    length += 1
            if length >= 5:
                return True
        return False

    def winning_moves(self, plies: int) -> frozenset[int]:
        """The actions that force a win within `plies` plies: 1, 3, 5 or 7.

        Where a five can be completed at once, these are the actions that do.
        """
        if fives := self.completing(self.player):
            return frozenset(self.action(square) for square in fives)
        threats = self.completing(3 - self.player)
        if plies == 1 or len(threats) > 1:
            return frozenset()
        arrays = self.board, self.squares, self.steps, self.tried_first
        return frozenset(
            self.action(move)
            for move in threats or self.empty()
            if forces(*arrays, self.player, move, plies, False)
        )
