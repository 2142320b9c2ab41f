"""`python -m mctslab compile`: after it, nothing is left to be compiled."""

import subprocess
import sys

import pytest

SEARCH_AFTER_COMPILING = """
import sys
import numpy as np
from mctslab import __main__, fast, games, players
from mctslab.solvers import ConnectFourSolver, EndgameSolver

def compiled():
    return {{name for name in sys.modules if name.startswith("mctslab_")}}

assert __main__.main(["compile", "{game}"]) == 0
before = compiled()
state, rng = games.make("{game}"), np.random.default_rng(1)
for name in ("flat:300", "uct:300", "uct+solver:300", "puct:300", "puct+solver:300", "alphabeta:1"):
    players.make(name, rng=rng).choose(state)
{solver}
print("late:", *compiled() - before)
"""


@pytest.mark.parametrize(
    ("game", "solver"),
    [
        ("tictactoe", ""),
        ("connect_four", "ConnectFourSolver()"),
        ("gomoku", ""),
        ("reversi", "EndgameSolver(8)"),
    ],
)
def test_no_player_waits_for_the_compiler(game, solver):
    code = SEARCH_AFTER_COMPILING.format(game=game, solver=solver)
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.endswith("late:\n"), done.stdout
