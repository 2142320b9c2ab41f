"""Without PyTorch everything but the nets works, and one sentence says what the nets lack.

That the notebooks before the nets run without it is shown by tests/notebooks/test_running.py.
"""

import json
import re
import subprocess
import sys

from mctslab.players.shipped import WEIGHTS
from tests.notebooks.reading import NOTEBOOKS, PROJECT, read

NO_TORCH = "import sys; sys.modules['torch'] = None\n"
"""As if it were not installed: importing it raises ModuleNotFoundError."""
SENTENCE = (
    "mctslab.net needs PyTorch, which is not installed here: `python3 run.py setup` installs it, "
    "and so does `pip install torch`; everything but the nets works without it."
)
NEED_NONE = {"12_museum", "13_gate_and_resume", "13_museum", "14_training_tricks"}
"""Functions to correct without PyTorch, and results of matches."""
NEED_A_NET = [
    path for path in NOTEBOOKS if 12 <= int(path.stem[:2]) <= 14 and path.stem not in NEED_NONE
]


def run(code: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-c", NO_TORCH + code]
    return subprocess.run(words, capture_output=True, text=True, cwd=PROJECT)


PROGRAM = """
import importlib, json
import numpy as np
from mctslab import arena, book, draw, fast, games, players, search, widgets
from mctslab.__main__ import main_in_a_pipe

rng = np.random.default_rng(1)
assert players.make("uct:50", rng=rng).choose(games.TicTacToe()) in range(9)
for use in (
    lambda: importlib.import_module("mctslab.net"),
    lambda: importlib.import_module("mctslab.net.trainer"),
    lambda: players.make("net:any", rng=rng),
):
    try:
        use()
    except ModuleNotFoundError as error:
        print(json.dumps([error.name, str(error)]))
print(json.dumps([players.has_torch(), *(each.name for each in players.shipped_nets())]))
for command in (["train", "six.toml", "--out", "six"], ["arena", "gomoku", "net:any", "random"]):
    print(main_in_a_pipe(command))
"""


def test_everything_else_works_and_what_needs_a_net_says_the_sentence():
    done = run(PROGRAM)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    (has_torch, *names), *statuses = lines[3:]
    assert lines[:3] == [["torch", SENTENCE]] * 3
    assert (has_torch, statuses) == (False, [2, 2])
    assert sorted(names) == sorted(file.stem for file in WEIGHTS.glob("*.safetensors"))
    assert done.stderr.splitlines() == [f"mctslab: {SENTENCE}"] * 2


FIRST_ERRORS = """
import json
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
for cells in {notebooks}:
    shell = InteractiveShell()
    for cell in cells:
        with capture_output() as shown:
            result = shell.run_cell(cell)
        if not result.success:
            print(json.dumps(shown.stdout.strip()))
            break
"""


def test_a_notebook_that_needs_a_net_shows_the_sentence_without_a_traceback():
    """The notebooks on nets do so in their first cell of code."""
    firsts = [
        [next(cell.source for cell in read(path).cells if cell.cell_type == "code")]
        for path in NEED_A_NET
    ]
    later = ["x = 1", "from mctslab.net.encode import encode", "y = 2"]
    done = run(FIRST_ERRORS.format(notebooks=[*firsts, later]))
    assert done.returncode == 0, done.stderr
    shown = [re.sub(r"\x1b\[[0-9;]*m", "", json.loads(line)) for line in done.stdout.splitlines()]
    assert shown == [SENTENCE] * (len(firsts) + 1)
