"""Every block of docs/extend.md runs, in the order of the page, as one program."""

import ast
import builtins
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mctslab import course

PAGE = Path(__file__).parents[2] / "docs" / "extend.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
OUTSIDE = Path(__file__).parent / "outside.py"


@pytest.mark.skipif(sys.platform == "win32", reason="OpenSpiel has no build for Windows")
def test_every_block_runs(tmp_path):
    program = tmp_path / "page.py"
    # Processes that self-play starts import the file again.
    program.write_text("\n".join(BLOCKS), "utf-8")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # active, for nbgrader
    ran = subprocess.run(
        [sys.executable, program], cwd=tmp_path, capture_output=True, text=True, timeout=300,
        check=False, env={**os.environ, "PATH": path},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    printed = ran.stdout
    assert "Take Away keeps the contract." in printed
    assert "A game of your own must derive from mctslab.games.State" in printed
    assert "\ncompiled\n" in printed
    assert '{"game": "reversi"' in printed
    assert "gomoku9_5 200 iterations of 104 games" in printed
    assert "Your function behaves as if the number were squared." in printed
    assert "my_course/source/17_my_topic/17_my_topic.ipynb" in printed
    assert printed.endswith("17_my_topic, my_topic\n    1  not attempted\n")


CARRIED = {"TakeAway", "MyNet", "config"}
"""What the page says that a block can take from an earlier one."""


def test_every_block_has_its_imports():
    """So that a reader can copy one block alone."""
    for block in BLOCKS:
        nodes = list(ast.walk(ast.parse(block)))
        names = [node for node in nodes if isinstance(node, ast.Name)]
        here = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        here |= {node.arg for node in nodes if isinstance(node, ast.arg)}
        here |= {node.asname or node.name for node in nodes if isinstance(node, ast.alias)}
        here |= {getattr(node, "name", None) for node in nodes}  # functions, classes and errors
        assert {node.id for node in names} - here - set(dir(builtins)) <= CARRIED, block


ROOT = str(PAGE.parents[1])
PYRIGHT = {"extraPaths": [ROOT], "typeCheckingMode": "strict", "reportMissingTypeStubs": False}
OPTIONS = {
    "mypy": ["--strict", "--follow-imports=silent"],
    "basedpyright": ["--pythonpath", sys.executable],  # is pyright, and brings its own Node.js
}


@pytest.mark.thorough
@pytest.mark.parametrize("checker", OPTIONS)
def test_a_project_outside_is_checked_by_its_types(checker, tmp_path):
    pytest.importorskip(checker)
    file = tmp_path / "outside.py"
    command = [sys.executable, "-m", checker, *OPTIONS[checker], file]
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(PYRIGHT), "utf-8")
    for more, found in ("", ""), ("number: str = result.best_action\n", '"int"'):
        file.write_text(OUTSIDE.read_text("utf-8") + more, "utf-8")
        ran = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
            env={**os.environ, "MYPYPATH": ROOT},
        )  # fmt: skip
        assert (ran.returncode != 0, found in ran.stdout) == (bool(more), True), ran.stdout


def test_the_file_that_is_taken_away_learns_without_mctslab(tmp_path):
    file = tmp_path / "my_alphazero.py"
    course.take_away(file)
    # Isolated (-I), from another folder: the package would be found otherwise.
    program = "import sys; sys.modules['mctslab'] = None; sys.argv[1:] = ['2']; import runpy; "
    program += f"runpy.run_path({str(file)!r}, run_name='__main__')"
    ran = subprocess.run(
        [sys.executable, "-I", "-c", program], cwd=tmp_path, capture_output=True, text=True,
        timeout=300, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("iteration 0\niteration 1\niteration 2\nlost to random moves: ")
    with pytest.raises(FileExistsError, match="is there already: give another name"):
        course.take_away(file)
