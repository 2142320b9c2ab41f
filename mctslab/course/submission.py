"""Run and check one submission, in a process of its own.

The steps come in as a file of JSON. What happens is written line by line, before the next thing is
done: if the process is ended half-way, by the submission or from outside, the last line shows what
it was doing.
"""

import ast
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TextIO

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from mctslab.course.exercises import all_exercises
from mctslab.course.judging import error_in_a_line, judge
from mctslab.course.result import Outcome
from mctslab.typed import Number, from_json


@dataclass(frozen=True, slots=True)
class Step:
    """A cell to run, and the exercise to check after it, if any."""

    cell: Number
    """Its number in the notebook, from 0."""
    source: str
    exercise: str | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """A line of the report."""

    kind: Literal["cell begins", "check begins", "check ends", "all ends"]
    cell: Number = 0
    outcome: Outcome | None = None
    """How a check ended."""
    message: str = ""


def run(steps: Sequence[Step], report: TextIO) -> None:
    """Run the cells and the checks, and report when each begins and how each check ended."""

    def write(event: Event) -> None:
        report.write(json.dumps(asdict(event)) + "\n")
        report.flush()

    exercises = all_exercises()  # before any cell runs, so that none can put others in their place
    shell = InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))
    for step in steps:
        write(Event("cell begins", step.cell))
        ran = shell.run_cell(step.source)  # type: ignore[no-untyped-call]
        error = ran.error_before_exec or ran.error_in_exec
        if step.exercise is not None:
            write(Event("check begins", step.cell))
            answer = find_function(step, shell.user_ns)
            if answer is None:
                outcome, message = Outcome.WRONG, "the cell defines no function"
                if error is not None:
                    message = f"the cell does not run: {error_in_a_line(error)}"
            else:
                result = judge(exercises[step.exercise], answer)
                outcome, message = result.outcome, result.mistake or result.message
            write(Event("check ends", step.cell, outcome, message))
    write(Event("all ends"))


def find_function(step: Step, names: dict[str, Any]) -> object | None:
    """The function that answers the exercise: by its name, or the only one in the cell."""
    defined = functions_in(step.source)
    if step.exercise in defined:
        return names.get(step.exercise)
    return names.get(defined[0]) if len(defined) == 1 else None


def functions_in(source: str) -> list[str]:
    """The names of the functions that a cell defines; none if it is not Python."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError):
        return []
    return [each.name for each in body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]


if __name__ == "__main__":
    steps_file, report_file = map(Path, sys.argv[1:])
    with report_file.open("w", encoding="utf-8") as stream:
        run(from_json(steps_file.read_text("utf-8"), list[Step], "steps"), stream)
    os._exit(0)  # whatever the submission left running, or wants to do at the end
