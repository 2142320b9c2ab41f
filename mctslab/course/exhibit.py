"""The bug museum: a function with a fault that was found in other people's programs.

The student gets the faulty function and mends it, or says in which line the fault is. A mended
function is judged by what it does, so it may be mended in any way.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mctslab.course.exercise import Exercise
from mctslab.course.judging import judge
from mctslab.course.question import Case, Edit, Function, Mistake
from mctslab.course.result import Outcome, Result
from mctslab.course.text import Text


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Exhibit(Exercise):
    """A faulty function to mend."""

    faulty: str
    """The text of the line with the fault."""

    def show(self) -> Text:
        """The faulty function, with numbers before its lines."""
        lines = [f"{n:>3}  {line}" for n, line in enumerate(self.stub.splitlines(), start=1)]
        listing = "\n".join(lines)
        return Text(
            f"**{self.title}.** Mend the function, or name the line with the fault: "
            f"`exercises.{self.name}.check(7)`, say.\n\n```python\n{listing}\n```"
        )

    @property
    def faulty_line(self) -> int:
        """The number of the line with the fault, as `show` counts them."""
        return [line.strip() for line in self.stub.splitlines()].index(self.faulty) + 1

    def _calls(self) -> list[tuple[str, str]]:
        return [("show()", "shows the faulty function"), *Exercise._calls(self)]

    def _judge(self, answer: object) -> Result:
        if isinstance(answer, bool) or not isinstance(answer, int):
            return judge(self, answer)
        if answer == self.faulty_line:
            message = f"Line {answer} it is: `{self.faulty}`. Can you mend it, too?"
            return Result(self.name, Outcome.RIGHT, message)
        message = f"Line {answer} does what it should. Follow the hints through the function."
        count = len(self.stub.splitlines())
        if not 1 <= answer <= count:
            message = f"There is no line {answer}: they run from 1 to {count}."
        return Result(self.name, Outcome.WRONG, message)


def exhibit(
    *,
    title: str,
    start: Sequence[Edit],
    faulty: str,
    cases: Callable[[], Sequence[Case]],
    mistakes: Sequence[Mistake],
    hints: Sequence[str],
    when_right: str = "",
) -> Callable[[Function], Exhibit]:
    """Turn the mended function into the exercise to mend `start`."""
    return lambda function: Exhibit(
        model_answer=function,
        title=title,
        start=start,
        faulty=faulty,
        cases=cases,
        mistakes=mistakes,
        hints=hints,
        when_right=when_right,
    )
