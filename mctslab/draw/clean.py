"""SVG made by a program, turned into SVG that can stand in a page beside other pictures."""

import re
from typing import Final
from xml.etree import ElementTree

_SVG: Final = "{http://www.w3.org/2000/svg}"
_XLINK: Final = "{http://www.w3.org/1999/xlink}"
_PIXELS_PER_POINT: Final = 4 / 3


def clean(root: ElementTree.Element, unique: str) -> None:
    """Change the document `root`, as Graphviz or Matplotlib wrote it, in place.

    Afterwards its tags carry no namespace, it shrinks with the page, and it has no scripts, no
    links, no handlers and no style sheets, which would hold for the whole page. Ids that nothing
    refers to are gone; `unique` stands in front of the others, which keeps pictures apart.
    """
    _drop(root, f"{_SVG}script", f"{_SVG}metadata", f"{_SVG}style")
    _unwrap_links(root)
    referred = _referred_ids(root)
    for element in root.iter():
        element.tag = element.tag.removeprefix(_SVG)
        _clean_attributes(element, referred, unique)
    root.attrib.update(
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": _pixels(root.get("width", "")),
            "height": _pixels(root.get("height", "")),
            "style": "max-width:100%;height:auto",
        }
    )


def _drop(root: ElementTree.Element, *tags: str) -> None:
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in tags:
                parent.remove(child)


def _unwrap_links(root: ElementTree.Element) -> None:
    """Put the content of every `<a>` in its place, and its tooltip into the group's `<title>`.

    Graphviz writes `<g class="node"><title/><g><a xlink:title="tip">...</a></g></g>`; the label of
    an edge is a second link there.
    """
    for group in root.iter(f"{_SVG}g"):
        title = group.find(f"{_SVG}title")
        for inner in list(group):
            link = inner.find(f"{_SVG}a")
            if link is None:
                continue
            tip = link.get(f"{_XLINK}title")
            if tip and title is not None:
                title.text, title = tip, None
            place = list(group).index(inner)
            group.remove(inner)
            for offset, element in enumerate(list(link)):
                group.insert(place + offset, element)


def _referred_ids(root: ElementTree.Element) -> set[str]:
    written = ElementTree.tostring(root, encoding="unicode")
    return set(re.findall(r"url\(#([^)]+)\)", written)) | set(
        re.findall(r'href="#([^"]+)"', written)
    )


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
            if name == f"{_XLINK}href":
                _keep_reference(element, value, unique)


def _keep_reference(element: ElementTree.Element, target: str, unique: str) -> None:
    """A reference to a part of the picture or to an image inside it; no other is kept."""
    if target.startswith("#"):
        element.set("href", f"#{unique}{target[1:]}")
    elif target.startswith("data:image/"):
        element.set("href", target)


def _pixels(length: str) -> str:
    """A length in points, as both programs write it, in CSS pixels.

    >>> _pixels("72pt")
    '96'
    """
    return f"{float(length.removesuffix('pt')) * _PIXELS_PER_POINT:.0f}"
