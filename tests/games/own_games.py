"""A game that is not ours, written as a student would: one frozen dataclass.

Whoever closes a box moves again, so turns need not alternate. Hex, in which they do, is in notebook
15, and tests/notebooks/test_15_your_own_game.py has its tests.
"""

from dataclasses import dataclass, field, replace

from mctslab.boards import EMPTY, Board, BoardStyle
from mctslab.games import GameNotOverError, IllegalActionError, State

MISERE = '''
"""Tic-Tac-Toe in which three in a row lose."""

from mctslab.games import TicTacToe


class Misere(TicTacToe):
    game = "misere"
    title = "Misère"

    def compilable(self):
        return None

    def returns(self):
        first, second = super().returns()
        return second, first
'''
"""A file with a game."""


WIDTH = 5
"""Two boxes a side: dots, edges and boxes are the squares of a board of 5 x 5."""
EDGES = tuple(s for s in range(WIDTH**2) if (s // WIDTH + s % WIDTH) % 2 == 1)
BOXES = (6, 8, 16, 18)


@dataclass(frozen=True)
class DotsAndBoxes(State):
    """Draw an edge; whoever draws the fourth one of a box owns it and must move again."""

    stones: tuple[int, ...] = (EMPTY,) * WIDTH**2
    current_player: int = 0
    last_action: int | None = field(default=None, compare=False)

    game = "dots_and_boxes"
    title = "Dots and Boxes"
    player_names = ("Alice", "Bob")
    num_actions = WIDTH**2

    def legal_actions(self):
        return tuple(edge for edge in EDGES if self.stones[edge] == EMPTY)

    def child(self, action):
        if action not in self.legal_actions():
            raise IllegalActionError(self, action)
        stones = list(self.stones)
        stones[action] = self.current_player
        closed = [box for box in BOXES if stones[box] == EMPTY and self.is_closed(box, stones)]
        for box in closed:
            stones[box] = self.current_player
        next_player = self.current_player if closed else 1 - self.current_player
        return replace(
            self, stones=tuple(stones), current_player=next_player, last_action=int(action)
        )

    @staticmethod
    def is_closed(box, stones):
        return all(stones[box + step] != EMPTY for step in (1, -1, WIDTH, -WIDTH))

    @property
    def is_terminal(self):
        return not self.legal_actions()

    def returns(self):
        if not self.is_terminal:
            raise GameNotOverError(self)
        lead = 2 - sum(self.stones[box] for box in BOXES)
        value = float((lead > 0) - (lead < 0))
        return value, -value

    def action_to_string(self, action):
        row, col = divmod(action, WIDTH)
        return f"{'abcde'[col]}{row + 1}"

    def board(self):
        return Board(
            rows=WIDTH,
            cols=WIDTH,
            style=BoardStyle.MARKS,
            stones=self.stones,
            column_labels=tuple("abcde"),
            row_labels=tuple("12345"),
            last_square=self.last_action,
        )


class TakeAway(State):
    """Take one to three from a heap; whoever takes the last one wins. It has five members."""

    def __init__(self, heap=7, player=0):
        self.heap, self.player = heap, player

    @property
    def current_player(self):
        return self.player

    def legal_actions(self):
        return tuple(range(1, min(3, self.heap) + 1))

    def child(self, action):
        if action not in self.legal_actions():
            raise IllegalActionError(self, action)
        return type(self)(self.heap - int(action), 1 - self.player)

    @property
    def is_terminal(self):
        return self.heap == 0

    def returns(self):
        if not self.is_terminal:
            raise GameNotOverError(self)
        return (-1, 1) if self.player == 0 else (1, -1)


class Growing(TakeAway):
    """Whoever begins with a larger heap can take all of it."""

    def legal_actions(self):
        return (*super().legal_actions(), *([self.heap] if self.heap > 8 else []))
