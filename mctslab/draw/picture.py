"""Finished pictures that show themselves in a notebook, alone or in a row."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import Any, Final, Protocol

from mctslab.draw.colors import THEME_INK
from mctslab.draw.digraph import Tree
from mctslab.draw.legend import Legend


@dataclass(frozen=True, slots=True)
class Picture:
    """An SVG document; as the last line of a cell it shows itself."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg


class PagePicture(Picture):
    """A picture with words and lines directly on the page, in the colour of the page's text."""

    __slots__ = ()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"image/svg+xml": self.svg, "text/html": self.svg, "text/plain": "<picture>"}


class Drawn(Protocol):
    """Anything with a picture: a board, a tree, a chart."""

    @property
    def svg(self) -> str:
        """One `<svg>` element."""


_AS_WIDE: Final = "width:0;min-width:100%;text-wrap:balance"
"""A caption that is as wide as its picture: a long one continues in the next line."""


@dataclass(frozen=True, slots=True)
class Row:
    """Pictures by their captions; if the page is too narrow, they continue in the next row."""

    pictures: Mapping[str, Drawn]

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        trees = [each for each in self.pictures.values() if isinstance(each, Tree)]
        is_shared = len(trees) > 1 and len({(tree.legend, tree.ends) for tree in trees}) == 1
        drawn = (
            replace(each, legend="", has_principal=False).svg
            if is_shared and isinstance(each, Tree)
            else each.svg
            for each in self.pictures.values()
        )
        figures = "".join(
            f'<figure style="margin:0">{picture}'
            f'<figcaption style="{_AS_WIDE};color:{THEME_INK};text-align:center">{escape(caption)}'
            "</figcaption></figure>"
            for caption, picture in zip(self.pictures, drawn, strict=True)
        )
        if is_shared and trees[0].legend:
            has_principal = any(tree.has_principal for tree in trees)
            legend = Legend(trees[0].legend, trees[0].ends, has_principal)
            figures += f"<div>{legend.svg}</div>"
        return {
            "text/html": f'<div style="display:flex;flex-wrap:wrap;gap:12px 20px">{figures}</div>',
            "text/plain": f"<pictures: {'; '.join(self.pictures)}>",
        }


def side_by_side(pictures: Mapping[str, Drawn]) -> Row:
    """Show several pictures in one row, each above its caption.

    Trees whose colours mean the same have one legend, below all of them.

    Args:
        pictures: By their captions, from left to right.
    """
    return Row(dict(pictures))
