"""Each notebook is run once in this process, and every test of it can look at what is left.

The tests in `test_NN_topic.py` are about the notebook `NN_topic.ipynb`.
"""

import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ipywidgets
import pytest

from tests.notebooks.reading import NOTEBOOKS, read
from tests.notebooks.running import Executed, run_solved


@pytest.fixture(scope="session")
def executed() -> Iterator[Callable[[Path], Executed]]:
    """Run a notebook; the files that it writes over come back at the end."""
    own: dict[Path, bytes] = {}
    newest: dict[Path, Executed] = {}

    # The tests of one notebook come one after the other (tests/conftest.py), so one is enough.
    def run(path: Path) -> Executed:
        if path not in newest:
            forget(newest)
            if "%%writefile my_" in path.read_text("utf-8"):
                written = {*path.parent.glob("my_*.py"), *path.parent.glob("my_*.txt")}
                own.update({file: file.read_bytes() for file in written - own.keys()})
            newest[path] = run_solved(path)
        return newest[path]

    yield run
    forget(newest)
    for file, content in own.items():
        file.write_bytes(content)


def forget(known: dict[Path, Executed]) -> None:
    """Free what notebooks leave: widgets and IPython would keep their trees and nets."""
    for each in known.values():
        each.names.clear()
    known.clear()
    ipywidgets.Widget.close_all()
    gc.collect()


@pytest.fixture(scope="module")
def notebook(request: pytest.FixtureRequest) -> Path:
    """The file of the notebook that this module is about."""
    return next(path for path in NOTEBOOKS if f"test_{path.stem}" == request.path.stem)


@pytest.fixture(scope="module")
def names(executed: Callable[[Path], Executed], notebook: Path) -> dict[str, Any]:
    """The variables at the notebook's end; a function uses what is replaced in them."""
    return executed(notebook).names


@pytest.fixture(scope="module")
def shown(executed: Callable[[Path], Executed], notebook: Path) -> str:
    """All that the notebook's cells printed or showed."""
    return executed(notebook).text


@pytest.fixture(scope="module")
def cells(notebook: Path) -> dict[str, str]:
    """The sources of the notebook's cells, by id."""
    return {cell.id: cell.source for cell in read(notebook).cells}
