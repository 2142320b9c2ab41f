"""What a net sees of a position: planes, one number for each square.

A plane is a board of zeros and ones. The stones make two planes, the mover's own first and the
opponent's second, so that the net need not learn everything twice, once for each colour.
`InputPlanes` lists the other planes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt

from mctslab.fast import CompiledForest
from mctslab.games.state import State
from mctslab.games.symmetry import Symmetry
from mctslab.search.forest import Counts, Forest
from mctslab.typed import Meta, check

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class InputPlanes:
    """Which planes a net sees, in this order: stones, last move, player to move.

    AlphaGo Zero sees eight positions a side and the colour (Silver et al. 2017, "Mastering the game
    of Go without human knowledge", Methods). In Gomoku or Connect Four everything that matters is
    on the board, and one position is enough.

    Raises:
        WrongEntryError: `history` is not an integer above zero.

    >>> InputPlanes(history=2, last_move=False).names
    ('own', 'opponent', 'own 1 ply ago', 'opponent 1 ply ago', 'player to move')
    """

    history: Annotated[int, Meta(ge=1, le=64)] = 1
    """The number of positions shown, newest first; two planes for each, own and opponent's."""
    last_move: bool = True
    """A plane with a one where the last move was played; zeros at the start and after a pass."""
    player_to_move: bool = True
    """A plane of ones where player 0 is to move, of zeros where player 1 is."""

    def __post_init__(self) -> None:
        check(self)

    @property
    def names(self) -> tuple[str, ...]:
        """What each plane shows."""
        names = ["own", "opponent"]
        for plies in range(1, self.history):
            ago = f"{plies} {'ply' if plies == 1 else 'plies'} ago"
            names += [f"own {ago}", f"opponent {ago}"]
        names += ["last move"] * self.last_move + ["player to move"] * self.player_to_move
        return tuple(names)

    @property
    def count(self) -> int:
        """The number of planes, which is the number of a net's input channels."""
        return 2 * self.history + self.last_move + self.player_to_move


def encode(positions: Sequence[State], inputs: InputPlanes) -> Floats:
    """The planes of one position.

    Args:
        positions: the game so far, the newest position last. The last `inputs.history` of them are
            encoded; if there are fewer, as at the start of a game, the planes of the missing ones
            stay empty.
        inputs: which planes.

    Returns:
        [C, rows, cols], zeros and ones: `inputs.count` planes of the board.

    >>> from mctslab.games import TicTacToe
    >>> after_the_centre = TicTacToe().child(4)
    >>> encode([after_the_centre], InputPlanes())[1]  # the opponent's stones: X's
    array([[0., 0., 0.],
           [0., 1., 0.],
           [0., 0., 0.]], dtype=float32)
    """
    planes: Floats = encode_batch([positions], inputs)[0]
    return planes


def encode_batch(games: Sequence[Sequence[State]], inputs: InputPlanes) -> Floats:
    """The planes of many positions, each the newest of one of `games`.

    All are of one game and one size of board; each is a list of positions, as in `encode`.

    Returns:
        [N, C, rows, cols], zeros and ones.
    """
    if not games or not all(games):
        raise ValueError("There is nothing to encode: expected games, each with a position.")
    board = games[0][-1].board()
    num_squares = board.rows * board.cols
    num_bytes = -(-num_squares // 8)
    bitboards = [plane for game in games for plane in _drawn_planes(game, inputs)]
    packed = b"".join([plane.to_bytes(num_bytes, "little") for plane in bitboards])
    rows_of_bytes = np.frombuffer(packed, np.uint8).reshape(len(games), -1, num_bytes)
    drawn = np.unpackbits(rows_of_bytes, axis=2, count=num_squares, bitorder="little")
    planes = np.empty((len(games), inputs.count, num_squares), np.float32)
    planes[:, : drawn.shape[1]] = drawn
    if inputs.player_to_move:
        planes[:, -1] = [[game[-1].current_player == 0] for game in games]
    return planes.reshape(len(games), inputs.count, board.rows, board.cols)


def _drawn_planes(game: Sequence[State], inputs: InputPlanes) -> list[int]:
    """The planes of one position that differ from square to square, as bitboards."""
    mover = game[-1].current_player
    shown = [state.bitboards() for state in reversed(game[-inputs.history :])]
    planes = []
    for boards in shown:
        planes += [boards.second, boards.first] if mover else [boards.first, boards.second]
    planes += [0] * (2 * inputs.history - len(planes))
    if inputs.last_move:
        planes.append(shown[0].last)
    return planes


def planes_of(forest: Forest, walks: Counts, inputs: InputPlanes) -> Floats:
    """The planes of the leaves of `walks`, as in `encode_batch`.

    Args:
        forest: a compiled one draws the stones itself, if its rules say where they lie and no
            earlier positions are shown.
        walks: some of the return value of `forest.gather`.
        inputs: which planes.

    Returns:
        [walks, C, rows, cols], zeros and ones.
    """
    if not (isinstance(forest, CompiledForest) and forest.can_draw and inputs.history == 1):
        return encode_batch([forest.positions_on(walk) for walk in walks], inputs)
    rows, cols = forest.board_shape
    planes = np.zeros((len(walks), inputs.count, rows * cols), np.float32)
    forest.draw_leaves(walks, planes)
    if inputs.last_move:
        squares = forest.last_squares(walks)
        moved = np.flatnonzero(squares >= 0)
        planes[moved, 2, squares[moved]] = 1.0
    if inputs.player_to_move:
        planes[:, -1] = (forest.movers(walks) == 0)[:, None]
    return planes.reshape(len(walks), inputs.count, rows, cols)


def turn(planes: Floats, policy: Floats, symmetry: Symmetry) -> tuple[Floats, Floats]:
    """The same position and the same policy, turned or mirrored together.

    What lies on square s goes to square `symmetry.squares[s]`, and the probability of action a to
    action `symmetry.actions[a]`. Turning the board but not the policy is the most common mistake in
    training nets for games.

    Args:
        planes: [..., rows, cols].
        policy: [..., A], one number for each action of the game, legal or not.
        symmetry: one of the game's `state.symmetries()`.
    """
    turned_planes, turned_policy = np.empty_like(planes), np.empty_like(policy)
    flat = (*planes.shape[:-2], -1)
    turned_planes.reshape(flat)[..., list(symmetry.squares)] = planes.reshape(flat)
    turned_policy[..., list(symmetry.actions)] = policy
    return turned_planes, turned_policy
