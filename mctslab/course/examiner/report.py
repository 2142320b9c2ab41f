"""What the examiner reports, as text and as a box in a notebook."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

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
    """A game in which the search does something that a correct one does not do.

    Args:
        phase: the phase that contains the fault, one of `PHASES`; two of them, with "or" between,
            if the search would do the same for a fault in either; empty if it is in none of them.
        seen: the game, and what the search did in it.
        look_at: what a correct search does, and where to look.
        position: the position in which it went wrong.
    """

    def __init__(
        self, phase: str, seen: str, look_at: str, position: ExamState | None = None
    ) -> None:
        super().__init__(seen)
        self.phase, self.seen, self.look_at, self.position = phase, seen, look_at, position


@dataclass(frozen=True, slots=True, repr=False)
class Report(Result):
    """The questions and the finding; text when printed, a box as the last line of a cell."""

    finding: FoundError | None = None
    """None if no fault was found."""

    def stepper(self, num_simulations: int = 30) -> "PhaseStepper":
        """A correct search of the position that it went wrong in, to compare with yours."""
        from mctslab.widgets import PhaseStepper

        assert self.finding is not None
        assert self.finding.position is not None
        trace, rng, state = Trace(), np.random.default_rng(1), self.finding.position
        mcts(state, num_simulations=num_simulations, rng=rng, trace=trace)
        return PhaseStepper(trace)


def report_of(name: str, questions: Sequence[str], found: FoundError | None = None) -> Report:
    """The report on the search `name`, from the questions that were asked and the last answer."""
    tried = f"Tried: {'; '.join(questions)}."
    if found is None:
        return Report(name, Outcome.RIGHT, "No fault was found.", notes=[tried])
    suspects = found.phase.split(" or ")
    picture = " → ".join(f"[{each}]" if each in suspects else each for each in PHASES)
    then = "Repair this and examine it again, because other faults can hide behind it."
    if found.position is not None:
        then += " `report.stepper()` films a correct search of this game."
    return Report(
        *(name, Outcome.WRONG, found.seen),
        facts=[("where", picture)] if found.phase else [],
        advice=found.look_at,
        notes=[then, tried],
        finding=found,
    )
