"""The outline of a notebook: its title and its exercises.

The file is read as plain JSON, because the library for notebooks checks each against a schema,
which takes a second to load: too long for the first cell of the first notebook.
"""

import functools
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

Cell: TypeAlias = Mapping[str, Any]

TAG: Final = "exercise:"
"""The cell of the exercise NAME carries the tag `exercise:NAME`."""


def _project_folder() -> Path:
    """`notebooks` in the installed package or, in a checkout, next to the package."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "notebooks"
    return inside if inside.is_dir() else package.parent / "notebooks"


PROJECT_FOLDER: Final = _project_folder()
"""The folder with the notebooks of the course."""

SIDE_ROADS: Final = "more"
"""The folder of the side roads, which are interesting but not needed for the next notebook. Each
has the number of the notebook that it branches off from."""

_FILE_NAME: Final = "[0-9][0-9]_*.ipynb"


def paths(folder: Path | None = None) -> list[Path]:
    """The notebooks of the course in their order, each followed by its side roads.

    They are those of a folder or, without one, those next to the open notebook, or those of the
    course.
    """
    if folder is None:
        here = Path.cwd().parent if Path.cwd().name == SIDE_ROADS else Path.cwd()
        folder = here if any(here.glob(_FILE_NAME)) else PROJECT_FOLDER
    found = [*folder.glob(_FILE_NAME), *folder.glob(f"{SIDE_ROADS}/{_FILE_NAME}")]
    return sorted(found, key=lambda path: (path.name[:2], is_side_road(path), path.name))


def is_side_road(path: Path) -> bool:
    """Whether a notebook may be left out."""
    return path.parent.name == SIDE_ROADS


def place_of(path: Path) -> Path:
    """The path of a notebook in its folder: `03_selection.ipynb`, `more/07_solving.ipynb`."""
    return Path(SIDE_ROADS, path.name) if is_side_road(path) else Path(path.name)


@functools.cache
def homes() -> dict[str, str]:
    """Every exercise in a notebook of the project, with the name of that notebook."""
    return {
        exercise: path.stem
        for path in paths(PROJECT_FOLDER)
        for exercise in filter(None, map(exercise_of, cells_of(path)))
    }


def results_of(path: Path) -> list[Path]:
    """The stored results that a notebook reads, in `results` next to it.

    They begin with its number, or it names them, because it reads those of an earlier notebook.
    """
    folder = path.parent / "results"
    text = path.read_text("utf-8") if path.is_file() else ""
    named = (folder / name for name in re.findall(r"(?<![\w/])results/([\w.]+)", text))
    own = folder.glob(f"{path.name[:2]}_*")
    return sorted({*own, *(each for each in named if each.is_file())})


def cells_of(path: Path) -> list[Cell]:
    """The cells of a notebook.

    Raises:
        ValueError: the file is damaged.
        OSError: it cannot be read.
    """
    cells: list[Cell] = json.loads(path.read_text("utf-8"))["cells"]
    return cells


def title_of(cells: Iterable[Cell]) -> str:
    """The first heading, without the number."""
    text = "\n".join("".join(cell["source"]) for cell in cells)  # a file holds lists of lines
    match = re.search(r"^# (?:\d\d\W+)?(.+)$", text, re.MULTILINE)
    return match[1].strip() if match else "Untitled"


def exercise_of(cell: Cell) -> str | None:
    """The name of the exercise that a cell is tagged with."""
    tags = cell["metadata"].get("tags", ())
    return next((tag.removeprefix(TAG) for tag in tags if tag.startswith(TAG)), None)
