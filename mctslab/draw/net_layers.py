"""A neural net as a graph of its layers, with the shape of the data along every edge.

    draw.net_layers(net.net_layers(the_net))

PyTorch is not needed here: a layer is anything with a name, words, inputs and a shape.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol
from xml.etree import ElementTree

import graphviz

from mctslab.draw.cards import BOLD_LETTER, FONT_SIZE, LETTER, printable, use_theme_ink
from mctslab.draw.colors import INK, LINE, TEXT
from mctslab.draw.picture import PagePicture
from mctslab.draw.render import svg_element

_FONT: Final = "Helvetica,Arial,sans-serif"
_COLORS: Final[Mapping[str, str]] = MappingProxyType(
    {"stem": "#cfe3f3", "tower": "#cfe3f3", "policy": "#e6d8ef", "value": "#fbe3c4"}
)
"""Of a layer, by the first word of its name."""
_PLAIN: Final = "#ececec"
_BESIDE: Final = 16.0
"""What stays free beside the words in a box, in points."""


class Layer(Protocol):
    """One step of a net's computation, as `mctslab.net.layers` lists them."""

    @property
    def name(self) -> str:
        """Its name, by which others refer to it: `tower.0`."""

    @property
    def what(self) -> str:
        """A description; `sum` is drawn as a plus in a circle."""

    @property
    def inputs(self) -> Sequence[str]:
        """The names of the layers whose outputs are its inputs."""

    @property
    def shape(self) -> Sequence[int]:
        """The shape of its output for one position, without the N of the batch."""

    @property
    def num_parameters(self) -> int:
        """The number of its weights."""


def net_layers(layers: Iterable[Layer]) -> PagePicture:
    """Draw `layers` from top to bottom; the shape of each layer's output is written on its edges.

    Args:
        layers: all of a net, or of a part of it.

    Raises:
        ValueError: two layers have the same name, or an input is not a layer.
        RenderError: the renderer is not installed; the message says how to install it.
    """
    by_name: dict[str, Layer] = {}
    for layer in layers:
        if layer.name in by_name:
            raise ValueError(f"There are two layers called {layer.name!r}.")
        by_name[layer.name] = layer
    root = svg_element(_source(by_name))
    for group in root.iter("g"):
        _finish(group, by_name)
    use_theme_ink(root)
    root.set("role", "img")
    root.set("aria-label", f"A net of {len(by_name)} layers, from {next(iter(by_name), 'none')}")
    return PagePicture(ElementTree.tostring(root, encoding="unicode"))


def _source(by_name: Mapping[str, Layer]) -> str:
    """The graph in the DOT language."""
    graph = graphviz.Digraph(
        "layers",
        graph_attr={"bgcolor": "transparent", "nodesep": "0.35", "ranksep": "0.28"},
        node_attr={
            "shape": "box",
            "style": "filled,rounded",
            "fontname": _FONT,
            "fontsize": f"{FONT_SIZE:g}",
            "fontcolor": TEXT,
            "color": LINE,
            "margin": "0.16,0.06",
            "height": "0.3",
        },
        edge_attr={
            "arrowsize": "0.6",
            "color": INK,
            "fontname": _FONT,
            "fontsize": "9",
            "fontcolor": INK,
        },
    )
    for layer in by_name.values():
        shape = {"shape": "circle", "margin": "0", "width": "0.3"} if _is_sum(layer) else {}
        label = graphviz.escape("\n".join(_texts(layer)))
        room = {} if shape else {"width": f"{_width(layer) / 72:.2f}"}
        graph.node(layer.name, label=label, fillcolor=_color(layer), **shape, **room)
        for name in layer.inputs:
            if name not in by_name:
                raise ValueError(f"{name!r}, which is an input of {layer.name!r}, is not a layer.")
            words = _shape(by_name[name])
            # Blanks at both sides, for a font that is wider than Graphviz takes it for.
            blanks = " " * (4 + len(words) // 4)
            graph.edge(name, layer.name, label=blanks + words + blanks)
    return str(graph.source)


def _is_sum(layer: Layer) -> bool:
    return layer.what == "sum"


def _texts(layer: Layer) -> list[str]:
    """The lines in the box of a layer."""
    if _is_sum(layer):
        return ["+"]
    count = f"{layer.num_parameters:,} parameters" if layer.num_parameters else ""
    return [printable(text) for text in (layer.name, layer.what, count) if text]


def _width(layer: Layer) -> float:
    """What the box of a layer needs from border to border, in points; its name is bold."""
    name, *lines = map(len, _texts(layer))
    return max(name * BOLD_LETTER, *(line * LETTER for line in lines), 0) * FONT_SIZE + _BESIDE


def _color(layer: Layer) -> str:
    for word, color in _COLORS.items():
        if layer.name.startswith(word):
            return color
    return _PLAIN


def _shape(layer: Layer) -> str:
    """The shape of a batch, in words: `N × 32 × 6 × 6`."""
    return " × ".join(["N", *map(str, layer.shape)])


def _finish(group: ElementTree.Element, by_name: Mapping[str, Layer]) -> None:
    """Make the name of a layer bold, and add tooltips with the shapes to the edges."""
    title = group.find("title")
    if title is None:
        return
    if group.get("class") == "node":
        layer = by_name[title.text or ""]
        group.findall("text")[0].set("font-weight", "bold")
        title.text = f"{layer.name}: output {_shape(layer)}"
    elif group.get("class") == "edge":
        title.text = (title.text or "").replace("->", " to ")
    else:
        group.remove(title)
