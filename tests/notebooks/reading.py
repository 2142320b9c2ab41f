"""A notebook as a reader meets it: its cells, and the sentences in them."""

import re
from pathlib import Path
from typing import Any, Final, NamedTuple

import nbformat

from mctslab import widgets
from mctslab.course.exercises import all_exercises
from mctslab.course.notebooks import exercise_cells
from mctslab.course.outline import exercise_of, paths
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
    return [name for name, _, _ in exercise_cells(read(path))]


EXPERIMENT: Final = "experiment"
"""The tag of a cell whose numbers and names are there to be changed by the reader."""


def experiments_of(path: Path) -> list[Any]:
    """The cells of a notebook that are experiments of the reader's own, in order."""
    return [cell for cell in read(path).cells if EXPERIMENT in cell.metadata.get("tags", ())]


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


def hex_file() -> str:
    """The game that notebook 15 puts together from its files and the functions of the reader."""
    written = written_files(next(path for path in NOTEBOOKS if path.stem == "15_your_own_game"))
    names = ("hex_connected", "hex_child", "hex_joined")
    functions = "\n\n\n".join(all_exercises()[name].solution_source for name in names)
    text = written["my_hex_class.txt"] + written["my_hex_rules.txt"]
    return text.replace("# The functions", f"\n{functions}")


def is_folded(cell: Any) -> bool:
    """Whether JupyterLab shows three dots instead of the code, until the reader clicks them."""
    return bool(cell.metadata.get("jupyter", {}).get("source_hidden"))


def num_lines(source: str) -> int:
    """The lines that are not empty."""
    return sum(bool(line.strip()) for line in source.splitlines())


EXERCISE: Final = re.compile(r"^\*\*Exercise\*\* (●○○|●●○|●●●) · (\d+) minutes$", re.MULTILINE)
"""The line under the heading of an exercise: how hard it is, and how long it takes."""

EXERCISE_MINUTES: Final = {"●○○": 10, "●●○": 12, "●●●": 15}

_WIDGET = re.compile(rf"\b({'|'.join(name for name in widgets.__all__ if name[0].isupper())})\(")


class Size(NamedTuple):
    """How large a notebook is. Lines are those that are not empty."""

    words: int
    """In its markdown, all that stands between blanks."""
    shown: int
    """The lines of code in view, without those of exercises."""
    written: int
    """The lines that the reader writes: those of the model answers, without what is given."""
    minutes: int
    """150 words a minute, 3 minutes for a code cell in view, 10 to 15 for an exercise, 2 for a
    prediction and 4 for a widget."""
    exercises: int
    experiments: int
    """The reader's own: cells with the tag `experiment`."""
    predictions: int
    widgets: int
    """The cells that show a widget."""


def size_of(path: Path) -> Size:
    """The size of the notebook at `path`."""
    cells = read(path).cells
    code = [cell for cell in cells if cell.cell_type == "code"]
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    in_view = [cell for cell in code if not is_folded(cell) and not exercise_of(cell)]
    answers = [all_exercises()[name] for name in exercises_of(path)]
    marks = [mark for text in texts for mark, _ in EXERCISE.findall(text)]
    words = sum(len(text.split()) for text in texts)
    predictions = sum(cell.source.count("course.predict.") for cell in code)
    num_widgets = sum(bool(_WIDGET.search(cell.source)) for cell in code)
    at_work = 3 * len(in_view) + sum(map(EXERCISE_MINUTES.__getitem__, marks))
    return Size(
        words=words,
        shown=sum(num_lines(cell.source) for cell in in_view),
        # The line "your answer goes here" of the stub is not given but replaced.
        written=sum(num_lines(a.solution_source) - num_lines(a.stub) + 1 for a in answers),
        minutes=round(words / 150 + at_work + 2 * predictions + 4 * num_widgets),
        exercises=len(answers),
        experiments=len(experiments_of(path)),
        predictions=predictions,
        widgets=num_widgets,
    )
