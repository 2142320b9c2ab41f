"""The examiner: it takes a whole search and finds the tiny game in which it goes wrong.

The search plays games of a few moves, each designed so that one classic fault shows. The games
record every call, so the examiner knows which positions the search reaches, and it reads what the
search returns. The report names the game, the phase that contains the fault, and what to look at.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from mctslab.course.examiner.candidate import Candidate, FoundError
from mctslab.course.examiner.questions import QUESTIONS
from mctslab.course.result import Outcome, Result
from mctslab.search.mcts import mcts
from mctslab.search.trace import Trace

if TYPE_CHECKING:
    from mctslab.widgets import PhaseStepper

__all__ = ["Report", "examine"]

_PHASES: Final = ("select", "expand", "simulate", "backpropagate", "choose the move")
"""The four phases, which are repeated, and what follows them."""


def examine(search: Callable[..., Any], *, seconds: float = 10.0) -> "Report":
    """Examine a search: play tiny games with it, until it goes wrong in one of them.

        course.examine(my_search)  # my_search(position, num_simulations, rng)

    It returns an action, the visits of the moves by action, the root of its tree, or a pair of an
    action and one of these.

    Positions have the interface of `mctslab.games.State`. If your search needs another one, wrap
    them: `course.examine(lambda position, n, rng: my_search(MyBoard(position), n, rng))`. Whatever
    the search learns about the game must come from the position's methods.

    Args:
        search: the search.
        seconds: the time limit for one search.
    """
    name, tried = getattr(search, "__name__", repr(search)), []
    for question, ask in QUESTIONS.items():
        tried.append(question)
        try:
            ask(Candidate(search, seconds))
        except FoundError as found:
            return _report(name, f"Tried: {'; '.join(tried)}.", found)
    notes = [f"Tried: {'; '.join(tried)}."]
    return Report(name, Outcome.RIGHT, "No fault was found.", notes=notes)


def _report(name: str, tried: str, found: FoundError) -> "Report":
    suspects = found.phase.split(" or ")
    picture = " → ".join(f"[{each}]" if each in suspects else each for each in _PHASES)
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
