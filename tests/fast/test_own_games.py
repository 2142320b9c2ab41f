"""A game of one's own, in the cells of a notebook, is compiled where its rules can be."""

import subprocess
import sys

CELLS = """
from IPython.core.interactiveshell import InteractiveShell

GAME = '''
from mctslab.games import TicTacToe
from mctslab.games.rules import LOST, WON
from mctslab.games.tictactoe import outcome as usual

def verdict(result):
    return result

def outcome(position, moves, geometry):
    return verdict(usual(position, moves, geometry))

class Own(TicTacToe):
    rules = TicTacToe.rules._replace(outcome=outcome)
'''
LOST_BY_THREE = '''
def verdict(result):
    return WON if result == LOST else result
'''
NOT_COMPILABLE = '''
warnings.simplefilter("ignore")
def verdict(result):
    return int(str(result))
'''
COMPARE = '''
import warnings, numpy as np
from mctslab import fast, search
from tests.fast.same_trees import difference
ours = fast.mcts(Own(), num_simulations=400, rng=np.random.default_rng(1))
theirs = search.mcts(Own(), num_simulations=400, rng=np.random.default_rng(1))
print(difference(ours.root, theirs.root) or "same", ours.note or "compiled", ours.value)
'''
shell = InteractiveShell()
for cell in (GAME, COMPARE, LOST_BY_THREE, COMPARE, NOT_COMPILABLE, COMPARE):
    shell.run_cell(cell, store_history=True).raise_error()
"""


def test_a_game_of_ones_own_in_a_notebook_is_compiled_and_compiled_anew():
    """A function that the rules call is changed in a later cell, and then cannot be compiled."""
    command = [sys.executable, "-W", "error::mctslab.fast.SlowSearchWarning", "-c", CELLS]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    first, second, third = done.stdout.splitlines()[-3:]
    assert first.startswith("same compiled")
    assert second.startswith("same compiled")
    assert first != second
    assert third.startswith("same In plain Python: verdict() uses str, and besides functions of")


ENDLESS = """
import numpy as np
from mctslab import fast
from mctslab.games import TicTacToe

def outcome(position, moves, geometry):
    while position[0] & 16:
        pass
    return 0

class Own(TicTacToe):
    rules = TicTacToe.rules._replace(outcome=outcome)

fast.mcts(Own(), num_simulations=400, rng=np.random.default_rng(1))
"""


def test_an_endless_loop_in_the_rules_is_told_before_they_are_compiled(tmp_path):
    """In compiled code, not even Ctrl-C could end it."""
    (tmp_path / "own.py").write_text(ENDLESS)
    command = [sys.executable, str(tmp_path / "own.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    assert "EndlessRulesError: outcome() of the rules does not return from ((" in done.stderr
