"""Pictures side by side, each with a line of words under it."""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from mctslab.draw.colors import THEME_INK
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
