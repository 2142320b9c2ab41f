"""Why a search goes where it goes: the score of the root's moves, in its two parts, as bars.

Each move has two lanes. The upper one shows the mean value of the move so far, its Q, to the right
of 0 or, if it is negative, to the left. In the lower one the bonus for having been tried rarely,
its U, is added: it ends at the score, and the next simulation tries the move with the highest
score.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from mctslab.boards.elements import element, short, text_at
from mctslab.draw.colors import INK, OKABE_ITO, THEME_INK
from mctslab.draw.picture import page_svg
from mctslab.draw.ticks import step_between
from mctslab.games.state import State
from mctslab.search.node import Node
from mctslab.search.selection import PUCT, SelectionRule, SelectionScore

MOST_ROWS: Final = 12
EXPLOITATION, EXPLORATION = OKABE_ITO[0], OKABE_ITO[1]

WIDTH: Final = 700.0
_ROW: Final = 30.0
_LANE: Final = 10.0
_TOP: Final = 52.0
_BELOW: Final = 26.0
_COLUMNS: Final = (58.0, 112.0, 170.0, 236.0, 296.0, 366.0)
"""Right ends of the columns: move, N, P, exploitation, exploration, score."""
_LEFT, _RIGHT = 394.0, WIDTH - 14.0
_LEGEND, _LEGEND_STEP = 314.0, 190.0
_MOST_TICKS: Final = 6


class SelectionRow(NamedTuple):
    """One move of the position at the root, from the selection rule's point of view."""

    action: int
    notation: str
    visit_count: int
    prior: float
    score: SelectionScore
    is_next: bool
    """Whether the next simulation tries this move."""


def selection_rows(
    root: Node, selection: SelectionRule, most: int = MOST_ROWS
) -> list[SelectionRow]:
    """The `most` visited moves of `root`, by visits and then by score, and the next move.

    The next move is known once every move has a node; before that, UCT draws an untried one.
    """

    def order(child: Node) -> tuple[float, ...]:
        return -child.visit_count, -selection.score(root, child).total, child.action or 0

    children = sorted(root.children, key=order)
    shown = children[:most]
    following = selection.best_child(root) if children and root.is_fully_expanded else None
    if following is not None and following not in shown:
        shown[-1:] = [following]
    return [
        SelectionRow(
            child.action,
            root.state.action_to_string(child.action),
            child.visit_count,
            child.prior,
            selection.score(root, child),
            child is following,
        )
        for child in shown
        if child.action is not None
    ]


def bars_svg(root: Node, selection: SelectionRule, most: int = MOST_ROWS) -> str:
    """Draw how `selection` scores the moves at `root`, in its two parts, as wide as the page.

    Args:
        root: of a search's tree.
        selection: the rule that the search uses, such as `search.puct()` or `search.ucb1()`.
        most: the largest number of moves, the most visited first; 1 or more.
    """
    rows, words = selection_rows(root, selection, most), Words.of(selection)
    height = _TOP + max(1, len(rows)) * _ROW + _BELOW
    axis = Axis.over([row.score for row in rows])
    parts = [*_head(words), *_axis(axis, height)]
    for place, row in enumerate(rows):
        parts += _bars(axis, row, _TOP + place * _ROW)
        parts += _numbers(row, words, _TOP + (place + 0.5) * _ROW)
    parts.append(text_at(0, height - 10, _caption(root, rows)))
    title = in_words(root.state, rows, words)
    return page_svg(WIDTH, height, parts, title=title, font_size=13)


class Words(NamedTuple):
    """The names of the two parts of a rule's score, and whether it is PUCT.

    PUCT uses priors, and its Q has a sign.
    """

    exploitation: str
    exploration: str
    score: str
    is_puct: bool

    @classmethod
    def of(cls, selection: SelectionRule) -> "Words":
        """The words for `selection`: Q and U are those of PUCT."""
        if isinstance(selection, PUCT):
            return cls("Q", "U", "Q + U", is_puct=True)
        return cls("win rate", "bonus", "score", is_puct=False)

    def number(self, value: float) -> str:
        """A value, or a score, as text; with a sign if it is PUCT's."""
        if value == math.inf:
            return "∞"
        return f"{value:+.3f}".replace("-", "−") if self.is_puct else f"{value:.3f}"


def _bonus(value: float) -> str:
    return "∞" if value == math.inf else f"{value:.3f}"


@dataclass(frozen=True, slots=True)
class Axis:
    """The axis of the scores; its ends are round numbers, so that they rarely change."""

    low: float
    high: float
    step: float

    @classmethod
    def over(cls, scores: Sequence[SelectionScore]) -> "Axis":
        """The axis that shows 0 and all of `scores`, if they are finite.

        >>> Axis.over([SelectionScore(0.3, 0.5), SelectionScore(-0.1, 0.2)])
        Axis(low=-0.2, high=0.8, step=0.2)
        """
        ends = [0.0, *(score.exploitation for score in scores)]
        ends += [score.total for score in scores if math.isfinite(score.total)]
        extent = max(ends) - min(ends)
        step = step_between(extent if extent > _NOTHING else 1.0, _MOST_TICKS)
        low = round(math.floor(min(ends) / step + _TOLERANCE) * step, 9)
        high = round(math.ceil(max(ends) / step - _TOLERANCE) * step, 9)
        return cls(low, max(high, round(low + step, 9)), step)

    def x(self, value: float) -> float:
        """The place of `value`; an infinite one is at the right end."""
        share = (min(value, self.high) - self.low) / (self.high - self.low)
        return _LEFT + share * (_RIGHT - _LEFT)

    @property
    def ticks(self) -> list[float]:
        """The round values with a tick."""
        number = round((self.high - self.low) / self.step)
        return [round(self.low + place * self.step, 9) for place in range(number + 1)]


