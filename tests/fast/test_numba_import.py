"""A reader's own file that Numba takes for a package: the search says which one, and goes on."""

import subprocess
import sys

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
