"""Linter, formatter, type checker and doctest find nothing."""

import doctest
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from tests.notebooks.reading import NOTEBOOKS, read

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


def test_no_line_of_a_script_or_a_style_sheet_is_longer_than_120_characters():
    folders = ("mctslab/widgets/static", "docs/site/play", "docs/site/static")
    files = [file for folder in folders for file in sorted((PROJECT / folder).iterdir())]
    scripts = {f: f.read_text("utf-8").splitlines() for f in files if f.suffix in {".js", ".css"}}
    assert {file.name for file in scripts} >= {"ui.js", "common.css", "worker.js", "live.js"}
    assert [line for lines in scripts.values() for line in lines if len(line) > 120] == []


def test_the_types_of_the_package_of_run_py_and_of_the_site_are_right():
    assert run_tool("mypy", "mctslab", "run.py", "docs") == ""


def test_notebooks_are_kept_without_outputs_and_name_the_kernel_that_is_everywhere():
    """Without one JupyterLab asks which kernel to start, and a reader is stuck at a question."""
    for path in NOTEBOOKS:
        notebook = read(path)
        kernel = notebook.metadata.kernelspec
        assert (kernel.name, kernel.language) == ("python3", "python"), path.stem
        assert notebook.metadata.keys() == {"kernelspec", "language_info"}, path.stem
        for cell in notebook.cells:
            assert cell.metadata.keys() <= {"jupyter", "tags"}, f"{path.stem}: {cell.id}"
            assert not cell.get("outputs"), f"{path.stem}: {cell.id}"
            assert cell.get("execution_count") is None, f"{path.stem}: {cell.id}"


# Examples in docstrings


def names() -> list[str]:
    """Every module that holds an example."""
    found = []
    for file in (PROJECT / "run.py", *sorted((PROJECT / "mctslab").rglob("*.py"))):
        if "\n>>> " in file.read_text("utf-8").replace("    ", ""):
            found.append(".".join(file.relative_to(PROJECT).with_suffix("").parts))
    return [name.removesuffix(".__init__") for name in found]


@pytest.mark.parametrize("name", names())
def test_the_examples_are_right(name):
    failed, tried = doctest.testmod(importlib.import_module(name))
    assert tried > 0
    assert failed == 0
