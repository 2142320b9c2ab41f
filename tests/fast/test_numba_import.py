"""A reader's own file that Numba takes for a package: the search says which one, and goes on."""

import os
import subprocess
import sys

import pytest

SEARCH = """
import numpy as np
from mctslab import fast, games
result = fast.mcts(games.TicTacToe(), num_simulations=20, rng=np.random.default_rng(1))
print(result.num_simulations)
"""


def test_the_warning_of_a_slow_search_says_what_to_rename(tmp_path):
    (tmp_path / "coverage.py").write_text("total = 1")
    command = [sys.executable, "-c", SEARCH]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "20\n"
    assert "SlowSearchWarning" in done.stderr
    assert f"Numba gets {tmp_path / 'coverage.py'} instead of the package" in done.stderr
    assert "Rename coverage.py, then start" in done.stderr


GUIDED = SEARCH.replace(
    "fast.mcts(", "fast.puct_search(evaluator=search.uniform_evaluator(), state="
)
DOCTOR = "from mctslab import doctor; doctor.check_compiler()"


@pytest.mark.parametrize("program", [SEARCH, GUIDED, DOCTOR])
def test_the_variable_that_switches_the_compiler_off_is_named(program):
    program = program.replace("import fast, games", "import fast, games, search")
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == ((1, "") if program == DOCTOR else (0, "20\n"))
    assert "the environment variable NUMBA_DISABLE_JIT switches Numba's compiler off" in done.stderr
