"""The command `course`: build versions of the notebooks, grade answers, examine a search."""

import argparse
import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

from mctslab.course import examiner
from mctslab.course.build import build
from mctslab.course.confined import what_is_missing
from mctslab.course.grade import grade
from mctslab.course.running import USUAL, Limits
from mctslab.course.table import FORMATS, as_csv, write_feedback
from mctslab.running_line import RunningLine
from mctslab.typed import write_whole


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The three sub-commands and their options."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    builder = commands.add_parser(
        "build", help="write the notebooks for students, with solutions, and to hand in"
    )
    builder.add_argument("--out", type=Path, required=True, help="the folder to write into")
    grader = commands.add_parser("grade", help="check a folder of notebooks that were handed in")
    grader.add_argument("folder", type=Path, help="where the notebooks are, including subfolders")
    grader.add_argument("--csv", type=Path, required=True, help="the table of points to write")
    grader.add_argument(
        "--format",
        choices=list(FORMATS),
        default="mctslab",
        help="the gradebook that the table is for",
    )
    grader.add_argument(
        "--feedback", type=Path, metavar="FOLDER", help="write a page for each submission there"
    )
    grader.add_argument(
        "--jobs", type=int, default=min(os.cpu_count() or 1, 8), help="notebooks graded at once"
    )
    grader.add_argument(
        "--seconds", type=float, default=USUAL.seconds, help="time limit for one run of a notebook"
    )
    grader.add_argument(
        "--megabytes", type=float, default=USUAL.megabytes, help="memory limit for one notebook"
    )
    examined = commands.add_parser("examine", help="find the game in which a search goes wrong")
    examined.add_argument("search", metavar="FILE:FUNCTION", help="where the search is defined")


def run(arguments: argparse.Namespace) -> int:
    """Build, grade or examine; returns the exit status."""
    actions = {"build": _build, "grade": _grade, "examine": _examine}
    try:
        return actions[arguments.action](arguments)
    except BrokenPipeError:
        raise
    except KeyboardInterrupt:
        print(f"course {arguments.action}: interrupted; nothing was written", file=sys.stderr)
        return 130
    except (OSError, ValueError) as error:
        print(f"course {arguments.action}: {error}", file=sys.stderr)
        return 1


def _build(arguments: argparse.Namespace) -> int:
    for path in build(arguments.out):
        print(path)
    return 0


def _grade(arguments: argparse.Namespace) -> int:
    if not arguments.folder.is_dir():
        raise ValueError(f"there is no folder {arguments.folder}")
    if arguments.jobs < 1:
        raise ValueError(f"--jobs {arguments.jobs}: at least 1 is needed")
    if reason := what_is_missing():
        print(
            f"course grade: submissions run with your own rights, because {reason}. "
            "docs/teaching.md says what that means.",
            file=sys.stderr,
        )
    line, done = RunningLine(), []

    def tell(entry: object) -> None:
        done.append(entry)
        line.update(lambda: f"{len(done)} graded", is_last=False)

    limits = Limits(arguments.seconds, arguments.megabytes)
    graded = grade(arguments.folder, limits, arguments.jobs, tell)
    write_whole(arguments.csv, as_csv(graded, arguments.format))
    if arguments.feedback is not None:
        write_feedback(graded, arguments.feedback)
    for entry in graded:
        print(f"{entry.name}: {entry.points} of {len(entry.outcomes)}")
    print(f"The points are in {arguments.csv}")
    return 0


def _examine(arguments: argparse.Namespace) -> int:
    """Returns 1 if a fault was found."""
    file, _, name = arguments.search.rpartition(":")
    names = _names_in(Path(file), arguments.search)
    if not callable(names.get(name)):
        raise ValueError(f"{file} has no function {name!r}")
    report = examiner.examine(names[name])
    print(report)
    return 1 if report.finding else 0


def _names_in(file: Path, given: str) -> dict[str, Any]:
    """What a Python file defines; it can import files next to it."""
    if file.suffix != ".py" or not file.is_file():
        raise ValueError(f"expected FILE.py:FUNCTION, and there is no such file for {given!r}")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(file.parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise ValueError(f"{file} fails with {type(error).__name__}: {error}") from error
    return vars(module)
