"""The linter, the formatter and the type checker find nothing, in notebooks neither."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((PROJECT / "notebooks").glob("*.ipynb"))


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


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_outputs(notebook):
    assert run_tool("nbstripout", "--keep-id", "--verify", notebook) == ""


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_names_the_kernel_that_is_everywhere(notebook):
    """Without one JupyterLab asks which kernel to start, and a reader is stuck at a question."""
    metadata = json.loads(notebook.read_text("utf-8"))["metadata"]

    assert metadata["kernelspec"]["name"] == "python3"
    assert metadata["kernelspec"]["language"] == "python"
