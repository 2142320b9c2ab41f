"""Grade a folder of notebooks that were handed in, and write the points as a table.

Every submission runs in a process of its own, with limits of time and memory that are watched from
here. A cell or a check that ends the process or reaches a limit gets a remark, and the rest of the
notebook is then run again without it.

A submission is another person's program, and it runs with the rights of whoever grades. Grade where
you would run any program of your students.
"""

import ast
import contextlib
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

import psutil

from mctslab.course import progress
from mctslab.course.build import HAND_IN, imports
from mctslab.course.exercises import all_exercises
from mctslab.course.notebooks import Notebook, exercise_cells, read
from mctslab.course.outline import PROJECT_FOLDER, exercise_of, paths
from mctslab.course.result import Outcome
from mctslab.course.submission import Event, Step, functions_in
from mctslab.typed import from_json_lines, write_whole

MISSING: Final = "missing"
"""Stands in the table where there is no cell for an exercise."""

_RANK: Final = (MISSING, Outcome.NOT_ATTEMPTED, Outcome.WRONG, Outcome.RIGHT)

_RUNS: Final = 8
"""How often a submission is run when it ends its process each time."""

_BETWEEN_LOOKS: Final = 0.05
_SECONDS_TO_BEGIN: Final = 120.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run of a submission may use."""

    seconds: float = 60.0
    megabytes: float = 2_000.0


@dataclass(slots=True)
class Graded:
    """A submission, and how its exercises came out."""

    name: str
    """Its path below the folder."""
    outcomes: dict[str, str] = field(default_factory=dict)
    """By exercise: an outcome, or MISSING."""
    remarks: list[str] = field(default_factory=list)

    def note(self, step: Step, outcome: Outcome, message: str = "") -> None:
        """Keep the outcome of a step's exercise, unless another cell had a better one."""
        if step.exercise is None:
            return
        if _RANK.index(outcome) > _RANK.index(self.outcomes[step.exercise]):
            self.outcomes[step.exercise] = outcome
        if outcome is Outcome.WRONG and message:
            self.remarks.append(f"{step.exercise}: {message}")

    @property
    def points(self) -> int:
        """One for each exercise that is right."""
        return sum(outcome == Outcome.RIGHT for outcome in self.outcomes.values())


def grade(folder: Path, table: Path, limits: Limits = Limits()) -> Iterator[Graded]:
    """Grade every notebook below `folder`; after each, write the points so far into `table`."""
    found = {path: _read(path) for path in submissions(folder)}
    expected = _expected([notebook for notebook in found.values() if not isinstance(notebook, str)])
    graded = []
    for path, notebook in found.items():
        name = path.relative_to(folder).as_posix()
        if isinstance(notebook, str):
            entry = Graded(name, dict.fromkeys(expected, MISSING), [notebook])
        else:
            entry = grade_one(notebook, name, expected, limits)
        graded.append(entry)
        write_whole(table, as_csv(graded, expected))
        yield entry


def submissions(folder: Path) -> list[Path]:
    """The notebooks below a folder, without the copies that JupyterLab keeps."""
    found = folder.rglob("*.ipynb")
    return sorted(path for path in found if ".ipynb_checkpoints" not in path.parts)


def _read(path: Path) -> Notebook | str:
    """The notebook, or what is wrong with the file."""
    try:
        return read(path)
    except (OSError, ValueError) as error:
        return str(error)


def _expected(notebooks: Sequence[Notebook]) -> list[str]:
    """All exercises of those notebooks of the course that any of these belongs to."""
    exercises = all_exercises()
    numbers = {str(notebook.metadata.get(HAND_IN, ""))[:2] for notebook in notebooks}
    for notebook in notebooks:
        names = [name for name, _, _ in exercise_cells(notebook) if name in exercises]
        numbers |= {exercises[name].notebook for name in names}
    return [name for name, exercise in exercises.items() if exercise.notebook in numbers]


def grade_one(
    notebook: Notebook, name: str, expected: Sequence[str], limits: Limits = Limits()
) -> Graded:
    """Run one submission until everything in it that can be checked has been."""
    graded = Graded(name, dict.fromkeys(expected, MISSING))
    steps = steps_of(notebook, expected)
    if not any(step.exercise for step in steps):
        graded.remarks.append("no exercise is in it")
    for _ in range(_RUNS):
        if any(step.exercise for step in steps):
            report, ended = _run(steps, limits)
            steps = _take_in(report, ended, steps, graded)
    for step in steps:
        graded.note(step, Outcome.WRONG)
    return graded


# What is run


def steps_of(notebook: Notebook, expected: Sequence[str]) -> list[Step]:
    """The cells to run, with the exercises that are in them.

    Of the course's own cells, as far as they are no exercises, only the imports are run.
    """
    own = _own_cells()
    steps = []
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        exercise = exercise_of(cell)
        if exercise in expected:
            steps.append(Step(number, cell.source, exercise))
        elif cell.get("id") in own:
            steps.append(Step(number, _only_imports(cell.source)))
        else:
            steps.append(Step(number, cell.source))
    tagged = {step.exercise for step in steps}
    return [
        _with_lost_tag(step, [name for name in expected if name not in tagged]) for step in steps
    ]


