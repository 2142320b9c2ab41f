"""What the examiner reports, as text and as a box in a notebook."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from mctslab.course.examiner.exam_game import ExamState
from mctslab.course.result import Outcome, Result
from mctslab.search.mcts import mcts
from mctslab.search.trace import Trace

if TYPE_CHECKING:
    from mctslab.widgets import PhaseStepper

PHASES: Final = ("select", "expand", "simulate", "backpropagate", "choose the move")
"""The four phases, which are repeated, and what follows them."""


class FoundError(Exception):
    """A game in which the search does something that a right one does not do.

    Args:
        phase: the phase that contains the fault, one of `PHASES`; two of them, with "or" between,
            if the search would do the same for a fault in either; empty if it is in none of them.
        seen: the game, and what the search did in it.
        look_at: what a right search does, and where to look.
        position: the position in which it went wrong.
    """

    def __init__(
        self, phase: str, seen: str, look_at: str, position: ExamState | None = None
    ) -> None:
        super().__init__(seen)
        self.phase, self.seen, self.look_at, self.position = phase, seen, look_at, position


@dataclass(frozen=True, slots=True)
class Report:
    """The questions and the finding; text when printed, a box as the last line of a cell."""

    name: str
    """The function that was examined."""
    tried: Sequence[str]
    """The questions that were asked, each in a few words."""
    finding: FoundError | None = None
    """None if no fault was found."""

    @property
    def phase(self) -> str | None:
        """The phase that contains the fault, as in `FoundError`; None if no fault was found."""
        return None if self.finding is None else self.finding.phase

    def stepper(self, num_simulations: int = 30) -> "PhaseStepper":
        """A right search of that position, to step through and to compare with yours.

        Raises:
            ValueError: no fault was seen in a position.
        """
        from mctslab.widgets import PhaseStepper

        if self.finding is None or self.finding.position is None:
            raise ValueError(f"{self.name} has not shown a fault in any position.")
        trace, rng, state = Trace(), np.random.default_rng(1), self.finding.position
        mcts(state, num_simulations=num_simulations, rng=rng, trace=trace)
        return PhaseStepper(trace)

    def _result(self) -> Result:
        """The report in the form of a check's answer."""
        tried, found = f"Tried: {'; '.join(self.tried)}.", self.finding
        if found is None:
            return Result(self.name, Outcome.RIGHT, "No fault was found.", notes=[tried])
        suspects = found.phase.split(" or ")
        picture = " → ".join(f"[{each}]" if each in suspects else each for each in PHASES)
        advice = "Repair this and examine it again, because other faults can hide behind it."
        if found.position is not None:
            advice += " `report.stepper()` films a right search of this game."
        facts = [("where", picture)] if found.phase else []
        told: dict[str, Any] = {"advice": found.look_at, "notes": [advice, tried]}
        return Result(self.name, Outcome.WRONG, found.seen, facts, **told)

    def __str__(self) -> str:
        return str(self._result())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self._result()._repr_html_()
