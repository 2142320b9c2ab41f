"""The few SVG elements from which boards are drawn, as text."""

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

from mctslab.boards.style import FONT, SQUARE


def document(
    width: float, height: float, *, scale: float, title: str, description: str, content: str
) -> str:
    """A whole picture of `width` times `height` units, `scale` CSS pixels to the unit."""
    described = f"<desc>{escape(description)}</desc>" if description else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{short(width * scale)}"'
        f' height="{short(height * scale)}" viewBox="0 0 {short(width)} {short(height)}"'
        f' role="img" aria-label={quoteattr(title)}>{described}{content}</svg>'
    )


def dots(centers: Iterable[tuple[float, float]], radius: float, color: str) -> str:
    """Filled circles; `radius` is a share of a square's side."""
    circles = "".join(
        f'<circle cx="{short(x)}" cy="{short(y)}" r="{short(radius * SQUARE)}"/>'
        for x, y in centers
    )
    return f'<g fill="{color}">{circles}</g>'


def round_dots(centers: Iterable[tuple[float, float]], diameter: float, color: str) -> str:
    """Many dots as one path, strokes of no length with round ends; `diameter` as in `dots`."""
    path = "".join(f"M{short(x)} {short(y)}h0" for x, y in centers)
    return (
        f'<path d="{path}" stroke="{color}" stroke-width="{short(diameter * SQUARE)}"'
        ' stroke-linecap="round"/>'
    )


def stroke_lines(
    lines: Iterable[tuple[tuple[float, float], tuple[float, float]]], width: float, color: str
) -> str:
    """Straight lines of one look as one path, `width` units thick, with round ends."""
    path = "".join(
        f"M{short(x1)} {short(y1)}L{short(x2)} {short(y2)}" for (x1, y1), (x2, y2) in lines
    )
    return (
        f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{short(width)}"'
        ' stroke-linecap="round"/>'
    )


def text_group(texts: Iterable[str], size: float, color: str) -> str:
    """Texts of one size and colour, each centred on its place unless it says otherwise."""
    return (
        f'<g font-family="{escape(FONT)}" font-size="{short(size)}" fill="{color}"'
        f' text-anchor="middle">{"".join(texts)}</g>'
    )


def text_at(x: float, y: float, text: str, **attributes: str) -> str:
    """Text whose capitals and figures stand centred on `y`, in any renderer."""
    more = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'<text x="{short(x)}" y="{short(y)}" dy="0.36em"{more}>{escape(text)}</text>'


def short(number: float) -> str:
    """A number as short as it can be written with two decimals.

    >>> short(3.0), short(2.50), short(-0.001)
    ('3', '2.5', '0')
    """
    return f"{round(number, 2) + 0.0:g}"
