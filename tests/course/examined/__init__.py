"""Searches of two styles, with and without faults, for the examiner to find.

Beside each implementation are its faults. The name of a fault begins with the phase that the
examiner should name, or with "the search" if no phase contains it; below it are the edits that make
it.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from mctslab import course
from mctslab.course.examiner import Report
from mctslab.course.prose import edited
from tests.course.catalogue import mistakes_in

SEARCHES: Final = ("recursive", "flat")


def source(module: str) -> str:
    """The text of one of the implementations."""
    return Path(__file__).with_name(f"{module}.py").read_text("utf-8")


def planted(*modules: str) -> list[tuple[str, str, str]]:
    """Searches with each of their faults: module, the fault's name, the faulty source."""
    return [
        (module, fault.name, edited(source(module), fault.edits))
        for module in modules or SEARCHES
        for fault in mistakes_in(Path(__file__).with_name(f"{module}.txt").read_text("utf-8"))
    ]


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
