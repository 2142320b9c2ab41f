"""The command `course`, for teachers: build versions of the notebooks, grade what was handed in."""

import argparse
import sys
from pathlib import Path

from mctslab.course.build import build
from mctslab.course.grade import Limits, grade


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The two sub-commands and their options."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    builder = commands.add_parser(
        "build", help="write the notebooks for students, with solutions, and to hand in"
    )
    builder.add_argument("--out", type=Path, required=True, help="the folder to write into")
    grader = commands.add_parser("grade", help="check a folder of notebooks that were handed in")
    grader.add_argument("folder", type=Path, help="where the notebooks are, also in subfolders")
    grader.add_argument("--csv", type=Path, required=True, help="the table of points to write")
    grader.add_argument(
        "--seconds", type=float, default=Limits().seconds, help="for one run of a notebook"
    )
    grader.add_argument(
        "--megabytes", type=float, default=Limits().megabytes, help="memory for one notebook"
    )


def run(arguments: argparse.Namespace) -> int:
    """Build or grade; returns the exit status."""
    try:
        return _build(arguments) if arguments.action == "build" else _grade(arguments)
    except BrokenPipeError:
        raise
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
    limits = Limits(arguments.seconds, arguments.megabytes)
    for entry in grade(arguments.folder, arguments.csv, limits):
        print(f"{entry.name}: {entry.points} of {len(entry.outcomes)}", flush=True)
    print(f"The points are in {arguments.csv}")
    return 0
