"""Notebook 15, your own game: the rules of Hex, on sets and on bits, and a distance."""

import heapq
from collections.abc import Callable, Set
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np

from mctslab.course.checking.cases import Case, Words
from mctslab.course.exercise import exercise
from mctslab.course.positions import squares_of
from mctslab.games.state import IllegalActionError

STEPS: Final = (0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1)
"""The steps of row and column to the neighbours of a cell."""

Cells = frozenset[int]


def _cells(board: str, sign: str) -> Cells:
    return frozenset(cell for cell, stone in enumerate(squares_of(board, sign)) if stone == 0)


def _drawn(stones: tuple[Set[int], Set[int]], size: int) -> str:
    """A board as text, each row half a cell to the right of the one above."""
    signs = ["B" if c in stones[0] else "W" if c in stones[1] else "." for c in range(size**2)]
    return "\n".join(" " * row + " ".join(signs[row * size :][:size]) for row in range(size))


def _cells_at_random(rng: np.random.Generator, size: int) -> tuple[Cells, Cells]:
    """Cells of two players, anywhere; or of one who went for a walk, and the other has the rest."""
    if rng.random() < 0.5:
        walk = [rng.integers(size, size=2)]
        for _ in range(3 * size):
            walk.append((walk[-1] + STEPS[rng.integers(6)]).clip(0, size - 1))
        cells = frozenset(int(row * size + col) for row, col in walk)
        return cells, frozenset(range(size**2)) - cells
    share = float(rng.choice((0.25, 0.35, 0.5)))
    drawn = rng.choice((-1, 0, 1), size**2, p=(1 - 2 * share, share, share))
    first, second = (frozenset(np.flatnonzero(drawn == player).tolist()) for player in (0, 1))
    return first, second


# hex_connected


def _connected_case(stones: Cells, size: int, player: int) -> Case:
    both = (stones, frozenset[int]()) if player == 0 else (frozenset[int](), stones)
    shown = (
        f"hex_connected(stones, {size}, {player}), where stones={set(stones) or '{}'} is this board"
    )
    return Case(lambda: (stones, size, player), shown=f"{shown}\n{_drawn(both, size)}")


_BOARDS: Final = (
    (".X. .X. .X.", 0),
    ("..X X.. ...", 1),  # the end of a row, and the start of the next one
    ("..X X.X X..", 0),  # both ends of a row
    ("...X XXXX X... X...", 0),  # a chain that goes to the left
    ("..XX .X.. .X.. XX..", 1),  # up
    ("X..X .... .... X..X", 0),  # no chain at all
    ("X.X.X ..X.. ..X.. .X... .X..X", 0),  # from the middle one of three
    ("X...... XXXXXXX ......X XXXXXXX X...... XXXXXXX ......X", 0),  # more than three steps a row
    ("X.... X..XX X.X.X XX..X ....X", 0),  # down, to the right, up again, and down
)
"""Boards on which a chain has to be followed, and its player."""


def _chains() -> list[tuple[Cells, int, int]]:
    """The cells of the chains, the size of the board, and the player."""
    return [(_cells(board, "X"), len(board.split()), player) for board, player in _BOARDS]


def _connected_cases() -> list[Case]:
    return [_connected_case(*chain) for chain in _chains()]


def _connected_variation(rng: np.random.Generator) -> Case:
    size = int(rng.integers(1, 8))
    return _connected_case(_cells_at_random(rng, size)[0], size, int(rng.integers(2)))


@exercise(cases=_connected_cases, variation=_connected_variation)
def hex_connected(stones: Set[int], size: int, player: int) -> bool:
    """Whether a chain of the player's stones leads from one of their sides to the other.

    `stones` is a set of cells. Player 0 joins the first row and the last row, player 1 the first
    column and the last column.
    """
    reached = {cell for cell in stones if divmod(cell, size)[player] == 0}
    waiting = list(reached)
    while waiting:
        row, col = divmod(waiting.pop(), size)
        if (row, col)[player] == size - 1:
            return True
        for row_step, col_step in STEPS:
            to_row, to_col = row + row_step, col + col_step
            cell = to_row * size + to_col
            if 0 <= to_col < size and cell in stones and cell not in reached:
                reached.add(cell)
                waiting.append(cell)
    return False


