"""A search as students write it, with and without faults, for the examiner to find.

The name of a fault begins with the phase that the examiner should name, or with "the search" if no
phase contains it; below it are the edits that make it.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from mctslab import course
from mctslab.course.examiner import Report
from mctslab.course.prose import edited
from tests.course.catalogue import mistakes_in

SOURCE: Final = Path(__file__).with_name("recursive.py").read_text("utf-8")
FAULTS: Final = Path(__file__).with_name("recursive.txt").read_text("utf-8")


def planted() -> list[tuple[str, str]]:
    """The search with each of its faults: the fault's name, and the faulty source."""
    return [(fault.name, edited(SOURCE, fault.edits)) for fault in mistakes_in(FAULTS)]


def is_named(fault: str, report: Report) -> bool:
    """Whether a report names the phase of a planted fault, alone or as one of two."""
    phase = fault.partition(":")[0]
    named = [] if report.finding is None else report.finding.phase.split(" or ")
    return ("" if phase == "the search" else phase) in named


def function_of(text: str) -> Callable[..., Any]:
    """The search that a source defines."""
    names: dict[str, Any] = {"__name__": "examined"}
    exec(text, names)
    return names["search"]  # type: ignore[no-any-return]


def report_on(text: str) -> Report:
    """What the examiner says of a search, from its source."""
    return course.examine(function_of(text))
