"""An exercise: a function to write, which checks itself, gives hints, and shows a solution."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from mctslab.course import progress
from mctslab.course.judging import MISSING, judge
from mctslab.course.question import Case, Function, Mistake, Question
from mctslab.course.result import Outcome, Result
from mctslab.course.text import Text


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Exercise(Question):
    """A function for the student to write."""

    title: str
    hints: Sequence[str]
    """From a nudge to nearly the answer."""
    when_right: str = ""
    """A sentence to go on with."""

    def check(self, answer: object = MISSING) -> Result:
        """Check a function, given without brackets: `ucb1.check(my_ucb1)`.

        It is run on several inputs, each under a time limit and with arguments of its own. The
        outcome is "not attempted", "wrong" or "right", and is kept with the student's progress.
        """
        result = self._judge(answer)
        notes = progress.record(self.name, result.outcome)
        return replace(result, notes=tuple(notes), advice=self._advice(result.outcome))

    def _judge(self, answer: object) -> Result:
        return judge(self, answer)

    def hint(self, level: int = 1) -> Text:
        """A hint, from 1, a nudge, to the last one, which nearly gives the answer away."""
        count = len(self.hints)
        if level not in range(1, count + 1):
            return Text(
                f"There are {count} hints: `exercises.{self.name}.hint(1)` to `hint({count})`."
            )
        if level < count:
            more = f"`exercises.{self.name}.hint({level + 1})` says more."
        else:
            more = f"This is the last one; `exercises.{self.name}.solution()` shows an answer."
        return Text(f"**Hint {level} of {count}.** {self.hints[level - 1]}\n\n{more}")

    def solution(self) -> Text:
        """One right answer, to compare yours with."""
        return Text(f"```python\n{self.solution_source}\n```")

    @property
    def notebook(self) -> str:
        """The number of the notebook that it belongs to: `03`."""
        match = re.search(r"\.nb(\d\d)_\w+$", self.model_answer.__module__)
        assert match is not None
        return match[1]

    @property
    def task(self) -> str:
        """What to do: the docstring that the student is given."""
        return (self.model_answer.__doc__ or "").strip()

    def __repr__(self) -> str:
        return "\n  ".join(
            (
                f"Exercise {self.name}: {self.title} (notebook {self.notebook})",
                *(f"exercises.{self.name}.{call}  {does}" for call, does in self._calls()),
            )
        )

    def _calls(self) -> list[tuple[str, str]]:
        """What can be asked of an exercise, each with what it does."""
        return [
            (f"check({self.name})", "checks your function"),
            ("hint()", f"gives a hint; there are {len(self.hints)}"),
            ("solution()", "shows a right answer"),
        ]

    def _advice(self, outcome: Outcome) -> str:
        if outcome is Outcome.RIGHT:
            return self.when_right
        if outcome is Outcome.WRONG:
            return f"If you are stuck: `exercises.{self.name}.hint()`."
        return ""


def exercise(
    *,
    title: str,
    cases: Callable[[], Sequence[Case]],
    mistakes: Sequence[Mistake],
    hints: Sequence[str],
    when_right: str = "",
    seconds: float = 2.0,
) -> Callable[[Function], Exercise]:
    """Turn a right answer into the exercise to write it; the docstring is the task."""
    return lambda function: Exercise(
        model_answer=function,
        title=title,
        cases=cases,
        mistakes=mistakes,
        hints=hints,
        when_right=when_right,
        seconds=seconds,
    )