# hex_child


@dataclass(frozen=True)
class Position:
    """As much of the notebook's class as the functions need."""

    size: int
    stones: tuple[Cells, Cells]
    last_action: int | None = None

    @property
    def num_actions(self) -> int:
        """The number of cells."""
        return self.size**2

    @property
    def current_player(self) -> int:
        """White has one stone less before a move of White."""
        return len(self.stones[0]) - len(self.stones[1])

    @property
    def is_terminal(self) -> bool:
        """Whether one player is connected."""
        return any(hex_connected.model_answer(self.stones[p], self.size, p) for p in (0, 1))

    def legal_actions(self) -> tuple[int, ...]:
        """The empty cells, until a player has won."""
        taken = self.stones[0] | self.stones[1]
        free = (cell for cell in range(self.num_actions) if cell not in taken)
        return () if self.is_terminal else tuple(free)

    def __str__(self) -> str:
        return _drawn(self.stones, self.size)


def _position_at_random(rng: np.random.Generator) -> Position:
    """After random moves, until a player has won."""
    size = int(rng.integers(1, 8))
    state = Position(size, (frozenset(), frozenset()))
    for _ in range(int(rng.integers(size**2))):
        if state.is_terminal:
            break
        state = hex_child.model_answer(state, int(rng.choice(state.legal_actions())))
    return state


_ILLEGAL: Final = Words("IllegalActionError(state, action)")


def _played(function: Callable[..., Any], state: Position, action: int) -> object:
    before = tuple(map(set, state.stones))
    try:
        after = function(state, action)
    except IllegalActionError as error:
        return _ILLEGAL if error.args == (state, action) else Words("one with other arguments")
    if not isinstance(after, Position):
        return after
    if tuple(map(set, state.stones)) != before:
        return Words("the position before the move is changed")
    last, size = after.last_action, after.size
    if not isinstance(after.stones, tuple) or {*map(type, after.stones)} != {frozenset}:
        stones = Words(f"{_in_order(after.stones)} instead of a tuple of two frozensets")
        return {"size": size, "stones": stones, "last_action": last}
    black, white = map(sorted, after.stones)
    return {"size": size, "Black's stones": black, "White's stones": white, "last_action": last}


def _in_order(stones: object) -> str:
    """Other collections than there should be; the cells of a set can be in any order."""
    if isinstance(stones, list | tuple):
        return f"{type(stones).__name__}({', '.join(map(_in_order, stones))})"
    if isinstance(stones, set | frozenset):
        return f"{type(stones).__name__}({', '.join(sorted(map(repr, stones)))})"
    return repr(stones)


def _child_case(state: Position, action: int) -> Case:
    whose = ("Black", "White")[state.current_player]
    shown = f"hex_child(state, {action}), and the state is this board, {whose} to move\n{state}"
    return Case(lambda: (state, action), shown=shown, use=_played)


def _child_cases() -> list[Case]:
    stones = Position(3, (frozenset({4}), frozenset()))
    return [_child_case(stones, 0), _child_case(stones, 9), _child_case(stones, -1)]


def _child_variation(rng: np.random.Generator) -> Case:
    state = _position_at_random(rng)
    return _child_case(state, int(rng.integers(state.num_actions)))


@exercise(cases=_child_cases, variation=_child_variation)
def hex_child(state: Any, action: int) -> Any:
    """The position after `action`, with a stone of the player to move on this cell.

    An action that is not legal raises IllegalActionError(state, action).
    """
    if action not in state.legal_actions():
        raise IllegalActionError(state, action)
    player = state.current_player
    stones = list(state.stones)
    stones[player] = stones[player] | {int(action)}
    return replace(state, stones=tuple(stones), last_action=int(action))


# hex_joined


