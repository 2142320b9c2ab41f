"""Hex on 4 x 4 as a student would write it: rules on ints, and a state that plays by them."""

from mctslab.boards import Board, BoardStyle
from mctslab.games.bitboards import BitboardState
from mctslab.games.rules import LOST, OPEN, Rules

SIZE = 4
FULL = 0xFFFF
TOP, BOTTOM = 0x000F, 0xF000
LEFT, RIGHT = 0x1111, 0x8888


def neighbours(squares):
    """Each square has six: beside it, above and below it, and two across."""
    from_left, from_right = squares & ~RIGHT, squares & ~LEFT
    level = from_left << 1 | from_right >> 1
    return (level | squares << 4 | squares >> 4 | from_right << 3 | from_left >> 3) & FULL


def has_joined(stones, one_edge, other_edge):
    reached = stones & one_edge
    while True:
        grown = reached | stones & neighbours(reached)
        if grown == reached:
            return reached & other_edge != 0
        reached = grown


def legal_moves(position, geometry):
    return FULL & ~(position[0] | position[1])


def play(position, move, geometry):
    own, opponent, player = position
    return opponent, own | 1 << move, 1 - player


def outcome(position, moves, geometry):
    """Player 0 joins top and bottom, player 1 left and right; who moved last is not to move."""
    if position[2] == 1:
        won = has_joined(position[1], TOP, BOTTOM)
    else:
        won = has_joined(position[1], LEFT, RIGHT)
    return LOST if won else OPEN


class OwnHex(BitboardState):
    __slots__ = ()

    game = "own_hex"
    title = "My Hex"
    player_names = ("Red", "Blue")
    rules = Rules(legal_moves, play, outcome)

    def __init__(self):
        self._begin(own=0, opponent=0)

    @property
    def num_actions(self):
        return SIZE**2

    def action_to_string(self, action):
        row, col = divmod(self._known_action(action), SIZE)
        return f"{'abcd'[col]}{row + 1}"

    def board(self):
        return Board(
            rows=SIZE,
            cols=SIZE,
            style=BoardStyle.POINTS,
            stones=self._stones_on(range(SIZE**2)),
            column_labels=tuple("abcd"),
            row_labels=tuple("1234"),
            last_square=self._last_action,
        )
