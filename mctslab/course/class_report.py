"""What a class got wrong: the checks in the notebooks that nbgrader has graded, counted."""

import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mctslab.course.outline import cells_of
from mctslab.course.result import MIME_TYPE, Outcome
from mctslab.draw.tables import table

if TYPE_CHECKING:
    from mctslab.draw.curves import Chart

_NOT_RUN: Final = "the check was not run"


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """A table and a chart for each exercise; printed it is text, in a notebook it is both."""

    exercises: Mapping[str, Mapping[str, str]]
    """By assignment and exercise, for each student what the check said, in a few words."""
    names: bool
    """Whether it says which students."""

    def rows(self, title: str) -> list[tuple[str, ...]]:
        """What the check of an exercise said, and to how many: right, then wrong, most frequent
        first."""
        answers = self.exercises[title]
        said, last = Counter(answers.values()), (Outcome.NOT_ATTEMPTED, _NOT_RUN)
        order = sorted(said, key=lambda text: (text in last, text != Outcome.RIGHT, -said[text]))
        who = {text: ", ".join(each for each in answers if answers[each] == text) for text in order}
        return [(text, str(said[text]), who[text])[: 2 + self.names] for text in order]

    def __repr__(self) -> str:
        lines = []
        for title in self.exercises:
            lines += ["", title]
            lines += [f"{row[1]:>5}  {'  '.join((row[0], *row[2:]))}" for row in self.rows(title)]
        return "\n".join(lines[1:])

    def _repr_html_(self) -> str:
        head = ("", "students", "names")[: 2 + self.names]
        return "\n".join(
            f"<h2>{escape(title)}</h2>{table(head, self.rows(title))._repr_html_()}"
            f"{self.chart(title).svg}"
            for title in self.exercises
        )

    def chart(self, title: str) -> "Chart":
        """Bars for an exercise, the first on top."""
        from mctslab.draw.simple_charts import bars  # takes a while to load

        shorter = [(textwrap.shorten(row[0], 80), int(row[1])) for row in self.rows(title)]
        counts = {textwrap.fill(text, 42): count for text, count in shorter}
        made = bars(counts, label="students", value_range=(0, len(self.exercises[title])))
        made.figure.axes[0].locator_params(axis="x", integer=True)
        return made


HEAD_OF_PAGE: Final = """\
<!DOCTYPE html>
<meta charset="utf-8">
<title>What the class answered</title>
<style>
:root { color-scheme: light dark; --jp-ui-font-color1: light-dark(#222, #ddd) }
body { font-family: sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em }
td, th { padding: 2px 1em 2px 0; vertical-align: top; text-align: left }
</style>
<h1>What the class answered</h1>
"""
"""The beginning of a page for a browser, in its light or dark colours."""


def report(gradebook: str | Path, *, names: bool = False) -> Report:
    """What a class got right and wrong, by the names of the mistakes, for each exercise.

    Args:
        gradebook: nbgrader's `gradebook.db`, or the folder that it is in; the graded notebooks are
            in `autograded` beside it.
        names: whether to say which students.

    Raises:
        ValueError: there is no such gradebook, or nothing has been graded there.
    """
    if not Path(gradebook).exists():
        raise ValueError(f"there is no gradebook {str(gradebook)!r}")
    folder = Path(gradebook).parent if Path(gradebook).is_file() else Path(gradebook)
    found: dict[str, dict[str, str]] = {}
    for path in sorted(folder.glob("autograded/*/*/*.ipynb"), key=lambda each: each.parts[::-1]):
        student, assignment = path.parts[-3:-1]
        for cell in cells_of(path):
            mark = cell["metadata"].get("nbgrader", {})
            if mark.get("grade") and mark["grade_id"].startswith("check-"):
                title = f"{assignment}, {mark['grade_id'].removeprefix('check-')}"
                found.setdefault(title, {})[student] = _said(cell["outputs"])
    if not found:
        raise ValueError(
            f"nothing is graded in {folder / 'autograded'}; run `nbgrader autograde` first"
        )
    return Report(found, names)


def _said(outputs: Sequence[Mapping[str, Any]]) -> str:
    """What a check has said, in a few words; a right answer can still be refused."""
    results = [each["data"][MIME_TYPE] for each in outputs if MIME_TYPE in each.get("data", {})]
    errors = [each for each in outputs if each["output_type"] == "error"]
    if results and results[0]["outcome"] == Outcome.WRONG:
        mistake = results[0]["mistake"]
        return f"wrong, as if {mistake}" if mistake else "wrong in another way"
    if errors and not (results and results[0]["outcome"] == Outcome.NOT_ATTEMPTED):
        kind, text = errors[0]["ename"], errors[0]["evalue"].partition("\n")[0]
        return text if kind == "AssertionError" else f"{kind}: {text}"
    return str(results[0]["outcome"]) if results else _NOT_RUN
