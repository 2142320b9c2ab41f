"""What a class got wrong: the checks in the notebooks that nbgrader has graded, counted."""

import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Final, TypeAlias

from mctslab.course.outline import cells_of
from mctslab.course.result import MIME_TYPE, Outcome
from mctslab.draw.tables import table

Answers: TypeAlias = Mapping[str, str]
"""By the name of a student, in a few words what the check said."""

_NOT_RUN: Final = "the check was not run"


@dataclass(frozen=True, slots=True)
class Report:
    """A table and a chart for each exercise; printed it is text, in a notebook it is both."""

    folder: Path
    """nbgrader's folder of the course."""
    exercises: Mapping[tuple[str, str], Answers]
    """By assignment and exercise, in their order."""
    names: bool
    """Whether it says which students."""

    def rows(self, answers: Answers) -> list[list[str]]:
        """What the check said, and of how many: right, then wrong with the most frequent first."""
        said = Counter(answers.values())
        last = (str(Outcome.NOT_ATTEMPTED), _NOT_RUN)
        order = sorted(said, key=lambda text: (text in last, text != Outcome.RIGHT, -said[text]))
        rows = [[text, str(said[text])] for text in order]
        if self.names:
            for row in rows:
                row.append(", ".join(each for each, text in answers.items() if text == row[0]))
        return rows

    def __str__(self) -> str:
        return "\n\n".join(map(self._as_text, self.exercises))

    __repr__ = __str__

    def _as_text(self, key: tuple[str, str]) -> str:
        answers = self.exercises[key]
        lines = [f"{key[0]}, {key[1]}: {_students(answers)}"]
        for text, count, *who in self.rows(answers):
            first, *rest = textwrap.wrap(text, 70)
            lines += [f"{count:>5}  {first}", *(f"{'':7}{line}" for line in rest)]
            lines += [f"{'':9}{names}" for names in who]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        parts = []
        for (assignment, name), answers in self.exercises.items():
            head = ["", "students", "names"][: 2 + self.names]
            title = f"{escape(assignment)}, <code>{escape(name)}</code>: {_students(answers)}"
            rows = table(head, self.rows(answers))._repr_html_()
            parts.append(f"<h2>{title}</h2>\n{rows}\n{self._chart(answers)}")
        return "\n".join(parts)

    def _chart(self, answers: Answers) -> str:
        """Bars, the first on top, as SVG."""
        from mctslab.draw.simple_charts import bars  # which takes a while to load

        counts = {
            textwrap.fill(textwrap.shorten(text, 80, placeholder=" ..."), 42): int(count)
            for text, count, *_ in self.rows(answers)
        }
        chart = bars(counts, label="students", value_range=(0, len(answers)))
        chart.figure.axes[0].xaxis.get_major_locator().set_params(integer=True)
        return chart.svg

    def page(self) -> str:
        """A page for a browser, in its light or dark colours."""
        return _PAGE.format(content=self._repr_html_())


def _students(answers: Answers) -> str:
    return f"{len(answers)} student{'s' * (len(answers) != 1)}"


_PAGE: Final = """\
<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>What the class answered</title>
<style>
:root {{ color-scheme: light dark; --jp-ui-font-color1: #222; --jp-layout-color0: #fff }}
@media (prefers-color-scheme: dark) {{
  :root {{ --jp-ui-font-color1: #ddd; --jp-layout-color0: #111 }}
}}
body {{ font-family: sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em;
  color: var(--jp-ui-font-color1); background: var(--jp-layout-color0) }}
h2 {{ font-size: 1.1em; margin-top: 2em }}
td, th {{ padding: 2px 1em 2px 0; vertical-align: top }}
</style>
<h1>What the class answered</h1>
{content}
</html>
"""


def report(gradebook: str | Path, *, names: bool = False) -> Report:
    """What a class got right and wrong, by the names of the mistakes, for each exercise.

    Args:
        gradebook: nbgrader's `gradebook.db`, or the folder that it is in; the graded notebooks are
            in `autograded` beside it.
        names: whether to say which students.

    Raises:
        ValueError: nothing has been graded there.
    """
    folder = Path(gradebook)
    if folder.is_file():
        folder = folder.parent
    found: dict[tuple[str, str], dict[str, str]] = {}
    students: dict[str, set[str]] = {}
    graded = folder.glob("autograded/*/*/*.ipynb")
    for path in sorted(graded, key=lambda path: (path.parent.name, path.parts)):
        student, assignment = path.parts[-3:-1]
        students.setdefault(assignment, set()).add(student)
        for cell in cells_of(path):
            mark = cell["metadata"].get("nbgrader", {})
            if mark.get("grade") and mark["grade_id"].startswith("check-"):
                key = assignment, mark["grade_id"].removeprefix("check-")
                found.setdefault(key, {})[student] = _said(cell["outputs"])
    if not found:
        raise ValueError(
            f"no graded exercise is in {folder / 'autograded'}; run `nbgrader autograde` first, or "
            "name the folder of the course"
        )
    every = {key: dict.fromkeys(sorted(students[key[0]]), _NOT_RUN) for key in found}
    return Report(folder, {key: every[key] | found[key] for key in found}, names)


def _said(outputs: Sequence[Mapping[str, Any]]) -> str:
    """What a check has said, in a few words; a right answer can still be refused."""
    results = [each["data"][MIME_TYPE] for each in outputs if MIME_TYPE in each.get("data", {})]
    errors = [each for each in outputs if each["output_type"] == "error"]
    if results and results[0]["outcome"] == Outcome.WRONG:
        mistake = results[0]["mistake"]
        return f"wrong, as if {mistake}" if mistake else "wrong in another way"
    if results and not (errors and results[0]["outcome"] == Outcome.RIGHT):
        return str(results[0]["outcome"])
    if not errors:
        return _NOT_RUN
    first_line, *_ = errors[0]["evalue"].splitlines() or [""]
    is_ours = errors[0]["ename"] == "AssertionError"
    return first_line if is_ours else f"{errors[0]['ename']}: {first_line}"
