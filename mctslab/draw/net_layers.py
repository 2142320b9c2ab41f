"""A neural net as a graph of its layers, with the shape of the data along every edge.

    draw.net_layers(net.net_layers(the_net))

PyTorch is not needed here: a layer is anything with the attributes of `mctslab.net.layers.Layer`.
"""

import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final
from xml.sax.saxutils import escape

import graphviz

from mctslab.boards.elements import document, element, short, text_at, text_group
from mctslab.draw.cards import BOLD_LETTER, FONT_SIZE, LETTER, LINE_HEIGHT, PADDING, printable
from mctslab.draw.colors import LINE, PIXELS_PER_POINT, TEXT, THEME_INK
from mctslab.draw.digraph import size_of
from mctslab.draw.picture import PagePicture
from mctslab.draw.render import Edge, lay_out

_COLORS: Final[Mapping[str, str]] = MappingProxyType(
    {"stem": "#cfe3f3", "tower": "#cfe3f3", "policy": "#e6d8ef", "value": "#fbe3c4"}
)
"""Of a layer, by the first word of its name."""
_PLAIN: Final = "#ececec"
_BESIDE: Final = 16.0
"""What stays free beside the words in a box, in points."""
_CIRCLE: Final = 22.0
"""The diameter of a sum, in points."""
_TIP: Final = 6.0
"""The length of an arrow's tip, in points."""
_MARGIN: Final = 4.0


def net_layers(layers: Iterable[Any]) -> PagePicture:
    """Draw `layers` from top to bottom; the shape of each layer's output is written on its edges.

    Args:
        layers: all of a net, or of a part of it. Each has its `name`, by which others refer to it;
            `what` it does in words, where `sum` is drawn as a plus in a circle; `inputs`, the names
            of the layers whose outputs it takes; the `shape` of its output for one position,
            without the N of the batch; and `num_parameters`, the number of its weights.

    Raises:
        RenderError: the renderer is not installed; the message says how to install it.
    """
    by_name = {layer.name: layer for layer in layers}
    layout, names = lay_out(_source(by_name)), list(by_name)
    shapes = [
        text_at(*(edge.label or edge.points[0]), _shape(by_name[names[int(edge.tail)]]))
        for edge in layout.edges
    ]
    boxes = [_box(by_name[names[int(place)]], *middle) for place, middle in layout.nodes.items()]
    ink = f'<g style="color:{THEME_INK}"'
    content = (
        f'{ink} fill="currentColor" stroke="currentColor">{"".join(map(_arrow, layout.edges))}</g>'
        f"{ink}>{text_group(shapes, 9, 'currentColor')}</g>{text_group(boxes, FONT_SIZE, TEXT)}"
    )
    svg = document(
        layout.width + 2 * _MARGIN,
        layout.height + 2 * _MARGIN,
        scale=PIXELS_PER_POINT,
        title=f"A net of {len(by_name)} layers, from {next(iter(by_name), 'none')}",
        description="",
        content=f'<g transform="translate({_MARGIN:g} {_MARGIN:g})">{content}</g>',
        shrinks=True,
    )
    return PagePicture(svg)


def _source(by_name: Mapping[str, Any]) -> str:
    """The sizes of the boxes, and the arrows with their labels, in the DOT language."""
    names = list(by_name)
    graph = graphviz.Digraph(
        graph_attr={"nodesep": "0.35", "ranksep": "0.28"},
        node_attr={"shape": "box", "fixedsize": "true", "label": ""},
        edge_attr={"arrowsize": "0.6", "fontname": "Helvetica", "fontsize": "9"},
    )
    for place, layer in enumerate(by_name.values()):
        shape = {"shape": "circle"} if _is_sum(layer) else {}
        graph.node(f"{place}", **size_of(*_size(layer)), **shape)
        for name in layer.inputs:
            words = _shape(by_name[name])
            # Blanks at both sides, for a font that is wider than Graphviz takes it for.
            blanks = " " * (4 + len(words) // 4)
            graph.edge(f"{names.index(name)}", f"{place}", label=f"{blanks}{words}{blanks}")
    return str(graph.source)


def _is_sum(layer: Any) -> bool:
    return bool(layer.what == "sum")


def _texts(layer: Any) -> list[str]:
    """The lines in the box of a layer."""
    if _is_sum(layer):
        return ["+"]
    count = f"{layer.num_parameters:,} parameters" if layer.num_parameters else ""
    name = layer.name.replace("_head.", "_")  # as in the class that the reader sees
    return [printable(text) for text in (name, layer.what, count) if text]


def _size(layer: Any) -> tuple[float, float]:
    """The width and height of the box of a layer, in points; its name is bold."""
    if _is_sum(layer):
        return _CIRCLE, _CIRCLE
    name, *lines = map(len, _texts(layer))
    width = max(name * BOLD_LETTER, *(line * LETTER for line in lines), 0) * FONT_SIZE + _BESIDE
    return width, (1 + len(lines)) * LINE_HEIGHT + PADDING


def _color(layer: Any) -> str:
    matching = (color for word, color in _COLORS.items() if layer.name.startswith(word))
    return next(matching, _PLAIN)


def _shape(layer: Any) -> str:
    """The shape of a batch, in words: `N × 32 × 6 × 6`."""
    return " × ".join(["N", *map(str, layer.shape)])


def _box(layer: Any, x: float, y: float) -> str:
    """The box of a layer with its middle at (x, y), and its output as a tooltip."""
    width, height = _size(layer)
    place = {"x": x - width / 2, "y": y - height / 2, "width": width, "height": height}
    radius = _CIRCLE / 2 if _is_sum(layer) else 5.0
    texts, first = _texts(layer), y - (len(_texts(layer)) - 1) / 2 * LINE_HEIGHT
    parts = [
        f"<title>{escape(f'{printable(layer.name)}: output {_shape(layer)}')}</title>",
        element("rect", **place, rx=radius, fill=_color(layer), stroke=LINE),
        text_at(x, first, texts[0], font_weight="bold"),
        *(text_at(x, first + row * LINE_HEIGHT, text) for row, text in enumerate(texts) if row),
    ]
    return f'<g class="node">{"".join(parts)}</g>'


def _arrow(edge: Edge) -> str:
    """An arrow along the curves of an edge, which end where its tip begins."""
    path = " ".join(f"{short(x)},{short(y)}" for x, y in edge.points[1:])
    (x0, y0), (x1, y1), (x2, y2) = edge.points[0], edge.points[-2], edge.points[-1]
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    along, across = _TIP * (x2 - x1) / length, _TIP * (y2 - y1) / length
    tip = [(along, across), (-across * 0.35, along * 0.35), (across * 0.35, -along * 0.35)]
    corners = " ".join(f"{short(x2 + x)},{short(y2 + y)}" for x, y in tip)
    line = element("path", d=f"M{short(x0)},{short(y0)}C{path}", fill="none")
    return f'<g class="edge">{line}{element("polygon", points=corners)}</g>'
