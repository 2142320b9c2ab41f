"""Does a drawing of a tree cost what is drawn, or what was searched?

    python -m tests.benchmarks.drawing_speed

After searches of Reversi of more and more simulations: the seconds of the search, and those of
drawing its tree, opening it in the explorer, its table, its principal variation, drawing the part
below the best move, finding the position after the expected move and reply, copying what is below
it to go on from there, and finding out that a position is not in the tree. With `--pickle` also
those of pickling it. Counting the nodes below a move, copying and pickling are compiled loops over
the nodes; nothing else depends on their number.
"""

import argparse
import pickle
import time
from collections.abc import Callable
from statistics import median

import numpy as np

from mctslab import draw, fast, games, search
from mctslab.fast.tree import ArrayNode, Tree
from mctslab.widgets import TreeExplorer

SIZES = {"mcts": (1_000, 100_000, 1_000_000, 3_000_000), "puct_search": (1_000, 100_000)}
RUNS = 3


def main() -> None:
    """Print a row for each search."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pickle", action="store_true")
    pickles = parser.parse_args().pickle
    draw.tree(searched("mcts", 10)).svg  # noqa: B018 (so that Graphviz is loaded)
    names = [*WAYS, *(["pickle"] if pickles else [])]
    print(f"| search | simulations | seconds | {' | '.join(names)} |\n{'|---' * (3 + len(names))}|")
    for name, sizes in SIZES.items():
        for number in sizes:
            result = searched(name, number)
            cells = [f"{seconds(way, result):.4f}" for way in WAYS.values()]
            if pickles:
                size = len(pickle.dumps(result)) / 1e6
                cells.append(f"{seconds(pickle.dumps, result):.4f} ({size:.1f} MB)")
            cells = [name, f"{number:,}", f"{result.seconds:.3f}", *cells]
            print(f"| {' | '.join(cells)} |", flush=True)


def searched(name: str, number: int) -> search.SearchResult:
    """The result of a search from Reversi's first position."""
    rng = np.random.default_rng(1)
    if name == "mcts":
        return fast.mcts(games.Reversi(), num_simulations=number, rng=rng)
    evaluator = search.uniform_evaluator()
    return fast.puct_search(games.Reversi(), evaluator=evaluator, num_simulations=number, rng=rng)


def seconds(way: Callable[[search.SearchResult], object], result: search.SearchResult) -> float:
    """The median time that `way` takes for a result."""
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        way(result)
        times.append(time.perf_counter() - began)
    return median(times)


def again(result: search.SearchResult) -> search.SearchResult:
    """The same result, of which nothing has been read yet."""
    assert isinstance(result.root, ArrayNode)
    root = ArrayNode(result.root.tree)
    return search.SearchResult(root, result.num_simulations, result.seconds)


def best_child(result: search.SearchResult) -> search.Node:
    """The node of the move to play."""
    return next(child for child in result.root.children if child.action == result.best_so_far)


def after(result: search.SearchResult) -> games.State:
    """The position after the expected move and reply."""
    move, reply, *_ = result.principal_variation
    return result.state.child(move).child(reply)


def going_on(result: search.SearchResult) -> Tree | None:
    """The part of the tree that is kept after the move and the reply."""
    node = fast.find(result.root, after(result))
    return node and node.tree.below(node.index, node.state, node.tree.game)


WAYS: dict[str, Callable[[search.SearchResult], object]] = {
    "draw.tree": lambda result: draw.tree(again(result)).svg,
    "TreeExplorer": lambda result: TreeExplorer(again(result)).close(),
    "table": lambda result: str(again(result).table()),
    "line": lambda result: again(result).principal_variation,
    "below": lambda result: draw.tree(best_child(again(result))).svg,
    "found": lambda result: fast.find(again(result).root, after(result)),
    "reuse": lambda result: going_on(again(result)),
    "not found": lambda result: fast.find(again(result).root, games.Reversi(6)),
}
"""What is done with a result, and under which name the time is printed."""


if __name__ == "__main__":
    main()
