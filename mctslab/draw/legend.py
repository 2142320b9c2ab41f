"""The legend below a drawn tree: the meaning of its colours and lines. Lengths are in points."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from mctslab.boards.elements import document, element, text_at, text_group
from mctslab.boards.style import value_color
from mctslab.draw.colors import INK, LINE, PIXELS_PER_POINT, PRINCIPAL, THEME_INK

ROW: Final = 17.0
_BAR: Final = 84.0
_BAR_STEPS: Final = 28
_INDENT: Final = 98.0
"""The start of the text, to the right of the samples if there are any."""
_LETTER: Final = 5.0
"""Room for a letter: a little more than the average."""
_LINES: Final = "principal variation; thicker edge, more simulations"


@dataclass(frozen=True, slots=True)
class Legend:
    """What stands below a tree."""

    meaning: str
    """Of the colours; empty if nothing is coloured."""
    ends: tuple[str, str] = ("−1", "+1")
    """Of the scale of the colours."""
    has_principal: bool = False
    """Whether edges are as thick as their visits, and a line of play is marked."""
    caption: str = ""
    """The part of the tree that is shown."""

    @property
    def _rows(self) -> list[tuple[Callable[[float, float], str], str]]:
        """A sample for each row, and the words beside it."""
        rows = ((self._bar, self.meaning), (_edge_samples, _LINES if self.has_principal else ""))
        return [row for row in (*rows, (lambda x, y: "", self.caption)) if row[1]]

    @property
    def _indent(self) -> float:
        return _INDENT if self.meaning or self.has_principal else 0.0

    @property
    def width(self) -> float:
        """From the left of the samples to the end of the words."""
        return self._indent + _LETTER * max(len(words) for _, words in self._rows)

    @property
    def height(self) -> float:
        """Of all rows."""
        return ROW * (len(self._rows) + 0.5)

    def drawn(self, middle: float, top: float) -> str:
        """The legend below `top`, around the line x = `middle`, as an SVG element."""
        left, y = middle - self.width / 2, top + 0.8 * ROW
        rows = "".join(
            sample(left, y + ROW * row) + _words(left + self._indent, y + ROW * row, words)
            for row, (sample, words) in enumerate(self._rows)
        )
        group = text_group([rows], 9, INK)
        return group.replace("<g ", f'<g class="legend" style="fill:{THEME_INK}" ', 1)

    @property
    def svg(self) -> str:
        """The legend alone, below several trees that share it."""
        return document(
            self.width,
            self.height,
            scale=PIXELS_PER_POINT,
            title=f"Legend: {self.meaning}",
            description="",
            content=self.drawn(self.width / 2, 0),
            shrinks=True,
        )

    def _bar(self, x: float, y: float) -> str:
        """The colours of the scale, with their ends named."""
        step = (_BAR - 32) / _BAR_STEPS
        patches = "".join(
            element("rect", x=x + 18 + i * step, y=y - 5, width=step + 0.3, height=10,
                    fill=value_color(2 * (i + 0.5) / _BAR_STEPS - 1))
            for i in range(_BAR_STEPS)
        )  # fmt: skip
        low, high = self.ends
        bar = f'<g shape-rendering="crispEdges">{patches}</g>'
        return _words(x, y, low) + bar + _words(x + _BAR - 9, y, high)


def _edge_samples(x: float, y: float) -> str:
    samples = ((PRINCIPAL, 3.0, 0.0), (LINE, 1.0, 34.0), (LINE, 4.0, 60.0))
    return "".join(
        element("path", d=f"M{x + start:.2f} {y:.2f}h24", stroke=color, stroke_width=width)
        for color, width, start in samples
    )


def _words(x: float, y: float, text: str) -> str:
    return text_at(x, y, text, text_anchor="start")
