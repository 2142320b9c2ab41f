"""Files that a notebook writes, looked at and run as a reader would."""

import os
import subprocess
import sys
from pathlib import Path

from tests.notebooks.reading import PROJECT


def run_in(folder: Path, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run a module of Python with these words in a folder, with this typed into it."""
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )


def assert_clean(folder: Path, *files: str) -> None:
    """The files are as the linter and the formatter want them."""
    settings = ("--config", str(PROJECT / "pyproject.toml"))
    ignored = ("--ignore", "D,ANN,PT,INP,RUF,EM")  # a student's file has no types
    unused = ("--per-file-ignores", "my_template.py:F401")  # for what is still to be written
    for options in (("check", *ignored, *unused), ("format", "--check")):
        done = run_in(folder, "ruff", *options, *settings, *files)
        assert done.returncode == 0, done.stdout
