"""A position as a picture, with what a search or a policy thinks of its moves."""

from collections.abc import Mapping

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
    coordinates: bool = True,
    square_size: float = 40.0,
) -> Picture:
    """Draw a position.

    Args:
        state: The position.
        legal: Whether to mark the legal moves.
        heat: A number >= 0 for some actions, such as visits or probabilities; of a
            `SearchResult`, the visits. The number of a pass stands in the legend's title.
        heat_title: What the numbers are.
        coordinates: Whether to label columns and rows.
        square_size: The side of a square on the screen, in CSS pixels.

    Raises:
        ValueError: a heat value is negative or not finite, or its action puts no stone on the
            board and is no pass.
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
            coordinates=coordinates,
            square_size=square_size,
        )
    )
