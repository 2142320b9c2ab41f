"""A search without Numba goes on in plain Python and says why."""

import os
import subprocess
import sys

SEARCH = """
import numpy as np
from mctslab import doctor, fast, games, search
state, rng = games.TicTacToe(), np.random.default_rng(1)
print(fast.mcts(state, num_simulations=20, rng=rng).num_simulations)
evaluator = search.uniform_evaluator()
print(fast.puct_search(state, evaluator=evaluator, num_simulations=20, rng=rng).num_simulations)
doctor.CHECKS = {"Compiler": doctor.check_compiler}
print(doctor.report())
"""


def check(folder, words, **variables):
    done = subprocess.run(
        [sys.executable, "-c", SEARCH], cwd=folder, env=os.environ | variables,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.startswith("20\n20\n")
    assert f"FAULT Compiler: {words}" in done.stdout
    assert done.stderr.count("SlowSearchWarning") >= 1
    assert f"The readable search is used: {words}" in done.stderr


def test_a_file_that_is_taken_for_a_package_is_suspected(tmp_path):
    for name, text in (("coverage", "1 / 0"), ("numba", "total = (")):
        (tmp_path / f"{name}.py").write_text(text)
        check(tmp_path, "Numba cannot be loaded; is a file here named like a package?")


def test_the_variable_that_switches_the_compiler_off_is_named(tmp_path):
    words = "the environment variable NUMBA_DISABLE_JIT switches Numba's compiler off"
    check(tmp_path, words, NUMBA_DISABLE_JIT="1")
