"""The command that measures the house, on which CONTRIBUTING.md relies."""

import re
import subprocess
import sys
from pathlib import Path

from tests import measure

PROJECT = Path(__file__).resolve().parents[2]


def test_the_house_is_measured():
    # In a process of its own, because it profiles: after other tests Python hangs when it does.
    command = [sys.executable, "-m", "tests.measure", "house"]
    printed = subprocess.run(
        command, cwd=PROJECT, stdout=subprocess.PIPE, text=True, timeout=300, check=True
    ).stdout
    trips = {
        name: int(files)
        for name, files in re.findall(r"^(\S.*?)\s{2,}(\d+)\s+\d+   ", printed, re.MULTILINE)
    }
    assert trips.keys() == {
        "search.mcts", "a click on a board", "a click and a reply", "a round of self-play"
    }  # fmt: skip
    assert trips["a click on a board"] <= 20
    assert trips["a round of self-play"] <= 12
    own_lines = len((PROJECT / "run.py").read_text("utf-8").splitlines())
    assert re.search(rf"^run\.py +1 +{own_lines}$", printed, re.MULTILINE)
    assert " public names, " in printed


def test_the_table_of_the_notebooks_is_what_the_command_prints(capsys):
    measure.main(["notebooks"])
    printed = capsys.readouterr().out
    assert "| 14_alphazero_gomoku |" in printed
    assert printed in (PROJECT / "CONTRIBUTING.md").read_text("utf-8")
