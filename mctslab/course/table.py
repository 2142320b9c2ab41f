"""The results of grading, as a table that a gradebook can import, and as a page for each student.

A gradebook needs one line per student. A notebook belongs to the student after whom its folder is
named, or, if it is in no folder, to the one after whom the file is named.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from pathlib import Path, PurePosixPath
from typing import Any, Final

from mctslab.course.grade import MISSING, Graded
from mctslab.course.result import Outcome, Result
from mctslab.typed import write_whole

ASSIGNMENT: Final = "mctslab"
"""The name of the points in a gradebook."""


def as_csv(graded: Sequence[Graded], kind: str = "mctslab") -> str:
    """The table in one of the `FORMATS`."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for line in FORMATS[kind](graded):
        writer.writerow([_harmless(each) if isinstance(each, str) else each for each in line])
    return text.getvalue()


def _ours(graded: Sequence[Graded]) -> Iterable[Sequence[Any]]:
    """A line for each submission: its name, its points, each outcome, and the remarks."""
    expected = list(graded[0].outcomes) if graded else []
    yield ["submission", "points", "of", *expected, "remarks"]
    for entry in graded:
        outcomes = [entry.outcomes[name] for name in expected]
        yield [entry.name, entry.points, len(expected), *outcomes, _listed(entry.remarks)]


def _moodle(graded: Sequence[Graded]) -> Iterable[Sequence[Any]]:
    """Moodle asks for the meaning of each column: the user, a grade, and the feedback to the
    grade."""
    yield ["Username", ASSIGNMENT, "Feedback"]
    for student in _students(graded):
        yield [student.name, student.points, _listed(student.remarks)]


def _canvas(graded: Sequence[Graded]) -> Iterable[Sequence[Any]]:
    """Canvas identifies students by their login; a line before them has the possible points."""
    yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", ASSIGNMENT]
    yield ["Points Possible", "", "", "", "", _possible(graded)]
    for student in _students(graded):
        yield [student.name, "", "", student.name, "", student.points]


def _nbgrader(graded: Sequence[Graded]) -> Iterable[Sequence[Any]]:
    """The columns in which nbgrader itself exports its gradebook."""
    yield [
        *("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email"),
        *("raw_score", "late_submission_penalty", "score", "max_score"),
    ]
    for each in _students(graded):
        points = float(each.points)
        scores = (points, 0.0, points, float(_possible(graded)))
        yield [ASSIGNMENT, "", "", each.name, "", "", "", *scores]


FORMATS: Final[Mapping[str, Callable[[Sequence[Graded]], Iterable[Sequence[Any]]]]] = {
    "mctslab": _ours,
    "moodle": _moodle,
    "canvas": _canvas,
    "nbgrader": _nbgrader,
}


def _possible(graded: Sequence[Graded]) -> int:
    return len(graded[0].outcomes) if graded else 0


def student_of(name: str) -> str:
    """The student of a submission, by its path below the folder."""
    path = PurePosixPath(name)
    return path.parts[0] if len(path.parts) > 1 else path.stem


def _students(graded: Sequence[Graded]) -> list[Graded]:
    """One entry per student. An exercise that was handed in twice counts if it is right twice."""
    students: dict[str, Graded] = {}
    for entry in graded:
        name = student_of(entry.name)
        student = students.setdefault(name, Graded(name))
        student.remarks += entry.remarks
        for exercise, outcome in entry.outcomes.items():
            before = student.outcomes.get(exercise, MISSING)
            if outcome != MISSING and before in (MISSING, Outcome.RIGHT):
                student.outcomes[exercise] = outcome
    return list(students.values())


def _harmless(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    text = " ".join("".join(each if each.isprintable() else " " for each in text).split())
    return f"'{text}" if text.startswith(_BEGINS_A_FORMULA) else text


def _listed(remarks: Iterable[str]) -> str:
    """The remarks, harmless even if a semicolon begins a new field."""
    return "; ".join(map(_harmless, remarks))


_BEGINS_A_FORMULA: Final = tuple("=+-@＝＋－＠﹢﹣﹦﹫−'")
"""In every width, and the sign that marks the next one as text."""


# Pages for students


def write_feedback(graded: Sequence[Graded], folder: Path) -> None:
    """Write a page for each submission into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, entry in zip(_page_names(graded), graded, strict=True):
        write_whole(folder / name, feedback(entry))


def _page_names(graded: Sequence[Graded]) -> list[str]:
    """A different name for each, with letters that every system accepts."""
    plain = [re.sub(r"[^\w.-]+", "_", entry.name)[:150] for entry in graded]
    return [f"{number:03}-{name}.html" for number, name in enumerate(plain, start=1)]


def feedback(entry: Graded) -> str:
    """The messages of the checks about a submission, as a page."""
    title = escape(f"{entry.name}: {entry.points} of {len(entry.outcomes)}")
    results = [entry.results.get(name) or _without(name, entry) for name in entry.outcomes]
    parts = [
        f"<section><h2>{escape(each.exercise)}</h2>{each._repr_html_()}</section>"
        for each in results
    ]
    remarks = "".join(f"<li>{escape(remark)}</li>" for remark in entry.remarks)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>\n'
        f"<body><main><h1>{title}</h1>\n{chr(10).join(parts)}\n"
        f"{f'<h2>Remarks</h2><ul>{remarks}</ul>' if remarks else ''}</main></body></html>\n"
    )


def _without(name: str, entry: Graded) -> Result:
    """The message about an exercise that no check has said anything about."""
    return Result(name, Outcome.NOT_ATTEMPTED, "There is no cell for it in this notebook.")


_STYLE: Final = (
    "body{font:16px/1.5 sans-serif;color:#1a1a1a;background:#fff}"
    "main{max-width:56em;margin:2em auto;padding:0 1em}"
)
