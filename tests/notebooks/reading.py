"""A notebook as a reader meets it: its cells, and the sentences in them."""

import re
from pathlib import Path
from typing import Any, Final, NamedTuple

import nbformat

from mctslab.course.exercises import all_exercises
from mctslab.course.notebooks import exercise_cells
from mctslab.course.outline import paths
from mctslab.course.result import Outcome

PROJECT: Final = Path(__file__).resolve().parents[2]
NOTEBOOKS: Final = tuple(paths(PROJECT / "notebooks"))

_FORMULA = re.compile(r"\$\$.*?\$\$", re.DOTALL)
_CODE_BLOCK = re.compile(r"```.*?```", re.DOTALL)
_LINK = re.compile(r"\]\([^)]*\)")
_TAG = re.compile(r"<[^>]+>")
_FURTHER_READING = re.compile(r"^#+ Further reading.*", re.DOTALL | re.MULTILINE)
_PART = re.compile(r"_\d+\.txt$")
_TABLE_ROW = re.compile(r"^\|.*$", re.MULTILINE)


def read(path: Path) -> Any:
    """The notebook at `path`."""
    return nbformat.read(path, as_version=4)


def needs_torch(path: Path) -> bool:
    """Whether a notebook is about nets; those before it are for people without PyTorch, too."""
    return int(path.stem[:2]) >= 12


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


def written_files(path: Path) -> dict[str, str]:
    """The files that a notebook writes, by their names, with their texts.

    The parts of a file, `name_1.txt`, `name_2.txt` and so on, are put together into `name.py`.
    """
    files: dict[str, str] = {}
    for cell in read(path).cells:
        first_line, _, text = cell.source.partition("\n")
        if cell.cell_type == "code" and first_line.startswith("%%writefile "):
            name = _PART.sub(".py", first_line.removeprefix("%%writefile "))
            files[name] = f"{files.get(name, '')}{text}\n"
    return files


class Size(NamedTuple):
    """How large a notebook is."""

    words: int
    """In its markdown, all that stands between blanks."""
    code_lines: int
    """Those that are not empty."""
    code_cells: int
    exercises: int
    predictions: int

    @property
    def minutes(self) -> int:
        """150 words a minute, 10 minutes for an exercise, 2 for any other code cell."""
        others = self.code_cells - self.exercises
        return round(self.words / 150 + 10 * self.exercises + 2 * others)


def size_of(path: Path) -> Size:
    """The size of the notebook at `path`."""
    cells = read(path).cells
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    return Size(
        words=sum(len(cell.source.split()) for cell in cells if cell.cell_type == "markdown"),
        code_lines=sum(bool(line.strip()) for source in code for line in source.splitlines()),
        code_cells=len(code),
        exercises=len(exercises_of(path)),
        predictions=sum(source.count("course.predict.") for source in code),
    )
