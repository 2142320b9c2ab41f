"""A position as a picture, with a search's or a policy's numbers for its moves."""

from collections.abc import Iterable, Mapping

from mctslab.boards.svg import bits_svg, board_svg
from mctslab.draw.picture import Picture
from mctslab.games.state import State
from mctslab.search.result import SearchResult


def board(
    state: State,
    *,
    legal: bool = False,
    heat: Mapping[int, float] | SearchResult | None = None,
    heat_title: str = "Visits",
    marks: Mapping[str, Iterable[int]] | None = None,
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
        marks: Texts of one to three characters, each with its squares, such as
            `{"X": [9, 14]}`.
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
            marks=marks,
            coordinates=coordinates,
            legend=legend,
            square_size=square_size,
        )
    )


def bitboard(bits: int, *, size: int = 8, square_size: float = 40.0) -> Picture:
    """Draw a set of squares as the bits of one number: a 1 on each of them, a 0 on the others.

    Args:
        bits: The squares; `row * size + col` is the number of a bit.
        size: Squares on a side of the board.
        square_size: The side of a square on the screen, in CSS pixels.

    Raises:
        ValueError: a bit is set that is not a square of the board.
    """
    return Picture(bits_svg(bits, size=size, square_size=square_size))
