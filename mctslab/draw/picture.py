"""A finished picture that shows itself in a notebook and can be saved."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Picture:
    """An SVG document; as the last line of a cell it shows itself."""

    svg: str

    def save_svg(self, path: str | os.PathLike[str]) -> Path:
        """Write the picture to the file `path`, and return it."""
        return write_svg(path, self.svg)

    def _repr_svg_(self) -> str:
        return self.svg


class PagePicture(Picture):
    """A picture with words and lines straight on the page, which take the colour of its text."""

    __slots__ = ()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"image/svg+xml": self.svg, "text/html": self.svg, "text/plain": repr(self)}

    def __repr__(self) -> str:
        return "<picture>"


def write_svg(path: str | os.PathLike[str], svg: str) -> Path:
    """Write `svg` to the file `path`, which is never seen half written."""
    target = Path(path)
    beside = target.with_name(f".{target.name}.part")
    beside.write_text(svg, encoding="utf-8")
    beside.replace(target)
    return target
