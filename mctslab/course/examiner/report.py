"""What the examiner reports, as text and as a box in a notebook."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from mctslab.course.examiner.exam_game import ExamState
from mctslab.course.result import Outcome, Result
from mctslab.draw import game_tree
from mctslab.draw.digraph import Tree
from mctslab.search.mcts import mcts
from mctslab.search.trace import Trace

if TYPE_CHECKING:
    from mctslab.widgets import PhaseStepper

PHASES: Final = ("select", "expand", "simulate", "backpropagate", "choose the move")
"""The four phases, which are repeated, and what follows them."""


class Finding(NamedTuple):
    """A game in which the search goes wrong."""

    phase: str
    """The phase that contains the fault, one of `PHASES`; two of them, with "or" between, if the
    search would do the same for a fault in either; empty if the whole search contains it."""
    seen: str
    """The game, and what the search did in it."""
    look_at: str
    """What a right search does, and where to look."""
    position: ExamState | None = None
    """The position in which it went wrong."""


@dataclass(frozen=True, slots=True)
class Report:
    """The questions and the finding; text when printed, a box as the last line of a cell."""

    name: str
    """The function that was examined."""
    tried: Sequence[str]
    """The questions that were asked, each in a few words."""
    finding: Finding | None = None

    @property
    def phase(self) -> str | None:
        """The phase that contains the fault, as in `Finding`; None if no fault was found."""
        return None if self.finding is None else self.finding.phase

    @property
    def position(self) -> ExamState | None:
        """The position in which the fault was seen."""
        return None if self.finding is None else self.finding.position

    def tree(self) -> Tree:
        """A picture of that position's game, three moves deep.

        Raises:
            ValueError: no fault was seen in a position.
        """
        return game_tree(self._shown(), depth=3, boards=False)

    def stepper(self, num_simulations: int = 30) -> "PhaseStepper":
        """A right search of that position, to step through and to compare with yours.

        Raises:
            ValueError: no fault was seen in a position.
        """
        from mctslab.widgets import PhaseStepper

        trace, rng = Trace(), np.random.default_rng(1)
        mcts(self._shown(), num_simulations=num_simulations, rng=rng, trace=trace)
        return PhaseStepper(trace)

    def _shown(self) -> ExamState:
        if self.position is None:
            raise ValueError(f"{self.name} has not shown a fault in any position.")
        return self.position

    def _result(self) -> Result:
        """The report in the form of a check's answer."""
        tried = f"Tried: {'; '.join(self.tried)}."
        if self.finding is None:
            return Result(self.name, Outcome.RIGHT, "No fault was found.", notes=[tried])
        phase, seen, look_at, position = self.finding
        suspects = phase.split(" or ")
        picture = " → ".join(f"[{each}]" if each in suspects else each for each in PHASES)
        advice = "Repair this and examine it again, because other faults can hide behind it."
        if position is not None:
            advice += " `report.tree()` draws the game, `report.stepper()` films a right search."
        return Result(
            self.name,
            Outcome.WRONG,
            seen,
            [("where", picture)] if phase else [],
            advice=look_at,
            notes=[advice, tried],
        )

    def __str__(self) -> str:
        return str(self._result())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self._result()._repr_html_()
