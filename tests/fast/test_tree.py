"""The compiled search's tree is gone on with, cut down, drawn and read as the readable one is."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mctslab import draw, games, search
from mctslab.fast import SlowSearchWarning, mcts
from mctslab.fast.tree import ArrayNode, as_plain
from mctslab.search import Node
from mctslab.search.reuse import find_root
from tests.fast.same_trees import both, difference
from tests.search.test_invariants import check_tree
from tests.search.toys import FORCED_PASS, FunctionEvaluator, play

PROJECT = Path(__file__).resolve().parents[2]

OPTIONS: dict[str, dict[str, Any]] = {
    "UCT": {},
    "all": {"expansion": "all"},
    "PUCT": {"selection": search.puct()},
    "PUCT, all": {"selection": search.puct(), "expansion": "all"},
}

STATES: dict[str, games.State] = {
    "tictactoe": games.TicTacToe(),
    "connect_four": games.ConnectFour(),
    "reversi 4x4": games.Reversi(4),
    "reversi before a pass": play(games.Reversi(size=4), FORCED_PASS),
    "gomoku 6x6": games.Gomoku(6, 4),
}


def two(seed: int) -> tuple[np.random.Generator, np.random.Generator]:
    return np.random.default_rng(seed), np.random.default_rng(seed)


def most_visited(node: Node) -> Node:
    return max(node.children, key=lambda child: child.visit_count)


# Going on


@pytest.mark.parametrize(("seed", "options"), [*enumerate(OPTIONS.values())], ids=OPTIONS)
@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_whole_games_with_one_tree_are_those_of_the_readable_search(state, options, seed):
    """Our move, the reply, and on with what is left of the tree, to the end of the game."""
    rng, roots = np.random.default_rng(seed), (None, None)
    while not state.is_terminal:
        compiled, readable = both("mcts", state, seed, roots=roots, num_simulations=150, **options)
        roots = compiled.root, readable.root
        for _ in range(2):
            if not state.is_terminal:
                state = state.child(search.uniform(state, rng))


def test_the_subtree_of_every_node_is_the_readable_ones():
    """Each node near the root becomes a root, as it is and searched on."""
    state = games.ConnectFour(4, 4)
    ours = mcts(state, num_simulations=900, rng=np.random.default_rng(1)).root
    nodes = [ours, *ours.children, *(each for child in ours.children for each in child.children)]
    for node in nodes:
        rng = np.random.default_rng(2)
        theirs = search.mcts(state, num_simulations=900, rng=np.random.default_rng(1)).root
        stopped = mcts(
            node.state,
            num_simulations=1,
            root=ours,
            stop=lambda: True,
            rng=rng,
        )
        assert difference(stopped.root, find_root(theirs, node.state)) == ""
        if node is not ours:
            one, other = two(3)
            went_on = mcts(node.state, num_simulations=40, root=ours, rng=one).root
            readable = search.mcts(node.state, num_simulations=40, root=theirs, rng=other).root
            assert difference(went_on, readable) == ""
            check_tree(went_on)


def test_a_reused_root_counts_for_the_player_to_move():
    state = play(games.Reversi(size=4), FORCED_PASS)
    old = mcts(state, num_simulations=20, rng=np.random.default_rng(1)).root
    after = play(state, "a1 pass")
    result = mcts(after, num_simulations=5, root=old, rng=np.random.default_rng(2))
    assert result.root.mover == after.current_player
    assert result.root.parent is None
    assert result.root.action is None
    (child,) = result.children
    assert child.visit_count > 5


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_slices_are_one_run(state):
    one, other = two(5)
    whole = mcts(state, num_simulations=700, rng=one).root
    root = None
    for number in (1, 2, 64, 65, 168, 400):
        root = mcts(state, num_simulations=number, root=root, rng=other).root
    assert difference(root, whole) == ""


def test_other_options_go_on_with_the_same_tree_as_in_the_readable_search():
    """Another rule, or another way to expand, goes on also from leaves that were left half done."""
    state, roots = games.ConnectFour(4, 5), (None, None)
    for number in (33, 58, 1, 7, 120):
        for options in OPTIONS.values():
            results = both("mcts", state, number, roots=roots, num_simulations=number, **options)
            roots = results[0].root, results[1].root


def test_a_child_without_a_visit_becomes_a_fresh_root():
    state = games.TicTacToe()
    for expansion in ("one", "all"):
        old = mcts(state, num_simulations=3, expansion="all", rng=np.random.default_rng(1)).root
        unvisited = next(child for child in old.children if not child.visit_count)
        result = mcts(
            unvisited.state, num_simulations=20, root=old, expansion=expansion,
            rng=np.random.default_rng(2),
        )  # fmt: skip
        assert result.root.visit_count == 20
        check_tree(result.root)


def test_what_is_not_in_the_tree_gets_a_fresh_one():
    """A position that was never reached; one above the root, after an undo; another game."""
    state = games.TicTacToe()
    old = mcts(state.child(4), num_simulations=30, rng=np.random.default_rng(1)).root
    for other in (play(state, "a1 a2 a3 b1"), state, games.Reversi(4), games.Gomoku(3, 3)):
        one, another = two(2)
        fresh = mcts(other, num_simulations=25, root=old, rng=one)
        assert difference(fresh.root, mcts(other, num_simulations=25, rng=another).root) == ""
    assert old.visit_count == 30


def test_the_old_tree_stays_whole():
    state = games.TicTacToe()
    old = mcts(state, num_simulations=300, rng=np.random.default_rng(1))
    before = as_plain(old.root)
    mcts(play(state, "b2 a1"), num_simulations=100, root=old.root, rng=np.random.default_rng(2))
    assert difference(ArrayNode(old.root.tree), before) == ""
    check_tree(before)


def test_a_node_inside_a_tree_can_be_given_as_the_root():
    results = both("mcts", games.TicTacToe(), 3, num_simulations=200)
    inside = [next(c for c in each.root.children if c.action == 4) for each in results]
    both("mcts", games.TicTacToe().child(4), 4, roots=inside, num_simulations=50)


# From one search to the other


def test_the_readable_search_goes_on_with_a_compiled_tree():
    """By itself, or because what is asked for cannot be compiled; from the root or from inside."""
    for actions in ("", "b2", "b2 a1"):
        state = play(games.TicTacToe(), actions)
        first, second, third = (np.random.default_rng(4) for _ in range(3))
        plain = search.mcts(games.TicTacToe(), num_simulations=300, rng=first).root
        ours = mcts(games.TicTacToe(), num_simulations=300, rng=second).root
        mcts(games.TicTacToe(), num_simulations=300, rng=third)
        evaluator = FunctionEvaluator(lambda state: 0.25)
        options = {"num_simulations": 60, "evaluator": evaluator}
        expected = search.mcts(state, root=plain, rng=first, **options).root
        with pytest.warns(SlowSearchWarning, match="is written in Python"):
            fallen_back = mcts(state, root=ours, rng=second, **options).root
        assert difference(fallen_back, expected) == ""
        by_itself = search.mcts(state, root=ours, rng=third, **options).root
        assert difference(by_itself, expected) == ""
        check_tree(fallen_back)


def test_a_tree_of_the_readable_search_is_gone_on_with_by_it():
    one, other = two(6)
    state = games.TicTacToe()
    roots = [search.mcts(state, num_simulations=100, rng=rng).root for rng in (one, other)]
    with pytest.warns(SlowSearchWarning, match="was grown by the readable search"):
        result = mcts(state.child(4), num_simulations=50, root=roots[0], rng=one)
    expected = search.mcts(state.child(4), num_simulations=50, root=roots[1], rng=other)
    assert difference(result.root, expected.root) == ""
    assert "was grown by the readable search" in result.note


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_as_plain_is_the_readable_tree(state):
    one, other = two(8)
    plain = as_plain(mcts(state, num_simulations=300, rng=one).root)
    expected = search.mcts(state, num_simulations=300, rng=other).root
    assert type(plain) is type(plain.children[0]) is Node
    assert difference(plain, expected) == ""
    check_tree(plain)


# The face of a node


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_results_read_and_draw_alike(state):
    ours, theirs = both("mcts", state, 9, num_simulations=250)
    assert ours.value == theirs.value
    assert str(ours.table()) == str(theirs.table())
    assert draw.tree(ours).source == draw.tree(theirs).source
    assert draw.tree(ours.root, boards=True, max_nodes=60, depth=6).source == (
        draw.tree(theirs.root, boards=True, max_nodes=60, depth=6).source
    )
    check_tree(ours.root)
    assert repr(ours.root) == repr(theirs.root)
    for mine, its in zip(ours.root.children, theirs.root.children, strict=True):
        assert (mine.state, mine.is_fully_expanded) == (its.state, its.is_fully_expanded)
        assert repr(mine) == repr(its)


def test_what_was_read_does_not_change_when_the_search_goes_on():
    rng = np.random.default_rng(1)
    first = mcts(games.TicTacToe(), num_simulations=100, rng=rng)
    children, visits = first.children, first.root.visit_count
    second = mcts(games.TicTacToe(), num_simulations=100, root=first.root, rng=rng)
    assert (first.children, first.root.visit_count) == (children, visits)
    assert sum(child.visit_count for child in second.children) == 200


@pytest.mark.parametrize("again", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_a_result_can_be_copied_and_pickled_and_gone_on_with(state, again):
    one, other = two(2)
    original = mcts(state, num_simulations=80, rng=one)
    mcts(state, num_simulations=80, rng=other)
    copied = again(original)
    assert difference(copied.root, original.root) == ""
    assert copied.root.tree is not original.root.tree
    before = as_plain(ArrayNode(original.root.tree))
    went_on = mcts(state, num_simulations=80, root=copied.root, rng=one)
    assert difference(ArrayNode(original.root.tree), before) == ""
    expected = mcts(state, num_simulations=80, root=original.root, rng=other)
    assert difference(went_on.root, expected.root) == ""


def test_fast_is_one_of_the_readable_nodes():
    root = mcts(games.TicTacToe(), num_simulations=5, rng=np.random.default_rng(1)).root
    assert isinstance(root, ArrayNode)
    assert isinstance(root, Node)


def check_node_of_a_tree_without_root(child: ArrayNode) -> None:
    """All around a node can be read as before, though nothing else holds the tree."""
    above = child.parent
    assert above is not None
    assert above.parent is not None
    assert above.parent.parent is None
    assert (above.action, above.parent.visit_count) == (2, 500)
    assert above.children[1].visit_count == child.visit_count
    assert child.state == games.ConnectFour().child(2).child(child.action)


FREED = """
import gc, weakref
from functools import partial
import numpy as np
from mctslab import fast, games, search
from tests.fast.test_tree import check_node_of_a_tree_without_root

gc.disable()
for searched in (fast.mcts, partial(fast.puct_search, evaluator=search.uniform_evaluator())):
    result = searched(games.ConnectFour(), num_simulations=500, rng=np.random.default_rng(1))
    tree, child = weakref.ref(result.root.tree), result.root.children[2].children[1]
    assert child.parent is result.root.children[2]
    del result
    check_node_of_a_tree_without_root(child)
    assert tree() is not None
    del child
    assert tree() is None
"""


def test_a_tree_is_freed_with_the_last_of_its_nodes():
    """At once, and not by the garbage collector, which rarely runs in a notebook."""
    subprocess.run([sys.executable, "-c", FREED], cwd=PROJECT, check=True)
