"""The legend below a drawn tree: the meaning of its colours and lines."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from mctslab.boards.style import value_color
from mctslab.draw.cards import use_theme_ink
from mctslab.draw.colors import INK, LINE, PRINCIPAL

_ROW: Final = 17.0
_BAR: Final = 84.0
_BAR_STEPS: Final = 28
_INDENT: Final = 98.0
"""The start of the text, to the right of the samples if there are any."""
_LETTER: Final = 5.0
"""Room for a letter: a little more than the average."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The colours from one end of a scale to the other, and the names of its ends."""

    color: Callable[[float], str]
    """Of a place from 0 to 1."""
    low: str
    high: str


VALUES: Final = Scale(lambda place: value_color(2 * place - 1), "−1", "+1")

_LINES: Final = "principal variation; thicker edge, more simulations"


def add_legend(
    root: ElementTree.Element,
    meaning: str,
    caption: str,
    *,
    has_principal: bool,
    scale: Scale = VALUES,
) -> None:
    """Put the legend and the caption under a tree, and make its picture large enough for them.

    Args:
        root: The `<svg>` element of the tree, with its viewBox, width and height.
        meaning: The meaning of the colours; empty if nothing is coloured.
        caption: The part of the tree that is shown.
        has_principal: Whether edges are as thick as their visits, and a line of play is marked.
        scale: The colours of the nodes.
    """
    rows: list[tuple[Callable[[float, float], str], str]] = []
    if meaning:
        rows.append((partial(_bar, scale), meaning))
    if has_principal:
        rows.append((_edge_samples, _LINES))
    if caption:
        rows.append((_no_sample, caption))
    indent = _INDENT if meaning or has_principal else 0.0
    left, top, width, height = (float(text) for text in root.get("viewBox", "").split())
    legend_width = indent + _LETTER * max(len(words) for _, words in rows)
    _enlarge(root, max(width, legend_width), height + _ROW * (len(rows) + 0.5))
    x, y = left + width / 2 - legend_width / 2, top + height + 0.8 * _ROW
    legend = "".join(
        sample(x, y + _ROW * row) + _words(x + indent, y + _ROW * row, words)
        for row, (sample, words) in enumerate(rows)
    )
    root.append(
        ElementTree.fromstring(
            f'<g class="legend" font-family="Helvetica,Arial,sans-serif" font-size="9"'
            f' fill="{INK}">{legend}</g>'
        )
    )


def legend_svg(meaning: str, scale: Scale, *, has_principal: bool) -> str:
    """The legend alone, below several trees that share it."""
    root = ElementTree.fromstring('<svg viewBox="0 0 1 1" width="1.333" height="1.333"/>')
    add_legend(root, meaning, "", has_principal=has_principal, scale=scale)
    root.attrib.update({"role": "img", "aria-label": f"Legend: {meaning}"})
    use_theme_ink(root)
    return ElementTree.tostring(root, encoding="unicode")


def _enlarge(root: ElementTree.Element, new_width: float, new_height: float) -> None:
    """Make room at both sides and below; the content keeps its scale."""
    left, top, width, _ = (float(text) for text in root.get("viewBox", "").split())
    scale = float(root.get("width", "0")) / width
    new_left = left - (new_width - width) / 2
    root.set("viewBox", f"{new_left:.2f} {top:.2f} {new_width:.2f} {new_height:.2f}")
    root.set("width", f"{new_width * scale:.0f}")
    root.set("height", f"{new_height * scale:.0f}")


def _no_sample(x: float, y: float) -> str:
    return ""


def _bar(scale: Scale, x: float, y: float) -> str:
    """The colours of `scale`, with their ends named."""
    step = (_BAR - 32) / _BAR_STEPS
    patches = "".join(
        f'<rect x="{x + 18 + i * step:.2f}" y="{y - 5:.2f}" width="{step + 0.3:.2f}" height="10"'
        f' fill="{scale.color((i + 0.5) / _BAR_STEPS)}"/>'
        for i in range(_BAR_STEPS)
    )
    bar = f'<g shape-rendering="crispEdges">{patches}</g>'
    return _words(x, y, scale.low) + bar + _words(x + _BAR - 9, y, scale.high)


def _edge_samples(x: float, y: float) -> str:
    samples = ((PRINCIPAL, 3.0, 0.0), (LINE, 1.0, 34.0), (LINE, 4.0, 60.0))
    return "".join(
        f'<path d="M{x + start:.2f} {y:.2f}h24" stroke="{color}" stroke-width="{width:g}"/>'
        for color, width, start in samples
    )


def _words(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.2f}" y="{y:.2f}" dy="0.36em">{escape(text)}</text>'