def _own_cells() -> set[str]:
    """The cells of the course's own notebooks that are no exercises, by their ids."""
    return {
        cell.id
        for path in paths(PROJECT_FOLDER)
        for cell in read(path).cells
        if cell.cell_type == "code" and exercise_of(cell) is None
    }


def _only_imports(source: str) -> str:
    try:
        return "\n".join(map(ast.unparse, imports(source)))
    except SyntaxError:
        return ""


def _with_lost_tag(step: Step, missing: Sequence[str]) -> Step:
    """A cell whose tag got lost is recognised by the function that it defines."""
    names = [name for name in functions_in(step.source) if name in missing]
    return step if step.exercise or not names else replace(step, exercise=names[0])


# Running it


def _run(steps: Sequence[Step], limits: Limits) -> tuple[list[Event], str]:
    """What a process of its own reports about the steps, and in words how it ended."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        steps_file, report_file = folder / "steps.json", folder / "report.jsonl"
        steps_file.write_text(json.dumps([asdict(step) for step in steps]), "utf-8")
        process = subprocess.Popen(
            [sys.executable, "-m", "mctslab.course.submission", steps_file, report_file],
            cwd=folder,
            env=_environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        ended = _watch(process, report_file, limits)
        return _parse(report_file), ended


def _environment(folder: Path) -> dict[str, str]:
    """As this one, but with the same package, small budgets, and files of its own."""
    old = os.environ.get("PYTHONPATH", "")
    return os.environ | {
        "PYTHONPATH": os.pathsep.join(filter(None, (str(PROJECT_FOLDER.parent), old))),
        "IPYTHONDIR": str(folder),
        "MPLBACKEND": "agg",
        "MCTSLAB_QUICK": "1",
        progress.HOME_VARIABLE: str(folder),
    }


def _watch(process: subprocess.Popen[bytes], report: Path, limits: Limits) -> str:
    """Wait for the process to end, or end it at a limit; says in words how it ended.

    The time counts from the first line of the report, so the imports do not count.
    """
    deadline, has_begun = time.monotonic() + _SECONDS_TO_BEGIN, False
    try:
        while process.poll() is None:
            if not has_begun and report.is_file() and report.stat().st_size > 0:
                deadline, has_begun = time.monotonic() + limits.seconds, True
            if time.monotonic() > deadline:
                return f"took more than {limits.seconds:.0f} seconds"
            if _megabytes(process.pid) > limits.megabytes:
                return f"used more than {limits.megabytes:,.0f} MB of memory"
            time.sleep(_BETWEEN_LOOKS)
        return "ended the process"
    finally:
        _end(process)


def _family(pid: int) -> list[psutil.Process]:
    """A process and all that it has started."""
    try:
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def _megabytes(pid: int) -> float:
    used = 0
    for process in _family(pid):
        with contextlib.suppress(psutil.NoSuchProcess):
            used += process.memory_info().rss
    return used / 1e6


def _end(process: subprocess.Popen[bytes]) -> None:
    for each in _family(process.pid):
        with contextlib.suppress(psutil.NoSuchProcess):
            each.kill()
    process.wait()


def _parse(report: Path) -> list[Event]:
    """The lines that were written, up to the first that is damaged."""
    events = []
    with contextlib.suppress(OSError, ValueError):
        for event in from_json_lines(report.read_text("utf-8"), Event, report.name):
            events.append(event)
    return events


def _take_in(
    report: Sequence[Event], ended: str, steps: Sequence[Step], graded: Graded
) -> list[Step]:
    """Note what was reported; the steps that are left to run again.

    A submission can write into its report as well, so cells that are not its own are left out.
    """
    by_cell = {step.cell: step for step in steps}
    begun: Event | None = None
    for event in report:
        if event.kind == "all ends":
            return []
        if event.cell not in by_cell:
            continue
        if event.outcome is not None:
            step = by_cell[event.cell]
            graded.note(step, event.outcome, event.message)
            by_cell[step.cell] = replace(step, exercise=None)
        else:
            begun = event
    if begun is None:
        graded.remarks.append(f"it could not be run: its process {ended}")
        return []
    step = by_cell[begun.cell]
    if begun.kind == "cell begins":
        del by_cell[step.cell]
        if step.exercise is None:
            graded.remarks.append(f"cell {step.cell + 1} {ended}")
    else:
        by_cell[step.cell] = replace(step, exercise=None)
    graded.note(step, Outcome.WRONG, f"it {ended}")
    return list(by_cell.values())


# The table


def as_csv(graded: Sequence[Graded], expected: Sequence[str]) -> str:
    """A line for each submission: its name, its points, each outcome, and the remarks."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["submission", "points", "of", *expected, "remarks"])
    for entry in graded:
        outcomes = [entry.outcomes[name] for name in expected]
        remarks = _harmless("; ".join(entry.remarks))
        writer.writerow([_harmless(entry.name), entry.points, len(expected), *outcomes, remarks])
    return text.getvalue()


def _harmless(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    text = " ".join(text.split())
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
