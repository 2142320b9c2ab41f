"""A person without progress for each test."""

import pytest

from mctslab.course.keeping import progress


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The folder of the progress, which does not exist yet."""
    monkeypatch.setenv(progress.HOME_VARIABLE, str(tmp_path / "home"))
    return tmp_path / "home"
