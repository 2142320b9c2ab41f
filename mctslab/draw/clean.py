"""SVG from Graphviz and Matplotlib, turned into SVG for a page with other pictures."""

import re
from typing import Final
from xml.etree import ElementTree

_SVG: Final = "{http://www.w3.org/2000/svg}"
_HREF: Final = "{http://www.w3.org/1999/xlink}href"
_PIXELS_PER_POINT: Final = 4 / 3


def clean(root: ElementTree.Element, unique: str) -> None:
    """Change the document `root`, written by Graphviz or Matplotlib, in place.

    Afterwards its tags have no namespace, it shrinks with the page, and it has no style sheet
    (which would hold for the whole page). Ids without a reference are gone; the others begin with
    `unique`, so that no two pictures share one.
    """
    _drop(root, f"{_SVG}metadata", f"{_SVG}style")
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


def _referred_ids(root: ElementTree.Element) -> set[str]:
    written = ElementTree.tostring(root, encoding="unicode")
    return set(re.findall(r"url\(#([^)]+)\)", written)) | set(
        re.findall(r'href="#([^"]+)"', written)
    )


def _clean_attributes(element: ElementTree.Element, referred: set[str], unique: str) -> None:
    for name, value in list(element.attrib.items()):
        if name == "id":
            del element.attrib[name]
            if value in referred:
                element.set("id", unique + value)
        elif "url(#" in value:
            element.set(name, value.replace("url(#", f"url(#{unique}"))
        elif name.startswith("{"):
            del element.attrib[name]
            if name == _HREF:  # a part of the picture, or an image inside it
                is_part = value.startswith("#")
                element.set("href", f"#{unique}{value[1:]}" if is_part else value)


def _pixels(length: str) -> str:
    """A length in points, as both programs write it, in CSS pixels.

    >>> _pixels("72pt")
    '96'
    """
    return f"{float(length.removesuffix('pt')) * _PIXELS_PER_POINT:.0f}"
