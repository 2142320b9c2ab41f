"""Each notebook is run once in this process, and every test of it can look at what is left."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import pytest

from tests.notebooks.running import Executed, run_solved


@pytest.fixture(scope="session")
def executed() -> Callable[[Path], Executed]:
    # The tests of one notebook come one after the other (tests/conftest.py), so one is enough.
    return lru_cache(maxsize=1)(run_solved)
