"""Finished pictures that show themselves in a notebook, alone or in a row."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, Final, Protocol

from mctslab.boards.elements import document, short, text_at, text_group
from mctslab.draw.colors import INK, THEME_INK
from mctslab.draw.digraph import Tree
from mctslab.draw.legend import legend_svg

_GAP: Final = 16.0
_CAPTION: Final = 24.0


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
        return {"image/svg+xml": self.svg, "text/html": self.svg, "text/plain": repr(self)}

    def __repr__(self) -> str:
        return "<picture>"


class Drawn(Protocol):
    """Anything with a picture: a board, a tree, a chart."""

    @property
    def svg(self) -> str:
        """One `<svg>` element."""


@dataclass(frozen=True, slots=True)
class Row:
    """Pictures by their captions; if the page is too narrow, they continue in the next row."""

    pictures: Mapping[str, Drawn]

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        trees = [each for each in self.pictures.values() if isinstance(each, Tree)]
        is_shared = len(trees) > 1 and len({(tree.legend, tree.scale) for tree in trees}) == 1
        figures = "".join(
            f'<figure style="margin:0">{_drawn(picture, is_shared)}'
            f'<figcaption style="color:{THEME_INK};text-align:center">{escape(caption)}'
            "</figcaption></figure>"
            for caption, picture in self.pictures.items()
        )
        if is_shared and trees[0].legend:
            has_principal = any(tree.has_principal for tree in trees)
            legend = trees[0].legend, trees[0].scale
            figures += f"<div>{legend_svg(*legend, has_principal=has_principal)}</div>"
        return {
            "text/html": f'<div style="display:flex;flex-wrap:wrap;gap:12px 20px">{figures}</div>',
            "text/plain": f"<pictures: {'; '.join(self.pictures)}>",
        }


def _drawn(picture: Drawn, is_shared: bool) -> str:
    """A picture, without its legend if there is a common one."""
    if is_shared and isinstance(picture, Tree):
        return picture.drawn(has_legend=False)
    return picture.svg


def side_by_side(pictures: Mapping[str, Drawn]) -> Row:
    """Show several pictures in one row, each above its caption.

    Trees whose colours mean the same have one legend, below all of them.

    Args:
        pictures: By their captions, from left to right.
    """
    return Row(dict(pictures))


def one_picture(pictures: Mapping[str, str]) -> str:
    """Several SVG documents side by side as a single one, each with its caption below.

    Args:
        pictures: SVG documents with `width` and `height`, by their captions.
    """
    parts, x, height = [], 0.0, 0.0
    for caption, svg in pictures.items():
        sizes = re.search(r'<svg[^>]* width="([\d.]+)" height="([\d.]+)"', svg)
        if sizes is None:
            raise ValueError(f"This picture does not say its width and height: {svg[:80]!r}.")
        width, tall = map(float, sizes.groups())
        parts.append(f'<g transform="translate({short(x)} 0)">{svg}</g>')
        words = text_at(x + width / 2, tall + _CAPTION / 2, caption)
        parts.append(text_group([words], 12, INK))
        x, height = x + width + _GAP, max(height, tall + _CAPTION)
    title = "; ".join(pictures)
    width = max(0.0, x - _GAP)
    return document(width, height, scale=1.0, title=title, description="", content="".join(parts))
