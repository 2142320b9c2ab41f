"""Without PyTorch everything but the nets works, and one sentence says what the nets lack."""

import subprocess
import sys

NO_TORCH = "import sys; sys.modules['torch'] = None\n"
"""As if it were not installed: importing it raises ModuleNotFoundError."""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", NO_TORCH + code], capture_output=True, text=True)


def test_the_sentence_says_what_is_missing_and_what_to_do():
    done = run("from mctslab import net")
    last_line = done.stderr.strip().splitlines()[-1]
    assert last_line.startswith("ModuleNotFoundError: mctslab.net needs PyTorch")
    assert "run.py setup" in last_line
    assert "pip install torch" in last_line


def test_it_is_an_import_error_that_names_torch():
    code = "try:\n    import mctslab.net\nexcept ImportError as error:\n    print(error.name)"
    assert run(code).stdout.strip() == "torch"


def test_everything_else_works():
    code = (
        "import numpy as np\n"
        "from mctslab import arena, book, draw, fast, games, players, search, widgets\n"
        "player = players.make('uct:50', rng=np.random.default_rng(1))\n"
        "print(player.choose(games.TicTacToe()) in range(9))"
    )
    assert run(code).stdout.strip() == "True"