_NOTHING: Final = 1e-6
"""A shorter axis could not be labelled."""
_TOLERANCE: Final = 1e-9
"""Of a step: 0.6 / 0.2 is a little less than 3."""


def _head(words: Words) -> Iterator[str]:
    names = ("move", "N", "P", words.exploitation, words.exploration, words.score)
    for name, right in zip(names, _COLUMNS, strict=True):
        if name != "P" or words.is_puct:
            yield text_at(right, _TOP - 16, name, text_anchor="end", font_weight="600")
    legend = (
        (EXPLOITATION, f"{words.exploitation}: exploitation"),
        (EXPLORATION, f"{words.exploration}: exploration"),
    )
    for place, (color, text) in enumerate(legend):
        x = _LEGEND + place * _LEGEND_STEP
        yield element("rect", x=x, y=3, width=22, height=10, style=f"fill:{color}")
        yield text_at(x + 28, 8, text)


def _axis(axis: Axis, height: float) -> Iterator[str]:
    bottom = height - _BELOW
    for value in axis.ticks:
        x, line = axis.x(value), f"M{short(axis.x(value))} {short(_TOP - 4)}V{short(bottom)}"
        yield element("path", d=line, stroke=INK, stroke_opacity=0.9 if value == 0 else 0.25)
        yield text_at(x, _TOP - 16, f"{value:g}".replace("-", "−"), text_anchor="middle")


def _bars(axis: Axis, row: SelectionRow, top: float) -> Iterator[str]:
    exploitation, exploration = row.score
    if row.is_next:
        place = {"data_next": row.action, "x": 0.5, "y": top + 0.5}
        size = {"width": WIDTH - 1, "height": _ROW - 1, "rx": 4}
        ink = {"fill": INK, "fill_opacity": "0.14", "stroke": INK, "stroke_opacity": "0.6"}
        yield element("rect", **place, **size, **ink)
    lanes = (
        (EXPLOITATION, 0.0, exploitation, top + _ROW / 2 - _LANE - 1),
        (EXPLORATION, exploitation, exploitation + exploration, top + _ROW / 2 + 1),
    )
    for color, begin, end, y in lanes:
        left, right = sorted((axis.x(begin), axis.x(end)))
        place = {"data_move": row.action, "x": left, "y": y}
        yield element("rect", **place, width=right - left, height=_LANE, style=f"fill:{color}")
    if math.isfinite(row.score.total):
        tip = f"M{short(axis.x(row.score.total))} {short(top + 3)}V{short(top + _ROW - 3)}"
        yield element("path", d=tip, style=f"stroke:{THEME_INK}", stroke_width="2.5")


def _numbers(row: SelectionRow, words: Words, y: float) -> Iterator[str]:
    texts = (
        row.notation,
        f"{row.visit_count:,}",
        f"{row.prior:.1%}" if words.is_puct else "",
        words.number(row.score.exploitation),
        _bonus(row.score.exploration),
        words.number(row.score.total),
    )
    weight = "600" if row.is_next else "400"
    for text, right in zip(texts, _COLUMNS, strict=True):
        if text:
            yield text_at(right, y, text, text_anchor="end", font_weight=weight)
    if row.is_next:
        yield f'<path d="M7 {short(y - 5)}l8 5l-8 5z"/>'


def _caption(root: Node, rows: Sequence[SelectionRow]) -> str:
    if not rows:
        return "No move has been tried yet."
    legal = len(root.children) + len(root.untried_actions)
    shown = f"{len(rows)} of {legal} moves" if len(rows) < legal else "all moves"
    has_next = any(row.is_next for row in rows)
    following = "The marked move is next." if has_next else "The next move has no node yet."
    return f"N = {root.visit_count:,} at the root; {shown}, by visits. {following}"


def in_words(state: State, rows: Sequence[SelectionRow], words: Words) -> str:
    """The picture in a sentence or two, for a screen reader."""
    mover = state.player_names[state.current_player]
    if not rows:
        return f"{mover} is to move; nothing has been searched yet."
    best = rows[0]
    parts = [f"{mover} is to move. Most visited: {best.notation}, {best.visit_count:,} visits."]
    parts += [
        f"Next: {row.notation}, {words.exploitation} {words.number(row.score.exploitation)},"
        f" {words.exploration} {_bonus(row.score.exploration)}."
        for row in rows
        if row.is_next
    ]
    return " ".join(parts)
