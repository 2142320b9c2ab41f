"""A person without progress for each test, and a search for garbage only in what it made."""

import gc
from collections.abc import Iterator

import pytest

from mctslab.course.keeping import progress


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The folder of the progress, which does not exist yet."""
    monkeypatch.setenv(progress.HOME_VARIABLE, str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def _only_new_garbage() -> Iterator[None]:
    """Python looks only through what a test makes: PyTorch and the inputs are a million objects."""
    gc.freeze()
    yield
    gc.unfreeze()
