"""The command `course`: build versions of the notebooks, and examine a search."""

import argparse
import runpy
import sys
from pathlib import Path

from mctslab.course import examiner
from mctslab.course.assignments import build_assignments
from mctslab.course.build import build, chosen


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The two sub-commands and their options."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    builder = commands.add_parser(
        "build", help="write the notebooks for students and with solutions, or for nbgrader"
    )
    target = builder.add_mutually_exclusive_group(required=True)
    target.add_argument("--out", type=Path, metavar="FOLDER", help="write both versions into it")
    target.add_argument(
        "--nbgrader", type=Path, metavar="COURSE", help="write assignments into nbgrader's folder"
    )
    builder.add_argument(
        "--only", nargs="+", default=[], metavar="NAME", help="these notebooks: 04_expansion"
    )
    examined = commands.add_parser("examine", help="find the game in which a search goes wrong")
    examined.add_argument("search", metavar="FILE:FUNCTION", help="where the search is defined")


def run(arguments: argparse.Namespace) -> int:
    """Build or examine; returns the exit status."""
    try:
        return _build(arguments) if arguments.action == "build" else _examine(arguments)
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        print(f"course {arguments.action}: {error}", file=sys.stderr)
        return 1


def _build(arguments: argparse.Namespace) -> int:
    notebooks = chosen(arguments.only)
    if arguments.nbgrader is not None:
        written = build_assignments(arguments.nbgrader, notebooks)
    else:
        written = build(arguments.out, notebooks)
    print(*written, sep="\n")
    return 0


def _examine(arguments: argparse.Namespace) -> int:
    """Returns 1 if a fault was found."""
    file, _, name = arguments.search.rpartition(":")
    if not file or not name.isidentifier():
        raise ValueError(f"{arguments.search!r} names no function; expected my_search.py:uct")
    sys.path.insert(0, str(Path(file).parent))  # it can import files next to it
    try:
        names = runpy.run_path(file)
    except Exception as error:
        raise ValueError(f"{file} fails with {type(error).__name__}: {error}") from error
    if not callable(names.get(name)):
        raise ValueError(f"{file} has no function {name!r}")
    report = examiner.examine(names[name])
    print(report)
    return 1 if report.finding else 0
