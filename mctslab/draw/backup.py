"""One backpropagation as a row of boxes: the path from the root to the leaf, with N and W."""

from collections.abc import Sequence
from typing import Final

from mctslab.boards.elements import document, element, text_at, text_group
from mctslab.boards.svg import board_thumbnail
from mctslab.draw.cards import LETTER
from mctslab.draw.colors import INK, LINE, OKABE_ITO, TEXT, THEME_INK, UNKNOWN
from mctslab.draw.picture import PagePicture
from mctslab.search.node import Node

Statistics = tuple[float, float] | None
"""N and W; None where they are not known yet."""

_WIDTH, _HEIGHT, _GAP = 138.0, 166.0, 24.0
_BOARD: Final = 60.0
_SIZE: Final = 12.5
_ARROW: Final = OKABE_ITO[5]
"""The colour of backpropagation in the phase stepper."""
_RIGHT, _WRONG = "#00614a", "#a33f00"
"""Both have a contrast of at least 5 on a card."""


def backup(
    leaf: Node,
    returns: tuple[float, float],
    after: Sequence[Statistics] | None = None,
    *,
    before: Sequence[Statistics] | None = None,
) -> PagePicture:
    """Draw the path from the root to `leaf`, and what a result does to N and W of its nodes.

    Args:
        leaf: The new leaf; its parents are the path.
        returns: The result, for player 0 and player 1.
        after: N and W of each node afterwards, from the root to the leaf, each with a mark that
            shows whether it is right; question marks where they are missing.
        before: The same before it was counted; by default those that the nodes have now.
    """
    path = [leaf]
    while (parent := path[0].parent) is not None:
        path.insert(0, parent)
    earlier = list(before or [(node.visit_count, node.total_value) for node in path])
    later = list(after or [None] * len(path))
    boxes = [
        _box(node, returns[node.mover], old, new, (_WIDTH + _GAP) * place)
        for place, (node, old, new) in enumerate(zip(path, earlier, later, strict=True))
    ]
    told = [
        f"{_heading(node)}: before {_written(old)}, after {_written(new)}."
        for node, old, new in zip(path, earlier, later, strict=True)
    ]
    arrows = [_arrow((_WIDTH + _GAP) * place + _WIDTH) for place in range(len(path) - 1)]
    width = (_WIDTH + _GAP) * len(path) - _GAP
    names = leaf.state.player_names
    result = ", ".join(
        f"{_signed(each)} for {name}" for each, name in zip(returns, names, strict=True)
    )
    words = f"The result of the rollout is {result}."
    width = max(width, LETTER * _SIZE * len(words))
    caption = text_at(width / 2, _HEIGHT + 18, words, style=f"fill:{THEME_INK}")
    svg = document(
        width + 2,
        _HEIGHT + 30,
        scale=1.0,
        title=f"Backpropagation along {len(path)} nodes",
        description=" ".join([words, *told]),
        content=f'<g transform="translate(1 1)">{"".join(boxes + arrows)}'
        f"{text_group([caption], _SIZE, INK)}</g>",
    )
    return PagePicture(svg.replace("<svg ", '<svg style="max-width:100%;height:auto" ', 1))


def _box(node: Node, value: float, old: Statistics, new: Statistics, x: float) -> str:
    """The box of a node, with its left side at `x`."""
    heading, state = _heading(node), node.state
    mover = state.player_names[node.mover]
    middle, y = x + _WIDTH / 2, 30 + _BOARD
    thumbnail = board_thumbnail(state.board(), size=_BOARD)
    picture = thumbnail.replace("<svg ", f'<svg x="{middle - _BOARD / 2:g}" y="26" ', 1)
    expected = None if old is None else (old[0] + 1, old[1] + value)
    gets, mark, color = "?", "", TEXT
    if new is not None:
        gets = _signed(value)
        mark, color = (" ✓", _RIGHT) if tuple(new) == expected else (" ✗", _WRONG)
    lines = [
        text_at(middle, 14, heading, font_weight="bold", **_squeezed(heading)),
        text_at(middle, y + 14, f"before: {_written(old)}"),
        text_at(middle, y + 36, f"{mover} gets {gets}", fill="#8a2f68"),
        text_at(middle, y + 58, f"after: {_written(new)}{mark}", fill=color, font_weight="bold"),
    ]
    frame = element("rect", x=x, y=0, width=_WIDTH, height=_HEIGHT, rx=6, fill=UNKNOWN, stroke=LINE)
    return frame + picture + text_group(lines, _SIZE, TEXT)


def _heading(node: Node) -> str:
    mover = node.state.player_names[node.mover]
    if node.action is None or node.parent is None:
        return f"root, {mover} to move"
    return f"{mover} plays {node.parent.state.action_to_string(node.action)}"


def _squeezed(heading: str) -> dict[str, str]:
    """The font size with which a long heading fits into its box."""
    size = min(_SIZE, (_WIDTH - 8) / (LETTER * len(heading)))
    return {"font_size": f"{size:.3g}"}


def _arrow(x: float) -> str:
    """An arrow to the left, through the gap that begins at `x`."""
    y = 30 + _BOARD + 36
    line = element(
        "path", d=f"M{x + _GAP - 2:g} {y:g}H{x + 9:g}", stroke=_ARROW, stroke_width=3, fill="none"
    )
    head = element("path", d=f"M{x + 2:g} {y:g}l9 -6v12z", fill=_ARROW)
    return line + head


def _written(statistics: Statistics) -> str:
    """N and W, or question marks.

    >>> _written((4, 1)), _written(None)
    ('N 4, W +1', 'N ?, W ?')
    """
    if statistics is None:
        return "N ?, W ?"
    visits, total = statistics
    return f"N {visits:g}, W {_signed(total)}"


def _signed(value: float) -> str:
    """A number with its sign, and with a real minus sign.

    >>> _signed(1), _signed(-0.5), _signed(0)
    ('+1', '−0.5', '0')
    """
    return f"{value:+.3g}".replace("-", "−") if value else "0"
