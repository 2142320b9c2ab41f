"""The colours of trees and charts, chosen for every kind of colour vision and for both themes."""

from typing import Final

from mctslab.boards.style import heat_color

OKABE_ITO: Final = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7")
"""Categories, from Okabe and Ito (2008), without black and yellow: these six stand out from a white
page and from a dark one."""

DASHES: Final = ("-", "--", ":", "-.", (0, (1, 3)), (0, (6, 2, 1, 2, 1, 2)))
"""Of lines in a chart, one for each of these colours, so that the lines differ in more than their
colour."""

INK: Final = "#767676"
"""Text and lines directly on the page if its theme is unknown: this grey has a contrast of at least
4.1 on white and on JupyterLab's dark page. In a page with JupyterLab's variables, `THEME_INK`
replaces it."""

PIXELS_PER_POINT: Final = 4 / 3
"""CSS pixels to a point, the unit of Graphviz and Matplotlib."""

THEME_INK: Final = f"var(--jp-ui-font-color1, {INK})"

TEXT: Final = "#17191b"
"""Text on the pale cards of a tree."""

PALE_TEXT: Final = "#6a6a6a"
"""Text of minor importance on a card without a value: its contrast on `UNKNOWN` is 4.5."""

LINE: Final = "#9a9a9a"
"""Edges and outlines of a tree."""

PRINCIPAL: Final = "#a4408f"
"""The principal variation, which is also drawn bold. (The reddish purple, darkened.)"""

UNKNOWN: Final = "#ececec"
"""A node without a visit has no value."""

END_LINE: Final = "#5c5f66"
"""The outline of a node where the game is over."""


def visits_color(share: float) -> str:
    """The colour of a node by its share of the root's visits, from 0 (pale) to 1 (violet).

    Shares are small except near the root, so the colour changes fastest there. Dark text has a
    contrast of at least 5 on all of these colours.

    >>> visits_color(0) == visits_color(1)
    False
    """
    return heat_color(0.5 * min(max(share, 0.0), 1.0) ** 0.5)
