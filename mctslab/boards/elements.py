"""The few SVG elements from which boards and charts are drawn, as text."""

from collections.abc import Iterable, Mapping
from xml.sax.saxutils import escape, quoteattr

from mctslab.boards.style import FONT, SQUARE

Point = tuple[float, float]


def document(
    width: float,
    height: float,
    *,
    scale: float,
    title: str,
    description: str,
    content: str,
    shrinks: bool = False,
) -> str:
    """A whole picture of `width` times `height` units, `scale` CSS pixels to the unit.

    If it shrinks, it is never wider than the page.
    """
    described = f"<desc>{escape(description)}</desc>" if description else ""
    style = ' style="max-width:100%;height:auto"' if shrinks else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{short(width * scale)}"'
        f' height="{short(height * scale)}" viewBox="0 0 {short(width)} {short(height)}"'
        f' role="img" aria-label={quoteattr(title)}{style}>{described}{content}</svg>'
    )


def element(tag: str, **attributes: str | float) -> str:
    """An element without content; `stroke_width=2.50` becomes `stroke-width="2.5"`."""
    return f"<{tag}{_written(attributes)}/>"


def dots(centers: Iterable[Point], radius: float, color: str) -> str:
    """Filled circles; `radius` is a share of a square's side."""
    circles = "".join(element("circle", cx=x, cy=y, r=radius * SQUARE) for x, y in centers)
    return f'<g fill="{color}">{circles}</g>'


def stroke_lines(lines: Iterable[tuple[Point, Point]], width: float, color: str) -> str:
    """Straight lines of one look as one path, `width` units thick, with round ends."""
    path = "".join(
        f"M{short(x1)} {short(y1)}L{short(x2)} {short(y2)}" for (x1, y1), (x2, y2) in lines
    )
    return element(
        "path", d=path, fill="none", stroke=color, stroke_width=width, stroke_linecap="round"
    )


def text_group(texts: Iterable[str], size: float, color: str) -> str:
    """Texts of one size and colour, each centred on its place unless its attributes differ."""
    return (
        f'<g font-family="{escape(FONT)}" font-size="{short(size)}" fill="{color}"'
        f' text-anchor="middle">{"".join(texts)}</g>'
    )


def text_at(x: float, y: float, text: str, **attributes: str) -> str:
    """Text whose capitals and digits are centred on `y`, in any renderer."""
    where = f'x="{short(x)}" y="{short(y)}" dy="0.36em"'
    return f"<text {where}{_written(attributes)}>{escape(text)}</text>"


def short(number: float) -> str:
    """A number as short as it can be written with two decimals.

    >>> short(3.0), short(2.50), short(-0.001)
    ('3', '2.5', '0')
    """
    return f"{round(number, 2) + 0.0:g}"


def signed(number: float, how: str = ".2f") -> str:
    """A number with its sign, in the format `how`; zero has none.

    >>> signed(0.314), signed(-1), signed(-0.001), signed(3, "g")
    ('+0.31', '-1.00', '0.00', '+3')
    """
    text = f"{number:+{how}}"
    return text if text.strip("+-0.") else text[1:]


def in_seconds(seconds: float) -> str:
    """A time in seconds, or in milliseconds where it is short.

    >>> in_seconds(140.0), in_seconds(1.0), in_seconds(0.0125), in_seconds(5e-6)
    ('140 s', '1.00 s', '12.5 ms', '0.005 ms')
    """
    if seconds >= 100:
        return f"{seconds:.0f} s"
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{1e3 * seconds:.3g} ms"


def _written(attributes: Mapping[str, str | float]) -> str:
    return "".join(
        f' {name.replace("_", "-")}="{value if isinstance(value, str) else short(value)}"'
        for name, value in attributes.items()
    )
