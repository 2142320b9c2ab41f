"""What the colours and lines of a drawn tree mean, written under it."""

from typing import Final
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from mctslab.draw.colors import INK, LINE, PRINCIPAL, value_color

_HEIGHT: Final = 58.0
_BAR: Final = 84.0
_BAR_STEPS: Final = 28
_INDENT: Final = 98.0
"""Where the words begin, to the right of the samples."""
_LETTER: Final = 5.0
"""Room for a letter: a little more than they take on average."""
_LINES: Final = "principal variation; thicker edge, more simulations"


def add_legend(
    root: ElementTree.Element, meaning: str, caption: str, *, has_principal: bool
) -> None:
    """Put the legend and the caption under a tree, and make its picture large enough for them.

    Args:
        root: The `<svg>` element of the tree, with its viewBox, width and height.
        meaning: What the colours stand for.
        caption: Which part of the tree this is.
        has_principal: Whether edges are as thick as their visits, and a line of play is marked.
    """
    left, top, width, height = (float(text) for text in root.get("viewBox", "").split())
    scale = float(root.get("width", "0")) / width
    lines = 3 if has_principal else 2
    words = [meaning, caption, *([_LINES] if has_principal else [])]
    legend_width = _INDENT + _LETTER * max(map(len, words))
    new_width, new_height = max(width, legend_width), height + _HEIGHT - 16 * (3 - lines)
    new_left = left - (new_width - width) / 2
    root.set("viewBox", f"{new_left:.2f} {top:.2f} {new_width:.2f} {new_height:.2f}")
    root.set("width", f"{new_width * scale:.0f}")
    root.set("height", f"{new_height * scale:.0f}")
    x, y = left + width / 2 - legend_width / 2, top + height + 14
    parts = [_value_bar(x, y), _words(x + _INDENT, y, meaning)]
    if has_principal:
        parts += [_edge_samples(x, y + 16), _words(x + _INDENT, y + 16, _LINES)]
    parts.append(_words(x + _INDENT, y + 16 * (lines - 1), caption))
    root.append(
        ElementTree.fromstring(
            f'<g class="legend" font-family="Helvetica,Arial,sans-serif" font-size="9"'
            f' fill="{INK}">{"".join(parts)}</g>'
        )
    )


def _value_bar(x: float, y: float) -> str:
    """The colours from -1 to 1, with their ends named."""
    step = (_BAR - 26) / _BAR_STEPS
    patches = "".join(
        f'<rect x="{x + 14 + i * step:.2f}" y="{y - 5:.2f}" width="{step + 0.3:.2f}" height="10"'
        f' fill="{value_color(2 * (i + 0.5) / _BAR_STEPS - 1)}"/>'
        for i in range(_BAR_STEPS)
    )
    bar = f'<g shape-rendering="crispEdges">{patches}</g>'
    return _words(x, y, "−1") + bar + _words(x + _BAR - 9, y, "+1")


def _edge_samples(x: float, y: float) -> str:
    samples = ((PRINCIPAL, 3.0, 0.0), (LINE, 1.0, 34.0), (LINE, 4.0, 60.0))
    return "".join(
        f'<path d="M{x + start:.2f} {y:.2f}h24" stroke="{color}" stroke-width="{width:g}"/>'
        for color, width, start in samples
    )


def _words(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.2f}" y="{y:.2f}" dy="0.36em">{escape(text)}</text>'
