"""Without PyTorch everything but the nets works, and one sentence says what the nets lack.

That the notebooks before the nets run without it is shown by tests/notebooks/test_running.py.
"""

import re
import subprocess
import sys

import pytest

from tests.notebooks.reading import NOTEBOOKS, PROJECT, read

NO_TORCH = "import sys; sys.modules['torch'] = None\n"
"""As if it were not installed: importing it raises ModuleNotFoundError."""
SENTENCE = (
    "mctslab.net needs PyTorch, which is not installed here: `python3 run.py setup` installs it, "
    "and so does `pip install torch`; everything but the nets works without it."
)
NEED_A_NET = [path for path in NOTEBOOKS if 12 <= int(path.stem[:2]) <= 14]


def run(code: str, hidden: str = NO_TORCH) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", hidden + code], capture_output=True, text=True)


@pytest.mark.parametrize("statement", ["from mctslab import net", "import mctslab.net.trainer"])
def test_the_sentence_says_what_is_missing_and_what_to_do(statement):
    done = run(statement)
    last_line = done.stderr.strip().splitlines()[-1]
    assert last_line.split(" ", 1)[1] == SENTENCE


def test_it_is_an_import_error_that_names_torch():
    code = (
        "try:\n    import mctslab.net\nexcept ModuleNotFoundError as error:\n    print(error.name)"
    )
    assert run(code).stdout.strip() == "torch"


def test_everything_else_works():
    code = (
        "import numpy as np\n"
        "from mctslab import arena, book, draw, fast, games, players, search, widgets\n"
        "player = players.make('uct:50', rng=np.random.default_rng(1))\n"
        "print(player.choose(games.TicTacToe()) in range(9))"
    )
    assert run(code).stdout.strip() == "True"


def test_a_player_by_a_net_says_the_sentence():
    code = (
        "import numpy as np\n"
        "from mctslab import players\n"
        "try:\n    players.make('net:any', rng=np.random.default_rng(1))\n"
        "except ImportError as error:\n    print(error)"
    )
    assert run(code).stdout.strip() == SENTENCE


@pytest.mark.parametrize(
    "words", [["train", "six.toml", "--out", "six"], ["arena", "gomoku", "net:any", "random"]]
)
def test_a_command_says_the_sentence_and_nothing_else(words):
    done = run(f"from mctslab.__main__ import main_in_a_pipe\nsys.exit(main_in_a_pipe({words}))")
    assert done.stderr.strip() == f"mctslab: {SENTENCE}"
    assert done.returncode == 2


FIRST_ERROR = """
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
shell = InteractiveShell()
for cell in {cells}:
    with capture_output() as shown:
        result = shell.run_cell(cell)
    if not result.success:
        print(shown.stdout.strip())
        break
"""


def test_the_notebooks_on_nets_say_the_sentence_at_once():
    for path in NEED_A_NET:
        first = next(cell.source for cell in read(path).cells if cell.cell_type == "code")
        assert shown_for([first]) == SENTENCE, path.stem


def test_a_notebook_shows_the_sentence_without_a_traceback():
    assert shown_for(["x = 1", "from mctslab.net.encode import encode", "y = 2"]) == SENTENCE


def shown_for(cells: list[str]) -> str:
    """What a notebook with these cells shows for the first one that fails."""
    code = NO_TORCH + FIRST_ERROR.format(cells=cells)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=PROJECT)
    assert done.returncode == 0, done.stderr
    return re.sub(r"\x1b\[[0-9;]*m", "", done.stdout).strip()
