"""Reversi (Othello): a move must flip discs; without one a player passes; more discs win.

Two bitboards, bit `row * size + col`, a1 at the top left. A disc flips if it is in a straight run
between the new disc and another one of the mover's. The legal moves are found for all squares at
once, by shifting the whole board; the discs that a move flips are found by looking along the eight
rays from its square.
"""

from collections.abc import Hashable
from typing import Final, NamedTuple

from mctslab.boards.board import Board, BoardStyle, square_bits
from mctslab.games.bitboards import BitboardState, checked_size
from mctslab.games.rules import DRAWN, LOST, OPEN, PASS, WON, Compilable, Position, Rules
from mctslab.games.symmetry import Symmetry, turns_and_mirrors

MINIMUM_SIZE: Final = 4


# The rules, on bitboards


class Geometry(NamedTuple):
    """The size of a board, and the bitboards that follow from it."""

    size: int
    board: int
    """Every square."""
    axes: tuple[tuple[int, int], ...]
    """For each of the four axes the distance of one step in bits, and the squares through which
    a run along it can pass without wrapping around the left or right edge."""
    doublings: int
    """The number of double steps from the second disc of a run to the end of the longest one."""
    rays_up: tuple[tuple[int, ...], ...]
    """For each square the four rays from it towards higher bit numbers, as bitboards."""
    rays_down: tuple[tuple[int, ...], ...]
    """The four rays towards lower bit numbers."""


def geometry(size: int) -> Geometry:
    """The bitboards of a board of `size` x `size`."""
    board = (1 << size * size) - 1
    inner_row = (1 << size) - 1 & ~(1 | 1 << (size - 1))
    inner_columns = sum(inner_row << size * row for row in range(size))
    axes = ((1, inner_columns), (size - 1, inner_columns), (size, board), (size + 1, inner_columns))
    directions = ((0, 1), (1, -1), (1, 0), (1, 1))
    squares = [(row, col) for row in range(size) for col in range(size)]
    return Geometry(
        size=size,
        board=board,
        axes=axes,
        doublings=size // 2 - 2,
        rays_up=tuple(tuple(_ray(s, d, size) for d in directions) for s in squares),
        rays_down=tuple(tuple(_ray(s, (-r, -c), size) for r, c in directions) for s in squares),
    )


def _ray(square: tuple[int, int], direction: tuple[int, int], size: int) -> int:
    """The squares beyond `square` in `direction`, (rows, columns) a step, to the edge."""
    (row, col), (rows, cols) = square, direction
    ray = 0
    while 0 <= (row := row + rows) < size and 0 <= (col := col + cols) < size:
        ray |= 1 << row * size + col
    return ray


def legal_moves(position: Position, geometry: Geometry) -> int:
    """The squares on which a disc would flip at least one of the opponent's; if none, see
    `outcome`."""
    own, opponent, _ = position
    beyond = beyond_runs(own, opponent, geometry.axes, geometry.doublings)
    return beyond & geometry.board & ~(own | opponent)


def beyond_runs(own: int, opponent: int, axes: tuple[tuple[int, int], ...], doublings: int) -> int:
    """The squares at the end of a run of the opponent's discs that begins next to one of ours.

    From all own discs at once, walk over the opponent's in each of the eight directions. A walk
    takes one step, then another one, and from there two at a time, over pairs of discs, so that
    runs of any length need only a few steps. The compiled search walks along all axes at once, by
    the function of this name in `mctslab/fast/compile/primitives.py`.

    Args:
        own: the discs of the player to move.
        opponent: the other player's discs.
        axes: as in `Geometry`.
        doublings: as in `Geometry`.
    """
    beyond = 0
    for step, passable in axes:
        through = opponent & passable
        upwards = through & (own << step)
        upwards |= through & (upwards << step)
        downwards = through & (own >> step)
        downwards |= through & (downwards >> step)
        pairs = through & (through << step)
        pairs_down = pairs >> step
        for _ in range(doublings):
            upwards |= pairs & (upwards << (step + step))
            downwards |= pairs_down & (downwards >> (step + step))
        beyond |= upwards << step | downwards >> step
    return beyond


def flipped_discs(own: int, opponent: int, move: int, geometry: Geometry) -> int:
    """The opponent's discs that flip when `own` puts a disc on square `move`.

    On each ray, look for the nearest square without a disc of the opponent's: if one of ours is
    there, all discs before it flip. Upwards that square is the lowest bit, downwards the highest.
    """
    flipped = 0
    others = ~opponent
    for ray in geometry.rays_up[move]:
        nearest = ray & others
        nearest &= -nearest
        if nearest & own:
            flipped |= ray & (nearest - 1)
    for ray in geometry.rays_down[move]:
        nearest = highest_bit(ray & others) & own
        flipped |= ray & -(nearest + nearest)  # -2x has all bits above x; -0 has none
    return flipped


