"""The examiner's findings, as text and as boxes in a notebook."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from mctslab.course.examiner.exam_game import ExamState
from mctslab.course.examiner.faults import FAULTS, PICTURE, SELF_PLAY
from mctslab.course.result import Outcome, Result
from mctslab.draw import game_tree
from mctslab.draw.digraph import Tree
from mctslab.search.mcts import mcts
from mctslab.search.trace import Trace

if TYPE_CHECKING:
    from mctslab.widgets import PhaseStepper


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault that was found."""

    fault: str
    """Its name, one of `FAULTS`."""
    seen: str
    """What the search did, in one sentence."""
    position: ExamState | None = None
    """The position in which it did so."""

    @property
    def place(self) -> str:
        """The phase that contains the fault; empty if none does."""
        return FAULTS[self.fault].place

    def result(self, name: str) -> Result:
        """The finding in the form of a check's answer."""
        steps = PICTURE if self.place in PICTURE else SELF_PLAY
        picture = " → ".join(f"[{step}]" if step == self.place else step for step in steps)
        facts = [("where", picture)] if self.place else []
        explanation = FAULTS[self.fault].explanation
        return Result(
            name, Outcome.WRONG, self.seen, facts, mistake=self.fault, explanation=explanation
        )


@dataclass(frozen=True, slots=True)
class Report:
    """The questions and the findings; text when printed, boxes as the last line of a cell."""

    name: str
    """The function that was examined."""
    tried: Sequence[str]
    """The questions that were asked, each in a few words."""
    findings: Sequence[Finding]
    """The faults that were found, the most certain first."""
    notes: Sequence[str] = ()
    """Conventions of this search, and what could not be examined."""

    @property
    def faults(self) -> tuple[str, ...]:
        """The names of the faults."""
        return tuple(finding.fault for finding in self.findings)

    @property
    def position(self) -> ExamState | None:
        """The position in which the first fault was seen."""
        return next((each.position for each in self.findings if each.position is not None), None)

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

        trace = Trace()
        rng = np.random.default_rng(1)
        mcts(self._shown(), num_simulations=num_simulations, rng=rng, trace=trace)
        return PhaseStepper(trace)

    def _shown(self) -> ExamState:
        if self.position is None:
            raise ValueError(f"{self.name} has not shown a fault in any position.")
        return self.position

    def _results(self) -> list[Result]:
        tried = f"Tried: {'; '.join(self.tried)}."
        if not self.findings:
            message = "No fault was found."
            return [Result(self.name, Outcome.RIGHT, message, notes=[tried, *self.notes])]
        *others, last = (finding.result(self.name) for finding in self.findings)
        advice = "Repair this and examine it again, because other faults can hide behind it."
        notes = [*last.notes, advice, tried, *self.notes]
        return [*others, replace(last, notes=notes)]

    def __str__(self) -> str:
        return "\n".join(map(str, self._results()))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return "".join(result._repr_html_() for result in self._results())
