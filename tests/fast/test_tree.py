"""The compiled search's tree is gone on with, cut down, drawn and read as the readable one is."""

import copy
import os
import pickle
import subprocess
import sys
import threading
import time
from functools import partial
from typing import Any

import pytest

from mctslab import draw, games, search
from mctslab.fast import SlowSearchWarning, mcts, puct_search
from mctslab.fast.nodes import ROOT
from mctslab.fast.tree import ArrayNode, find
from mctslab.widgets import TreeExplorer
from tests.fast.same_trees import difference
from tests.games.playing import new_rng
from tests.search.toys import FORCED_PASS, all_nodes, listed, play, visited


def grown(state: games.State, num_simulations: int, *, is_guided: bool = False) -> Any:
    options: dict[str, Any] = {"num_simulations": num_simulations, "rng": new_rng()}
    if is_guided:
        return puct_search(state, evaluator=search.uniform_evaluator(), **options)
    return mcts(state, **options)


# Going on


def test_the_old_tree_stays_whole_and_what_was_read_does_not_change():
    """Below a node that was read there is what has grown since, wherever its record is now."""
    state = games.TicTacToe()
    old = mcts(state, num_simulations=5, rng=new_rng())
    early = old.root.children
    old = mcts(state, num_simulations=295, root=old.root, rng=new_rng())
    for node in early:
        (now,) = (each for each in old.root.children if each.action == node.action)
        assert listed(node)[1:] == listed(now)[1:] != []
    children, before = old.children, listed(old.root)
    mcts(play(state, "b2 a1"), num_simulations=100, root=old.root, rng=new_rng(2))
    assert listed(ArrayNode(old.root.tree)) == before
    second = mcts(state, num_simulations=100, root=old.root, rng=new_rng())
    assert (old.children, old.root.visit_count) == (children, 300)
    assert sum(child.visit_count for child in second.children) == 400


def test_in_a_large_tree_every_reply_is_found():
    """More than 60,000 nodes are between the first reply and the last."""
    state = games.Gomoku(19)
    old = mcts(state, num_simulations=100_000, rng=new_rng())
    for child in (old.root.children[0], old.root.children[-1]):
        for reply in (child.children[0], child.children[-1]):
            found = find(old.root, state.child(child.action).child(reply.action))
            assert old.root.tree.nodes[found]["visit_count"] == reply.visit_count


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
@pytest.mark.parametrize("is_guided", [False, True], ids=["UCT", "PUCT"])
def test_a_result_is_copied_and_pickled_with_its_whole_tree(is_guided, copied):
    state, more = games.Reversi(6), {"num_simulations": 100, "rng": new_rng()}
    if is_guided:
        more["evaluator"] = search.uniform_evaluator()
    result = grown(state, 2_000, is_guided=is_guided)
    other = copied(result)
    assert other.root.tree is not result.root.tree
    assert (other.children, difference(other.root, result.root)) == (result.children, "")
    node = result.root.children[1].children[2]
    assert listed(copied(node)) == listed(node)
    # The copy is searched further, from its root or a later position, and the original is not.
    searched = puct_search if is_guided else mcts
    for root_state in (state, node.state):
        assert searched(root_state, root=other.root, **more).root.visit_count > 100
    assert result.root.tree.nodes[ROOT]["visit_count"] == 2_000


# From one search to the other


@pytest.mark.parametrize("is_guided", [False, True], ids=["UCT", "PUCT"])
def test_a_tree_that_another_search_cannot_grow_is_refused(is_guided):
    """The readable ones grow no arrays; of the compiled ones one knows priors, the other not."""
    options = {"state": games.TicTacToe(), "num_simulations": 50, "rng": new_rng()}
    by_puct = options | {"evaluator": search.uniform_evaluator()}
    root = puct_search(**by_puct).root if is_guided else mcts(**options).root
    words = f"from a search by {'puct_search' if is_guided else 'mcts'}"
    with pytest.raises(ValueError, match=words):
        mcts(root=root, **options) if is_guided else puct_search(root=root, **by_puct)
    for searched in (partial(search.mcts, **options), partial(search.puct_search, **by_puct)):
        with pytest.raises(ValueError, match="root= is from the compiled search"):
            searched(root=root)


def test_a_tree_of_the_readable_search_is_gone_on_with_by_it():
    state, rngs = games.TicTacToe(), (new_rng(6), new_rng(6))
    roots = [search.mcts(state, num_simulations=100, rng=rng).root for rng in rngs]
    with pytest.warns(SlowSearchWarning, match="was grown by the readable search"):
        result = mcts(state.child(4), num_simulations=50, root=roots[0], rng=rngs[0])
    expected = search.mcts(state.child(4), num_simulations=50, root=roots[1], rng=rngs[1])
    assert difference(result.root, expected.root) == ""


