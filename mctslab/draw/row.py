"""Pictures side by side, each with a line of words under it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from mctslab.boards.elements import document, short, text_at, text_group
from mctslab.draw.colors import INK, THEME_INK
from mctslab.draw.picture import Picture


@dataclass(frozen=True, slots=True)
class Row:
    """Pictures with captions; where the page is too narrow for all, they go on below."""

    pictures: Mapping[str, Picture]
    """By their captions, from left to right."""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        figures = "".join(
            f'<figure style="margin:0">{picture.svg}'
            f'<figcaption style="color:{THEME_INK};text-align:center">{escape(caption)}'
            "</figcaption></figure>"
            for caption, picture in self.pictures.items()
        )
        return {
            "text/html": f'<div style="display:flex;flex-wrap:wrap;gap:12px 20px">{figures}</div>',
            "text/plain": f"<pictures: {'; '.join(self.pictures)}>",
        }


def side_by_side(pictures: Mapping[str, Picture]) -> Row:
    """Show several pictures in one row, each over its caption.

    Args:
        pictures: By their captions, from left to right.
    """
    return Row(dict(pictures))


_GAP: Final = 16.0
_CAPTION: Final = 24.0


def one_picture(pictures: Mapping[str, str]) -> str:
    """Several SVG documents side by side as a single one, each with its caption below.

    Args:
        pictures: SVG documents with `width` and `height`, by their captions.
    """
    parts, x, height = [], 0.0, 0.0
    for caption, svg in pictures.items():
        width, tall = (float(_side(svg, name)) for name in ("width", "height"))
        parts.append(f'<g transform="translate({short(x)} 0)">{svg}</g>')
        words = text_at(x + width / 2, tall + _CAPTION / 2, caption)
        parts.append(text_group([words], 12, INK))
        x, height = x + width + _GAP, max(height, tall + _CAPTION)
    return document(
        max(0.0, x - _GAP),
        height,
        scale=1.0,
        title="; ".join(pictures),
        description="",
        content="".join(parts),
    )


def _side(svg: str, name: str) -> str:
    found = re.search(rf'<svg[^>]* {name}="([\d.]+)"', svg)
    if found is None:
        raise ValueError(f"This picture does not say its {name}: {svg[:80]!r}.")
    return found[1]
