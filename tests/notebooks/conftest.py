"""Each notebook is run once a session in this process, and every test can look at what is left."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.notebooks.reading import read
from tests.notebooks.running import Executed, run_here


@pytest.fixture(scope="session")
def executed() -> Callable[[Path], Executed]:
    return cache(lambda path: run_here(read(path)))