# The face of a node


@pytest.mark.parametrize(
    "state", [games.TicTacToe(), games.Reversi(4), play(games.Reversi(4), FORCED_PASS)], ids=str
)
def test_the_nodes_below_each_node_are_counted_and_the_plies_with_a_visit(state):
    """Also where a node has only some of its children, and in a tree of PUCT."""
    for result in (grown(state, 130), grown(state, 130, is_guided=True)):
        nodes = all_nodes(result.root)
        assert result.root.tree.num_nodes == len(nodes)
        assert [node.num_nodes for node in nodes] == [len(all_nodes(node)) for node in nodes]
        assert result.root.tree.depth() == max(map(len, visited(result.root)))


@pytest.mark.parametrize("is_guided", [False, True], ids=["UCT", "PUCT"])
def test_a_drawing_and_the_explorer_say_how_large_a_tree_is_of_which_they_show_a_part(is_guided):
    result = grown(games.Reversi(), 2_000, is_guided=is_guided)
    size, child = len(all_nodes(result.root)), result.root.children[0]
    assert TreeExplorer(result).data["size"] == result.root.tree.num_nodes == size
    assert f" of the tree's {size:,} nodes" in draw.tree(result).caption
    assert f" of the tree's {len(all_nodes(child)):,} nodes" in draw.tree(child).caption


def test_a_tree_is_read_soon_while_a_search_takes_its_lock_again_and_again():
    tree = grown(games.TicTacToe(), 50).root.tree
    turns: list[int] = []
    is_over = threading.Event()

    def search_on() -> None:
        while not is_over.is_set():
            with tree.lock:
                time.sleep(0.001)
            tree.let_readers_in()
            turns.append(1)

    thread = threading.Thread(target=search_on)
    thread.start()
    for _ in range(20):
        assert len(ArrayNode(tree).children) == 9
        assert find(ArrayNode(tree), games.TicTacToe().child(4)) is not None
        assert ArrayNode(tree).num_nodes == 51
    is_over.set()
    thread.join()
    assert len(turns) < 200


FREED = """
import gc, weakref
import numpy as np
from mctslab import fast, games, search

gc.disable()
options = {"num_simulations": 500, "rng": np.random.default_rng(1)}
if fast.SEARCH == "puct_search":
    options["evaluator"] = search.uniform_evaluator()
result = getattr(fast, fast.SEARCH)(games.TicTacToe(), **options)
tree, child = weakref.ref(result.root.tree), result.root.children[2].children[1]
assert child.parent.action == 2
del result
# All around a node can be read as before, though nothing else holds the tree.
above = child.parent
assert above.parent.parent is None
assert (above.action, above.parent.visit_count) == (2, 500)
assert above.children[1].visit_count == child.visit_count
assert child.state == games.TicTacToe().child(2).child(child.action)
assert tree() is not None
del above, child
assert tree() is None
"""


@pytest.mark.parametrize("name", ["mcts", "puct_search"])
def test_a_tree_is_freed_with_the_last_of_its_nodes(name, tmp_path):
    """At once, and not by the garbage collector, which rarely runs in a notebook.

    Also if the search by PUCT was compiled just before: what Numba keeps of it can hold the tree.
    """
    cache = {"MCTSLAB_CACHE": str(tmp_path)} if name == "puct_search" else {}
    script = FREED.replace("fast.SEARCH", repr(name))
    subprocess.run([sys.executable, "-c", script], check=True, env=os.environ | cache)


# Several searches of one tree

STATE, EVEN = games.ConnectFour(), search.uniform_evaluator()
SEARCHES_OF_ONE_TREE: dict[str, Any] = {
    "fast.mcts": partial(mcts, STATE, num_simulations=5_000),
    "fast.puct_search": partial(
        puct_search, STATE, num_simulations=2_000, evaluator=search.rollout_evaluator()
    ),
}


@pytest.mark.parametrize("kind", SEARCHES_OF_ONE_TREE)
def test_a_tree_that_is_being_searched_is_refused(kind):
    searched, refused = partial(SEARCHES_OF_ONE_TREE[kind], rng=new_rng()), []
    root = searched().root

    def stop():
        for node in (root, root.children[0]):
            with pytest.raises(RuntimeError, match="Another search is using this"):
                searched(root=node)
        refused.append(True)
        return True

    searched(root=root, stop=stop)
    assert refused
    searched(root=root)  # nobody holds it any longer
