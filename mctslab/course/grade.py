"""Grade a folder of notebooks that were handed in.

Every notebook is read, run and judged in processes of its own and results in one entry, whatever it
contains. One process (`submission.py`) runs the student's code, confined as far as the system can
do this; another one judges, and requests the results of the functions from the first (`wire.py`).
So the expected results, the comparison and the model answers are in a process without any
submission.

A cell or a check that ends its process or reaches a limit gets a remark, and the rest of the
notebook is then run again without it.
"""

import contextlib
import functools
import os
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Set
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Final

import psutil

from mctslab.child_processes import ChildProcess
from mctslab.course.checking.judging import judge
from mctslab.course.exercises import all_exercises
from mctslab.course.outline import PROJECT_FOLDER, cells_of, exercise_of, homes, paths
from mctslab.course.result import Outcome, Result
from mctslab.course.running import USUAL, Limits, Running, content_of
from mctslab.course.submission import Outline
from mctslab.course.wire import GoneError, WireError
from mctslab.typed import convert

MISSING: Final = "missing"
"""The entry in the table if there is no cell for an exercise."""

_RUNS: Final = 8
"""How often a submission is run if it ends its process each time."""


@dataclass(slots=True)
class Graded:
    """A submission, and the outcomes of its exercises."""

    name: str
    """Its path below the folder."""
    outcomes: dict[str, str] = field(default_factory=dict)
    """By exercise: an outcome, or MISSING."""
    remarks: list[str] = field(default_factory=list)
    results: dict[str, Result] = field(default_factory=dict)
    """The messages of the checks, by exercise."""
    notebooks: set[str] = field(default_factory=set)
    """The names of the notebooks of the course that it belongs to."""

    def note(self, result: Result) -> None:
        """Keep the message of a check."""
        self.outcomes[result.exercise] = result.outcome
        self.results[result.exercise] = result
        if result.outcome is Outcome.WRONG:
            self.remarks.append(f"{result.exercise}: {result.mistake or result.message}")

    @property
    def points(self) -> int:
        """One for each exercise that is right."""
        return sum(outcome == Outcome.RIGHT for outcome in self.outcomes.values())


def grade(
    folder: Path,
    limits: Limits = USUAL,
    jobs: int = 1,
    tell: Callable[[Graded], None] = lambda graded: None,
) -> list[Graded]:
    """Grade every notebook below `folder`, `jobs` at once; `tell` is called with each entry.

    In the end all have an outcome for every exercise of those notebooks of the course that any of
    them belongs to.
    """
    found = list(submissions(folder))
    by_name: dict[str, Graded] = {}
    with contextlib.closing(_at_once(found, limits, jobs)) as entries:
        for entry in entries:
            by_name[entry.name] = entry
            tell(entry)
    graded = [by_name[name] for name, _ in found]
    notebooks = {name for entry in graded for name in entry.notebooks}
    home = homes()
    expected = [name for name in all_exercises() if home[name] in notebooks]
    for entry in graded:
        entry.outcomes = {name: entry.outcomes.get(name, MISSING) for name in expected}
    return graded


def submissions(folder: Path) -> Iterator[tuple[str, Path]]:
    """The notebooks below a folder in order, and anything else with such a name.

    JupyterLab's checkpoint copies are left out, and links are not followed.
    """
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != ".ipynb_checkpoints")
        for name in sorted([*files, *folders]):
            if name.lower().endswith(".ipynb"):
                path = Path(parent, name)
                readable = os.fsencode(path.relative_to(folder)).decode("utf-8", "backslashreplace")
                yield Path(readable).as_posix(), path


# Several at once


def _at_once(
    found: list[tuple[str, Path]], limits: Limits, jobs: int
) -> Generator[Graded, None, None]:
    """Each entry when it is done. If a judging process dies, only one entry is lost."""
    twice = _found_twice([path for _, path in found])
    waiting = iter(found)
    busy: dict[object, tuple[str, ChildProcess]] = {}

    def go_on(worker: ChildProcess) -> None:
        name, path = next(waiting, ("", None))
        if path is None:
            worker.end()
            return
        worker.connection.send((name, path, path in twice))
        busy[worker.connection] = name, worker

    try:
        for _ in range(min(jobs, len(found))):
            go_on(ChildProcess(_grade_each, limits))
        while busy:
            for connection in wait([worker.connection for _, worker in busy.values()]):
                name, worker = busy.pop(connection)
                try:
                    entry = worker.connection.recv()
                except (EOFError, OSError):
                    entry = Graded(
                        name,
                        remarks=["it could not be judged, because it ended the judging process"],
                    )
                    worker.end()
                    worker = ChildProcess(_grade_each, limits)
                go_on(worker)
                yield entry
    finally:
        for _, worker in busy.values():
            _end(worker)


def _end(worker: ChildProcess) -> None:
    """End a judging process and the submission that it runs."""
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if "mctslab.course.submission" in child.cmdline():
                child.kill()
    worker.end()


