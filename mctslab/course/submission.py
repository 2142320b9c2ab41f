"""Run and check one submission, in a process of its own.

The steps come in as a file of JSON, and what happens goes out line by line, each before the next
thing is done: should the process be ended half-way, by the submission or from outside, the last
line tells what it was doing.
"""

import ast
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from mctslab.course.exercises import all_exercises
from mctslab.course.judging import error_in_a_line, judge
from mctslab.course.result import Outcome


@dataclass(frozen=True, slots=True)
class Step:
    """A cell to run, and the exercise to check after it, if any."""

    cell: int
    """Its number in the notebook, from 0."""
    source: str
    exercise: str | None = None


def as_json(steps: Sequence[Step]) -> str:
    """The steps as the text of a file."""
    return json.dumps([asdict(step) for step in steps])


def run(steps: Sequence[Step], report: TextIO) -> None:
    """Take the steps, and write down each before it is taken and what came of it."""

    def write(**entry: object) -> None:
        report.write(json.dumps(entry) + "\n")
        report.flush()

    exercises = all_exercises()  # before any cell runs, so that none can put others in their place
    shell = InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))
    for step in steps:
        write(begins="cell", cell=step.cell)
        ran = shell.run_cell(step.source)  # type: ignore[no-untyped-call]
        error = ran.error_before_exec or ran.error_in_exec
        write(ran=step.cell, error=error_in_a_line(error) if error else "")
        if step.exercise is not None:
            write(begins="check", cell=step.cell)
            answer = find_function(step, shell.user_ns)
            if answer is None:
                outcome, message = Outcome.WRONG, "the cell defines no function"
                if error is not None:
                    message = f"the cell does not run: {error_in_a_line(error)}"
            else:
                result = judge(exercises[step.exercise], answer)
                outcome, message = result.outcome, result.mistake or result.message
            write(checked=step.cell, outcome=outcome, message=message)
    write(finished=True)


def find_function(step: Step, names: dict[str, Any]) -> object | None:
    """The function that answers the exercise: by its name, or the only one in the cell."""
    defined = functions_in(step.source)
    if step.exercise in defined:
        return names.get(step.exercise)
    return names.get(defined[0]) if len(defined) == 1 else None


def functions_in(source: str) -> list[str]:
    """The names of the functions that a cell defines; none if it is no Python."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError):
        return []
    return [each.name for each in body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]


if __name__ == "__main__":
    steps_file, report_file = map(Path, sys.argv[1:])
    with report_file.open("w", encoding="utf-8") as stream:
        run([Step(**entry) for entry in json.loads(steps_file.read_text("utf-8"))], stream)
    os._exit(0)  # whatever the submission left running, or wants to do at the end
