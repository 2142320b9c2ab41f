"""The phase stepper: a recorded search, played event by event on its tree and its board.

Everything that will be shown goes to the browser at once: the trace, and where Graphviz puts each
node of the final tree. From then on the browser steps by itself without any message to the kernel,
so it also works while a cell runs.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import anywidget
import traitlets

from mctslab import draw
from mctslab.boards.style import value_color
from mctslab.draw.colors import UNKNOWN
from mctslab.draw.pruning import MAX_DRAWN
from mctslab.draw.render import svg_element
from mctslab.search.trace import Trace, TraceError
from mctslab.widgets.board_view import board_pieces
from mctslab.widgets.front_end import StillPicture, joined

_VALUE_COLORS = 101


class PhaseStepper(StillPicture, anywidget.AnyWidget):
    """Step through a search: selection, expansion, simulation, backpropagation.

    Play, pause, or step by event, by phase or by simulation; drag the slider; point at a node to
    see its position and its numbers. On the keyboard: space plays, the arrow keys step (with Shift
    by phase), Page Up and Page Down go by simulation; in the tree the arrow keys go from node to
    node, and + - 0 zoom.

    Args:
        trace: What the search recorded, see `mctslab.search.Trace`. If the tree has more than 300
            nodes, only the first simulations are shown, because more nodes can't be told apart on a
            screen.
        simulation: The simulation to begin at, from 1.

    Raises:
        TraceError: nothing was recorded.
        ValueError: this is not a trace, or there is no such simulation.
        RenderError: Graphviz is missing; the message says what to install.
    """

    _esm = joined(
        "common.js", "words.js", "pieces.js", "tree_view.js", "stepper_model.js", "phase_stepper.js"
    )
    _css = joined("common.css", "phase_stepper.css")

    data = traitlets.Dict(help="the trace, its layout and the pieces of boards").tag(sync=True)
    simulation = traitlets.Int(1, help="where to begin, from 1").tag(sync=True)

    def __init__(self, trace: Trace, *, simulation: int = 1) -> None:
        shown = _beginning(_checked(trace))
        if not 1 <= simulation <= len(shown):
            raise ValueError(
                f"simulation={simulation!r} is not among those shown, which are 1 to {len(shown)}."
            )
        super().__init__(data=stepper_data(shown, of=len(trace)), simulation=simulation)
        self._trace = shown

    def without_python(self) -> dict[str, Any]:
        """Nothing: the traits are enough."""
        return {}

    def still_svg(self) -> str:
        """The tree at the end, for a page without a kernel."""
        picture: str = draw.tree(self._trace.result()).svg
        return picture

    def still_note(self) -> str:
        """The line under that picture."""
        return (
            f"The tree after {len(self._trace)} simulations. "
            "Run this cell again to step through them."
        )


def stepper_data(trace: Trace, *, of: int) -> dict[str, Any]:
    """All that the browser needs to step through `trace`, which is the beginning of `of`."""
    places = lay_out(
        [node.parent for node in trace.nodes], [node.action or 0 for node in trace.nodes]
    )
    return {
        "trace": trace.document(),
        "places": [[round(place.x, 5), place.depth] for place in places],
        "pieces": board_pieces(trace.nodes[0].state.board(), _winning_lines(trace)),
        "value_colors": [
            value_color(2 * step / (_VALUE_COLORS - 1) - 1) for step in range(_VALUE_COLORS)
        ],
        "unknown_color": UNKNOWN,
        "note": (
            f"Shown are the first {len(trace):,} of {of:,} simulations: "
            f"more than {MAX_DRAWN} nodes can't be told apart here."
            if len(trace) < of
            else ""
        ),
    }


def _beginning(trace: Trace) -> Trace:
    """As many simulations of `trace` as fit on a screen."""
    if not trace.simulations:
        raise TraceError("This trace has no simulation yet: run mcts(..., trace=trace) first.")
    low, high = 1, len(trace)
    while low < high:  # the tree only grows: find the last simulation that still fits
        middle = (low + high + 1) // 2
        if len(trace.first(middle).nodes) <= MAX_DRAWN:
            low = middle
        else:
            high = middle - 1
    return trace.first(low)


def _checked(trace: object) -> Trace:
    if not isinstance(trace, Trace):
        how = "record one with trace = search.Trace() and search.mcts(..., trace=trace)"
        raise ValueError(f"{type(trace).__name__} is not a trace of a search: {how}.")
    return trace


def _winning_lines(trace: Trace) -> Iterator[tuple[int, ...]]:
    for node in trace.nodes:
        yield node.state.board().winning_squares
    for simulation in trace.simulations:
        for rollout in simulation.rollouts:
            yield rollout.winning_squares


_LEAF_WIDTH: Final = 0.3  # inches, like all lengths in DOT
_GAP: Final = 0.08
_ROOM_FOR_FIRST_PLY: Final = 1.0
"""The children of the root are spread over at least this share of the tree's width, so that they
can be told apart even if most of the tree is below one of them."""


class Place(NamedTuple):
    """The place of a node."""

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
