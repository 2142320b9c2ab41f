"""How boards look, as plain data: colours and sizes.

`boards/svg.py` draws with these numbers and nothing else does: the board that you click on is cut
from the same pictures, so that a board in a cell, in a tree and under the mouse look alike. Nothing
here depends on the theme of the page: a board has its own frame, like a wooden board, and is
readable on a light and on a dark page.

The player colours come from the palette of Okabe and Ito (2008), "Color Universal Design", or
differ in lightness, and none of them is the blue or the orange of values. If two stones have the
same shape and neither is black, one of them also has a ring, so that they differ in more than hue.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from mctslab.boards.board import BoardStyle

SQUARE: Final = 40.0
"""The side of a square in the units of every drawing (its viewBox); pictures are scaled."""

PLAIN_BAND: Final = 8.0
"""Width of the frame of a board without coordinates."""

FONT: Final = "system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"


@dataclass(frozen=True, slots=True)
class Look:
    """Colours and proportions of one board style. Lengths are shares of a square's side."""

    frame: str
    """The background; the coordinates and the legend are on it."""
    frame_edge: str
    surface: str
    """The field under the stones (DROP: the colour of an empty hole)."""
    line: str
    label: str
    """Coordinates and legend; readable on `frame`."""
    legal: str
    stone_radius: float
    line_width: float = 0.03
    stones: tuple[str, str] = ("#17191b", "#fbfaf6")
    """Fill of the stones of player 0 and player 1 (MARKS: the colour of the stroke)."""
    edges: tuple[str, str] = ("#000000", "#5f5a4f")
    """Outline of the stones of player 0 and player 1."""
    last_move: str = "#e8730c"
    """A dot in the middle of the stone (MARKS: the cell behind the mark)."""
    win: str = "#d55e00"
    win_casing: str = "#ffffff"
    """Drawn a little wider under the win line, so that it stands out from any stone."""
    label_band: float = 24.0
    """Width of the frame with coordinates, in units (not in squares)."""
    rings: tuple[str | None, str | None] = (None, None)
    """Colour of a ring inside the stones; None for a plain stone."""
    ring_radius: float = 0.0
    slant: float = 0.0
    """How far each row lies to the right of the row above it."""
    row_height: float = 1.0
    """From the middle of one row to the middle of the next."""
    overhang: float = 0.0
    """How far the cells reach beyond their squares, at the top and at the bottom."""


LOOKS: Final[Mapping[BoardStyle, Look]] = MappingProxyType(
    {
        BoardStyle.MARKS: Look(
            frame="#f7f5ef",
            frame_edge="#d5d0c3",
            surface="#f7f5ef",
            line="#6b6f76",
            line_width=0.05,
            label="#5c5f66",
            stones=("#17191b", "#00805e"),
            edges=("#17191b", "#00805e"),
            stone_radius=0.28,
            last_move="#f5dd8c",
            legal="#8a8d93",
            win_casing="#f7f5ef",
        ),
        BoardStyle.DROP: Look(
            frame="#2f5b93",
            frame_edge="#1d3c66",
            surface="#142a47",
            line="#16304f",
            line_width=0.04,
            label="#eef4fb",
            stones=("#d55e00", "#f0e442"),
            edges=("#8f3f00", "#a39a17"),
            rings=(None, "#8d8410"),
            stone_radius=0.41,
            ring_radius=0.27,
            last_move="#10233b",
            legal="#9fb6d3",
            win="#10233b",
        ),
        BoardStyle.DISCS: Look(
            frame="#1d4d3c",
            frame_edge="#123528",
            surface="#2f7d5f",
            line="#1d4d3c",
            label="#dcefe6",
            edges=("#000000", "#8d938f"),
            stone_radius=0.41,
            legal="#cfe9dc",
            win="#e8730c",
        ),
        BoardStyle.PIECES: Look(
            frame="#ded8cc",
            frame_edge="#b3ab9a",
            surface="#f1ede3",
            line="#b3ab9a",
            label="#4b463b",
            stones=("#b3203a", "#27408b"),
            edges=("#6e0f21", "#16265a"),
            rings=(None, "#f1ede3"),
            stone_radius=0.38,
            ring_radius=0.22,
            legal="#7d7768",
            last_move="#ffffff",
        ),
        BoardStyle.TEXT: Look(
            frame="#f7f5ef",
            frame_edge="#d5d0c3",
            surface="#e7e2d5",
            line="#b3ab9a",
            label="#17191b",
            label_band=12.0,
            stones=("#b3203a", "#27408b"),
            edges=("#6e0f21", "#16265a"),
            rings=(None, "#f1ede3"),
            stone_radius=0.38,
            ring_radius=0.22,
            legal="none",  # there is a button
        ),
        BoardStyle.POINTS: Look(
            frame="#dfb877",
            frame_edge="#b48a45",
            surface="#dfb877",
            line="#6d5022",
            label="#53390f",
            label_band=16.0,
            stone_radius=0.45,
            legal="#53390f",
        ),
        BoardStyle.HEXES: Look(
            frame="#c9a469",
            frame_edge="#a07f45",
            surface="#ecd7ab",
            line="#a3824b",
            label="#3f2b0a",
            stone_radius=0.38,
            legal="#53390f",
            slant=0.5,
            row_height=math.sqrt(3) / 2,
            overhang=1 / math.sqrt(3) - 0.5,
        ),
    }
)

