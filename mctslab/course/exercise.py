"""An exercise: a function to write, which checks itself, gives hints, and shows a solution."""

import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from mctslab.course.checking.cases import Case, Function
from mctslab.course.checking.judging import MISSING, Question, is_of_the_course, is_stub, judge
from mctslab.course.keeping import parts, progress
from mctslab.course.prose import edits_in, prose_of, source_of
from mctslab.course.result import Outcome, Result
from mctslab.games.bitboards import plain_int

MOST_LINES: Final = 14
"""Of a right answer that a student puts in order as the last hint."""


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


@dataclass(kw_only=True, repr=False, eq=False)
class Exercise(Question):
    """A function for the student to write or, in the bug museum, to correct."""

    title: str
    words: str
    """All its prose below the title, in Markdown."""
    hints: Sequence[str]
    """From a nudge to nearly the answer."""
    when_right: str
    """A sentence with the next step, or nothing."""
    faulty: str = ""
    """In the bug museum, the text of the line with the fault."""
    points: int = 1
    """What nbgrader gives for it."""

    def __call__(self, *given: Any, **named: Any) -> Any:
        """What the right answer returns, so that others can call it, and it can call itself."""
        return self.model_answer(*given, **named)

    def check(self, answer: object = MISSING) -> Result:
        """Check a function, given without brackets: `ucb1.check(my_ucb1)`.

        It is run on several inputs, each under a time limit and with arguments of its own. The
        outcome is "not attempted", "wrong" or "right", and is stored with the student's progress.
        Of a wrong answer the first check says what it does, and the next one why; so does `hint`.
        The source of a correct function is stored as well, and `course.mine` returns it in later
        notebooks. In the bug museum, the answer can also be the number of a line: is the fault
        there? Such a guess changes nothing that is stored.
        """
        if is_of_the_course(answer):
            message = "This function is the course's own. Write one yourself, and check that."
            return Result(self.name, Outcome.NOT_ATTEMPTED, message)
        if self.faulty and isinstance(answer, int):
            return self._judge_line(answer)
        result = self._judge(answer)
        is_first = progress.of(self.name).last_was_right
        notes = [*result.notes, *progress.record(self.name, result.outcome, result.explanation)]
        advice = ""
        if result.outcome is Outcome.WRONG:
            if is_first:
                result = replace(result, explanation="")
            asked = "" if result.explanation else result.advice
            advice = f"{asked} If you are stuck: `exercises.{self.name}.hint()`.".lstrip()
        elif result.outcome is Outcome.RIGHT:
            advice, notes = self.when_right, [*notes, *parts.keep(self, answer)]
        return replace(result, notes=tuple(notes), advice=advice)

    def _judge(self, answer: object) -> Result:
        return judge(self, answer)

    def _judge_line(self, number: int) -> Result:
        """Whether the fault of an exhibit is in a line; the numbers are those of `show`."""
        lines = [line.strip() for line in self.stub.splitlines()]
        if not 1 <= number <= len(lines):
            message = f"There is no line {number}; the lines run from 1 to {len(lines)}."
            return Result(self.name, Outcome.WRONG, message)
        line = lines[number - 1]
        if line == self.faulty:
            message = f"Yes, the fault is in line {number}: `{line}`. Now correct it."
            return Result(self.name, Outcome.FOUND, message)
        message = "The fault is in another line. The hints lead you through the function."
        return Result(self.name, Outcome.WRONG, message)

    def hint(self, level: int = 1) -> Text:
        """A hint, from 1, a nudge, to the last one, which nearly gives the answer away.

        Before the first one stands why the answer was wrong that was checked last, if that is
        known.
        """
        hints = self.all_hints
        count = len(hints)
        if level not in range(1, count + 1):
            return Text(
                f"There are {count} hints: `exercises.{self.name}.hint(1)` to `hint({count})`."
            )
        if level < count:
            more = f"`exercises.{self.name}.hint({level + 1})` says more."
        else:
            more = f"This is the last one; `exercises.{self.name}.solution()` shows an answer."
        reason = progress.of(self.name).reason if level == 1 else ""
        why = f"**What is wrong with your last answer.** {reason}\n\n" if reason else ""
        return Text(f"{why}**Hint {level} of {count}.** {hints[level - 1]}\n\n{more}")

    @property
    def all_hints(self) -> list[str]:
        """The hints, and as the last one the lines of a right answer in another order."""
        _, body = source_of(self.model_answer)
        lines = [line for line in body.splitlines() if line.strip()]
        if self.faulty or not 3 <= len(lines) <= MOST_LINES:
            return [*self.hints]
        # Sorted by their ends, which is never the order in which they belong.
        listing = "\n".join(sorted(lines, key=lambda line: line[::-1]))
        words = "These are the lines of a right answer, shuffled. Put them in order."
        return [*self.hints, f"{words}\n\n```python\n{listing}\n```"]

    def solution(self) -> Text:
        """One right answer, to compare yours with."""
        return Text(f"```python\n{self.solution_source}\n```")

    def show(self) -> Text:
        """In the bug museum, the faulty function with numbers before its lines."""
        lines = [f"{n:>3}  {line}" for n, line in enumerate(self.stub.splitlines(), start=1)]
        listing = "\n".join(lines)
        return Text(
            f"**{self.title}.** Correct the function. To ask first whether the fault is in line 2, "
            f"call `exercises.{self.name}.check(2)`.\n\n```python\n{listing}\n```"
        )

    @property
    def notebook(self) -> str:
        """The number of the notebook that it belongs to: `03`."""
        return re.sub(r".*\.(\d\d)_\w+", r"\1", self.model_answer.__module__)

    def __repr__(self) -> str:
        about = f"exercises.{self.name}"
        place = f" (notebook {self.notebook})" if self.notebook.isdecimal() else ""  # of a cell
        shows = f"  {about}.show()  shows the faulty function\n" if self.faulty else ""
        return (
            f"Exercise {self.name}: {self.title}{place}\n{shows}"
            f"  {about}.check({self.name})  checks your function\n"
            f"  {about}.hint()  gives a hint; there are {len(self.all_hints)}\n"
            f"  {about}.solution()  shows a right answer"
        )


