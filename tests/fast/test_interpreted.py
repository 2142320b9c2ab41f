"""With MCTSLAB_INTERPRET the generated modules run as plain Python, and grow the same trees."""

import os
import subprocess
import sys

SCRIPT = """
import inspect

import numpy as np

from mctslab import games, search, solvers
from tests.fast.same_trees import both, played

rng = np.random.default_rng(1)
for state in (games.TicTacToe(), games.ConnectFour(), games.Reversi(6), games.Gomoku(9)):
    root = both("mcts", state, 1, num_simulations=60)[0].root
    assert inspect.isfunction(root.tree.engine.search)  # and not a dispatcher of Numba's
    late = played(state, 20, rng) if state.num_actions > 9 else state
    both("mcts", late, 2, num_simulations=40, solver=True)
    options = {"evaluator": search.rollout_evaluator(), "batch_size": 4, "solver": True}
    both("puct_search", late, 3, num_simulations=40, **options)
print(solvers.ConnectFourSolver(4, 4).distance(games.ConnectFour(4, 4).child(0).child(1)))
"""


def test_interpreted_searches_grow_the_trees_of_the_readable_search(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False,
        env=os.environ | {"MCTSLAB_INTERPRET": "1", "MCTSLAB_CACHE": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "None"  # a draw
