"""A notebook as a reader meets it: its cells, and the sentences in them."""

import re
from pathlib import Path
from typing import Any, Final

import nbformat

from mctslab.course.exercises import all_exercises
from mctslab.course.notebooks import exercise_cells
from mctslab.course.result import Outcome

PROJECT: Final = Path(__file__).resolve().parents[2]
NOTEBOOKS: Final = tuple(sorted((PROJECT / "notebooks").glob("*.ipynb")))

_FORMULA = re.compile(r"\$\$.*?\$\$", re.DOTALL)
_CODE_BLOCK = re.compile(r"```.*?```", re.DOTALL)
_LINK = re.compile(r"\]\([^)]*\)")
_TAG = re.compile(r"<[^>]+>")
_FURTHER_READING = re.compile(r"^#+ Further reading.*", re.DOTALL | re.MULTILINE)
_TABLE_ROW = re.compile(r"^\|.*$", re.MULTILINE)


def read(path: Path) -> Any:
    """The notebook at `path`."""
    return nbformat.read(path, as_version=4)


def prose(source: str) -> str:
    """What a reader reads as sentences: no formulas, code, tables, or list of references."""
    for pattern in (_FURTHER_READING, _FORMULA, _CODE_BLOCK, _TABLE_ROW, _LINK, _TAG):
        source = pattern.sub(" ", source)
    return source


def exercises_of(path: Path) -> list[str]:
    """The names of the exercises of a notebook, in order."""
    return [cell.name for cell in exercise_cells(read(path))]


def outcomes(text: str) -> dict[str, str]:
    """What the checks of a notebook said first, by exercise.

    The examiner's reports begin in the same way, with the name of a function, but come later.
    """
    signs = "|".join(map(re.escape, Outcome))
    found = re.findall(rf"^[○✗✓] (\w+): ({signs})\.", text, re.MULTILINE)
    return {name: said for name, said in reversed(found) if name in all_exercises()}
