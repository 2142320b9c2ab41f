"""Two games that are not ours, written as a student would: one frozen dataclass each.

In Hex turns alternate; in Dots and Boxes whoever closes a box moves again.
"""

from dataclasses import dataclass, field, replace

from mctslab.boards import EMPTY, Board, BoardStyle
from mctslab.games import GameNotOverError, IllegalActionError, State

RED, BLUE = 0, 1

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


@dataclass(frozen=True)
class Hex(State):
    """Red joins top and bottom, Blue left and right; one of them always does."""

    size: int = 4
    stones: tuple[int, ...] = (EMPTY,) * 16
    last_action: int | None = field(default=None, compare=False)

    game = "hex"
    title = "Hex"
    player_names = ("Red", "Blue")

    @property
    def current_player(self):
        return sum(stone != EMPTY for stone in self.stones) % 2

    @property
    def num_actions(self):
        return self.size**2

    def legal_actions(self):
        if self.is_terminal:
            return ()
        return tuple(square for square, stone in enumerate(self.stones) if stone == EMPTY)

    def child(self, action):
        if action not in self.legal_actions():
            raise IllegalActionError(self, action)
        stones = list(self.stones)
        stones[action] = self.current_player
        return replace(self, stones=tuple(stones), last_action=int(action))

    @property
    def is_terminal(self):
        return self.has_joined(RED) or self.has_joined(BLUE)

    def returns(self):
        if not self.is_terminal:
            raise GameNotOverError(self)
        return (1.0, -1.0) if self.has_joined(RED) else (-1.0, 1.0)

    def has_joined(self, player):
        """Whether a chain of the player's stones leads from edge to edge."""
        places = [divmod(s, self.size) for s, stone in enumerate(self.stones) if stone == player]
        along = 0 if player == RED else 1  # from row to row, or from column to column
        reached = {place for place in places if place[along] == 0}
        waiting = list(reached)
        while waiting:
            row, col = waiting.pop()
            for step_row, step_col in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)):
                neighbour = (row + step_row, col + step_col)
                if neighbour in places and neighbour not in reached:
                    reached.add(neighbour)
                    waiting.append(neighbour)
        return any(place[along] == self.size - 1 for place in reached)

    def action_to_string(self, action):
        row, col = divmod(action, self.size)
        return f"{'abcdefgh'[col]}{row + 1}"

    def board(self):
        return Board(
            rows=self.size,
            cols=self.size,
            style=BoardStyle.POINTS,
            stones=self.stones,
            column_labels=tuple("abcdefgh"[: self.size]),
            row_labels=tuple(str(row + 1) for row in range(self.size)),
            last_square=self.last_action,
        )


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
        return DotsAndBoxes(tuple(stones), next_player, int(action))

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