class Geometry(NamedTuple):
    """The constants of a board, as bits."""

    size: int
    cells: int
    sides: tuple[int, int, int, int]


def _geometry(size: int) -> Geometry:
    row, column = (1 << size) - 1, sum(1 << size * row for row in range(size))
    sides = row, row << size * (size - 1), column, column << size - 1
    return Geometry(size, (1 << size**2) - 1, sides)


def _joined_case(cells: Cells, size: int, player: int) -> Case:
    stones, geometry = sum(1 << cell for cell in cells), _geometry(size)
    both = (cells, frozenset[int]()) if player == 0 else (frozenset[int](), cells)
    shown = f"hex_joined({stones:#b}, {player}, geometry), where the stones are these\n"
    return Case(lambda: (stones, player, geometry), shown=shown + _drawn(both, size))


def _joined_cases() -> list[Case]:
    return [_joined_case(*chain) for chain in _chains()]


def _joined_variation(rng: np.random.Generator) -> Case:
    size = int(rng.integers(1, 8))
    return _joined_case(_cells_at_random(rng, size)[0], size, int(rng.integers(2)))


@exercise(cases=_joined_cases, variation=_joined_variation, points=2)
def hex_joined(stones: int, player: int, geometry: Geometry) -> bool:
    """Whether a chain of the player's stones leads from side to side. `stones` is a bitboard.

    `geometry.size` is the size of the board, and `geometry.sides` are four bitboards: the cells of
    the first row, the last row, the first column and the last column.
    """
    size, (_, _, left, right) = geometry.size, geometry.sides
    first, last = geometry.sides[2 * player], geometry.sides[2 * player + 1]
    reached = stones & first
    while True:
        not_left, not_right = reached & ~left, reached & ~right
        beside = not_left >> 1 | not_right << 1
        above = reached >> size | not_right >> size - 1
        below = reached << size | not_left << size - 1
        grown = reached | stones & (beside | above | below)
        if grown == reached:
            return reached & last != 0
        reached = grown


# hex_distance


def _distance_case(state: Position, player: int) -> Case:
    whose = ("Black", "White")[player]
    shown = f"hex_distance(state, {player}), which is {whose}, and the state is this board\n{state}"
    return Case(lambda: (state, player), shown=shown)


def _distance_cases() -> list[Case]:
    closed = []
    for cells, size, player in _chains()[1:]:
        others = frozenset(range(size**2)) - cells
        stones = (cells, others) if player == 0 else (others, cells)
        closed.append(_distance_case(Position(size, stones), player))
    return [_distance_case(Position(3, (frozenset({4}), frozenset())), 0), *closed]


def _distance_variation(rng: np.random.Generator) -> Case:
    size = int(rng.integers(1, 8))
    return _distance_case(Position(size, _cells_at_random(rng, size)), int(rng.integers(2)))


@exercise(cases=_distance_cases, variation=_distance_variation, points=3)
def hex_distance(state: Position, player: int) -> int:
    """The smallest number of stones that `player` must still place to connect their sides.

    It is 0 if they are connected, and `state.num_actions` if the opponent has closed every way.
    """
    size, own, other = state.size, state.stones[player], state.stones[1 - player]
    waiting: list[tuple[int, int]] = []
    for cell in range(state.num_actions):
        if divmod(cell, size)[player] == 0 and cell not in other:
            heapq.heappush(waiting, (int(cell not in own), cell))
    reached = {cell for _, cell in waiting}
    while waiting:
        needed, cell = heapq.heappop(waiting)
        row, col = divmod(cell, size)
        if (row, col)[player] == size - 1:
            return needed
        for row_step, col_step in STEPS:
            to_row, to_col = row + row_step, col + col_step
            beside = to_row * size + to_col
            is_on_board = 0 <= to_row < size and 0 <= to_col < size
            if is_on_board and beside not in other and beside not in reached:
                reached.add(beside)
                heapq.heappush(waiting, (needed + int(beside not in own), beside))
    return state.num_actions
