"""A game of one's own is compiled where its rules can be, and any search of any game is the same.

The game was written into the cells of a notebook; there it can be written anew.
"""

import subprocess
import sys

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mctslab import games, search
from tests.fast.same_trees import both
from tests.fast.test_same_tree import played

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


FIRST_STATES = (
    games.TicTacToe(),
    games.ConnectFour(),
    games.ConnectFour(4, 5),
    games.ConnectFour(15, 4),  # like 7 x 8, all of 64 bits
    games.Reversi(4),
    games.Reversi(6),
    games.Reversi(),
    games.Gomoku(6, 4),
    games.Gomoku(8, 5, True),
)


@settings(max_examples=100)
@given(
    state=st.sampled_from(FIRST_STATES),
    plies=st.integers(0, 60),
    seed=st.integers(0, 2**64 - 1),
    sizes=st.lists(st.integers(1, 120), min_size=1, max_size=3),
    selection=st.builds(search.ucb1, st.floats(0, 4)),
    expansion=st.sampled_from(search.Expansion),
    num_rollouts=st.sampled_from((1, 1, 2, 5)),
    is_roxanne=st.booleans(),
)
def test_any_search_grows_the_readable_tree(
    state, plies, seed, sizes, selection, expansion, num_rollouts, is_roxanne
):
    """Any position, options and seed, in one go or in slices, with a reply between them."""
    state = played(state, plies, np.random.default_rng(seed))
    policy = search.roxanne() if is_roxanne and state.num_actions == 65 else search.uniform
    evaluator = search.rollout_evaluator(policy, num_rollouts)
    options = {"selection": selection, "expansion": expansion, "evaluator": evaluator}
    roots = None, None
    for number in sizes:
        found, expected = both("mcts", state, seed, roots=roots, num_simulations=number, **options)
        roots = found.root, expected.root
        child = state.child(expected.best_so_far)
        if not child.is_terminal:
            state = child
