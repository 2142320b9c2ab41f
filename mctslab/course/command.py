"""The command `course`: build notebooks, begin one, report on a class, and examine a search."""

import argparse
import runpy
import sys
from pathlib import Path

from mctslab.course import examiner
from mctslab.course.assignments import build_assignments
from mctslab.course.build import build, chosen
from mctslab.course.class_report import HEAD_OF_PAGE, report
from mctslab.course.new import new
from mctslab.course.outline import PROJECT_FOLDER


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The four sub-commands and their options."""
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
    builder.add_argument(
        "--from",
        dest="folder",
        type=Path,
        default=PROJECT_FOLDER,
        metavar="FOLDER",
        help="your own notebooks, with their exercises in FOLDER/exercises",
    )
    builder.add_argument(
        "--partial",
        action="store_true",
        help="with --nbgrader: a wrong answer to an exercise of several points earns the share "
        "of the inputs that it gets right, rounded down",
    )
    begun = commands.add_parser("new", help="write a notebook of your own, with an exercise")
    begun.add_argument("name", metavar="NAME", help="two digits and a topic: 17_my_topic")
    begun.add_argument("--in", dest="folder", type=Path, default=Path(), metavar="FOLDER")
    reporter = commands.add_parser("report", help="count what a class got wrong, after nbgrader")
    reporter.add_argument(
        "gradebook", type=Path, metavar="GRADEBOOK", help="my_course/gradebook.db"
    )
    reporter.add_argument("--names", action="store_true", help="say which students, by their names")
    examined = commands.add_parser("examine", help="find the game in which a search goes wrong")
    examined.add_argument("search", metavar="FILE:FUNCTION", help="where the search is defined")


def run(arguments: argparse.Namespace) -> int:
    """Do what the sub-command says; returns the exit status."""
    try:
        actions = {"build": _build, "new": _new, "report": _report, "examine": _examine}
        return actions[arguments.action](arguments)
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        print(f"course {arguments.action}: {error}", file=sys.stderr)
        return 1


def _build(arguments: argparse.Namespace) -> int:
    notebooks = chosen(arguments.only, arguments.folder)
    target = arguments.nbgrader or arguments.out
    before = {*target.rglob("*")}
    if arguments.nbgrader is not None:
        written = build_assignments(target, notebooks, arguments.partial)
    else:
        written = build(target, notebooks)
    print(*(f"{path}{' (replaced)' * (path in before)}" for path in written), sep="\n")
    return 0


def _new(arguments: argparse.Namespace) -> int:
    print(*new(arguments.name, arguments.folder), sep="\n")
    return 0


def _report(arguments: argparse.Namespace) -> int:
    made = report(arguments.gradebook, names=arguments.names)
    out = arguments.gradebook / "report.html"
    if arguments.gradebook.is_file():
        out = arguments.gradebook.with_name("report.html")
    replaced = " (replaced)" * out.exists()
    out.write_text(HEAD_OF_PAGE + made._repr_html_(), "utf-8", newline="\n")
    print(made, f"Charts: {out}{replaced}", sep="\n\n")
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