def exercise(
    *,
    cases: Callable[[], Sequence[Case]] = list,
    variation: Callable[[np.random.Generator], Case] | None = None,
    seconds: float = 2.0,
    start: str = "",
    faulty: str = "",
    points: int = 1,
    prose: str = "",
) -> Callable[[Function], Exercise]:
    """Turn a right answer into the exercise to write it; the docstring is the task.

    Title, hints and mistakes are in `prose` or in the Markdown file beside the answer's; see the
    module `prose`. In the bug museum the student begins with the function after the edits `start`,
    and `faulty` is its line with the fault.

    Raises:
        ValueError: something is missing; the sentence says what.
    """
    content: dict[str, Any] = {"cases": cases, "variation": variation, "seconds": seconds}
    content |= {"start": edits_in(textwrap.dedent(start)), "faulty": faulty, "points": points}

    def made(function: Function) -> Exercise:
        name = function.__name__
        if not function.__doc__:
            raise ValueError(f"{name} has no task, which is its docstring.")
        if is_stub(function):
            raise ValueError(f"{name} has no right answer below its docstring.")
        if cases is list and variation is None:
            raise ValueError(f"{name} has no inputs; give `cases`, `variation` or both.")
        if not callable(cases):
            raise ValueError(f"{name}: cases must be a function, as in `cases=lambda: [case(0)]`.")
        if plain_int(points) is None or points < 0:
            raise ValueError(f"{name}: points must be a whole number, 0 or more, got {points!r}.")
        return Exercise(function, **content, **prose_of(function, prose))

    return made
