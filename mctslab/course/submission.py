"""One submission, in a process of its own: run its cells, and call the functions that it defines.

The process receives its instructions over a pipe, and knows neither the expected results nor how
they are judged. It contains the course without its answers: `mctslab.course.exercises` is an empty
stand-in, and if the system supports it, the files with the answers cannot be read either.
"""

import ast
import builtins
import inspect
import json
import os
import site
import struct
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO, Final, NamedTuple

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import mctslab.course
from mctslab import search
from mctslab.course import confined
from mctslab.course.checking.judging import error_in_a_line, where
from mctslab.course.checking.sandbox import MOST_PRINTED, InputRequestedError
from mctslab.course.outline import HAND_IN, exercise_of, imports
from mctslab.course.question import essence, is_stub
from mctslab.course.wire import Wire

NOTEBOOK: Final = "submission.ipynb"
"""The name of the notebook in the folder of the process."""

CONFINED: Final = "--confined"
"""The argument with which the process confines itself before it does anything else."""

_ANSWERS: Final = "mctslab.course.exercises"


@dataclass(frozen=True, slots=True)
class Step:
    """A cell to run, and the exercise that is in it, if any."""

    cell: int
    """Its number in the notebook, from 0."""
    source: str
    exercise: str | None = None


class Outline(NamedTuple):
    """The outline of a notebook, before any of it is run."""

    notebooks: list[str]
    """The names of the notebooks of the course that it belongs to."""
    steps: list[tuple[int, str | None]]
    """The cells to run, each with its exercise."""
    remarks: list[str]


class Submission:
    """The notebook that was handed in, while its cells are run one after the other."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._steps: dict[int, Step] = {}
        self._shell = InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))
        self._output = _Output()
        self._function: Any = None
        sys.stdout = sys.stderr = self._output

    def outline(self, own: Sequence[str], exercises: Mapping[str, str]) -> Outline:
        """Read the notebook.

        Args:
            own: the ids of the course's own cells that are not exercises.
            exercises: every exercise, with the name of its notebook.
        """
        try:
            notebook = json.loads(self._content)
            cells = [cell for cell in notebook["cells"] if isinstance(cell, dict)]
        except (ValueError, KeyError, TypeError, RecursionError, MemoryError) as error:
            return Outline([], [], [f"it is not a notebook ({type(error).__name__})"])
        metadata = notebook.get("metadata")
        built_from = metadata.get(HAND_IN) if isinstance(metadata, dict) else None
        homes = {str(built_from)} & set(exercises.values())
        tagged = filter(None, map(exercise_of, cells))
        homes |= {exercises[name] for name in tagged if name in exercises}
        names = [name for name, home in exercises.items() if not homes or home in homes]
        steps, remarks = steps_of(cells, names, set(own))
        found = [step.exercise for step in steps if step.exercise]
        remarks += [
            f"{name}: {found.count(name)} cells carry its tag, so none of them counts"
            for name in dict.fromkeys(found)
            if found.count(name) > 1
        ]
        remarks += [
            f"{step.exercise}: its cell uses the package's own {step.exercise}"
            for step in steps
            if step.exercise and _uses_the_package(step.source, step.exercise)
        ]
        self._steps = {step.cell: step for step in steps}
        homes |= {exercises[name] for name in found}
        return Outline(sorted(homes), [(step.cell, step.exercise) for step in steps], remarks)

    def run(self, cell: int) -> str:
        """Run a cell; returns the error that it ends with, in one line."""
        ran = self._shell.run_cell(self._steps[cell].source)  # type: ignore[no-untyped-call]
        error = ran.error_before_exec or ran.error_in_exec
        return "" if error is None else error_in_a_line(error)

    def look(self, cell: int) -> dict[str, Any]:
        """A description of the function that a cell defines; None if there is none."""
        self._function = found = find_function(self._steps[cell], self._shell.user_ns)
        if found is None:
            return {}
        if not callable(found):
            return {"value": found}
        return {
            "name": str(getattr(found, "__name__", "")),
            "parameters": _parameters(found),
            "is_stub": is_stub(found),
            "essence": essence(found),
        }

    def call(self, *arguments: Any) -> tuple[Any, str]:
        """The function's result and its output."""
        self._output.clear()
        try:
            return self._function(*arguments), self.printed()
        except BaseException as error:
            error.where = where(error, self._function)  # type: ignore[attr-defined]
            raise

    def printed(self) -> str:
        """The output of the last call."""
        return self._output.text


