"""One backpropagation as a row of cards: the path from the root to the leaf, with N and W."""

from collections.abc import Sequence
from typing import Final

from mctslab.boards.elements import document, element, text_at, text_group
from mctslab.draw.cards import FONT_SIZE, LETTER, Card
from mctslab.draw.colors import INK, OKABE_ITO, PIXELS_PER_POINT, TEXT, THEME_INK, UNKNOWN
from mctslab.draw.lookahead import signed
from mctslab.draw.picture import PagePicture
from mctslab.search.node import Node

Statistics = tuple[float, float] | None
"""N and W; None where they are not known yet."""

_GAP: Final = 20.0
_ARROW: Final = OKABE_ITO[5]
"""The colour of backpropagation in the phase stepper."""
_RIGHT, _WRONG = "#d3ecdf", "#f7d9bf"
"""Of a card whose numbers afterwards are right or wrong; its mark says the same."""


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
    cards = [
        _card(node, returns[node.mover], old, new)
        for node, old, new in zip(path, earlier, later, strict=True)
    ]
    drawn, x, height = [], 1.0, cards[0].height
    for place, card in enumerate(cards):
        if place:
            drawn.append(_arrow(x, height / 2 + 30))
            x += _GAP
        drawn.append(f"<g>{card.drawn(x + card.width / 2, height / 2 + 1, height)}</g>")
        x += card.width
    names = leaf.state.player_names
    result = ", ".join(
        f"{signed(each)} for {name}" for each, name in zip(returns, names, strict=True)
    )
    words = f"The result of the rollout is {result}."
    width = max(x + 1, LETTER * FONT_SIZE * len(words))
    caption = text_at(width / 2, height + 14, words, fill=INK, style=f"fill:{THEME_INK}")
    svg = document(
        width,
        height + 24,
        scale=PIXELS_PER_POINT,
        title=f"Backpropagation along {len(path)} nodes",
        description=" ".join([words, *(f"{card.tooltip}." for card in cards)]),
        content=text_group([*drawn, caption], FONT_SIZE, TEXT),
        shrinks=True,
    )
    return PagePicture(svg)


def _card(node: Node, value: float, old: Statistics, new: Statistics) -> Card:
    """The card of a node, whose mover gets `value`."""
    state, mover = node.state, node.state.player_names[node.mover]
    heading = f"root, {mover} to move"
    if node.action is not None and node.parent is not None:
        heading = f"{mover} plays {node.parent.state.action_to_string(node.action)}"
    mark, color = "", UNKNOWN
    if new is not None:
        is_right = old is not None and tuple(new) == (old[0] + 1, old[1] + value)
        mark, color = (" ✓", _RIGHT) if is_right else (" ✗", _WRONG)
    before, after = f"before: {_written(old)}", f"after: {_written(new)}"
    return Card(
        parent=None,
        heading=heading,
        lines=(before, f"{mover} gets {'?' if new is None else signed(value)}", after + mark),
        color=color,
        style=state.board().style,
        player=node.mover,
        tooltip=f"{heading}: before {_written(old)}, after {_written(new)}",
        board=state.board(),
    )


def _arrow(x: float, y: float) -> str:
    """An arrow to the left, through the gap that begins at `x`."""
    line = element(
        "path", d=f"M{x + _GAP - 2:g} {y:g}H{x + 8:g}", stroke=_ARROW, stroke_width=2.5, fill="none"
    )
    return line + element("path", d=f"M{x + 2:g} {y:g}l8 -5v10z", fill=_ARROW)


def _written(statistics: Statistics) -> str:
    """N and W, or question marks.

    >>> _written((4, 1)), _written(None)
    ('N 4, W +1', 'N ?, W ?')
    """
    if statistics is None:
        return "N ?, W ?"
    visits, total = statistics
    return f"N {visits:g}, W {signed(total)}"
