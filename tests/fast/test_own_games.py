"""A game of one's own is compiled where its rules can be, and says so where they cannot.

It lies in a file, or was written into the cells of a notebook; there it can be written anew.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mctslab import games, search
from mctslab.games import contract
from tests.fast.own_hex import OwnHex
from tests.fast.same_trees import both
from tests.fast.test_same_tree import played
from tests.games import own_games

SOURCE = Path(__file__).with_name("own_hex.py").read_text("utf-8")


def test_the_game_of_these_tests_is_hex():
    """Another one who wrote Hex, without bits, agrees on every position of random games."""
    contract.check(OwnHex())
    rng = np.random.default_rng(1)
    for _ in range(100):
        ours, theirs = OwnHex(), own_games.Hex()
        while not theirs.is_terminal:
            assert ours.legal_actions() == theirs.legal_actions()
            action = search.uniform(ours, rng)
            ours, theirs = ours.child(action), theirs.child(action)
        assert ours.returns() == theirs.returns()


CELLS = f"""
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell()

def run(cell):
    done = shell.run_cell(cell, store_history=True)
    done.raise_error()

COMPARE = '''
import warnings, numpy as np
from mctslab import fast, search
from tests.fast.same_trees import difference
warnings.simplefilter("error")
ours = fast.mcts(OwnHex(), num_simulations=400, rng=np.random.default_rng(1))
theirs = search.mcts(OwnHex(), num_simulations=400, rng=np.random.default_rng(1))
print(difference(ours.root, theirs.root) or "same", ours.note or "compiled", ours.value)
'''
run({SOURCE!r})
run(COMPARE)
run('''
def neighbours(squares):
    from_left, from_right = squares & ~RIGHT, squares & ~LEFT
    level = from_left << 1 | from_right >> 1
    return (level | squares << 4 | squares >> 4 | from_left << 5 | from_right >> 5) & FULL
''')
run(COMPARE)
run('''
warnings.simplefilter("ignore")
plain_neighbours = neighbours
def neighbours(squares):
    return int(str(plain_neighbours(squares)))
''')
run(COMPARE.replace('warnings.simplefilter("error")', ""))
"""


def test_a_game_of_ones_own_in_a_notebook_is_compiled_and_compiled_anew():
    """A function that the rules call is mirrored in a later cell, and then cannot be compiled."""
    command = [sys.executable, "-c", CELLS]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    first, second, third = done.stdout.splitlines()[-3:]
    assert first.startswith("same compiled")
    assert second.startswith("same compiled")
    assert first != second
    assert third.startswith("same In plain Python: neighbours() uses str, and besides functions of")


FIRST_STATES = (
    games.TicTacToe(),
    games.ConnectFour(),
    games.ConnectFour(4, 5),
    games.Reversi(4),
    games.Reversi(6),
    games.Reversi(),
    games.Gomoku(6, 4),
    games.Gomoku(8, 5, True),
    OwnHex(),
)


@settings(max_examples=100)
@given(
    state=st.sampled_from(FIRST_STATES),
    plies=st.integers(0, 60),
    seed=st.integers(0, 2**64 - 1),
    sizes=st.lists(st.integers(1, 120), min_size=1, max_size=3),
    selection=st.one_of(
        st.builds(search.ucb1, st.floats(0, 4)), st.builds(search.puct, st.floats(0, 8))
    ),
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