def _found_twice(paths: list[Path]) -> set[Path]:
    """Files that exist under two names."""
    places = {}
    for path in paths:
        with contextlib.suppress(OSError):
            found = os.lstat(path)
            places[path] = found.st_dev, found.st_ino
    counts = Counter(places.values())
    return {path for path, place in places.items() if counts[place] > 1}


def _grade_each(connection: "Connection[Any, Any]", limits: Limits) -> None:
    """The work of a judging process: one notebook after the other."""
    with contextlib.suppress(EOFError):
        while True:
            name, path, is_twice = connection.recv()
            if is_twice:
                entry = Graded(name, remarks=["the same file exists under another name"])
            else:
                entry = grade_one(path, name, limits)
            connection.send(entry)


# One


def grade_one(path: Path, name: str, limits: Limits = USUAL) -> Graded:
    """Run one submission until everything in it that can be checked has been; never raises."""
    graded = Graded(name)
    try:
        content = content_of(path)
        _Judge(content, limits, graded).judge_all()
    except Exception as error:  # whatever happens stays in this entry
        graded.remarks.append(f"it could not be graded: {error}")
    return graded


class _Judge:
    """Judges the exercises of one submission, and records what happens."""

    def __init__(self, content: bytes, limits: Limits, graded: Graded) -> None:
        self._content, self._limits, self._graded = content, limits, graded
        self._exercises = all_exercises()
        self._homes = homes()
        self._left_out: set[int] = set()
        """Cells that are not run again."""
        self._open: dict[str, None] | None = None
        """The exercises that were not judged yet."""

    def judge_all(self) -> None:
        for _ in range(_RUNS):
            with Running(self._content, self._limits) as running:
                self._run(running)
            if not self._open:
                return
        for name in self._open or ():
            self._wrong(name, "the submission ended its process too many times")

    def _run(self, running: Running) -> None:
        """Run the cells and judge, until everything is judged or the process cannot be used any
        more."""
        try:
            outline = self._outline(running)
        except (GoneError, WireError):
            self._open = {}
            ended = running.ended or "made no sense"
            self._graded.remarks.append(f"it could not be read: its process {ended}")
            return
        if self._open is None:
            self._begin(outline)
        running.begin()
        for cell, exercise in outline.steps:
            if not self._open:
                return
            if cell not in self._left_out and not self._step(running, cell, exercise):
                return
        self._open = {}

    def _outline(self, running: Running) -> Outline:
        reply = running.wire.call("outline", sorted(_own_cells()), self._homes)
        try:
            return Outline(
                *convert(reply, tuple[list[str], list[tuple[int, str | None]], list[str]])
            )
        except (TypeError, ValueError) as error:
            raise WireError("this is no outline") from error

    def _begin(self, outline: Outline) -> None:
        names = [name for _, name in outline.steps if name in self._homes]
        self._graded.notebooks = set(outline.notebooks) & set(self._homes.values())
        self._graded.remarks += outline.remarks
        if not names and not outline.remarks:
            self._graded.remarks.append("it contains no exercise")
        counts = Counter(names)
        for name in (name for name, count in counts.items() if count > 1):
            message = "More than one cell carries its tag, so none of them counts."
            self._graded.outcomes[name] = Outcome.WRONG
            self._graded.results[name] = Result(name, Outcome.WRONG, message)
        self._open = {name: None for name in names if counts[name] == 1}

    def _step(self, running: Running, cell: int, exercise: str | None) -> bool:
        """Run a cell and judge its exercise; whether the process can still be used."""
        try:
            error = str(running.wire.call("run", cell))
        except (GoneError, WireError):
            self._left_out.add(cell)
            ended = running.ended or "made no sense"
            if exercise not in self._open_now():
                self._graded.remarks.append(f"cell {cell + 1} {ended}")
            else:
                self._wrong(exercise, f"it {ended}")
            return False
        if exercise not in self._open_now():
            return True
        assert exercise is not None
        try:
            result = self._judged(running, cell, exercise, error)
        except (GoneError, WireError) as gone:
            self._wrong(exercise, f"it {running.ended or gone}")
            return False
        if running.ended:
            self._wrong(exercise, f"it {running.ended}")
            return False
        self._note(result)
        return not running.wire.waits

    def _open_now(self) -> dict[str, None]:
        return self._open or {}

    def _judged(self, running: Running, cell: int, exercise: str, error: str) -> Result:
        try:
            answer = running.function_in(cell)
        except LookupError as none:
            message = f"the cell does not run: {error}" if error else str(none)
            return Result(exercise, Outcome.WRONG, message)
        return judge(self._exercises[exercise], answer)

    def _wrong(self, exercise: str | None, message: str) -> None:
        self._note(Result(str(exercise), Outcome.WRONG, message))

    def _note(self, result: Result) -> None:
        self._graded.note(result)
        self._open_now().pop(result.exercise, None)


@functools.cache
def _own_cells() -> Set[str]:
    """The cells of the course's own notebooks that are not exercises, by their ids."""
    return {
        str(cell.get("id"))
        for path in paths(PROJECT_FOLDER)
        for cell in cells_of(path)
        if cell.get("cell_type") == "code" and exercise_of(cell) is None
    }
