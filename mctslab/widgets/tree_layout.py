"""Where the nodes of a tree stand: Graphviz decides, once, for the tree as it ends up."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mctslab.draw.render import svg_element

_LEAF_WIDTH: Final = 0.3  # inches, as all lengths in DOT
_GAP: Final = 0.08
_ROOM_FOR_FIRST_PLY: Final = 1.0
"""The share of the tree's width over which the children of the root are spread at least, so that
they can be told apart also where most of the tree hangs under one of them."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a node stands."""

    x: float
    """From 0 at the left edge of the tree to 1 at the right edge."""
    depth: int
    """Plies below the root."""


def lay_out(parents: Sequence[int | None], order: Sequence[int]) -> list[Place]:
    """The places of the nodes of one tree.

    Args:
        parents: For each node the number of its parent, a smaller number than its own; None for
            the root, which is node 0.
        order: For each node a number by which siblings are ordered from left to right.

    Raises:
        RenderError: no renderer is installed; the message says which to install.

    >>> [place.depth for place in lay_out([None, 0, 0, 1], [0, 2, 1, 0])]
    [0, 1, 1, 2]
    """
    depths: list[int] = []
    for parent in parents:
        depths.append(0 if parent is None else depths[parent] + 1)
    centers = _centers(_dot(parents, order, depths))
    left, right = min(centers), max(centers)
    width = right - left
    return [
        Place((center - left) / width if width else 0.5, depth)
        for center, depth in zip(centers, depths, strict=True)
    ]


def _dot(parents: Sequence[int | None], order: Sequence[int], depths: Sequence[int]) -> str:
    num_children = Counter(parent for parent in parents if parent is not None)
    num_leaves = len(parents) - len(num_children)
    first_ply = max(num_children[0], 1)
    wide = _ROOM_FOR_FIRST_PLY * num_leaves * (_LEAF_WIDTH + _GAP) / first_ply - _GAP
    lines = [
        "digraph {",
        f"graph [ordering=out, splines=false, nodesep={_GAP}, ranksep=0.2]",
        f'node [shape=box, fixedsize=true, label="", height=0.1, width={_LEAF_WIDTH}]',
    ]
    lines += [
        f"n{node} [width={max(wide, _LEAF_WIDTH):.3f}]" if depth == 1 else f"n{node}"
        for node, depth in enumerate(depths)
    ]
    children = [node for node, parent in enumerate(parents) if parent is not None]
    lines += [
        f"n{parents[node]} -> n{node}"
        for node in sorted(children, key=lambda node: (parents[node], order[node]))
    ]
    return "\n".join([*lines, "}"])


def _centers(dot: str) -> list[float]:
    """The x of the middle of each node, in the order of their numbers."""
    found: dict[int, float] = {}
    for group in svg_element(dot).iter("g"):
        title, box = group.findtext("title") or "", group.find("polygon")
        if group.get("class") == "node" and box is not None:
            xs = [float(x) for x in re.findall(r"(-?[\d.]+),", box.get("points", ""))]
            found[int(title.removeprefix("n"))] = (min(xs) + max(xs)) / 2
    return [found[node] for node in sorted(found)]
