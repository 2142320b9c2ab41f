"""The linter, the formatter and the type checker find nothing, in notebooks neither."""

import json
import subprocess
import sys
from pathlib import Path

from tests.notebooks.reading import NOTEBOOKS

PROJECT = Path(__file__).resolve().parents[2]


def run_tool(*words: str | Path) -> str:
    """Run a tool of this Python's; returns what it complains of, empty when all is well."""
    command = [sys.executable, "-m", *map(str, words)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_ruff_finds_nothing():
    assert run_tool("ruff", "check", "--output-format=concise") == ""


def test_everything_is_formatted():
    assert run_tool("ruff", "format", "--check") == ""


def test_the_types_of_the_package_and_of_run_py_are_right():
    assert run_tool("mypy", "mctslab", "run.py") == ""


def test_notebooks_are_kept_without_outputs():
    assert run_tool("nbstripout", "--keep-id", "--verify", *NOTEBOOKS) == ""


def test_notebooks_name_the_kernel_that_is_everywhere():
    """Without one JupyterLab asks which kernel to start, and a reader is stuck at a question."""
    for notebook in NOTEBOOKS:
        kernel = json.loads(notebook.read_text("utf-8"))["metadata"]["kernelspec"]
        assert (kernel["name"], kernel["language"]) == ("python3", "python"), notebook.stem
