"""The command that measures the house, on which CONTRIBUTING.md relies."""

import re
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def test_the_house_is_measured():
    command = [sys.executable, "-m", "tests.measure", "house"]
    process = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=300)
    assert process.returncode == 0, process.stderr
    trips = {
        name: int(files)
        for name, files in re.findall(r"^(\S.*?)\s{2,}(\d+)\s+\d+   ", process.stdout, re.MULTILINE)
    }
    assert trips.keys() == {
        "search.mcts", "a click on a board", "a click and a reply", "a round of self-play"
    }  # fmt: skip
    assert trips["a click on a board"] <= 20
    assert trips["a round of self-play"] <= 12
    own_lines = len((PROJECT / "run.py").read_text("utf-8").splitlines())
    assert re.search(rf"^run\.py +1 +{own_lines}$", process.stdout, re.MULTILINE)
    assert " public names, " in process.stdout


def test_the_table_of_the_notebooks_is_what_the_command_prints():
    command = [sys.executable, "-m", "tests.measure", "notebooks"]
    process = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=300)
    assert process.returncode == 0, process.stderr
    assert "| 14_alphazero_gomoku |" in process.stdout
    assert process.stdout in (PROJECT / "CONTRIBUTING.md").read_text("utf-8")
