"""An exercise: a function to write, which checks itself, gives hints, and shows a solution."""

import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mctslab.course.checking.diagnosis import corrected_lines
from mctslab.course.checking.judging import MISSING, error_in_a_line, judge
from mctslab.course.keeping import kept, progress
from mctslab.course.keeping.kept import Passed
from mctslab.course.keeping.own_source import NotSelfContainedError, own_source
from mctslab.course.prose import prose_of
from mctslab.course.question import Case, Function, Question, edits_in
from mctslab.course.result import Outcome, Result


@dataclass(frozen=True, slots=True, repr=False)
class Text:
    """Markdown: JupyterLab renders it, `print` shows it as it is."""

    markdown: str

    def __str__(self) -> str:
        return self.markdown

    def __repr__(self) -> str:
        return self.markdown

    def _repr_markdown_(self) -> str:
        return self.markdown


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Exercise(Question):
    """A function for the student to write."""

    title: str
    hints: Sequence[str]
    """From a nudge to nearly the answer."""
    when_right: str = ""
    """A sentence with the next step."""

    def __call__(self, *given: Any, **named: Any) -> Any:
        """What the right answer returns, so that others can call it, and it can call itself."""
        return self.model_answer(*given, **named)

    def check(self, answer: object = MISSING) -> Result:
        """Check a function, given without brackets: `ucb1.check(my_ucb1)`.

        It is run on several inputs, each under a time limit and with arguments of its own. The
        outcome is "not attempted", "wrong" or "right", and is stored with the student's progress.
        The source of a right function is stored as well, and `course.mine` returns it in later
        notebooks. If it cannot be stored, `course.mine` returns it until the kernel stops.
        """
        result = self._judge(answer)
        notes = progress.record(self.name, result.outcome)
        if result.outcome is Outcome.RIGHT and callable(answer):
            notes = [*notes, *self._keep(answer)]
        return replace(result, notes=tuple(notes), advice=self._advice(result.outcome))

    def _judge(self, answer: object) -> Result:
        return judge(self, answer)

    def _keep(self, answer: Function) -> list[str]:
        """Keep a right function; returns remarks on what `course.mine` will return."""
        if (getattr(answer, "__module__", None) or "").startswith("mctslab."):
            return []  # the package's own
        try:
            source = own_source(answer)
            if self._judge(kept.load(self.name, source)).outcome is not Outcome.RIGHT:
                raise NotSelfContainedError("it gives other results without its notebook")
            kept.write(self.name, source)
        except Exception as error:  # the student's own code is run
            reason = _why_not_kept(error)
            kept.remember(self.name, Passed(answer, reason))
            return [
                f'Until this kernel stops, `course.mine("{self.name}")` returns your function. '
                f"It is not kept for later, because {reason}."
            ]
        return []

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
        return re.sub(r".*\.(\d\d)_\w+", r"\1", self.model_answer.__module__)

    @property
    def task(self) -> str:
        """The task: the docstring that the student is given."""
        return (self.model_answer.__doc__ or "").strip()

    def __repr__(self) -> str:
        about = f"exercises.{self.name}"
        return (
            f"Exercise {self.name}: {self.title} (notebook {self.notebook})\n"
            f"  {about}.check({self.name})  checks your function\n"
            f"  {about}.hint()  gives a hint; there are {len(self.hints)}\n"
            f"  {about}.solution()  shows a right answer"
        )

    def _advice(self, outcome: Outcome) -> str:
        if outcome is Outcome.RIGHT:
            return self.when_right
        if outcome is Outcome.WRONG:
            return f"If you are stuck: `exercises.{self.name}.hint()`."
        return ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Exhibit(Exercise):
    """A faulty function to correct."""

    faulty: str
    """The text of the line with the fault."""

    def show(self) -> Text:
        """The faulty function, with numbers before its lines."""
        lines = [f"{n:>3}  {line}" for n, line in enumerate(self.stub.splitlines(), start=1)]
        listing = "\n".join(lines)
        return Text(
            f"**{self.title}.** Correct the function. To ask first whether the fault is in line 2, "
            f"call `exercises.{self.name}.check(2)`.\n\n```python\n{listing}\n```"
        )

    @property
    def faulty_line(self) -> int:
        """The number of the line with the fault, as `show` counts them."""
        return [line.strip() for line in self.stub.splitlines()].index(self.faulty) + 1

    def __repr__(self) -> str:
        shows = f"exercises.{self.name}.show()  shows the faulty function"
        return f"{Exercise.__repr__(self)}\n  {shows}"

    def _judge(self, answer: object) -> Result:
        if isinstance(answer, bool) or not isinstance(answer, int):
            return judge(self, answer)
        count = len(self.stub.splitlines())
        if not 1 <= answer <= count:
            message = f"There is no line {answer}; the lines run from 1 to {count}."
            return Result(self.name, Outcome.WRONG, message)
        line = self.stub.splitlines()[answer - 1].strip()
        if answer == self.faulty_line:
            message = f"Yes, the fault is in line {answer}: `{line}`. Now correct it."
            return Result(self.name, Outcome.NOT_ATTEMPTED, message)
        if answer in corrected_lines(self):
            message = f"The function can be corrected in line {answer}: `{line}`. Now do it."
            return Result(self.name, Outcome.NOT_ATTEMPTED, message)
        message = f"Line {answer} can stay as it is. The hints lead you through the function."
        return Result(self.name, Outcome.WRONG, message)


def _why_not_kept(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{error.filename or kept.path_of('')} cannot be written ({error.strerror})"
    return str(error) if isinstance(error, ValueError) else error_in_a_line(error)


def exercise(
    *,
    cases: Callable[[], Sequence[Case]] = list,
    variation: Callable[[np.random.Generator], Case] | None = None,
    seconds: float = 2.0,
) -> Callable[[Function], Exercise]:
    """Turn a right answer into the exercise to write it; the docstring is the task.

    Title, hints and mistakes are in the Markdown file beside the answer's; see `prose`.
    """
    content: dict[str, Any] = {"cases": cases, "variation": variation, "seconds": seconds}
    return lambda function: Exercise(function, **content, **prose_of(function)._asdict())


def exhibit(
    *,
    start: str,
    faulty: str,
    cases: Callable[[], Sequence[Case]] = list,
    variation: Callable[[np.random.Generator], Case] | None = None,
) -> Callable[[Function], Exhibit]:
    """Turn a right function into the exercise to correct it after the edits `start`."""
    content: dict[str, Any] = {"cases": cases, "variation": variation, "faulty": faulty}
    content["start"] = edits_in(textwrap.dedent(start))
    return lambda function: Exhibit(function, **content, **prose_of(function)._asdict())
