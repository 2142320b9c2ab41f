"""A position as a picture, with a search's or a policy's numbers for its moves."""

from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from mctslab.boards.board import EMPTY, Board, BoardStyle
from mctslab.boards.geometry import square_name
from mctslab.boards.layers import HeatScale
from mctslab.boards.svg import board_svg
from mctslab.draw.picture import Picture
from mctslab.games.state import State
from mctslab.search.result import SearchResult


def board(
    state: State,
    *,
    legal: bool = False,
    heat: Mapping[int, float] | SearchResult | None = None,
    heat_title: str = "Visits",
    heat_scale: str = HeatScale.AMOUNT,
    marks: Mapping[str, Iterable[int]] | None = None,
    line: tuple[int, int] | None = None,
    coordinates: bool = True,
    legend: bool = True,
    square_size: float = 40.0,
) -> Picture:
    """Draw a position.

    Args:
        state: The position.
        legal: Whether to mark the legal moves.
        heat: A number >= 0 for some actions, such as visits or probabilities; for a `SearchResult`,
            the visits. The number of a pass is in the legend's title.
        heat_title: The meaning of the numbers.
        heat_scale: With `"share"` the colours run from 0 to 1, not to the largest number, so that
            several boards can be compared. With `"win rate"` they are those of all values, orange
            below one half and blue above.
        marks: Texts of one to three characters, each with its squares, such as
            `{"X": [9, 14]}`.
        line: Two squares, with a stroke from one to the other.
        coordinates: Whether to label columns and rows.
        legend: Whether a scale explains the colours of the heat.
        square_size: The side of a square on the screen, in CSS pixels.

    Raises:
        ValueError: a heat value is negative, not finite, or its action puts no stone on the
            board and is not a pass; a mark is too long, or a square has two.
    """
    if isinstance(heat, SearchResult):
        heat = {child.action: child.visit_count for child in heat.children}
    squares: dict[int, float] = {}
    for action, value in (heat or {}).items():
        square = state.action_square(action)
        if square is None:
            heat_title = f"{heat_title} ({state.action_to_string(action)}: {value:,.4g})"
        else:
            squares[square] = value
    playable = (state.action_square(action) for action in state.legal_actions() if legal)
    return Picture(
        board_svg(
            state.board(),
            legal=[square for square in playable if square is not None],
            heat=squares or None,
            heat_title=heat_title,
            heat_scale=HeatScale(heat_scale),
            marks=marks,
            line=line,
            coordinates=coordinates,
            legend=legend,
            square_size=square_size,
        )
    )


def sample(planes: npt.ArrayLike, policy: npt.ArrayLike) -> Picture:
    """Draw a sample for a net: a position seen by its mover, and a policy as heat from 0 to 1.

    Args:
        planes: [C, rows, cols]. The first plane has the stones of the player to move, which are
            drawn black, and the second one the opponent's, which are drawn white.
        policy: A share for each square, [rows * cols]; shares below 3%, and that of a pass after
            them, are not drawn.
    """
    own, opponent = np.asarray(planes)[:2]
    rows, cols = own.shape
    stones = np.where(own == 1, 0, np.where(opponent == 1, 1, -1)).flatten()
    shares = np.asarray(policy, dtype=float)[: stones.size]
    heat = {square: float(share) for square, share in enumerate(shares) if share >= 0.03}
    labels = ("",) * cols, ("",) * rows
    seen = Board(rows, cols, BoardStyle.POINTS, tuple(stones.tolist()), *labels)
    return Picture(
        board_svg(
            seen,
            heat=heat or None,
            heat_scale=HeatScale.SHARE,
            legend=False,
            coordinates=False,
            square_size=28.0,
        )
    )


def bitboard(bits: int, *, square_size: float = 40.0) -> Picture:
    """Draw 64 squares as the bits of one number: a 1 on each square of a set, a 0 on the others.

    Args:
        bits: The squares; `8 * row + col` is the number of a bit.
        square_size: The side of a square on the screen, in CSS pixels.

    Raises:
        ValueError: a bit is set that is not a square of the board.
    """
    if not 0 <= bits < 1 << 64:
        raise ValueError(f"bits={bits:#x} is not a bitboard of 8 x 8 squares.")
    labels = tuple("abcdefgh"), tuple("12345678")
    empty = Board(8, 8, BoardStyle.DISCS, (EMPTY,) * 64, *labels)
    ones = " ".join(square_name(empty, square) for square in range(64) if bits >> square & 1)
    return Picture(
        board_svg(
            empty,
            heat={square: bits >> square & 1 for square in range(64)},
            legend=False,
            square_size=square_size,
            title="Bitboard",
            description=f"Bits that are 1: {ones or 'none'}.",
        )
    )
