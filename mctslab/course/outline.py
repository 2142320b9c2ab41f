"""What a notebook says of itself: its title, and the exercises in it.

Read as the JSON that a notebook file is. The library for notebooks checks each against a schema,
which takes a second to load: too long for the first cell of the first notebook.
"""

import ast
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

Cell: TypeAlias = Mapping[str, Any]

TAG: Final = "exercise:"
"""The cell of the exercise NAME carries the tag `exercise:NAME`."""

PROJECT_FOLDER: Final = Path(__file__).resolve().parents[2] / "notebooks"

HAND_IN: Final = "mctslab_hand_in"
"""The entry in the metadata of a notebook to hand in: which notebook it was built from."""

_FILE_NAME: Final = "[0-9][0-9]_*.ipynb"


def paths(folder: Path | None = None) -> list[Path]:
    """The notebooks of the course in their order: those of a folder or, without one, those beside
    the notebook that is open, or those of the project."""
    if folder is None:
        folder = Path.cwd() if any(Path.cwd().glob(_FILE_NAME)) else PROJECT_FOLDER
    return sorted(folder.glob(_FILE_NAME))


def results_of(path: Path) -> list[Path]:
    """The stored results that a notebook reads: they lie beside it, and begin with its number."""
    return sorted((path.parent / "results").glob(f"{path.name[:2]}_*"))


def cells_of(path: Path) -> list[Cell]:
    """The cells of a notebook.

    Raises:
        ValueError: the file is not a notebook.
        OSError: it cannot be read.
    """
    try:
        cells = json.loads(path.read_text("utf-8"))["cells"]
        return [cell for cell in cells if isinstance(cell, dict)]
    except (KeyError, TypeError) as error:
        raise ValueError(f"{path.name} is not a notebook") from error


def title_of(cells: Iterable[Cell]) -> str:
    """What stands in the first heading, without the number."""
    for cell in cells:
        text = "".join(cell.get("source", ""))  # which a file holds as a list of lines
        if match := re.search(r"^# (?:\d\d\W+)?(.+)$", text, re.MULTILINE):
            return match[1].strip()
    return "Untitled"


def exercise_of(cell: Cell) -> str | None:
    """The name of the exercise that a cell is tagged with."""
    metadata = cell.get("metadata")
    if cell.get("cell_type") != "code" or not isinstance(metadata, Mapping):
        return None
    tags = metadata.get("tags")
    for tag in tags if isinstance(tags, list | tuple) else ():
        if isinstance(tag, str) and tag.startswith(TAG):
            return tag.removeprefix(TAG)
    return None


def imports(source: str, without: Iterable[str] = ()) -> list[ast.Import | ast.ImportFrom]:
    """The import statements of a cell that bind none of the names `without`."""
    excluded = set(without)
    found = []
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            kept = [each for each in statement.names if (each.asname or each.name) not in excluded]
            if kept:
                statement.names = kept
                found.append(statement)
    return found
