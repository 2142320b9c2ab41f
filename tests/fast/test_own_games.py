"""A game of one's own is compiled where its rules can be, and says so where they cannot.

It lies in a file, or was written into the cells of a notebook; there it can be written anew.
"""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mctslab import fast, games, search
from mctslab.fast import SlowSearchWarning
from mctslab.games import contract
from tests.fast.own_hex import OwnHex
from tests.fast.same_trees import both, difference
from tests.games import own_games

PROJECT = Path(__file__).resolve().parents[2]
SOURCE = Path(__file__).with_name("own_hex.py").read_text("utf-8")

OPTIONS: dict[str, dict[str, Any]] = {
    "UCT": {},
    "PUCT, all": {"selection": search.puct(), "expansion": "all"},
    "two rollouts": {"evaluator": search.rollout_evaluator(num_rollouts=2)},
}


def test_the_game_of_these_tests_keeps_the_protocol():
    contract.check(OwnHex())


def test_the_game_of_these_tests_is_hex():
    """Another one who wrote Hex, without bits, agrees on every position of random games."""
    rng = np.random.default_rng(1)
    for _ in range(100):
        ours, theirs = OwnHex(), own_games.Hex()
        while not theirs.is_terminal:
            assert ours.legal_actions() == theirs.legal_actions()
            action = search.uniform(ours, rng)
            ours, theirs = ours.child(action), theirs.child(action)
        assert ours.returns() == theirs.returns()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_a_game_of_ones_own_in_a_file_grows_the_same_tree(options):
    for seed in range(2):
        both("mcts", OwnHex(), seed, num_simulations=600, **options)


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
    done = subprocess.run(
        [sys.executable, "-c", CELLS], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr + done.stdout
    first, second, third = done.stdout.splitlines()[-3:]
    assert first.startswith("same compiled")
    assert second.startswith("same compiled")
    assert first != second
    assert third.startswith("same In plain Python: neighbours() uses str, and besides functions of")


def test_a_game_of_ones_own_that_cannot_be_compiled_says_so():
    class Halves(OwnHex):
        __slots__ = ()
        rules = OwnHex.rules._replace(outcome=lambda position, moves, geometry: 0)

    with pytest.warns(SlowSearchWarning, match="lambda.* is not a plain `def`") as caught:
        result = fast.mcts(Halves().child(0), num_simulations=1, stop=lambda: True, rng=RNG)
    assert result.note.endswith("and only those are compiled.")
    assert len(caught) == 1
    assert fast.why_not(Halves()) != ""


RNG = np.random.default_rng(1)

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
    rng = np.random.default_rng(seed)
    for _ in range(plies):
        child = state.child(search.uniform(state, rng))
        if child.is_terminal:
            break
        state = child
    policy = search.roxanne() if is_roxanne and state.num_actions == 65 else search.uniform
    options = {
        "selection": selection,
        "expansion": expansion,
        "evaluator": search.rollout_evaluator(policy, num_rollouts),
    }
    one, other = np.random.default_rng(seed), np.random.default_rng(seed)
    ours = theirs = None
    for number in sizes:
        found = fast.mcts(state, num_simulations=number, root=ours, rng=one, **options)
        expected = search.mcts(state, num_simulations=number, root=theirs, rng=other, **options)
        assert found.note == ""
        assert difference(found.root, expected.root) == ""
        assert found.children == expected.children
        assert one.bit_generator.state == other.bit_generator.state
        ours, theirs = found.root, expected.root
        child = state.child(expected.best_so_far)
        if not child.is_terminal:
            state = child
