"""A small tree of numbers, as minimax sees it: the value of each node, and the parts that were
skipped. The numbers at the leaves are the first player's results. The first player takes the
largest, the second the smallest, in turn.
"""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from mctslab.boards.board import BoardStyle
from mctslab.boards.style import value_color
from mctslab.draw.cards import Card, number
from mctslab.draw.colors import UNKNOWN
from mctslab.draw.digraph import Tree

Numbers: TypeAlias = "float | Sequence[Numbers]"
"""A number, or the trees that the moves lead to."""

Path: TypeAlias = tuple[int, ...]
"""The moves from the root to a node, each as its index among its siblings."""

_PLAYERS: Final = ("Black", "White")


def minimax_tree(
    numbers: Numbers, looked_at: Collection[Path] | None = None, *, win_rates: bool = False
) -> Tree:
    """Draw a tree of numbers with the value of each node for Black, who moves first.

    If leaves were skipped, perhaps only a bound of a node is known, as in "≤ +2". Skipped parts are
    drawn pale and dashed. The line that both sides would play is bold and purple.

    Args:
        numbers: the tree, as lists in lists; a number is a leaf and its value for Black.
        looked_at: the leaves that were evaluated, as the indices of the moves that lead there; all
            if not given.
        win_rates: whether the numbers are shares from 0 to 1, to be written as percentages.

    Raises:
        ValueError: a node has no move, or there is no number in the tree.
    """
    nodes = _nodes(numbers, looked_at)
    leaves = [node for node in nodes if not node.children]
    size = max(abs(leaf.range[0]) for leaf in leaves) or 1.0
    known = [high if math.isinf(low) else low for low, high in (node.range for node in nodes)]
    written, legend, ends = signed, "value for Black", (signed(-size), signed(size))
    values = [number / size for number in known]
    if win_rates:
        written, legend, ends = "{:.0%}".format, "win rate for Black, in percent", ("0", "100")
        values = [2 * number - 1 for number in known]
    principal = _principal(nodes)
    cards = []
    for place, node in enumerate(nodes):
        heading = chr(ord("a") + node.path[-1]) if node.path else f"{_PLAYERS[0]} to move"
        text = bounds_text(*node.range, written)
        cards.append(
            Card(
                parent=node.parent,
                heading=heading,
                lines=(text,),
                color=value_color(values[place]) if node.is_seen else UNKNOWN,
                style=BoardStyle.DISCS,
                player=node.mover,
                principal=place in principal,
                tooltip=f"{_PLAYERS[node.mover]}: {heading}, {text}" if node.path else heading,
                is_pale=not node.is_seen,
            )
        )
    seen, caption = sum(leaf.is_seen for leaf in leaves), f"all {len(leaves)} leaves were evaluated"
    if seen < len(leaves):
        caption = f"{seen} of {len(leaves)} leaves were looked at; the dashed ones were not"
    return Tree("minimax_tree", cards, caption=caption, legend=legend, ends=ends)


_UNKNOWN_RANGE: Final = (-math.inf, math.inf)


@dataclass(eq=False, slots=True)
class _Node:
    path: Path
    parent: int | None
    children: list[int]
    """Their indices among the nodes; none for a leaf."""
    range: tuple[float, float]
    """The lowest and the highest value that the node can have. At a leaf both are its number; at
    any other node they follow from the leaves that were evaluated."""
    is_seen: bool
    """Whether it, or anything below it, was evaluated."""

    @property
    def mover(self) -> int:
        """The player who moved into the node; at the root, the player to move."""
        return (len(self.path) + 1) % 2 if self.path else 0


def _nodes(numbers: Numbers, looked_at: Collection[Path] | None) -> list[_Node]:
    """All nodes, each after its parent and before its younger siblings' children."""
    nodes: list[_Node] = []

    def add(here: Numbers, path: Path, parent: int | None) -> int:
        place = len(nodes)
        node = _Node(path, parent, [], _UNKNOWN_RANGE, False)
        nodes.append(node)
        if isinstance(here, int | float):
            node.range = (float(here), float(here))
            node.is_seen = looked_at is None or path in looked_at
            return place
        if not here:
            raise ValueError(f"The node at {path} has no move: give it one, or a number.")
        node.children = [add(branch, (*path, move), place) for move, branch in enumerate(here)]
        below = [nodes[child] for child in node.children]
        best = max if len(path) % 2 == 0 else min
        lows, highs = zip(*(child.range if child.is_seen else _UNKNOWN_RANGE for child in below),
                          strict=True)  # fmt: skip
        node.range = best(lows), best(highs)
        node.is_seen = any(child.is_seen for child in below)
        return place

    add(numbers, (), None)
    return nodes


def _principal(nodes: Sequence[_Node]) -> frozenset[int]:
    """The nodes on the line that both sides would play, the root included."""
    places, (low, high) = [0], nodes[0].range
    while low == high and (children := nodes[places[-1]].children):
        places.append(next(place for place in children if nodes[place].range == (low, high)))
    return frozenset(places) if len(places) > 1 else frozenset()


def signed(points: float) -> str:
    """A number with its sign, and with a real minus sign.

    >>> signed(3), signed(-0.5), signed(math.inf)
    ('+3', '−0.5', '+∞')
    """
    return number(points, "g")


def bounds_text(low: float, high: float, written: Callable[[float], str] = signed) -> str:
    """The known range of a value from `low` to `high`.

    >>> bounds_text(3, 3), bounds_text(-math.inf, 2), bounds_text(-math.inf, math.inf)
    ('+3', '≤ +2', '?')
    """
    if low == high:
        return written(low)
    if math.isinf(low):
        return "?" if math.isinf(high) else f"≤ {written(high)}"
    return f"≥ {written(low)}" if math.isinf(high) else f"{written(low)} to {written(high)}"
