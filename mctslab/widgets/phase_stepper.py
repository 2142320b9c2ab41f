"""The phase stepper: a recorded search, played event by event on its tree and its board.

Everything that will be shown goes to the browser at once. From then on the browser steps by itself
without any message to the kernel, so it also works while a cell runs, and where there is no kernel.
"""

from typing import Any, Final

import anywidget
import traitlets

from mctslab import draw
from mctslab.boards.style import value_color
from mctslab.draw.colors import UNKNOWN
from mctslab.draw.pruning import MAX_DRAWN
from mctslab.search.trace import Trace
from mctslab.widgets.board_view import board_pieces
from mctslab.widgets.front_end import StillPicture, bundled, joined
from mctslab.widgets.trace_document import trace_document

_VALUE_COLORS: Final = 101


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
        ValueError: this is not a trace, nothing was recorded, or there is no such simulation.
    """

    _esm = bundled("phase_stepper.js")
    _css = joined("common.css", "tree.css", "phase_stepper.css")

    data = traitlets.Dict(help="the trace, its colours and the pieces of boards").tag(sync=True)
    simulation = traitlets.Int(1, help="where to begin, from 1").tag(sync=True)

    def __init__(self, trace: Trace, *, simulation: int = 1) -> None:
        shown = _beginning(_checked(trace))
        if not 1 <= simulation <= len(shown):
            raise ValueError(
                f"simulation={simulation!r} is not among those shown, which are 1 to {len(shown)}."
            )
        super().__init__(data=stepper_data(shown, of=len(trace)), simulation=simulation)
        self._trace = shown

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
    return {
        "trace": trace_document(trace),
        "pieces": board_pieces(trace.nodes[0].state.board()),
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
        raise ValueError("This trace has no simulation yet: run mcts(..., trace=trace) first.")
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
