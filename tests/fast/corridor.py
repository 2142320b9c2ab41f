"""A game with one move in every position, as long as one likes: compiled trees of any depth."""

from typing import NamedTuple

from mctslab.boards import EMPTY, Board, BoardStyle
from mctslab.games.bitboards import BitboardState
from mctslab.games.rules import DRAWN, OPEN, Compilable, Rules


class Length(NamedTuple):
    """The number of plies of a game."""

    plies: int


def legal_moves(position, geometry):
    return 1


def play(position, move, geometry):
    return position[0] + 1, 0, 1 - position[2]


def outcome(position, moves, geometry):
    return DRAWN if position[0] >= geometry.plies else OPEN


class Corridor(BitboardState):
    """The position counts the plies; after the last one the game is a draw."""

    game = "corridor"
    title = "Corridor"
    player_names = ("First", "Second")
    num_actions = 1
    rules = Rules(legal_moves, play, outcome)

    def __init__(self, plies: int) -> None:
        self._begin(0, 0, Length(plies))

    def compilable(self) -> Compilable:
        return Compilable(self.rules, self._geometry, self._position)

    def action_to_string(self, action: int) -> str:
        return "on"

    def board(self) -> Board:
        return Board(1, 1, BoardStyle.POINTS, (EMPTY,), ("a",), ("1",))


ENDLESS = Corridor(1 << 62)