def highest_bit(bits: int) -> int:
    """Only the highest one of `bits`; 0 if there is none."""
    return 1 << (bits.bit_length() - 1) if bits else 0


def play(position: Position, move: int, geometry: Geometry) -> Position:
    """Put a disc on square `move` and flip the discs that it flips; or pass."""
    own, opponent, player = position
    if move == PASS:
        return opponent, own, 1 - player
    flipped = flipped_discs(own, opponent, move, geometry)
    return opponent ^ flipped, own | flipped | 1 << move, 1 - player


def outcome(position: Position, moves: int, geometry: Geometry) -> int:
    """Open while one of the two can move; after that, the player with more discs wins."""
    if moves:
        return OPEN
    own, opponent, player = position
    if legal_moves((opponent, own, player), geometry):
        return OPEN
    ours, theirs = own.bit_count(), opponent.bit_count()
    if ours == theirs:
        return DRAWN
    return WON if ours > theirs else LOST


# The state


class Reversi(BitboardState):
    """A position of Reversi; `Reversi()` is the usual first one on 8 x 8, Black to move.

    A pass is the action `size * size`, legal only when the mover can't flip anything and the
    opponent can. Black is player 0.

    Args:
        size: squares on a side, an even number from 4 to 26.

    Raises:
        ValueError: a size that is odd or out of range.

    >>> print(Reversi(size=4).child(1))
      a b c d
    1 . B . .
    2 . B B .
    3 . B W .
    4 . . . .
    White to move, 4 to 1
    """

    __slots__ = ()

    game = "reversi"
    title = "Reversi"
    player_names = ("Black", "White")

    rules = Rules(legal_moves, play, outcome)
    _geometry: Geometry

    def __init__(self, size: int = 8) -> None:
        size = checked_size("size", size, MINIMUM_SIZE)
        if size % 2:
            raise ValueError(f"size={size} is odd: Reversi needs an even number, to have a centre.")
        low, high = size // 2 - 1, size // 2
        self._begin(
            own=1 << low * size + high | 1 << high * size + low,
            opponent=1 << low * size + low | 1 << high * size + high,
            geometry=geometry(size),
        )

    def _parameters(self) -> Hashable:
        return self._geometry.size

    @property
    def size(self) -> int:
        """Squares on a side."""
        return int(self._geometry.size)

    @property
    def pass_action(self) -> int:
        """The number of the action "pass": one above the last square."""
        return self._geometry.size**2

    @property
    def num_actions(self) -> int:
        return self.pass_action + 1

    def legal_actions(self) -> tuple[int, ...]:
        if self._moves or self._outcome:
            return square_bits(self._moves)
        return (self.pass_action,)

    def _move_of(self, action: int) -> int | None:
        if action >= 0 and self._moves >> action & 1:
            return action
        must_pass = not self._moves and not self._outcome
        return PASS if must_pass and action == self.pass_action else None

    def compilable(self) -> Compilable:
        return super().compilable()._replace(pass_action=self.pass_action, keeps_positions=True)

    def disc_counts(self) -> tuple[int, int]:
        """How many discs each player has."""
        return self.stones_of(0).bit_count(), self.stones_of(1).bit_count()

    def action_to_string(self, action: int) -> str:
        if action == self.pass_action:
            return "pass"
        row, col = divmod(action, self._geometry.size)
        return f"{_letter(col)}{row + 1}"

    def action_square(self, action: int) -> int | None:
        return action if 0 <= action < self.pass_action else None

    def square_action(self, square: int) -> int | None:
        return square if 0 <= square < self.pass_action else None

    def symmetries(self) -> tuple[Symmetry, ...]:
        return turns_and_mirrors(self._geometry.size, self.num_actions)

    def board(self) -> Board:
        size = self._geometry.size
        last = self._last_action
        return Board(
            rows=size,
            cols=size,
            style=BoardStyle.DISCS,
            stones=self._stones_on(range(size * size)),
            column_labels=tuple(_letter(col) for col in range(size)),
            row_labels=tuple(str(row + 1) for row in range(size)),
            last_square=None if last is None else self.action_square(last),
        )

    def _status(self) -> str:
        first, second = self.disc_counts()
        return f"{super()._status()}, {first} to {second}"


def _letter(col: int) -> str:
    return chr(ord("a") + col)


def after(record: str) -> Reversi:
    """The position on 8 x 8 that the record of a game leads to.

    A record has two characters for each move, its column and its row. It leaves passes out, because
    they are forced.

    Raises:
        IllegalActionError: one of its moves is illegal.
        ValueError: it names no square of the board.

    >>> after("d3c3").disc_counts()
    (3, 3)
    """
    state = Reversi()
    for place in range(0, len(record), 2):
        if state.legal_actions() == (state.pass_action,):
            state = state.child(state.pass_action)
        state = state.child(state.string_to_action(record[place : place + 2]))
    return state