def _parameters(function: Any) -> list[tuple[str, int, bool]] | None:
    """The name and the kind of each parameter, and whether it may be left out."""
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # a built-in without a signature
        return None
    return [(each.name, int(each.kind), each.default is not each.empty) for each in found]


class _Output:
    """Keeps the beginning of what is printed."""

    def __init__(self) -> None:
        self.text = ""

    def clear(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        space = MOST_PRINTED - len(self.text)
        if space > 0:
            self.text += text if len(text) <= space else text[:space] + " ..."
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return False


# What is run


def steps_of(
    cells: Sequence[Mapping[str, Any]], expected: Sequence[str], own: set[str]
) -> tuple[list[Step], list[str]]:
    """The cells to run, with their exercises, and remarks about anything unusual.

    Of the course's own cells that are not exercises, only the imports are run.
    """
    steps, remarks = [], []
    for number, cell in enumerate(cells):
        if cell.get("cell_type") != "code":
            continue
        source = _source_of(cell)
        if source is None:
            remarks.append(f"cell {number + 1} has no source")
        exercise = exercise_of(cell)
        if exercise in expected:
            steps.append(Step(number, source or "", exercise))
        elif cell.get("id") in own and source:
            steps.append(Step(number, _only_imports(source)))
        else:
            steps.append(Step(number, source or ""))
    for name in expected:
        if not any(step.exercise == name for step in steps):
            steps = _with_lost_tag(steps, name)
    return steps, remarks


def _source_of(cell: Mapping[str, Any]) -> str | None:
    """The source of a cell, which a file stores as text or as a list of lines."""
    source = cell.get("source")
    lines: list[Any] = source if isinstance(source, list) else [source]
    if not all(isinstance(line, str) for line in lines):
        return None
    return "".join(lines).encode("utf-8", "backslashreplace").decode()


def _only_imports(source: str) -> str:
    try:
        return "\n".join(map(ast.unparse, imports(source)))
    except _UNREADABLE:
        return ""


def _with_lost_tag(steps: Sequence[Step], name: str) -> list[Step]:
    """A cell whose tag got lost is recognised by the function that it defines."""
    found = [step for step in steps if step.exercise is None and name in functions_in(step.source)]
    return [Step(each.cell, each.source, name) if each in found[:1] else each for each in steps]


def find_function(step: Step, names: Mapping[str, Any]) -> object | None:
    """The function that answers the exercise: by its name, or the only one in the cell."""
    defined = functions_in(step.source)
    if step.exercise in defined:
        return names.get(step.exercise)
    return names.get(defined[0]) if len(defined) == 1 else None


def functions_in(source: str) -> list[str]:
    """The names of the functions that a cell defines; none if it is not Python."""
    try:
        body = ast.parse(source).body
    except _UNREADABLE:
        return []
    return [each.name for each in body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]


def _uses_the_package(source: str, name: str) -> bool:
    """Whether a cell imports a function of this name; the package has most of them."""
    try:
        parts = list(ast.walk(ast.parse(source)))
    except _UNREADABLE:
        return False
    imported = [each for part in parts if isinstance(part, ast.ImportFrom) for each in part.names]
    reached = [part for part in parts if isinstance(part, ast.Attribute) and part.attr == name]
    return any(each.name == name for each in imported) or any(
        not (isinstance(each.value, ast.Name) and each.value.id == "exercises") for each in reached
    )


_UNREADABLE: Final = (SyntaxError, ValueError, RecursionError, MemoryError)


# The process


class _NoAnswers(ModuleType):
    """A stand-in for the exercises: every call does nothing here."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Silent()


class _Silent:
    def __getattr__(self, name: str) -> Any:
        return lambda *given, **named: None


def _part(part: Any, **named: Any) -> Any:
    """A stand-in for `course.mine`: the package's phases, which is all that is needed here."""
    phases: dict[str, Any] = {"select": search.select, "expand": _expand}
    phases |= {"rollout": search.rollout, "backpropagate": search.backpropagate}
    return phases[part if isinstance(part, str) else part.__name__]


def _expand(node: search.Node, rng: Any) -> search.Node:
    """The package's expansion in the form of the exercise."""
    return search.expand(node, rng)[0]


def _hide_answers() -> None:
    """Install the empty stand-in for the exercises, and one for `mine`."""
    mctslab.course.mine = _part
    stand_in = _NoAnswers(_ANSWERS)
    sys.modules[_ANSWERS] = mctslab.course.exercises = stand_in


def _shut_in(folder: Path) -> None:
    """Restrict this process to its own folder, Python, and the package without its answers."""
    package = Path(mctslab.course.__file__).resolve().parents[1]
    root = package.parent
    is_installed = root.name in ("site-packages", "dist-packages")
    outside = [*_PARTS_OF_THE_SYSTEM, sys.prefix, sys.base_prefix, *site.getsitepackages()]
    outside += [*sys.path, *(str(Path.home() / each / "matplotlib") for each in _OF_USERS)]
    places = [Path(each).resolve() for each in outside if each]
    readable = [
        part
        for place in dict.fromkeys(places)
        if place.exists() and place != root
        for part in confined.all_but(place, [package if is_installed else root])
    ]
    readable += confined.all_but(package, [package / "course" / "exercises"])
    confined.confine(folder, readable, [root])


_OF_USERS: Final = (".cache", ".config")
_PARTS_OF_THE_SYSTEM: Final = (
    *("/usr", "/lib", "/lib64", "/bin", "/opt", "/nix", "/etc/ld.so.cache", "/etc/localtime"),
    *("/etc/fonts", "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu"),
)


def _refuse(prompt: object = "", /) -> str:
    raise InputRequestedError("input() was called")


def _pipe() -> tuple[BinaryIO, BinaryIO]:
    """The pipe to the judge, separate from whatever the submission reads and prints."""
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    return incoming, outgoing


def write_message(stream: BinaryIO, message: bytes) -> None:
    """Write a message so that the other end knows where it ends."""
    stream.write(struct.pack("<Q", len(message)) + message)
    stream.flush()


def read_message(stream: BinaryIO, longest: int) -> bytes:
    """The next message.

    Raises:
        EOFError: there are no more messages.
        ValueError: it is longer than `longest` bytes.
    """
    head = stream.read(8)
    if len(head) < 8:
        raise EOFError
    length = int.from_bytes(head, "little")
    if length > longest:
        raise ValueError(f"a message of {length} bytes")
    return stream.read(length)


def main() -> None:
    """Follow the judge's instructions until the judge closes the pipe."""
    confined.die_with_parent()
    incoming, outgoing = _pipe()
    _hide_answers()
    if CONFINED in sys.argv:
        _shut_in(Path.cwd())
    builtins.input = _refuse
    submission = Submission(Path(NOTEBOOK).read_bytes())
    wire = Wire(
        lambda message: write_message(outgoing, message),
        lambda: read_message(incoming, sys.maxsize),
        is_judge=False,
    )
    offered = ("outline", "run", "look", "call", "printed")
    wire.serve({name: getattr(submission, name) for name in offered})


if __name__ == "__main__":
    try:
        main()
    finally:
        os._exit(0)  # whatever the submission left running, or tries to do at the end