HEAT_SCALE: Final = ("#f6f1fa", "#d9c8e8", "#b08acb", "#80489f", "#4b1a6d")
"""Colours of a heat overlay from 0 to its largest value, evenly spaced; in between they mix.

Lightness falls steadily, so the scale is readable in grey and for every kind of colour vision.
"""

_VALUE_SCALE: Final = ("#ef9a4f", "#f7f7f5", "#6fb3e3")
_BEND: Final = 0.65


def heat_color(share: float) -> str:
    """The colour of `share` of the largest value; `share` is in 0..1.

    >>> heat_color(0.0), heat_color(1.0)
    ('#f6f1fa', '#4b1a6d')
    """
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"share is {share!r}; it must be between 0 and 1")
    place = share * (len(HEAT_SCALE) - 1)
    low = min(int(place), len(HEAT_SCALE) - 2)
    return mix(HEAT_SCALE[low], HEAT_SCALE[low + 1], place - low)


def value_color(value: float) -> str:
    """The colour of a value from -1 (orange) over 0 (white) to 1 (blue).

    It changes fastest around 0, where most values of a search are. Dark text has a contrast of at
    least 7 on all of these colours.

    >>> value_color(-1), value_color(0), value_color(1)
    ('#ef9a4f', '#f7f7f5', '#6fb3e3')
    """
    value = min(max(value, -1.0), 1.0)
    bad, even, good = _VALUE_SCALE
    return mix(even, good if value > 0 else bad, abs(value) ** _BEND)


def mix(first: str, second: str, share: float) -> str:
    """The colour that is `share` (0..1) of the way from `first` to `second`, in sRGB.

    >>> mix("#000000", "#ffffff", 0.5)
    '#808080'
    """
    mixed = (
        round(a + (b - a) * share) for a, b in zip(_channels(first), _channels(second), strict=True)
    )
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def text_color(background: str) -> str:
    """Black or white, whichever has the higher contrast on `background` (WCAG 2).

    >>> text_color("#f6f1fa"), text_color("#4b1a6d")
    ('#000000', '#ffffff')
    """
    dark, light = "#000000", "#ffffff"
    return max((dark, light), key=lambda color: contrast(color, background))


def contrast(first: str, second: str) -> float:
    """Contrast ratio of two colours by WCAG 2, from 1 (equal) to 21 (black and white)."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _channels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _luminance(color: str) -> float:
    linear = [
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
        for share in (channel / 255 for channel in _channels(color))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
